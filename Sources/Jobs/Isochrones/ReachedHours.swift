import Hierarchy
import Routing
import StreetNetwork
import Tables

/// What is reached from places, or from where they are reached: at each hour of a job, or once where it has none. One
/// object per thread.
struct ReachedHours {
  /// How the pieces within a limit, in milliseconds, are found at an hour; `states` are those around the place.
  let pieces: (_ end: TripEnd, _ states: [Seed], _ hour: Int, _ limit: UInt32) -> [StreetPiece]
  /// The same with the times to them.
  let stretches: (_ end: TripEnd, _ states: [Seed], _ hour: Int, _ limit: UInt32) -> [TimedStretch]
  /// For each hour the states within a limit of a place.
  let states: (_ end: TripEnd, _ limit: UInt32) -> [[Seed]]

  /// As if all stayed as it is at one moment.
  init(_ reach: TripReach) {
    let query = TripReachQuery(reach)
    pieces = { end, states, _, limit in query.pieces(around: end, states, within: limit) }
    stretches = { end, states, _, limit in query.stretches(around: end, states, within: limit) }
    states = { end, limit in [query.states(around: [end], within: limit)] }
  }

  /// By the clock.
  init(_ timed: TimedNetwork, _ departures: Departures) {
    let (query, times) = (HourlyReachQuery(timed, isArriving: departures.isArrival), departures.times)
    pieces = { end, states, hour, limit in query.pieces(around: end, states, at: times[hour], within: limit) }
    stretches = { end, states, hour, limit in
      query.stretches(around: end, states, at: times[hour], within: limit)
    }
    states = { end, limit in query.states(around: end, at: times, within: limit) }
  }
}
