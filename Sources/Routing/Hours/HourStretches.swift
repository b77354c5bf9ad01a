import Hierarchy
import StreetNetwork

/// The days of some trips, cut wherever speeds or closings change. Stretches that are alike share a metric: the speeds of
/// a Monday at noon may be those of a Tuesday, too.
struct HourStretches: Sendable {
  let days: [Day]
  /// The speeds and closings of each metric.
  let metrics: [FrozenClock]

  /// Trips of a day, and the stretches in which they may be under way.
  struct Day: Sendable {
    /// Indices of times in the order in which one travels, and of each the stretch in which it begins.
    var times: [(index: Int, first: Int)]
    /// In the order in which one travels: those of trips that arrive go back in time.
    var stretches: [Stretch]
  }

  struct Stretch: Sendable {
    var clock: Range<UInt32>
    var metric: Int
  }

  private static let day: UInt32 = 86_400_000

  /// - Parameter times: All of departures or all of arrivals. Trips are followed to the end of the day after, or back to
  ///   the beginning of the day before: what is not over then goes on as it is.
  init(_ times: [TripTime], on clock: StreetClock) {
    var (metrics, known): ([FrozenClock], [FrozenClock.Metric: Int]) = ([], [:])
    func metric(_ frozen: FrozenClock) -> Int {
      let (key, next) = (frozen.metric, metrics.count)
      if let index = known[key] { return index }
      known[key] = next
      metrics.append(frozen)
      return next
    }
    let byDay = Dictionary(grouping: times.indices) { times[$0].clock / HourStretches.day }
    days = byDay.sorted { $0.key < $1.key }.map { day, indices in
      let isArrival = times[indices[0]].isArrival
      let midnight = day * HourStretches.day
      let bounds =
        isArrival
        ? midnight - HourStretches.day..<midnight + HourStretches.day : midnight..<midnight + 2 * HourStretches.day
      var cuts: [(clock: Range<UInt32>, frozen: FrozenClock)] = []
      var start = bounds.lowerBound
      while start < bounds.upperBound {
        let frozen = FrozenClock(clock, at: start)
        cuts.append((start..<frozen.end, frozen))
        start = frozen.end
      }
      func holds(_ range: Range<UInt32>, _ index: Int) -> Bool {
        let time = times[index].clock
        return isArrival ? range.lowerBound < time && time <= range.upperBound : range.contains(time)
      }
      if isArrival { cuts.reverse() }
      let begin = cuts.firstIndex { cut in indices.contains { holds(cut.clock, $0) } } ?? 0
      let stretches = cuts[begin...].map { Stretch(clock: $0.clock, metric: metric($0.frozen)) }
      let starts = indices.map { index in (index, stretches.firstIndex { holds($0.clock, index) } ?? 0) }
      return Day(times: starts, stretches: stretches)
    }
    self.metrics = metrics
  }
}
