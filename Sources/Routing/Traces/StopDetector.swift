import Foundation
import Geography

/// A detector of the stops of a trace.
///
/// A stop is a run of consecutive fixes that all lie within a radius of their median, and that lasts long enough. The
/// run may include fixes that were dropped for their distance, since they show that the device was there, but no other
/// dropped fixes. A single fix from which the trace jumps back, in less time than a stop takes, is ignored.
///
/// A run grows from the first fixes that form a stop, as far in both directions as its median allows. Successive runs
/// whose medians are within the radius are one stop if all fixes between them are within twice the radius, since noise
/// alone may split a stop.
package struct StopDetector {
  private let stopTime: Double
  /// The radius of a stop in metres.
  private let radius: Double
  /// The speed in metres per second from which a device does not stand still.
  private let movingSpeed: Double

  /// - Parameter sigma: The standard deviation of fixes, in metres.
  package init(_ options: MatchOptions, sigma: Double, by type: TransportType) {
    stopTime = options.stopTime
    movingSpeed = type.urbanSpeed / 3
    radius = max(options.stopRadius, 3 * sigma)
  }

  /// Returns the stops of a trace, in order. `reasons` has the result of the cleaning rules for each fix.
  package func stops(of fixes: [Fix], reasons: [FixReason?]) -> [TraceStop] {
    let track = withoutJumps(StopDetector.track(of: fixes, reasons))
    var windows = StopWindow(track)
    var (runs, begin, end): ([Range<Int>], Int, Int) = ([], 0, 0)
    var centre: StopMedian?
    // A stop begins at the first fix that forms one with all fixes within `stopTime` after it.
    while begin < track.count {
      end = max(end, begin + 1)
      while end < track.count, track[end].time - track[begin].time < stopTime { end += 1 }
      guard end < track.count else { break }
      let core = begin..<end + 1
      if windows.span(of: core) <= 2 * radius, isStationary(track[core]), isStop(track[core]) {
        let run = extended(core, in: track, from: runs.isEmpty ? 0 : windows.start)
        let median = StopMedian(track[run])
        if let last = runs.last, let centre, centre.distance(median.latitude, median.longitude) <= radius,
          track[last.upperBound..<run.lowerBound].allSatisfy({ centre.distance(to: $0) <= 2 * radius })
        {
          runs[runs.count - 1] = last.lowerBound..<run.upperBound
        } else {
          runs.append(run)
          centre = median
        }
        begin = run.upperBound
        windows.restart(at: begin)
      } else {
        // If there are hundreds of fixes within `stopTime`, fixes close to one another begin the same stop.
        begin += max(1, core.count / 64)
      }
    }
    return runs.map { TraceStop(track[$0]) }
  }

  /// Extends the run in both directions as long as it is a stop.
  private func extended(_ core: Range<Int>, in track: [StopPoint], from first: Int) -> Range<Int> {
    var run = core
    // Medians converge after a few rounds, except perhaps for a device that creeps for hours.
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

  /// Returns whether there are more than two fixes, the last is near the first, and, if there are enough fixes to
  /// average out noise, the medians of both halves are near each other: neither two fixes a minute apart nor a walk
  /// across the circle is a stop.
  private func isStationary(_ points: ArraySlice<StopPoint>) -> Bool {
    let (first, last) = (points.first!, points.last!)
    guard points.count > 2, first.distance(to: last) <= 1.5 * radius else { return false }
    guard points.count >= 4 else { return true }
    let middle = points.startIndex + points.count / 2
    let half = StopMedian(points[middle...])
    return StopMedian(points[..<middle]).distance(half.latitude, half.longitude)
      <= movingSpeed * (last.time - first.time) / 2
  }

  /// Returns whether all points are within the radius of their median.
  private func isStop(_ points: ArraySlice<StopPoint>) -> Bool {
    let centre = StopMedian(points)
    return points.allSatisfy { centre.distance(to: $0) <= radius }
  }

  /// Returns the fixes to use, with longitudes that do not jump at the antimeridian.
  private static func track(of fixes: [Fix], _ reasons: [FixReason?]) -> [StopPoint] {
    var track: [StopPoint] = []
    for (index, fix) in fixes.enumerated() {
      guard let time = fix.timestamp?.timeIntervalSince1970, reasons[index] ?? .distance == .distance else { continue }
      var longitude = fix.coordinate.longitude
      if let last = track.last?.longitude { longitude += ((last - longitude) / 360).rounded() * 360 }
      track.append(StopPoint(index: index, time: time, latitude: fix.coordinate.latitude, longitude: longitude))
    }
    return track
  }

  /// Removes single points that are far from both neighbours if the neighbours are close together.
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

/// The extent of the points in a window that moves along a track, computed at constant cost per step: a window wider
/// than two radii needs no further check.
struct StopWindow {
  private let track: [StopPoint]
  /// The points that may become the minimum or maximum of each axis, as indices into the track.
  private var extremes: [[Int]] = [[], [], [], []]
  private var heads = [0, 0, 0, 0]
  private var next = 0
  /// The first point that may be in a window.
  private(set) var start = 0

  init(_ track: [StopPoint]) { self.track = track }

  mutating func restart(at index: Int) {
    extremes = [[], [], [], []]
    heads = [0, 0, 0, 0]
    (start, next) = (index, index)
  }

  /// Returns a lower bound of the longer side, in metres. Windows must move forward.
  mutating func span(of window: Range<Int>) -> Double {
    while next < window.upperBound {
      for kind in 0..<4 {
        while extremes[kind].count > heads[kind], value(kind, extremes[kind].last!) <= value(kind, next) {
          extremes[kind].removeLast()
        }
        extremes[kind].append(next)
      }
      next += 1
    }
    for kind in 0..<4 {
      while extremes[kind][heads[kind]] < window.lowerBound { heads[kind] += 1 }
    }
    let maxima = (0..<4).map { value($0, extremes[$0][heads[$0]]) }
    let (north, south) = (maxima[0], -maxima[1])
    let minimumScale = cos(min(90, max(abs(north), abs(south))) * .pi / 180)
    let (height, width) = (north - south, (maxima[2] + maxima[3]) * minimumScale)
    return max(height, width) * Coordinate.metresPerDegree * 0.999
  }

  /// Returns the value that the extreme of this kind maximizes.
  private func value(_ kind: Int, _ index: Int) -> Double {
    switch kind {
    case 0: track[index].latitude
    case 1: -track[index].latitude
    case 2: track[index].longitude
    default: -track[index].longitude
    }
  }
}

/// The time and place of a fix, with a longitude in degrees that may be outside -180…180.
struct StopPoint {
  /// Its index in the trace.
  var index: Int
  /// The time in seconds since 1970.
  var time: Double
  var latitude: Double
  var longitude: Double

  func distance(to other: StopPoint) -> Double { StopMedian(latitude, longitude).distance(to: other) }
}

/// The medians of the latitudes and of the longitudes, in degrees, and the scale of the plane around them.
struct StopMedian {
  let latitude: Double
  let longitude: Double
  private let metresPerDegreeEast: Double

  init(_ latitude: Double, _ longitude: Double) {
    (self.latitude, self.longitude) = (latitude, longitude)
    metresPerDegreeEast = Coordinate.metresPerDegree * cos(latitude * .pi / 180)
  }

  init(_ points: ArraySlice<StopPoint>) {
    func median(_ numbers: [Double]) -> Double {
      let sorted = numbers.sorted()
      return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
    self.init(median(points.map(\.latitude)), median(points.map(\.longitude)))
  }

  /// Returns the distance in metres.
  func distance(to point: StopPoint) -> Double { distance(point.latitude, point.longitude) }

  func distance(_ otherLatitude: Double, _ otherLongitude: Double) -> Double {
    let north = (otherLatitude - latitude) * Coordinate.metresPerDegree
    let east = (otherLongitude - longitude) * metresPerDegreeEast
    return (north * north + east * east).squareRoot()
  }
}
