import Hierarchy
import StreetNetwork

/// Queries a `TripReach`: one object per thread.
package final class TripReachQuery {
  private let reach: TripReach
  private let network: StreetNetwork
  private let query: ReachQuery
  private let cover: StreetCover

  package init(_ reach: TripReach) {
    self.reach = reach
    network = reach.network
    query = ReachQuery(reach.graph)
    cover = StreetCover(streetCount: network.streetCount)
  }

  /// The states at most `limit` milliseconds away from the nearest of `ends`, nearest first.
  package func states(around ends: [TripEnd], within limit: UInt32) -> [Seed] {
    let seeds = ends.flatMap { end in
      reach.direction == .toTargets
        ? network.targets(end, closed: reach.closed) : network.sources(end, closed: reach.closed)
    }
    return query.reached(from: seeds, within: limit)
  }

  /// The stretches of streets within `limit` of a place, by street; `states` are those around it, for this limit or a
  /// longer one.
  package func pieces(around end: TripEnd, _ states: [Seed], within limit: UInt32) -> [StreetPiece] {
    for seed in states where seed.weight.milliseconds <= limit {
      let rest = limit - seed.weight.milliseconds
      switch reach.direction {
      case .fromTargets: cover(from: seed.state, rest)
      case .toTargets: cover(to: seed.state, rest)
      }
    }
    for position in end.snap.positions where !position.isCorner {
      let away = (end.leg + position.line).milliseconds
      if away <= limit { cover(around: position, limit - away) }
    }
    return cover.takePieces()
  }

  /// Trips from the place that turn out of a state.
  private func cover(from state: StateID, _ rest: UInt32) {
    for arc in network.states.arcs.arcs(from: state) {
      guard reach.closed?.contains(ArcID(arc)) != true else { continue }
      let directed = network.states.streets[arc]
      let street = network.street(directed.street)
      let whole = street.milliseconds(isReversed: directed.isReversed)
      let turn = network.states.arcs.weights[arc].milliseconds - whole
      guard turn <= rest else { continue }
      cover.cover(directed, isFromEnd: false, part(of: whole, within: rest - turn))
    }
  }

  /// Trips to the place that come to a state on streets where they may start.
  private func cover(to state: StateID, _ rest: UInt32) {
    for index in reach.firstStart[Int(state.index)]..<reach.firstStart[Int(state.index) + 1] {
      let directed = reach.starts[Int(index)]
      let whole = network.street(directed.street).milliseconds(isReversed: directed.isReversed)
      cover.cover(directed, isFromEnd: true, part(of: whole, within: rest))
    }
  }

  private func part(of whole: UInt32, within rest: UInt32) -> Double {
    rest >= whole ? 1 : Double(rest) / Double(whole)
  }

  /// What is reached along a street that the place is on; at a junction, along all streets that one may set out on.
  private func cover(around snap: StreetPosition, _ rest: UInt32) {
    let street = network.street(snap.street)
    // Backward along the shape: against it from the place, or with it to the place.
    let isLeaving = reach.direction == .fromTargets
    func part(isReversed: Bool) -> Double {
      guard network.isOpen(DirectedStreet(snap.street, isReversed: isReversed), reach.closed) else { return 0 }
      return self.part(of: street.milliseconds(isReversed: isReversed), within: rest)
    }
    if isLeaving {
      for directed in network.streetsLeaving(snap, closed: reach.closed) {
        let whole = network.street(directed.street).milliseconds(isReversed: directed.isReversed)
        cover.cover(directed, isFromEnd: false, self.part(of: whole, within: rest))
      }
    }
    cover.cover(around: snap, before: part(isReversed: isLeaving), behind: part(isReversed: !isLeaving))
  }
}
