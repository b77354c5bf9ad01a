import Foundation
import Geography

/// Consecutive fixes close to one another, as one: their mean.
///
/// A device that records every second while it stands or crawls draws a scribble, which a match would follow there and
/// back. Fixes within four standard deviations of the first of their run are told from it by chance alone.
struct Observation {
  var coordinate: FixedCoordinate
  /// Seconds since 1970, the mean; nil where a fix has no time.
  var time: Double?
  /// The standard deviation of its distance from where the device was, in metres.
  var sigma: Double
  /// Its fixes, as indices among those kept.
  var fixes: Range<Int>

  /// Seconds after which a run ends whatever its distances.
  private static let longestGap = 60.0
  /// The most fixes that count as independent of one another.
  private static let independentFixes = 4
  /// What the map's drawing and the width of a road add to every deviation, in metres.
  private static let mapSigma = 4.0

  /// Merges kept fixes; `sigma` is of each of them.
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
        if let last = fixes[end - 1].time, let time = fixes[end].time, time - last > longestGap { break }
        end += 1
      }
      observations.append(mean(of: start..<end, fixes, sigma))
      start = end
    }
    return observations
  }

  private static func mean(of range: Range<Int>, _ fixes: [KeptFix], _ sigma: (Int) -> Double) -> Observation {
    // Differences from the first: a mean of large numbers would lose digits, and cross the antimeridian.
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

/// A fix that the breadcrumb kept.
struct KeptFix {
  var coordinate: Coordinate
  /// Seconds since 1970.
  var time: Double?
  /// The most seconds without any fix, kept or not, since the one kept before; 0 where times are not known.
  var pause: Double
  /// In metres, as the device said; nil where it did not.
  var accuracy: Double?
  /// Its index in the trace.
  var index: Int
  /// The fixes behind it that were dropped because they are near it.
  var beside: [Fix] = []

  /// Metres in the plane, whose x is shrunk by `shrink`.
  func planeDistance(to other: KeptFix, _ shrink: Double) -> Double {
    let dx = (other.coordinate.longitude - coordinate.longitude).remainder(dividingBy: 360) * shrink
    let dy = other.coordinate.latitude - coordinate.latitude
    return (dx * dx + dy * dy).squareRoot() * Coordinate.metresPerDegree
  }
}
