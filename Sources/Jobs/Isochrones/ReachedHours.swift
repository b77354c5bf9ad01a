import Hierarchy
import Routing
import StreetNetwork
import Tables

/// What is reached from places, or from where they are reached: at each hour of a job, or once where it has none; by
/// percentile in place of hours by public transport. One object per thread.
struct ReachedHours {
  /// How the pieces within a limit, in milliseconds, are found at an hour; `states` are those around the place.
  let pieces: (_ end: TripEnd, _ states: [Seed], _ hour: Int, _ limit: UInt32) -> [StreetPiece]
  /// For each hour the states within a limit of a place, which is known by its index, too.
  let states: (_ place: Int, _ end: TripEnd, _ limit: UInt32) -> [[Seed]]

  /// As if all stayed as it is at one moment.
  init(_ reach: TripReach) {
    let query = TripReachQuery(reach)
    pieces = { end, states, _, limit in query.pieces(around: end, states, within: limit) }
    states = { _, end, limit in [query.states(around: [end], within: limit)] }
  }

  /// By the clock.
  init(_ timed: TimedNetwork, _ departures: Departures) {
    let (query, times) = (HourlyReachQuery(timed, isArriving: departures.isArrival), departures.times)
    pieces = { end, states, hour, limit in query.pieces(around: end, states, at: times[hour], within: limit) }
    states = { _, end, limit in query.states(around: end, at: times, within: limit) }
  }

  /// By public transport.
  init(_ areas: TransitAreas) {
    let query = TransitAreas.Query(areas)
    pieces = { end, states, row, limit in query.pieces(around: end, states, row: row, within: limit) }
    states = { place, end, limit in query.states(of: place, end, within: limit) }
  }
}
