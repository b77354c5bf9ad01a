import Foundation
import Geography

/// Consecutive fixes close to one another, merged into their mean.
///
/// A device that records every second while standing or creeping produces a tangle of fixes, which a match would follow
/// back and forth. Fixes within four standard deviations of the first fix of their run differ from it only by noise.
struct Observation {
  var coordinate: FixedCoordinate
  /// The mean time in seconds since 1970; nil if a fix has no time.
  var time: Double?
  /// The standard deviation of its position error, in metres.
  var sigma: Double
  /// Its fixes, as indices into the kept fixes.
  var fixes: Range<Int>

  /// The gap between fixes, in seconds, after which a run ends regardless of distances.
  private static let maximumGap = 60.0
  /// The maximum number of fixes that count as independent.
  private static let independentFixes = 4
  /// Added to every standard deviation for the map's inaccuracy and the width of a road, in metres.
  private static let mapSigma = 4.0

  /// Merges kept fixes; `sigma` returns the standard deviation of each.
  static func merging(_ fixes: [KeptFix], sigma: (Int) -> Double) -> [Observation] {
    var observations: [Observation] = []
    observations.reserveCapacity(fixes.count)
    var start = 0
    while start < fixes.count {
      let first = fixes[start]
      let limit = 4 * sigma(start)
      let shrink = cos(first.coordinate.latitude * .pi / 180)
      var end = start + 1
      while end < fixes.count, first.planeDistance(to: fixes[end], shrink) <= limit {
        if let last = fixes[end - 1].time, let time = fixes[end].time, time - last > maximumGap { break }
        end += 1
      }
      observations.append(mean(of: start..<end, fixes, sigma))
      start = end
    }
    return observations
  }

  private static func mean(of range: Range<Int>, _ fixes: [KeptFix], _ sigma: (Int) -> Double) -> Observation {
    // Uses differences from the first fix: a mean of large numbers would lose digits, and could cross the antimeridian.
    let first = fixes[range.lowerBound]
    var (longitude, latitude, time, variance) = (0.0, 0.0, 0.0, 0.0)
    for index in range {
      longitude += (fixes[index].coordinate.longitude - first.coordinate.longitude).remainder(dividingBy: 360)
      latitude += fixes[index].coordinate.latitude - first.coordinate.latitude
      time += (fixes[index].time ?? .nan) - (first.time ?? .nan)
      variance += sigma(index) * sigma(index)
    }
    let count = Double(range.count)
    variance /= count * Double(min(range.count, independentFixes))
    return Observation(
      coordinate: FixedCoordinate(
        Coordinate(
          latitude: first.coordinate.latitude + latitude / count,
          longitude: (first.coordinate.longitude + longitude / count).remainder(dividingBy: 360))),
      time: first.time.flatMap { time.isNaN ? nil : $0 + time / count },
      sigma: (variance + mapSigma * mapSigma).squareRoot(), fixes: range)
  }
}

/// A kept fix.
struct KeptFix {
  var coordinate: Coordinate
  /// The time in seconds since 1970.
  var time: Double?
  /// The longest time without any fix, kept or not, since the previous kept fix; 0 if the fixes have no times.
  var pause: Double
  /// The accuracy reported by the device, in metres; nil if unknown.
  var accuracy: Double?
  /// Its index in the trace.
  var index: Int
  /// The following fixes that were dropped because they are close to it.
  var droppedNearby: [Fix] = []

  /// Returns the distance in the plane, in metres, with x scaled by `shrink`.
  func planeDistance(to other: KeptFix, _ shrink: Double) -> Double {
    let dx = (other.coordinate.longitude - coordinate.longitude).remainder(dividingBy: 360) * shrink
    let dy = other.coordinate.latitude - coordinate.latitude
    return (dx * dx + dy * dy).squareRoot() * Coordinate.metresPerDegree
  }
}
