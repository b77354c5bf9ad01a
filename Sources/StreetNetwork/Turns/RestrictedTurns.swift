/// Turn restrictions as sequences of streets: a trip along all but the last may not (or may only) turn into the last.
struct RestrictedTurns {
  private(set) var patterns: [Pattern] = []
  /// Patterns by their first street.
  private(set) var starting: [DirectedStreet: [Int]] = [:]

  struct Pattern {
    var streets: [DirectedStreet]
    var isOnly: Bool
    /// When it holds (`Conditions`); nil for always.
    var condition: String?

    /// Whether this pattern forbids turning into `street` after all but its last street.
    func forbids(_ street: DirectedStreet) -> Bool { (street == streets[streets.count - 1]) != isOnly }
  }

  /// Finds the streets that the map's restrictions mean, and counts what is broken.
  init(_ map: inout OSMImport, _ finder: RestrictedStreetFinder) {
    for restriction in map.restrictions {
      let found = finder.patterns(of: restriction, map)
      guard !found.isEmpty else {
        map.restrictionCounts.broken += 1
        continue
      }
      map.restrictionCounts.used += 1
      if restriction.condition != nil { map.restrictionCounts.conditional += 1 }
      for pattern in found {
        starting[pattern.streets[0], default: []].append(patterns.count)
        patterns.append(pattern)
      }
    }
  }
}

/// Finds streets by the ways they are parts of.
struct RestrictedStreetFinder {
  let streets: [Street]
  let ends: StreetEnds
  /// The ways at the tail and head of each street, by index in `OSMImport.ways`.
  let ways: [(tail: UInt32, head: UInt32)]
  /// The junction of each node that has one.
  let junction: (UInt32) -> UInt32?

  func patterns(of restriction: TurnRestriction, _ map: OSMImport) -> [RestrictedTurns.Pattern] {
    var patterns: [RestrictedTurns.Pattern] = []
    for from in restriction.from {
      for to in restriction.to {
        guard let from = map.restrictedWays[from], let to = map.restrictedWays[to] else { continue }
        let sequences: [[DirectedStreet]]
        switch restriction.via {
        case .node(let id):
          guard let junction = map.index(ofNode: id).flatMap(junction) else { continue }
          sequences = turns(from: UInt32(from), at: Int(junction), to: UInt32(to), restriction.turn)
        case .ways(let ids):
          let via = ids.compactMap { map.restrictedWays[$0] }
          guard via.count == ids.count else { continue }
          sequences = ways(UInt32(from), via.map(UInt32.init), UInt32(to), map)
        }
        patterns += sequences.map {
          .init(streets: $0, isOnly: restriction.isOnly, condition: restriction.condition)
        }
      }
    }
    // A mandatory turn must be unambiguous.
    return restriction.isOnly && Set(patterns.map(\.streets)).count > 1 ? [] : patterns
  }

  /// The turns from a part of one way into a part of another at a junction. Where a way continues beyond the junction,
  /// the parts between which the turn is as the restriction names it are meant.
  private func turns(
    from: UInt32, at junction: Int, to: UInt32, _ turn: TurnRestriction.Turn?
  ) -> [[DirectedStreet]] {
    let arriving = arrivals(at: junction, along: from)
    let leaving = departures(from: junction, along: to)
    let all = arriving.flatMap { a in leaving.map { [a, $0] } }
    guard arriving.count > 1 || leaving.count > 1, let turn else { return all }
    return all.filter { isTurn(from: $0[0], to: $0[1], turn) }
  }

  private func isTurn(from: DirectedStreet, to: DirectedStreet, _ turn: TurnRestriction.Turn) -> Bool {
    let angle = streets.angle(from: from, to: to)
    switch turn {
    case .left: return angle < -15 && angle > -165
    case .right: return angle > 15 && angle < 165
    case .straight: return abs(angle) < 45
    case .u: return to == from.opposite || abs(angle) > 135
    }
  }

  /// The sequences of streets along `via`, from the end of `from` to the start of `to`.
  private func ways(_ from: UInt32, _ via: [UInt32], _ to: UInt32, _ map: OSMImport) -> [[DirectedStreet]] {
    var ordered = via
    // Members need not be in order: each way must touch the one before it.
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

  /// All sequences that continue from `junction` along all of `via` and into `to`.
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
        let record = streets[Int(street.street.index)]
        let next = Int(street.isReversed ? record.tail : record.head)
        found += continued(sequence + [street], at: next, along: rest, to)
      }
    }
    return found
  }

  private func isPart(_ street: StreetID, of way: UInt32) -> Bool {
    ways[Int(street.index)].tail == way || ways[Int(street.index)].head == way
  }

  private func arrivals(at junction: Int, along way: UInt32) -> [DirectedStreet] {
    parts(at: junction, of: way).map(\.arriving).filter(isOpen)
  }

  private func departures(from junction: Int, along way: UInt32) -> [DirectedStreet] {
    parts(at: junction, of: way).map(\.leaving).filter(isOpen)
  }

  private func parts(at junction: Int, of way: UInt32) -> [StreetEnd] {
    (0..<ends.count(at: junction)).map { ends[junction, $0] }.filter { end in
      let ways = ways[Int(end.street.index)]
      return (end.isHead ? ways.head : ways.tail) == way
    }
  }

  private func isOpen(_ street: DirectedStreet) -> Bool {
    streets[Int(street.street.index)].isOpen(isReversed: street.isReversed)
  }
}

extension OSMImport {
  /// The nodes that two ways share.
  fileprivate func sharedNodes(_ a: Int, _ b: Int) -> [UInt32] {
    let nodes = Set(wayNodes[ways[b].nodes])
    return wayNodes[ways[a].nodes].filter(nodes.contains)
  }

  fileprivate func touch(_ a: Int, _ b: Int) -> Bool { !sharedNodes(a, b).isEmpty }
}

extension [Street] {
  subscript(_ directed: DirectedStreet) -> Street { self[Int(directed.street.index)] }

  /// Degrees, right positive, -180..<180.
  func angle(from: DirectedStreet, to: DirectedStreet) -> Double {
    turnAngle(
      from: self[from].arrivingHeading(isReversed: from.isReversed),
      to: self[to].leavingHeading(isReversed: to.isReversed))
  }
}

/// The angle of a turn in degrees, right positive, -180..<180.
package func turnAngle(from arriving: Double, to leaving: Double) -> Double {
  let angle = leaving - arriving
  return angle - 360 * ((angle + 180) / 360).rounded(.down)
}
