import OpeningHours

/// Turn restrictions as sequences of streets: a trip along the preceding streets may not (or may only) turn into the
/// last one.
struct RestrictedTurns {
  private(set) var patterns: [Pattern] = []
  /// Patterns by their first street.
  private(set) var starting: [DirectedStreet: [Int]] = [:]

  struct Pattern {
    var streets: [DirectedStreet]
    var isOnly: Bool
    /// The times at which the pattern applies (`Closing`); nil for always.
    var condition: String?
    /// The extra milliseconds of the turn into the last street, if it is not forbidden.
    var delay: UInt32 = 0

    /// Returns whether this pattern forbids turning into `street` after travelling its streets up to an index. A
    /// mandatory turn via ways binds trips from the first via way on.
    func forbids(_ street: DirectedStreet, after index: Int) -> Bool {
      guard delay == 0 else { return false }
      let isLast = index == streets.count - 2
      return isOnly ? (isLast || index > 0) && street != streets[index + 1] : isLast && street == streets[index + 1]
    }
  }

  /// Finds the streets of the map's restrictions, and counts used, conditional and broken restrictions.
  init(_ map: inout OSMImport, _ finder: RestrictedStreetFinder) {
    for restriction in map.restrictions {
      let found = finder.patterns(of: restriction, map)
      guard !found.isEmpty else {
        map.counts.restrictions.broken += 1
        continue
      }
      // Pedestrians who push a bicycle may turn.
      let ridden = found.filter { !$0.streets.dropLast().contains(where: finder.isPushed) }
      guard !ridden.isEmpty else {
        map.counts.restrictions.others += 1
        continue
      }
      map.counts.restrictions.used += 1
      if restriction.condition != nil { map.counts.restrictions.conditional += 1 }
      for pattern in ridden { append(pattern) }
    }
  }

  mutating func append(_ pattern: Pattern) {
    starting[pattern.streets[0], default: []].append(patterns.count)
    patterns.append(pattern)
  }
}

extension RestrictedTurns {
  /// Adds coordinates to the conditions that depend on sunrise or sunset.
  mutating func locate(_ place: (DirectedStreet) -> SunPlace) {
    for index in patterns.indices {
      guard let condition = patterns[index].condition else { continue }
      patterns[index].condition = Closing.text(condition, at: place(patterns[index].streets[0]))
    }
  }
}

/// Finds the sequences of streets that turn restrictions refer to, by their ways.
struct RestrictedStreetFinder {
  let streets: [Street]
  let ends: StreetEnds
  /// The ways at the tail and head of each street, by index in `OSMImport.ways`.
  let ways: [(tail: UInt32, head: UInt32)]
  /// Returns the junction of a node; nil if it has none.
  let junction: (UInt32) -> UInt32?

  /// Returns the sequences of streets of a restriction; empty if it is not connected, or ambiguous.
  func patterns(of restriction: TurnRestriction, _ map: OSMImport) -> [RestrictedTurns.Pattern] {
    var found: [[DirectedStreet]] = []
    for from in restriction.from {
      for to in restriction.to {
        guard let from = map.restrictedWays[from], let to = map.restrictedWays[to] else { continue }
        let sequences = distinct(sequences(from: UInt32(from), restriction.via, to: UInt32(to), map))
        guard let intended = intended(sequences, restriction) else { return [] }
        found += intended
      }
    }
    // A mandatory turn must be unambiguous.
    guard !restriction.kind.isOnly || found.count == 1 else { return [] }
    return found.map { .init(streets: $0, isOnly: restriction.kind.isOnly, condition: restriction.condition) }
  }

  /// Returns all sequences of streets from a part of one way, along `via`, into a part of another.
  private func sequences(
    from: UInt32, _ via: TurnRestriction.Via, to: UInt32, _ map: OSMImport
  ) -> [[DirectedStreet]] {
    switch via {
    case .node(let id):
      guard let junction = map.index(ofNode: id).flatMap(junction) else { return [] }
      let leaving = departures(from: Int(junction), along: to)
      return arrivals(at: Int(junction), along: from).flatMap { arriving in leaving.map { [arriving, $0] } }
    case .ways(let ids):
      let via = ids.compactMap { map.restrictedWays[$0].map(UInt32.init) }
      return via.count == ids.count ? ways(from, via, to, map) : []
    }
  }

  /// Returns the sequences that a restriction means. There may be several if ways continue beyond the turn: then only
  /// the one in the direction named by the restriction applies; nil if several are in that direction. Without a
  /// direction in the name, all sequences at a junction apply, as for `no_entry`.
  private func intended(_ sequences: [[DirectedStreet]], _ restriction: TurnRestriction) -> [[DirectedStreet]]? {
    guard sequences.count > 1 else { return sequences }
    if let turn = restriction.kind.turn {
      let named = sequences.filter { isTurn(from: $0[0], to: $0[$0.count - 1], turn) }
      return named.count > 1 ? nil : named
    }
    guard case .node = restriction.via else { return nil }
    return sequences
  }

  private func distinct(_ sequences: [[DirectedStreet]]) -> [[DirectedStreet]] {
    var seen: Set<[DirectedStreet]> = []
    return sequences.filter { seen.insert($0).inserted }
  }

