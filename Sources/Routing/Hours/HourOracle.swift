import Hierarchy
import StreetNetwork

/// Trips at an hour by the textbook's algorithm on the clock. What answers at hours are compared with. One object per
/// thread.
package struct HourOracle {
  private let timed: TimedNetwork
  private let dijkstra: TimedDijkstra

  package init(_ timed: TimedNetwork) { (self.timed, dijkstra) = (timed, TimedDijkstra(timed.graph)) }

  /// Time and length of the best trip; nil where there is no route.
  package func weight(from origin: TripEnd, to destination: TripEnd, at time: TripTime) -> Weight? {
    let (sources, targets) = (timed.sources(origin), timed.targets(destination))
    let through =
      time.isArrival
      ? dijkstra.weights(from: [sources], to: targets, by: time.clock)[0]
      : dijkstra.weights(from: sources, at: time.clock, to: [targets])[0]
    let best = min(through, timed.directWeight(from: origin, to: destination, at: time) ?? .infinity)
    return best.isFinite ? best : nil
  }

  /// The states at most `limit` milliseconds away from a place at a time.
  package func states(around place: TripEnd, at time: TripTime, within limit: UInt32) -> [Seed] {
    let moments =
      time.isArrival
      ? dijkstra.moments(to: timed.targets(place), arrivingBy: time.clock)
      : dijkstra.moments(from: timed.sources(place), departingAt: time.clock)
    return moments.enumerated().compactMap { state, found in
      guard let (moment, _) = found else { return nil }
      let milliseconds = time.isArrival ? time.clock - moment : moment - time.clock
      return milliseconds <= limit
        ? Seed(StateID(state), Weight(milliseconds: milliseconds, centimetres: 0)) : nil
    }
  }
}
