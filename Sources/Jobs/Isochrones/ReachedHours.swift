import Hierarchy
import Routing
import StreetNetwork
import Tables
import TransitNetwork

/// The streets reached from places, or in the opposite direction: at each hour of a job, or once without hours. One
/// object per thread.
struct ReachedHours {
  /// Finds the sections within a limit, in milliseconds, at an hour; `states` are those around the place.
  let pieces: (_ end: TripEnd, _ states: [Seed], _ hour: Int, _ limit: UInt32) -> [StreetPiece]
  /// The same with travel times.
  let stretches: (_ end: TripEnd, _ states: [Seed], _ hour: Int, _ limit: UInt32) -> [TimedStretch]
  /// For each hour the states within a limit of a place, which is also given by its index.
  let states: (_ place: Int, _ end: TripEnd, _ limit: UInt32) -> [[Seed]]

  /// With the closures of one instant.
  init(_ reach: TripReach) {
    let query = TripReachQuery(reach)
    pieces = { end, states, _, limit in query.pieces(around: end, states, within: limit) }
    stretches = { end, states, _, limit in query.stretches(around: end, states, within: limit) }
    states = { _, end, limit in [query.states(around: [end], within: limit)] }
  }

  /// Time-dependent.
  init(_ timed: TimedNetwork, _ departures: Departures) {
    let (query, times) = (HourlyReachQuery(timed, isArriving: departures.isArrival), departures.times)
    pieces = { end, states, hour, limit in query.pieces(around: end, states, at: times[hour], within: limit) }
    stretches = { end, states, hour, limit in query.stretches(around: end, states, at: times[hour], within: limit) }
    states = { _, end, limit in query.states(around: end, at: times, within: limit) }
  }

  /// By public transport.
  init(_ areas: TransitAreas) {
    let query = TransitAreas.Query(areas)
    pieces = { end, states, row, limit in query.pieces(around: end, states, row: row, within: limit) }
    stretches = { end, states, row, limit in query.stretches(around: end, states, row: row, within: limit) }
    states = { place, end, limit in query.states(of: place, end, within: limit) }
  }
}
