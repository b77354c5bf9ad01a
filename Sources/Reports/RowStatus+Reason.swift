import Jobs
import Tables

extension RowStatus {
  /// Returns the reason why a row has no result, in words.
  ///
  /// - Parameter place: The problem with the row's place.
  func reason(snapLimit: String, of place: PlaceReason? = nil) -> String {
    switch self {
    case .ok: "reached"
    case .directionsNotFound: "no route"
    case .placemarkNotFound: (place ?? .noStreet).words(snapLimit: snapLimit)
    case .outsideCoverage: PlaceReason.coverage.words(snapLimit: snapLimit)
    case .beyondLimit: "farther than the limit"
    case .doubtful: "implausible times"
    case .notMatched: "no two fixes on connected streets"
    case .tooShort: "fewer than two separate positions"
    }
  }

  /// Returns the reason why a pair has no route: `route.reason` in words.
  func reason(snapLimit: String, route: String?) -> String {
    guard self != .ok, let route else { return reason(snapLimit: snapLimit) }
    var concernsPlaces = false
    let parts = route.split(separator: ", ").map { part in
      let words = part.split(separator: ": ", maxSplits: 1).map(String.init)
      guard words.count == 2 else { return RowStatus.words[route] ?? String(part) }
      guard let place = PlaceReason(rawValue: words[1]) else { return "\(words[0]) \(words[1])" }
      concernsPlaces = true
      return "\(words[0]) \(place.words(snapLimit: snapLimit))"
    }
    let text = parts.joined(separator: ", ")
    return concernsPlaces ? text : "\(reason(snapLimit: snapLimit)): \(text)"
  }

  private static let words = [
    "closed": "closed at that time", "too_long": "longer than 596 hours",
    "no_time": "an earlier or later leg has no route",
    "beyond_limit": "no trip within the limit",
  ]
}

extension PlaceReason {
  func words(snapLimit: String) -> String {
    switch self {
    case .offMap: "outside the map"
    case .noStreet: "no street within \(snapLimit)"
    case .island: "only isolated streets nearby"
    case .coverage: "outside the coverage"
    case .far: "more than \(Format.decimal(PlaceReason.farMetres)) m from its street"
    }
  }
}

extension Statistic.Measure {
  /// The measure's title, its unit on pages, the size of that unit in the database's unit, and the decimal places.
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
