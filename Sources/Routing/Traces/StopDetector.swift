import Foundation
import Geography

/// Finds where a device stood still.
///
/// A stop is a run of fixes, one after the other, that all lie within a radius of their median, and that lasts long
/// enough. Fixes that were dropped for their distance count, as they say how long the device stood; those out of order or
/// too old do not. A single fix that jumps away and back, in less time than a stop takes, is passed over.
///
/// A run grows from the first fixes that are a stop, as far to both sides as its median allows.
package struct StopDetector {
  private let stopTime: Double
  /// Metres.
  private let radius: Double

  /// - Parameter sigma: The standard deviation of fixes, in metres.
  package init(_ options: MatchOptions, sigma: Double) {
    stopTime = options.stopTime
    radius = max(options.stopRadius, 3 * sigma)
  }

  /// The stops of a trace, in order. `reasons` are those of the breadcrumb, fix by fix.
  package func stops(of fixes: [Fix], reasons: [FixReason?]) -> [TraceStop] {
    let track = withoutJumps(StopDetector.track(of: fixes, reasons))
    var windows = StopWindow(track)
    var (stops, begin, end): ([TraceStop], Int, Int) = ([], 0, 0)
    // A stop begins at the first fix from which on the fixes of `stopTime` are one.
    while begin < track.count {
      end = max(end, begin + 1)
      while end < track.count, track[end].time - track[begin].time < stopTime { end += 1 }
      guard end < track.count else { break }
      let core = begin..<end + 1
      if windows.span(of: core) <= 2 * radius, isStanding(track[core]), isStop(track[core]) {
        let run = grown(core, in: track, from: stops.isEmpty ? 0 : windows.start)
        stops.append(TraceStop(track[run]))
        begin = run.upperBound
        windows.restart(at: begin)
      } else {
        // Of hundreds of fixes within the time, those close to one another begin the same stop.
        begin += max(1, core.count / 64)
      }
    }
    return stops
  }

  /// The run that is grown to both sides as long as it is a stop.
  private func grown(_ core: Range<Int>, in track: [StopPoint], from first: Int) -> Range<Int> {
    var run = core
    // Medians settle after a few rounds; a device that creeps for hours may take no more.
    for _ in 0..<32 {
      let centre = StopMedian(track[run])
      var lower = run.lowerBound
      while lower > first, centre.distance(to: track[lower - 1]) <= radius { lower -= 1 }
      var upper = run.upperBound
      while upper < track.count, centre.distance(to: track[upper]) <= radius { upper += 1 }
      while lower < run.lowerBound || upper > run.upperBound, !isStop(track[lower..<upper]) {
        lower += (run.lowerBound - lower + 1) / 2
        upper -= (upper - run.upperBound + 1) / 2
      }
      guard lower < run.lowerBound || upper > run.upperBound else { break }
      run = lower..<upper
    }
    return run
  }

  /// Whether the last of some fixes is near the first: two fixes a minute apart, or a slow walk, are no stop.
  private func isStanding(_ points: ArraySlice<StopPoint>) -> Bool {
    points.count > 2 && points.first!.distance(to: points.last!) <= 1.5 * radius
  }

  /// Whether all lie within the radius of their median.
  private func isStop(_ points: ArraySlice<StopPoint>) -> Bool {
    let centre = StopMedian(points)
    return points.allSatisfy { centre.distance(to: $0) <= radius }
  }

  /// The fixes that count, with longitudes that do not jump at the antimeridian.
  private static func track(of fixes: [Fix], _ reasons: [FixReason?]) -> [StopPoint] {
    var track: [StopPoint] = []
    for (index, fix) in fixes.enumerated() {
      guard let time = fix.timestamp?.timeIntervalSince1970, ![.invalid, .order, .age].contains(reasons[index]) else {
        continue
      }
      var longitude = fix.coordinate.longitude
      if let last = track.last?.longitude { longitude += ((last - longitude) / 360).rounded() * 360 }
      track.append(StopPoint(index: index, time: time, latitude: fix.coordinate.latitude, longitude: longitude))
    }
    return track
  }

  /// Without single points that are away from their neighbours while those are together.
  private func withoutJumps(_ track: [StopPoint]) -> [StopPoint] {
    track.indices.filter { index in
      guard index > 0, index + 1 < track.count else { return true }
      let (before, point, after) = (track[index - 1], track[index], track[index + 1])
      return after.time - before.time >= stopTime || before.distance(to: after) > radius
        || before.distance(to: point) <= radius || after.distance(to: point) <= radius
    }.map { track[$0] }
  }
}

extension TraceStop {
  fileprivate init(_ points: ArraySlice<StopPoint>) {
    let (first, last, centre) = (points.first!, points.last!, StopMedian(points))
    self.init(
      arrivalDate: Date(timeIntervalSince1970: first.time), departureDate: Date(timeIntervalSince1970: last.time),
      coordinate: Coordinate(latitude: centre.latitude, longitude: centre.longitude.remainder(dividingBy: 360)),
      firstFix: first.index, lastFix: last.index, place: nil)
  }
}
