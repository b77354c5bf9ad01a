import Foundation
import Geography

/// The observer's position, rounded to a tenth of a degree. Rounding changes sunrise by less than a minute up to 60° of
/// latitude.
package struct SunPlace: Hashable, Sendable {
  package let tenthsNorth: Int
  package let tenthsEast: Int

  package init(tenthsNorth: Int, tenthsEast: Int) { (self.tenthsNorth, self.tenthsEast) = (tenthsNorth, tenthsEast) }

  package init(_ point: Coordinate) {
    self.init(tenthsNorth: Int((point.latitude * 10).rounded()), tenthsEast: Int((point.longitude * 10).rounded()))
  }
}

/// The daily events of the sun. Dawn and dusk are the limits of civil twilight.
enum SunEvent: String, Sendable {
  case dawn, sunrise, sunset, dusk

  var isMorning: Bool { self == .dawn || self == .sunrise }

  /// The altitude of the sun's centre in degrees: below the horizon by half the disc plus refraction, or by 6 degrees.
  private var altitude: Double { self == .sunrise || self == .sunset ? -0.833 : -6 }

  /// Returns the minutes since midnight at UTC offset `secondsFromGMT`, to about a minute. If the sun stays below the
  /// altitude all day, both events are at noon; if it stays above, both are twelve hours from noon.
  ///
  /// Source: NOAA's solar calculator, after J. Meeus, Astronomical Algorithms, chapters 25 and 28.
  func minute(on day: CalendarDay, at place: SunPlace, secondsFromGMT: Int) -> Int {
    let east = Double(place.tenthsEast) / 10
    let latitude = Double(place.tenthsNorth) / 10 * .pi / 180
    // The sun's position at noon gives the time to within minutes; its position at that time, to within seconds.
    var utc = 720 - 4 * east
    for _ in 0..<2 {
      let sun = sunPosition(days: Double(day.number) + utc / 1440)
      let cosine =
        (sin(altitude * .pi / 180) - sin(latitude) * sin(sun.declination)) / (cos(latitude) * cos(sun.declination))
      let halfDay = acos(min(1, max(-1, cosine))) * 180 / .pi * 4
      utc = 720 - 4 * east - sun.equationOfTime + (isMorning ? -halfDay : halfDay)
    }
    let minute = Int((utc + Double(secondsFromGMT) / 60).rounded())
    // If the UTC offset differs from the longitude's by nearly a day, the same event falls on another date.
    let noon = Int((720 - 4 * east + Double(secondsFromGMT) / 60).rounded())
    return minute - (noon >= 0 ? noon / 1440 : (noon - 1439) / 1440) * 1440
  }
}

/// Returns the sun's declination in radians and the equation of time in minutes, `days` after 1970, 0:00 UTC.
private func sunPosition(days: Double) -> (declination: Double, equationOfTime: Double) {
  func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
  let centuries = (days - 10_957.5) / 36_525  // since noon on 1 January 2000
  let meanLongitude = 280.46646 + centuries * (36_000.76983 + centuries * 0.0003032)
  let anomaly = radians(357.52911 + centuries * (35_999.05029 - 0.0001537 * centuries))
  let eccentricity = 0.016708634 - centuries * (0.000042037 + 0.0000001267 * centuries)
  let centre =
    sin(anomaly) * (1.914602 - centuries * (0.004817 + 0.000014 * centuries))
    + sin(2 * anomaly) * (0.019993 - 0.000101 * centuries) + sin(3 * anomaly) * 0.000289
  let node = radians(125.04 - 1934.136 * centuries)
  let longitude = radians(meanLongitude + centre - 0.00569 - 0.00478 * sin(node))
  let obliquity = radians(23.439291 - centuries * 0.0130042 + 0.00256 * cos(node))
  let y = tan(obliquity / 2) * tan(obliquity / 2)
  let double = 2 * radians(meanLongitude)
  let sum =
    y * sin(double) - 2 * eccentricity * sin(anomaly) + 4 * eccentricity * y * sin(anomaly) * cos(double)
    - 0.5 * y * y * sin(2 * double) - 1.25 * eccentricity * eccentricity * sin(2 * anomaly)
  return (asin(sin(obliquity) * sin(longitude)), 4 * sum * 180 / .pi)
}
