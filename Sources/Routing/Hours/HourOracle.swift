import Hierarchy
import OpeningHours
import StreetNetwork

/// A textbook time-dependent Dijkstra search: the oracle for trips with a departure or arrival time. Each thread needs
/// its own object.
package struct HourOracle {
  private let timed: TimedNetwork
  private let dijkstra: TimedDijkstra

  package init(_ timed: TimedNetwork) { (self.timed, dijkstra) = (timed, TimedDijkstra(timed.graph)) }

  /// Returns the time and length of the best trip; nil if there is no route.
  package func weight(from origin: TripEnd, to destination: TripEnd, at time: TripTime) -> Weight? {
    weights(from: [origin], to: [destination], at: time)[0][0]
  }

  /// Returns the weights of the best trips between places, by origin and then destination: one search per origin, or
  /// per destination for trips with an arrival time.
  package func weights(from origins: [TripEnd], to destinations: [TripEnd], at time: TripTime) -> [[Weight?]] {
    let (sources, targets) = (origins.map(timed.sources), destinations.map(timed.targets))
    var searched: [[Weight]] = []
    if time.isArrival {
      let columns = targets.map { dijkstra.weights(from: sources, to: $0, by: time.clock) }
      searched = origins.indices.map { origin in columns.map { $0[origin] } }
    } else {
      searched = sources.map { dijkstra.weights(from: $0, at: time.clock, to: targets) }
    }
    return zip(origins, searched).map { origin, weights in
      zip(destinations, weights).map { destination, weight in
        let best = min(weight, timed.directWeight(from: origin, to: destination, at: time) ?? .infinity)
        return best.isFinite ? best : nil
      }
    }
  }

  /// Returns the states within `limit` milliseconds of a place for a trip at `time`.
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

/// The oracles of free flow and of a few days, each built on first use. Each thread needs its own object.
package final class DayOracles {
  private let networks: TimedNetworks
  private lazy var freeFlow = TripOracle(TripReach(networks.network, .fromTargets))
  private var known: [LocalTime?: HourOracle] = [:]

  package init(_ networks: TimedNetworks) { self.networks = networks }

  /// Returns the time and length of the best trip a number of milliseconds after a time (before an arrival), or in free
  /// flow if it is nil; nil if there is no route.
  package func weight(
    from origin: TripEnd, to destination: TripEnd, at time: TripTime?, after elapsed: UInt32 = 0
  ) -> Weight? {
    guard let time else { return freeFlow.weights(between: origin, and: [destination])[0] }
    return time.moved(by: elapsed).flatMap { oracle(of: time).weight(from: origin, to: destination, at: $0) }
  }

  private func oracle(of time: TripTime) -> HourOracle {
    let day = time.day?.time(atMinute: 0)
    if let known = known[day] { return known }
    let oracle = HourOracle(networks.network(at: time))
    // Each oracle holds a copy of all the network's arcs, so at most four are kept.
    if known.count >= 4 { known.removeAll() }
    known[day] = oracle
    return oracle
  }
}
