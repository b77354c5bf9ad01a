import Hierarchy

/// Where searches start and end for a snap: states, each with what it costs to get there from the snap, or from there
/// to it. All seeds are computed here, for every engine.
package struct SnapSeeds: Sendable {
  package private(set) var seeds: [Seed] = []
  /// For each seed, the street that is travelled between it and the snap.
  package private(set) var streets: [DirectedStreet] = []
  /// For each seed, whether that is the whole street.
  package private(set) var isWhole: [Bool] = []
  /// For each seed the arc whose turn it includes; `SnapSeeds.noArc` where it is a part of a street alone.
  private(set) var arcs: [UInt32] = []
  /// For each seed what the street is to it.
  private(set) var uses: [StreetUse] = []

  /// For each seed, where the snap lies on that street; empty where the snap is on one street alone.
  private var positions: [StreetPosition] = []

  /// Whether streets and arcs are wanted, too: weights alone need none.
  private let hasStreets: Bool

  fileprivate init(hasStreets: Bool) {
    self.hasStreets = hasStreets
    // More than most places have: one allocation each.
    seeds.reserveCapacity(8)
    guard hasStreets else { return }
    streets.reserveCapacity(8)
    isWhole.reserveCapacity(8)
    arcs.reserveCapacity(8)
    uses.reserveCapacity(8)
  }

  static let noArc = UInt32.max

  fileprivate mutating func add(
    _ state: UInt32, _ weight: Weight, _ street: DirectedStreet, isWhole whole: Bool = false,
    arc: UInt32 = SnapSeeds.noArc, as use: StreetUse = .any
  ) {
    seeds.append(Seed(StateID(state), weight))
    guard hasStreets else { return }
    streets.append(street)
    isWhole.append(whole)
    arcs.append(arc)
    uses.append(use)
  }

  /// The seeds that were added last are those of `position`.
  fileprivate mutating func note(_ position: StreetPosition) {
    while positions.count < seeds.count { positions.append(position) }
  }

  /// Where `snap`, whose seeds these are, lies on the street of a seed.
  package func position(ofSeed index: Int, _ snap: Snap) -> StreetPosition {
    positions.isEmpty ? snap.position : positions[index]
  }
}

/// A trip that needs no search: along one street.
package struct DirectTrip: Sendable {
  package var weight: Weight
  package var street: DirectedStreet
  /// Whether it sets out on another street of the junction that its source lies at.
  package var fromJunction: Bool
  package var from: StreetPosition
  package var to: StreetPosition
}

extension StreetNetwork {
  /// The states that a trip reaches first when it starts at `snap`. At a junction it may set out along any street.
  ///
  /// No trip starts on a street that is `closed` in its direction; nil: as where no time is given.
  package func sources(_ snap: Snap, closed: Closure? = nil) -> SnapSeeds {
    sources(snap, closed, hasStreets: true)
  }

  /// The seeds of `sources(_:closed:)` alone.
  package func sourceSeeds(_ snap: Snap, closed: Closure? = nil) -> [Seed] {
    sources(snap, closed, hasStreets: false).seeds
  }

  private func sources(_ snap: Snap, _ closed: Closure?, hasStreets: Bool) -> SnapSeeds {
    let closed = closed ?? closureWithoutDate
    return seeds(snap, hasStreets) { addSources($0, closed, to: &$1) }
  }

  /// The seeds of all streets that a snap is on.
  private func seeds(
    _ snap: Snap, _ hasStreets: Bool, _ add: (StreetPosition, inout SnapSeeds) -> Void
  ) -> SnapSeeds {
    var seeds = SnapSeeds(hasStreets: hasStreets)
    add(snap.position, &seeds)
    guard !snap.twins.isEmpty else { return seeds }
    seeds.note(snap.position)
    for twin in snap.twins {
      add(twin, &seeds)
      seeds.note(twin)
    }
    return seeds
  }

