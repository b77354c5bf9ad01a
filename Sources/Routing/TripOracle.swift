import Hierarchy
import StreetNetwork

/// Trips by the textbook's algorithm: Dijkstra's search over the states of the network, without a hierarchy, a sweep or
/// a bound. What answers are compared with. One object per thread.
package struct TripOracle {
  private let reach: TripReach
  private let dijkstra: Dijkstra

  package init(_ reach: TripReach) {
    self.reach = reach
    dijkstra = Dijkstra(reach.graph)
  }

  /// Time and length of the best trips between a place and others, in the direction of the reach; nil where there is
  /// no route.
  package func weights(between place: TripEnd, and others: [TripEnd]) -> [Weight?] {
    let network = reach.network
    let weights = dijkstra.weights(from: seeds(place))
    return others.map { other in
      let isFrom = reach.direction == .fromTargets
      let ends = isFrom ? network.targets(other, closed: reach.closed) : network.sources(other, closed: reach.closed)
      let through = ends.map { weights[Int($0.state.index)] + $0.weight }.min() ?? .infinity
      let (from, to) = isFrom ? (place, other) : (other, place)
      let direct = network.directWeight(from: from, to: to, closed: reach.closed)
      let best = min(through, direct ?? .infinity)
      return best.isFinite ? best : nil
    }
  }

  /// The states at most `limit` milliseconds away from a place.
  package func states(around place: TripEnd, within limit: UInt32) -> [Seed] {
    dijkstra.weights(from: seeds(place)).enumerated().compactMap { state, weight in
      weight.isFinite && weight.milliseconds <= limit ? Seed(StateID(state), weight) : nil
    }
  }

  private func seeds(_ place: TripEnd) -> [Seed] {
    reach.direction == .fromTargets
      ? reach.network.sources(place, closed: reach.closed) : reach.network.targets(place, closed: reach.closed)
  }
}
