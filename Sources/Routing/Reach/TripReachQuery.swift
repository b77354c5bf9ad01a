import Hierarchy
import StreetNetwork

/// Queries a `TripReach`: one object per thread.
package final class TripReachQuery {
  private let reach: TripReach
  private let network: StreetNetwork
  private let query: ReachQuery
  /// How much of each street is reached from its tail, and from its head; zero between queries.
  private var fromTail: [Double]
  private var fromHead: [Double]
  private var touched: [UInt32] = []

  package init(_ reach: TripReach) {
    self.reach = reach
    network = reach.network
    query = ReachQuery(reach.graph)
    fromTail = Array(repeating: 0, count: network.streetCount)
    fromHead = fromTail
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
    var own: [StreetPiece] = []
    if end.leg.milliseconds <= limit {
      for position in end.snap.positions {
        guard let stretch = stretch(around: position, limit - end.leg.milliseconds) else { continue }
        own.append(stretch)
        touch(position.street.index)
      }
    }
    touched.sort()
    var pieces: [StreetPiece] = []
    var last = UInt32.max
    for street in touched where street != last {
      last = street
      append(StreetID(street), own: own, to: &pieces)
      fromTail[Int(street)] = 0
      fromHead[Int(street)] = 0
    }
    touched.removeAll(keepingCapacity: true)
    return pieces
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
      cover(directed, isFromEnd: false, part(of: whole, within: rest - turn))
    }
  }

  /// Trips to the place that come to a state on streets where they may start.
  private func cover(to state: StateID, _ rest: UInt32) {
    for index in reach.firstStart[Int(state.index)]..<reach.firstStart[Int(state.index) + 1] {
      let directed = reach.starts[Int(index)]
      let whole = network.street(directed.street).milliseconds(isReversed: directed.isReversed)
      cover(directed, isFromEnd: true, part(of: whole, within: rest))
    }
  }

  private func part(of whole: UInt32, within rest: UInt32) -> Double {
    rest >= whole ? 1 : Double(rest) / Double(whole)
  }

  /// Marks a part of a street from where it starts in its direction, or ends.
  private func cover(_ directed: DirectedStreet, isFromEnd: Bool, _ part: Double) {
    let street = directed.street.index
    guard part > 0 else { return }
    touch(street)
    if directed.isReversed == isFromEnd {
      fromTail[Int(street)] = max(fromTail[Int(street)], part)
    } else {
      fromHead[Int(street)] = max(fromHead[Int(street)], part)
    }
  }

  private func touch(_ street: UInt32) { touched.append(street) }

  /// What is reached along a street that the place is on; at a junction, along all streets that one may set out on.
  private func stretch(around snap: StreetPosition, _ rest: UInt32) -> StreetPiece? {
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
        cover(directed, isFromEnd: false, self.part(of: whole, within: rest))
      }
    }
    let low = max(0, snap.fraction - part(isReversed: isLeaving))
    let high = min(1, snap.fraction + part(isReversed: !isLeaving))
    return low < high ? StreetPiece(street: snap.street, from: low, to: high) : nil
  }

  /// The stretches of a street, those that touch merged.
  private func append(_ street: StreetID, own: [StreetPiece], to pieces: inout [StreetPiece]) {
    var stretches = [(from: 0.0, to: fromTail[Int(street.index)]), (from: 1 - fromHead[Int(street.index)], to: 1.0)]
    for piece in own where piece.street == street { stretches.append((piece.from, piece.to)) }
    stretches = stretches.filter { $0.from < $0.to }.sorted { $0 < $1 }
    guard var open = stretches.first else { return }
    for stretch in stretches.dropFirst() {
      if stretch.from <= open.to {
        open.to = max(open.to, stretch.to)
      } else {
        pieces.append(StreetPiece(street: street, from: open.from, to: open.to))
        open = stretch
      }
    }
    pieces.append(StreetPiece(street: street, from: open.from, to: open.to))
  }
}
