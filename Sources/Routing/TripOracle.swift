import Hierarchy
import OpeningHours
import StreetNetwork

/// A search for trips by the textbook algorithms, without a hierarchy, a sweep or a bound: `TimedDijkstra` for trips
/// with a departure or arrival time, or else `Dijkstra`. The oracle for results. Each thread needs its own object.
package final class TripOracle {
  private let network: StreetNetwork
  private let closed: Closure?
  private let timed: (network: TimedNetwork, dijkstra: TimedDijkstra)?
  private lazy var forward = Dijkstra(network.arcs(without: closed))
  private lazy var backward = Dijkstra(forward.graph.reversed())

  /// An oracle for trips without a clock, with the closures at `time`.
  package convenience init(_ network: StreetNetwork, at time: LocalTime? = nil) {
    self.init(network, network.closure(at: time), nil)
  }

  /// An oracle for trips with a time.
  package convenience init(_ timed: TimedNetwork) { self.init(timed.network, timed.closed, timed) }

  private init(_ network: StreetNetwork, _ closed: Closure?, _ timed: TimedNetwork?) {
    (self.network, self.closed, self.timed) = (network, closed, timed.map { ($0, TimedDijkstra($0.graph)) })
  }

  /// Returns the time and length of the best trip; nil if there is no route.
  package func weight(from origin: TripEnd, to destination: TripEnd, at time: TripTime? = nil) -> Weight? {
    weights(from: [origin], to: [destination], at: time)[0][0]
  }

  /// Returns the weights of the best trips between places, by origin and then destination: one search per origin, or
  /// per destination for trips with an arrival time and, without a clock, if there are fewer destinations.
  package func weights(from origins: [TripEnd], to destinations: [TripEnd], at time: TripTime? = nil) -> [[Weight?]] {
    let isBackward = time?.isArrival ?? (destinations.count < origins.count)
    let searched: [[Weight]]
    let direct: (TripEnd, TripEnd) -> Weight?
    if let timed, let time {
      let (sources, targets) = (origins.map(timed.network.sources), destinations.map(timed.network.targets))
      searched =
        isBackward
        ? targets.map { timed.dijkstra.weights(from: sources, to: $0, by: time.clock) }
        : sources.map { timed.dijkstra.weights(from: $0, at: time.clock, to: targets) }
      direct = { timed.network.directWeight(from: $0, to: $1, at: time) }
    } else {
      let sources = origins.map { network.sources($0, closed: closed) }
      let targets = destinations.map { network.targets($0, closed: closed) }
      let (starts, ends, dijkstra) = isBackward ? (targets, sources, backward) : (sources, targets, forward)
      searched = starts.map { start in
        let weights = dijkstra.weights(from: start)
        return ends.map { $0.map { weights[Int($0.state.index)] + $0.weight }.min() ?? .infinity }
      }
      direct = { [network, closed] in network.directWeight(from: $0, to: $1, closed: closed) }
    }
    return origins.enumerated().map { row, origin in
      destinations.enumerated().map { column, destination in
        let weight = isBackward ? searched[column][row] : searched[row][column]
        let best = min(weight, direct(origin, destination) ?? .infinity)
        return best.isFinite ? best : nil
      }
    }
  }

  /// Returns the states within `limit` milliseconds of a place: after it or, with `toTargets`, before it.
  package func states(
    around place: TripEnd, _ direction: NearestTable.Direction, at time: TripTime?, within limit: UInt32
  ) -> [Seed] {
    let isBackward = direction == .toTargets
    let found: [UInt32?]
    if let timed, let time {
      let moments =
        isBackward
        ? timed.dijkstra.moments(to: timed.network.targets(place), arrivingBy: time.clock)
        : timed.dijkstra.moments(from: timed.network.sources(place), departingAt: time.clock)
      found = moments.map { $0.map { isBackward ? time.clock - $0.0 : $0.0 - time.clock } }
    } else {
      let weights =
        isBackward
        ? backward.weights(from: network.targets(place, closed: closed))
        : forward.weights(from: network.sources(place, closed: closed))
      found = weights.map { $0.isFinite ? $0.milliseconds : nil }
    }
    return found.enumerated().compactMap { state, milliseconds in
      guard let milliseconds, milliseconds <= limit else { return nil }
      return Seed(StateID(state), Weight(milliseconds: milliseconds, centimetres: 0))
    }
  }
}

/// The oracles of free flow and of a few days, each built on first use. Each thread needs its own object.
package final class DayOracles {
  private let networks: TimedNetworks
  private lazy var freeFlow = TripOracle(networks.network)
  private var known: [LocalTime?: TripOracle] = [:]

  package init(_ networks: TimedNetworks) { self.networks = networks }

  /// Returns the time and length of the best trip a number of milliseconds after a time (before an arrival), or in free
  /// flow if `time` is nil; nil if there is no route.
  package func weight(
    from origin: TripEnd, to destination: TripEnd, at time: TripTime?, after elapsed: UInt32 = 0
  ) -> Weight? {
    guard let time else { return freeFlow.weight(from: origin, to: destination) }
    return time.moved(by: elapsed).flatMap { oracle(of: time).weight(from: origin, to: destination, at: $0) }
  }

  private func oracle(of time: TripTime) -> TripOracle {
    let day = time.day?.time(atMinute: 0)
    if let known = known[day] { return known }
    let oracle = TripOracle(networks.network(at: time))
    // Each oracle holds a copy of all the network's arcs, so at most four are kept.
    if known.count >= 4 { known.removeAll() }
    known[day] = oracle
    return oracle
  }
}
