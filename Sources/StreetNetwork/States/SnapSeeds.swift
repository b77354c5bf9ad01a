import Hierarchy

/// The start or end states of searches for a snap, each with the weight between the state and the snap. All seeds are
/// computed here, for every engine.
package struct SnapSeeds: Sendable {
  package private(set) var seeds: [Seed] = []
  /// For each seed, the street between it and the snap.
  package private(set) var streets: [DirectedStreet] = []
  /// For each seed, whether it includes the whole street.
  package private(set) var isWhole: [Bool] = []
  /// For each seed, the arc whose turn it includes; `SnapSeeds.noArc` if it includes only part of a street.
  private(set) var arcs: [UInt32] = []
  /// For each seed, the use of the street.
  private(set) var uses: [StreetUse] = []

  /// For each seed, the snap's position on the street in `streets`; empty if the snap is on one street only.
  private var positions: [StreetPosition] = []

  /// Whether streets and arcs are also recorded; the weights alone do not need them.
  private let hasStreets: Bool

  fileprivate init(hasStreets: Bool) {
    self.hasStreets = hasStreets
    // More than most places need, in one allocation each.
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

  /// Records `position` for the seeds that were added last.
  fileprivate mutating func note(_ position: StreetPosition) {
    while positions.count < seeds.count { positions.append(position) }
  }

  /// Returns the position of `snap`, to which these seeds belong, on the street of a seed.
  package func position(ofSeed index: Int, _ snap: Snap) -> StreetPosition {
    positions.isEmpty ? snap.position : positions[index]
  }
}

/// A trip that needs no search: along one street.
package struct DirectTrip: Sendable {
  package var weight: Weight
  package var street: DirectedStreet
  /// Whether the trip starts on another street of the junction at its source.
  package var fromJunction: Bool
  package var from: StreetPosition
  package var to: StreetPosition
}

extension StreetNetwork {
  /// Returns the first states of a trip from `snap`. At a junction, the trip may start along any street.
  ///
  /// No trip starts on a street that is `closed` in its direction; nil means the closure that applies when no time is
  /// given.
  package func sources(_ snap: Snap, closed: Closure? = nil) -> SnapSeeds {
    seeds(snap, closed) { addSources($0, $1, to: &$2) }
  }

  /// Returns only the seeds of `sources(_:closed:)`.
  package func sourceSeeds(_ snap: Snap, closed: Closure? = nil) -> [Seed] {
    seeds(snap, closed, hasStreets: false) { addSources($0, $1, to: &$2) }.seeds
  }

  private func seeds(
    _ snap: Snap, _ closed: Closure?, hasStreets: Bool = true,
    _ add: (StreetPosition, Closure?, inout SnapSeeds) -> Void
  ) -> SnapSeeds {
    let closed = closed ?? closureWithoutDate
    var seeds = SnapSeeds(hasStreets: hasStreets)
    add(snap.position, closed, &seeds)
    guard !snap.twins.isEmpty else { return seeds }
    seeds.note(snap.position)
    for twin in snap.twins {
      add(twin, closed, &seeds)
      seeds.note(twin)
    }
    return seeds
  }

  private func addSources(_ snap: StreetPosition, _ closed: Closure?, to sources: inout SnapSeeds) {
    let street = street(snap.street)
    guard let junction = junction(at: snap) else {
      for isReversed in [false, true] where !snap.isCorner || isReversed == (snap.fraction == 0) {
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
    let leaving = ends[junction]
    let restricted: StreetFlags = [.restrictedExit, .endsOnlyAtTimes]
    let isPublic = leaving.contains { self.street($0.street).flags.isDisjoint(with: restricted) }
    for directed in leaving where closed?.contains(directed) != true {
      let street = self.street(directed.street)
      let isEntering = isPublic && !street.flags.isDisjoint(with: restricted)
      for (state, use) in states.starts(of: directed, isEntering: isEntering)
      where closed?.contains(directed, as: use) != true {
        sources.add(state, street.weight(isReversed: directed.isReversed), directed, isWhole: true, as: use)
      }
    }
  }

  /// Returns the last states of a trip to `snap`: the states before the turn into its street or, at a junction, the
  /// states in which a trip may end there. Turns over `closed` arcs are excluded.
  package func targets(_ snap: Snap, closed: Closure? = nil) -> SnapSeeds {
    seeds(snap, closed) { addTargets($0, $1, to: &$2) }
  }

  /// Returns only the seeds of `targets(_:closed:)`.
  package func targetSeeds(_ snap: Snap, closed: Closure? = nil) -> [Seed] {
    seeds(snap, closed, hasStreets: false) { addTargets($0, $1, to: &$2) }.seeds
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
      let junction = streets.start(of: directed).junction
      let part = street.weight(from: isReversed ? 1 : 0, to: snap.fraction) + snap.line
      for state in states.junctions[junction].first..<states.junctions[junction + 1].first {
        for arc in states.arcs.arcs(from: StateID(state))
        where states.streets[arc] == directed && closed?.contains(ArcID(arc)) != true {
          // The arc consists of the turn and the whole street.
          let turn = states.arcs.weights[arc].milliseconds - street.weight(isReversed: isReversed).milliseconds
          targets.add(state, Weight(milliseconds: turn, centimetres: 0) + part, directed, arc: UInt32(arc))
        }
      }
    }
  }

  /// Returns the path along one street from `source` to `target`, if both are on it and its direction allows it; the
  /// fastest if there are several such streets.
  package func direct(_ source: Snap, _ target: Snap, closed: Closure? = nil) -> DirectTrip? {
    var best: DirectTrip?
    forEachDirect(source, target, closed) { trip in
      if trip.weight < best?.weight ?? .infinity { best = trip }
    }
    return best
  }

  /// Calls `body` with all paths along one street from `source` to `target`, in the order of their positions.
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
    func report(_ weight: Weight, _ isReversed: Bool, fromJunction: Bool = false) {
      body(
        DirectTrip(
          weight: source.line + weight + target.line, street: DirectedStreet(target.street, isReversed: isReversed),
          fromJunction: fromJunction, from: source, to: target))
    }
    let street = street(target.street)
    if source.street == target.street {
      let isReversed = source.fraction > target.fraction
      if source.fraction == target.fraction || isOpen(DirectedStreet(target.street, isReversed: isReversed), closed) {
        return report(street.weight(from: source.fraction, to: target.fraction), isReversed)
      }
    }
    guard let junction = junction(at: source) else { return }
    if self.junction(at: target) == junction { return report(.zero, target.fraction == 1) }
    for isReversed in [false, true] where Int(street.start(isReversed: isReversed)) == junction {
      guard isOpen(DirectedStreet(target.street, isReversed: isReversed), closed) else { continue }
      report(street.weight(from: isReversed ? 1 : 0, to: target.fraction), isReversed, fromJunction: true)
    }
  }

  /// Returns the streets to which `direct` finds a path from `source`: the source's street and, at a junction, all
  /// streets there.
  package func directStreets(from source: Snap) -> [StreetID] {
    streets(of: source) { position in junction(at: position).map { streets(at: [$0]) } ?? [position.street] }
  }

  /// Returns the streets from which `direct` may find a path to `target`: the target's street and, for sources at one
  /// of its ends, all streets there.
  package func directStreets(to target: Snap) -> [StreetID] {
    streets(of: target) { position in
      // The position's street is among those that meet at its ends.
      let street = street(position.street)
      return streets(at: [Int(street.tail), Int(street.head)])
    }
  }

  /// Returns the streets of all positions of a snap, without duplicates.
  private func streets(of snap: Snap, _ streets: (StreetPosition) -> [StreetID]) -> [StreetID] {
    var all = streets(snap.position)
    if let square = snap.square, !all.contains(square) { all.append(square) }
    for twin in snap.twins {
      for street in streets(twin) where !all.contains(street) { all.append(street) }
    }
    return all
  }

  /// Returns the streets on which a trip may start at a junction; none if the position is not at a junction.
  package func streetsLeaving(_ position: StreetPosition, closed: Closure?) -> [DirectedStreet] {
    guard let junction = junction(at: position) else { return [] }
    return ends[junction].filter { isOpen($0, closed) }
  }

  /// Returns whether a street may be travelled in a direction; a nil `closed` means that no time is given.
  package func isOpen(_ street: DirectedStreet, _ closed: Closure?, as use: StreetUse = .any) -> Bool {
    streets.isOpen(street) && (closed ?? closureWithoutDate)?.contains(street, as: use) != true
  }

  /// Returns the streets that meet at the given junctions, without duplicates.
  private func streets(at junctions: [Int]) -> [StreetID] {
    var streets: [StreetID] = []
    for junction in junctions {
      for end in ends[junction] where !streets.contains(end.street) { streets.append(end.street) }
    }
    return streets
  }

  /// Returns the junction of a position at an end of its street; nil for other positions.
  private func junction(at position: StreetPosition) -> Int? {
    position.line == .zero ? street(position.street).junction(at: position.fraction) : nil
  }
}
