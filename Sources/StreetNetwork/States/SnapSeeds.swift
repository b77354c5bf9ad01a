import Hierarchy

/// Where searches start and end for a snap: the states at the ends of its street, each with the weight of the part of
/// the street between. All seeds are computed here, for every engine.
package struct SnapSeeds: Sendable {
  package var seeds: [Seed]
  /// For each seed, the direction in which the street's part is travelled.
  package var isReversed: [Bool]
}

extension StreetNetwork {
  /// The states that a trip reaches first when it starts at `snap`. At a junction that is the junction, whatever the
  /// directions of the street.
  package func sources(_ snap: Snap) -> SnapSeeds {
    let street = streets[Int(snap.street.index)]
    let endsOnly = street.flags.contains(.endsOnly)
    let (tail, head) = (states.junctions[Int(street.tail)], states.junctions[Int(street.head)])
    var sources = SnapSeeds(seeds: [], isReversed: [])
    if snap.fraction == 1 || (snap.fraction > 0 && street.flags.contains(.forward)) {
      sources.add(head.starts(endsOnly: endsOnly), street.weight(from: snap.fraction, to: 1), isReversed: false)
    }
    if snap.fraction == 0 || (snap.fraction < 1 && street.flags.contains(.backward)) {
      sources.add(tail.starts(endsOnly: endsOnly), street.weight(from: 0, to: snap.fraction), isReversed: true)
    }
    return sources
  }

  /// The states from which a trip turns into the last street when it ends at `snap`, or ends, at a junction.
  package func targets(_ snap: Snap) -> SnapSeeds {
    let street = streets[Int(snap.street.index)]
    let endsOnly = street.flags.contains(.endsOnly)
    let (tail, head) = (states.junctions[Int(street.tail)], states.junctions[Int(street.head)])
    var targets = SnapSeeds(seeds: [], isReversed: [])
    if snap.fraction == 0 || (snap.fraction < 1 && street.flags.contains(.forward)) {
      targets.add(tail.ends(endsOnly: endsOnly), street.weight(from: 0, to: snap.fraction), isReversed: false)
    }
    if snap.fraction == 1 || (snap.fraction > 0 && street.flags.contains(.backward)) {
      targets.add(head.ends(endsOnly: endsOnly), street.weight(from: snap.fraction, to: 1), isReversed: true)
    }
    return targets
  }

  /// The way along one street from `source` to `target`, where both lie on it and its direction allows it.
  package func direct(_ source: Snap, _ target: Snap) -> Weight? {
    guard source.street == target.street else { return nil }
    let street = streets[Int(source.street.index)]
    let isAllowed =
      source.fraction == target.fraction
      || street.flags.contains(source.fraction < target.fraction ? .forward : .backward)
    return isAllowed ? street.weight(from: source.fraction, to: target.fraction) : nil
  }
}

extension SnapSeeds {
  fileprivate mutating func add(_ states: [UInt32], _ weight: Weight, isReversed reversed: Bool) {
    for state in states {
      seeds.append(Seed(StateID(state), weight))
      isReversed.append(reversed)
    }
  }
}
