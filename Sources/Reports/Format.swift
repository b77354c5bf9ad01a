import Foundation
import Jobs
import Tables

/// How reports write numbers: never with a locale.
package enum Format {
  /// A number with `places` decimals, digits in threes from five digits on.
  package static func decimal(_ value: Double, _ places: Int = 0) -> String {
    let scale = [1.0, 10, 100, 1000][places]
    guard value.isFinite, abs(value) * scale < 9e15 else { return "–" }
    let rounded = Int64((value * scale).rounded())
    var whole = String(rounded.magnitude / UInt64(scale))
    if whole.count > 4 {
      var grouped = ""
      for (index, digit) in whole.enumerated() {
        if index > 0 && (whole.count - index) % 3 == 0 { grouped += "\u{202F}" }
        grouped.append(digit)
      }
      whole = grouped
    }
    let decimals = String(rounded.magnitude % UInt64(scale))
    let fraction = places == 0 ? "" : "." + String(repeating: "0", count: places - decimals.count) + decimals
    return (rounded < 0 ? "−" : "") + whole + fraction
  }

  /// Per cent, with as many decimals as a small share needs.
  package static func percent(_ share: Double) -> String {
    decimal(share * 100, share < 0.001 ? 3 : share < 0.01 ? 2 : 1) + " %"
  }

  /// Seconds as minutes: "12.5". Thresholds are whole seconds, and those that people write are exact: "7.25".
  package static func minutes(_ seconds: Double) -> String {
    func divides(_ unit: Double) -> Bool { seconds.truncatingRemainder(dividingBy: unit) == 0 }
    return decimal(seconds / 60, divides(60) ? 0 : divides(6) || !divides(3) ? 1 : 2)
  }
}

/// A measure as headings name it, with its unit, and how many times larger the unit is than that of the database.
extension Statistic.Measure {
  var heading: (title: String, unit: String, scale: Double, places: Int) {
    switch self {
    case .distance: ("Distance", "m", 1, 0)
    case .expectedTravelTime: ("Travel time", "min", 60, 1)
    case .stepCount: ("Steps of a route", "count", 1, 0)
    case .stepLength: ("Length of a step", "m", 1, 0)
    case .speed: ("Speed", "m/s", 1, 2)
    case .detour: ("Detour", "route / straight line", 1, 2)
    case .timeRatio: ("Moving time", "moving / expected", 1, 2)
    case .snapDistance: ("Distance of fixes from streets", "m", 1, 1)
    case .sigma: ("Standard deviation of fixes", "m", 1, 1)
    case .dwellTime: ("Stops", "min", 60, 1)
    case .area: ("Area", "km²", 1_000_000, 2)
    }
  }
}