  private func addSources(_ snap: StreetPosition, _ closed: Closure?, to sources: inout SnapSeeds) {
    let street = street(snap.street)
    guard !snap.isCorner else {
      let directed = DirectedStreet(snap.street, isReversed: snap.fraction == 0)
      guard isOpen(directed, closed) else { return }
      for (state, use) in states.starts(of: directed) where isOpen(directed, closed, as: use) {
        sources.add(state, snap.line, directed, as: use)
      }
      return
    }
    guard let junction = junction(at: snap) else {
      for isReversed in [false, true] {
        let directed = DirectedStreet(snap.street, isReversed: isReversed)
        guard isOpen(directed, closed) else { continue }
        let rest = street.weight(from: snap.fraction, to: isReversed ? 0 : 1) + snap.line
        for (state, use) in states.starts(of: directed) where isOpen(directed, closed, as: use) {
          sources.add(state, rest, directed, as: use)
        }
      }
      return
    }
    let free = states.junctions[junction].free
    guard free == StateGraph.none else {
      sources.add(free, .zero, DirectedStreet(snap.street, isReversed: snap.fraction == 0))
      return
    }
    let leaving = (0..<ends.count(at: junction)).map { ends[junction, $0].leaving }
    let isPublic = leaving.contains { self.street($0.street).flags.isDisjoint(with: [.endsOnly, .endsOnlyAtTimes]) }
    for directed in leaving where closed?.contains(directed) != true {
      let street = self.street(directed.street)
      let isEntering = isPublic && !street.flags.isDisjoint(with: [.endsOnly, .endsOnlyAtTimes])
      for (state, use) in states.starts(of: directed, isEntering: isEntering)
      where closed?.contains(directed, as: use) != true {
        sources.add(state, street.weight(isReversed: directed.isReversed), directed, isWhole: true, as: use)
      }
    }
  }

  /// The states from which a trip turns into the last street when it ends at `snap`, or ends, at a junction. Turns over
  /// `closed` arcs do not count.
  package func targets(_ snap: Snap, closed: Closure? = nil) -> SnapSeeds {
    targets(snap, closed, hasStreets: true)
  }

  /// The seeds of `targets(_:closed:)` alone.
  package func targetSeeds(_ snap: Snap, closed: Closure? = nil) -> [Seed] {
    targets(snap, closed, hasStreets: false).seeds
  }

  private func targets(_ snap: Snap, _ closed: Closure?, hasStreets: Bool) -> SnapSeeds {
    let closed = closed ?? closureWithoutDate
    return seeds(snap, hasStreets) { addTargets($0, closed, to: &$1) }
  }

  private func addTargets(_ snap: StreetPosition, _ closed: Closure?, to targets: inout SnapSeeds) {
    let street = street(snap.street)
    if let junction = junction(at: snap) {
      for state in states.junctions[junction].first..<states.junctions[junction].lastTarget {
        targets.add(state, .zero, DirectedStreet(snap.street, isReversed: snap.fraction == 1))
      }
      return
    }
    for isReversed in [false, true] where street.isOpen(isReversed: isReversed) {
      guard !snap.isCorner || isReversed == (snap.fraction == 1) else { continue }
      let directed = DirectedStreet(snap.street, isReversed: isReversed)
      let junction = Int(isReversed ? street.head : street.tail)
      let part = (snap.isCorner ? .zero : street.weight(from: isReversed ? 1 : 0, to: snap.fraction)) + snap.line
      for state in states.junctions[junction].first..<states.junctions[junction + 1].first {
        for arc in states.arcs.arcs(from: StateID(state))
        where states.streets[arc] == directed && closed?.contains(ArcID(arc)) != true {
          // The arc is the turn and the whole street.
          let turn =
            states.arcs.weights[arc].milliseconds - street.weight(isReversed: isReversed).milliseconds
          targets.add(state, Weight(milliseconds: turn, centimetres: 0) + part, directed, arc: UInt32(arc))
        }
      }
    }
  }

  /// The way along one street from `source` to `target`, where both lie on it and its direction allows it; of several
  /// streets that they are both on, along the quickest.
  package func direct(_ source: Snap, _ target: Snap, closed: Closure? = nil) -> DirectTrip? {
    var best: DirectTrip?
    forEachDirect(source, target, closed) { trip in
      if trip.weight < best?.weight ?? .infinity { best = trip }
    }
    return best
  }

