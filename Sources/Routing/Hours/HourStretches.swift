import Hierarchy
import StreetNetwork

/// The days of some trips, cut wherever speeds or closings change. One list for the trips of all days: who leaves later
/// never arrives earlier where all are followed to the same end. Stretches that are alike share a metric: the speeds of a
/// Monday at noon may be those of a Tuesday, too.
struct HourStretches: Sendable {
  /// In the order in which one travels: those of trips that arrive go back in time.
  let stretches: [Stretch]
  /// Of each time the stretch in which it begins.
  private(set) var first: [Int]
  /// A moment of each metric, whose speeds and closings these are.
  let metrics: [UInt32]

  struct Stretch: Sendable {
    var clock: Range<UInt32>
    var metric: Int
  }

  private static let day: UInt32 = 86_400_000

  /// - Parameter times: All of departures or all of arrivals. Trips are followed to the end of the day after the last, or
  ///   back to the beginning of the day before the first: the last stretch never ends.
  init(_ times: [TripTime], on clock: StreetClock) {
    let isArrival = times.first?.isArrival == true
    var cuts = HourStretches.cuts(times, on: clock)
    if isArrival { cuts.reverse() }
    func holds(_ cut: Range<UInt32>, _ time: UInt32) -> Bool {
      isArrival ? cut.lowerBound < time && time <= cut.upperBound : cut.contains(time)
    }
    let starts = times.map { time in cuts.firstIndex { holds($0, time.clock) } ?? 0 }
    let begin = starts.min() ?? 0
    first = starts.map { $0 - begin }
    // A metric is made again to be compared: all of them together may not fit into memory.
    var (moments, known): ([UInt32], [Int: [Int]]) = ([], [:])
    stretches = cuts[begin...].map { cut in
      let metric = FrozenClock(clock, at: cut.lowerBound).metric
      let alike = known[metric.hashValue, default: []]
      if let index = alike.first(where: { FrozenClock(clock, at: moments[$0]).metric == metric }) {
        return Stretch(clock: cut, metric: index)
      }
      known[metric.hashValue] = alike + [moments.count]
      moments.append(cut.lowerBound)
      return Stretch(clock: cut, metric: moments.count - 1)
    }
    metrics = moments
  }

  /// Ascending stretches of the clock in which nothing changes, around the days of some times.
  private static func cuts(_ times: [TripTime], on clock: StreetClock) -> [Range<UInt32>] {
    guard let earliest = times.map(\.clock).min(), let latest = times.map(\.clock).max() else { return [] }
    let (first, last) = (earliest / day, latest / day)
    let bounds = times[0].isArrival ? (first - 1) * day..<(last + 1) * day : first * day..<(last + 2) * day
    var cuts: [Range<UInt32>] = []
    var start = bounds.lowerBound
    while start < bounds.upperBound {
      let end = FrozenClock(clock, at: start).end
      cuts.append(start..<end)
      start = end
    }
    return cuts
  }

  /// The same stretches for some of the times only.
  func at(_ times: [Int]) -> HourStretches {
    var part = self
    part.first = times.map { first[$0] }
    return part
  }
}
