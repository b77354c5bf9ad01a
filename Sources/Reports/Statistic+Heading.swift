import Tables

/// A measure's heading with its unit, and the conversion factor from the database's unit.
extension Statistic.Measure {
  var heading: (title: String, unit: String, scale: Double, places: Int) {
    switch self {
    case .distance: ("Distance", "km", 1000, 2)
    case .expectedTravelTime: ("Travel time", "min", 60, 1)
    case .stepCount: ("Steps of a route", "count", 1, 0)
    case .stepLength: ("Length of a step", "m", 1, 0)
    case .speed: ("Speed", "km/h", 1 / 3.6, 1)
    case .detour: ("Detour", "route / straight line", 1, 2)
    case .timeRatio: ("Moving time", "time / expected time", 1, 2)
    case .snapDistance: ("Distance of fixes from streets", "m", 1, 1)
    case .sigma: ("Standard deviation of fixes", "m", 1, 1)
    case .dwellTime: ("Stops", "min", 60, 1)
    case .area: ("Area", "km²", 1_000_000, 2)
    }
  }
}