  /// All ways along one street from `source` to `target`, the first of equals first.
  func forEachDirect(_ source: Snap, _ target: Snap, _ closed: Closure?, _ body: (DirectTrip) -> Void) {
    if let square = source.square, square == target.square,
      let line = line(over: square, from: source.point, to: target.point, closed)
    {
      body(line)
    }
    guard !source.twins.isEmpty || !target.twins.isEmpty else {
      return forEachDirect(source.position, target.position, closed, body)
    }
    for from in source.positions {
      for to in target.positions { forEachDirect(from, to, closed, body) }
    }
  }

  private func forEachDirect(
    _ source: StreetPosition, _ target: StreetPosition, _ closed: Closure?, _ body: (DirectTrip) -> Void
  ) {
    guard !source.isCorner, !target.isCorner else { return }
    func tell(_ weight: Weight, _ isReversed: Bool, fromJunction: Bool = false) {
      body(
        DirectTrip(
          weight: source.line + weight + target.line, street: DirectedStreet(target.street, isReversed: isReversed),
          fromJunction: fromJunction,
          from: source, to: target))
    }
    let street = street(target.street)
    if source.street == target.street {
      let isReversed = source.fraction > target.fraction
      if source.fraction == target.fraction || isOpen(DirectedStreet(target.street, isReversed: isReversed), closed) {
        return tell(street.weight(from: source.fraction, to: target.fraction), isReversed)
      }
    }
    guard let junction = junction(at: source) else { return }
    if self.junction(at: target) == junction { return tell(.zero, target.fraction == 1) }
    for isReversed in [false, true] where Int(isReversed ? street.head : street.tail) == junction {
      guard isOpen(DirectedStreet(target.street, isReversed: isReversed), closed) else { continue }
      tell(street.weight(from: isReversed ? 1 : 0, to: target.fraction), isReversed, fromJunction: true)
    }
  }

  /// The streets on which a target must lie for `direct` to find a path to it: that of the snap, and at a junction all
  /// that meet there.
  package func directStreets(from source: Snap) -> [StreetID] {
    streets(of: source) { position in junction(at: position).map { streets(at: [$0]) } ?? [position.street] }
  }

  /// The streets on which a source must lie for `direct` to find a path from it to `target`: its own, and for a source
  /// at an end of it all that meet there.
  package func directStreets(to target: Snap) -> [StreetID] {
    streets(of: target) { position in
      // Its own is among those that meet at its ends.
      let street = street(position.street)
      return streets(at: [Int(street.tail), Int(street.head)])
    }
  }

  /// The streets of all positions of a snap, each once.
  private func streets(of snap: Snap, _ streets: (StreetPosition) -> [StreetID]) -> [StreetID] {
    var all = streets(snap.position)
    if let square = snap.square, !all.contains(square) { all.append(square) }
    for twin in snap.twins {
      for street in streets(twin) where !all.contains(street) { all.append(street) }
    }
    return all
  }

  /// The streets that a trip may set out on from a junction, if the position lies at one; else none.
  package func streetsLeaving(_ position: StreetPosition, closed: Closure?) -> [DirectedStreet] {
    guard let junction = junction(at: position) else { return [] }
    return (0..<ends.count(at: junction)).map { ends[junction, $0].leaving }.filter { isOpen($0, closed) }
  }

  /// Whether a street may be travelled in a direction; nil: where no time is given.
  package func isOpen(_ street: DirectedStreet, _ closed: Closure?, as use: StreetUse = .any) -> Bool {
    self.street(street.street).isOpen(isReversed: street.isReversed)
      && (closed ?? closureWithoutDate)?.contains(street, as: use) != true
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

  /// The junction that a position lies at, if it lies at an end of its street.
  private func junction(at position: StreetPosition) -> Int? {
    position.line == .zero ? street(position.street).junction(at: position.fraction) : nil
  }
}
