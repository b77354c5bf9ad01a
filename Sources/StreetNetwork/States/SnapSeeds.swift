import Hierarchy

/// Where searches start and end for a snap: states, each with what it costs to get there from the snap, or from there
/// to it. All seeds are computed here, for every engine.
package struct SnapSeeds: Sendable {
  package private(set) var seeds: [Seed] = []
  /// For each seed, the street that is travelled between it and the snap.
  package private(set) var streets: [DirectedStreet] = []
  /// For each seed, whether that is the whole street.
  package private(set) var isWhole: [Bool] = []

  fileprivate init() {
    // More than most places have: one allocation each.
    seeds.reserveCapacity(8)
    streets.reserveCapacity(8)
    isWhole.reserveCapacity(8)
  }

  fileprivate mutating func add(
    _ state: UInt32?, _ weight: Weight, _ street: DirectedStreet, isWhole whole: Bool = false
  ) {
    guard let state else { return }
    seeds.append(Seed(StateID(state), weight))
    streets.append(street)
    isWhole.append(whole)
  }
}

extension StreetNetwork {
  /// The states that a trip reaches first when it starts at `snap`. At a junction it may set out along any street.
  package func sources(_ snap: Snap) -> SnapSeeds {
    let street = street(snap.street)
    var sources = SnapSeeds()
    guard let junction = junction(at: snap) else {
      for isReversed in [false, true] where street.isOpen(isReversed: isReversed) {
        let directed = DirectedStreet(snap.street, isReversed: isReversed)
        let rest = street.weight(from: snap.fraction, to: isReversed ? 0 : 1)
        sources.add(states.start(of: directed), rest, directed)
      }
      return sources
    }
    let free = states.junctions[junction].free
    guard free == StateGraph.none else {
      sources.add(free, .zero, DirectedStreet(snap.street, isReversed: snap.fraction == 0))
      return sources
    }
    let leaving = (0..<ends.count(at: junction)).map { ends[junction, $0].leaving }
    let isPublic = leaving.contains { !self.street($0.street).flags.contains(.endsOnly) }
    for directed in leaving {
      let street = self.street(directed.street)
      let isEntering = isPublic && street.flags.contains(.endsOnly)
      sources.add(
        states.start(of: directed, isEntering: isEntering), street.weight(isReversed: directed.isReversed), directed,
        isWhole: true)
    }
    return sources
  }

  /// The states from which a trip turns into the last street when it ends at `snap`, or ends, at a junction. Turns over
  /// `closed` arcs do not count.
  package func targets(_ snap: Snap, closed: ArcSet? = nil) -> SnapSeeds {
    let street = street(snap.street)
    var targets = SnapSeeds()
    if let junction = junction(at: snap) {
      for state in states.junctions[junction].first..<states.junctions[junction].lastTarget {
        targets.add(state, .zero, DirectedStreet(snap.street, isReversed: snap.fraction == 1))
      }
      return targets
    }
    for isReversed in [false, true] where street.isOpen(isReversed: isReversed) {
      let directed = DirectedStreet(snap.street, isReversed: isReversed)
      let junction = Int(isReversed ? street.head : street.tail)
      let part = street.weight(from: isReversed ? 1 : 0, to: snap.fraction)
      for state in states.junctions[junction].first..<states.junctions[junction + 1].first {
        for arc in states.arcs.arcs(from: StateID(state))
        where states.streets[arc] == directed && closed?.contains(ArcID(arc)) != true {
          // The arc is the turn and the whole street.
          let turn =
            states.arcs.weights[arc].milliseconds - street.weight(isReversed: isReversed).milliseconds
          targets.add(state, Weight(milliseconds: turn, centimetres: 0) + part, directed)
        }
      }
    }
    return targets
  }

  /// The way along one street from `source` to `target`, where both lie on it and its direction allows it.
  package func direct(_ source: Snap, _ target: Snap) -> (weight: Weight, street: DirectedStreet, fromJunction: Bool)? {
    if source.street == target.street {
      let street = street(source.street)
      let isReversed = source.fraction > target.fraction
      if source.fraction == target.fraction || street.isOpen(isReversed: isReversed) {
        let directed = DirectedStreet(source.street, isReversed: isReversed)
        return (street.weight(from: source.fraction, to: target.fraction), directed, false)
      }
    }
    guard let junction = junction(at: source) else { return nil }
    if self.junction(at: target) == junction {
      return (.zero, DirectedStreet(target.street, isReversed: target.fraction == 1), false)
    }
    let street = street(target.street)
    let ways = [false, true].filter { isReversed in
      street.isOpen(isReversed: isReversed) && Int(isReversed ? street.head : street.tail) == junction
    }
    return ways.map { isReversed in
      (
        street.weight(from: isReversed ? 1 : 0, to: target.fraction),
        DirectedStreet(target.street, isReversed: isReversed), true
      )
    }.min { $0.weight < $1.weight }
  }

  /// The streets on which a target must lie for `direct` to find a path to it: that of the snap, and at a junction all
  /// that meet there.
  package func directStreets(from source: Snap) -> [StreetID] {
    junction(at: source).map { streets(at: [$0]) } ?? [source.street]
  }

  /// The streets on which a source must lie for `direct` to find a path from it to `target`: its own, and for a source
  /// at an end of it all that meet there.
  package func directStreets(to target: Snap) -> [StreetID] {
    // Its own is among those that meet at its ends.
    let street = street(target.street)
    return streets(at: [Int(street.tail), Int(street.head)])
  }

  /// The streets that a trip may set out on from a junction, if the snap lies at one; else none.
  package func streetsLeaving(_ snap: Snap) -> [DirectedStreet] {
    guard let junction = junction(at: snap) else { return [] }
    return (0..<ends.count(at: junction)).map { ends[junction, $0].leaving }.filter { directed in
      street(directed.street).isOpen(isReversed: directed.isReversed)
    }
  }

  /// The streets that meet at some junctions, each once.
  private func streets(at junctions: [Int]) -> [StreetID] {
    var streets: [StreetID] = []
    for junction in junctions {
      for index in 0..<ends.count(at: junction) {
        let street = ends[junction, index].street
        if !streets.contains(street) { streets.append(street) }
      }
    }
    return streets
  }

  /// The junction that a snap lies at, if it lies at an end of its street.
  private func junction(at snap: Snap) -> Int? {
    switch snap.fraction {
    case 0: Int(street(snap.street).tail)
    case 1: Int(street(snap.street).head)
    default: nil
    }
  }
}