  private func isTurn(from: DirectedStreet, to: DirectedStreet, _ turn: RestrictionKind.Turn) -> Bool {
    let angle = streets.angle(from: from, to: to)
    switch turn {
    case .left: return angle < -15 && angle > -165
    case .right: return angle > 15 && angle < 165
    case .straight: return abs(angle) < 45
    case .u: return to == from.opposite || abs(angle) > 135
    }
  }

  /// Returns the sequences of streets that arrive along `from`, follow all of `via`, and depart along `to`.
  private func ways(_ from: UInt32, _ via: [UInt32], _ to: UInt32, _ map: OSMImport) -> [[DirectedStreet]] {
    var ordered = via
    // Members need not be sorted, but each way must touch the previous one.
    var at = from
    for index in ordered.indices {
      guard let next = ordered[index...].firstIndex(where: { map.touch(Int(at), Int($0)) }) else { return [] }
      ordered.swapAt(index, next)
      at = ordered[index]
    }
    guard map.touch(Int(at), Int(to)) else { return [] }
    var sequences: [[DirectedStreet]] = []
    for junction in map.sharedNodes(Int(from), Int(ordered[0])).compactMap(junction) {
      for start in arrivals(at: Int(junction), along: from) {
        sequences += continued([start], at: Int(junction), along: ordered[...], to)
      }
    }
    return sequences
  }

  /// Returns all sequences that continue from `junction` along all of `via` and into `to`.
  private func continued(
    _ sequence: [DirectedStreet], at junction: Int, along via: ArraySlice<UInt32>, _ to: UInt32
  ) -> [[DirectedStreet]] {
    guard sequence.count < 64 else { return [] }
    var found: [[DirectedStreet]] = []
    if via.isEmpty || (via.count == 1 && isPart(sequence[sequence.count - 1].street, of: via.first!)) {
      found = departures(from: junction, along: to)
        .filter { $0 != sequence[sequence.count - 1].opposite }.map { sequence + [$0] }
    }
    guard let way = via.first else { return found }
    let hasTravelled = isPart(sequence[sequence.count - 1].street, of: way)
    let next = hasTravelled && via.count > 1 ? [(via[via.startIndex + 1], via.dropFirst())] : []
    for (way, rest) in [(way, via)] + next {
      for street in departures(from: junction, along: way)
      where !sequence.contains(street) && !sequence.contains(street.opposite) {
        found += continued(sequence + [street], at: streets.end(of: street).junction, along: rest, to)
      }
    }
    return found
  }

  private func isPart(_ street: StreetID, of way: UInt32) -> Bool {
    ways[Int(street.index)].tail == way || ways[Int(street.index)].head == way
  }

  private func arrivals(at junction: Int, along way: UInt32) -> [DirectedStreet] {
    parts(at: junction, of: way).map(\.opposite).filter(streets.isOpen)
  }

  private func departures(from junction: Int, along way: UInt32) -> [DirectedStreet] {
    parts(at: junction, of: way).filter(streets.isOpen)
  }

  private func parts(at junction: Int, of way: UInt32) -> [DirectedStreet] {
    ends[junction].filter { end in
      let ways = ways[Int(end.street.index)]
      return (end.isReversed ? ways.head : ways.tail) == way
    }
  }

  fileprivate func isPushed(_ street: DirectedStreet) -> Bool {
    streets[street].isPushed(isReversed: street.isReversed)
  }
}

extension OSMImport {
  /// Returns the nodes that two ways share.
  fileprivate func sharedNodes(_ a: Int, _ b: Int) -> [UInt32] {
    let nodes = Set(wayNodes[ways[b].nodes])
    return wayNodes[ways[a].nodes].filter(nodes.contains)
  }

  fileprivate func touch(_ a: Int, _ b: Int) -> Bool { !sharedNodes(a, b).isEmpty }
}

extension [Street] {
  /// Returns the angle of a turn in degrees, -180..<180, positive to the right.
  func angle(from: DirectedStreet, to: DirectedStreet) -> Double {
    turnAngle(
      from: self[from].arrivingHeading(isReversed: from.isReversed),
      to: self[to].leavingHeading(isReversed: to.isReversed))
  }

  /// Returns whether two streets are the same, or overlap: equally long, between the same junctions, with the same
  /// headings.
  func isSame(_ a: DirectedStreet, _ b: DirectedStreet) -> Bool {
    guard a != b else { return true }
    let (first, second) = (self[a], self[b])
    return first.centimetres == second.centimetres
      && first.start(isReversed: a.isReversed) == second.start(isReversed: b.isReversed)
      && first.start(isReversed: !a.isReversed) == second.start(isReversed: !b.isReversed)
      && first.leavingHeading(isReversed: a.isReversed) == second.leavingHeading(isReversed: b.isReversed)
      && first.arrivingHeading(isReversed: a.isReversed) == second.arrivingHeading(isReversed: b.isReversed)
  }
}

/// Returns the angle of a turn in degrees, -180..<180, positive to the right.
package func turnAngle(from arriving: Double, to leaving: Double) -> Double {
  let angle = leaving - arriving
  return angle - 360 * ((angle + 180) / 360).rounded(.down)
}
