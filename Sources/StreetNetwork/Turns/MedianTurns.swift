import Hierarchy

/// U-turns across a median: from one carriageway of a street over a short link onto the other.
///
///     <───────c───────┬───────
///                     l          a, l, c together cost what turning around costs
///     ────────a───────┴──────>
///
/// Whether the turn off the link ends a U-turn depends on where one came from, so it is no cost of a junction: the
/// sequence of streets is followed as one of a turn restriction is, and its last turn costs what is missing.
struct MedianTurns {
  let streets: [Street]
  let ends: StreetEnds
  let attributes: [StreetAttributes]
  let names: [String]
  let delays: [(head: UInt32, tail: UInt32)]
  let costs: TurnCosts
  /// Milliseconds.
  let uTurn: UInt32

  /// The link is shorter, in centimetres.
  private static let longest: UInt32 = 50_00

  func patterns() -> [RestrictedTurns.Pattern] {
    guard uTurn > 0 else { return [] }
    var patterns: [RestrictedTurns.Pattern] = []
    for index in streets.indices {
      for isReversed in [false, true] {
        let street = DirectedStreet(StreetID(index), isReversed: isReversed)
        if isCarriageway(street) { append(after: [street], length: 0, cost: 0, to: &patterns) }
      }
    }
    return patterns
  }

  /// Appends the U-turns that start with `path`: a carriageway, and links so long in all.
  private func append(
    after path: [DirectedStreet], length: UInt32, cost: UInt32, to patterns: inout [RestrictedTurns.Pattern]
  ) {
    let (first, last) = (path[0], path[path.count - 1])
    let record = streets[last]
    let junction = Int(last.isReversed ? record.tail : record.head)
    let arriving = Int(last.isReversed ? record.tailEnd : record.headEnd)
    for leaving in 0..<ends.count(at: junction) {
      let next = ends[junction, leaving].leaving
      guard next.street != last.street, streets[next].isOpen(isReversed: next.isReversed) else { continue }
      let cost = cost + costs[junction, arriving, leaving] - delays.atEnd(of: last)
      let turned = abs(streets.angle(from: first, to: next))
      if path.count > 1, turned >= TurnManeuver.aroundOnStreet, isCarriageway(next), isSameStreet(first, next) {
        guard cost < uTurn else { continue }
        patterns.append(.init(streets: path + [next], isOnly: false, condition: nil, delay: uTurn - cost))
      } else if path.count < 4, turned > 30, isLink(next), !path.contains(where: { $0.street == next.street }) {
        let length = length + streets[next].centimetres
        if length < MedianTurns.longest { append(after: path + [next], length: length, cost: cost, to: &patterns) }
      }
    }
  }

  /// A street for traffic in one direction.
  private func isCarriageway(_ street: DirectedStreet) -> Bool {
    let (record, way) = (streets[street], attributes[Int(streets[street].attributes)])
    return record.isOpen(isReversed: street.isReversed) && !record.isOpen(isReversed: !street.isReversed)
      && way.roadClass < .service && !way.traits.contains(.roundabout) && !record.flags.contains(.gate)
  }

  private func isLink(_ street: DirectedStreet) -> Bool {
    let way = attributes[Int(streets[street].attributes)]
    return !way.traits.contains(.roundabout) && !way.kind.isBoarded && !streets[street].flags.contains(.gate)
  }

  private func isSameStreet(_ a: DirectedStreet, _ b: DirectedStreet) -> Bool {
    attributes[Int(streets[a].attributes)].isSameStreet(as: attributes[Int(streets[b].attributes)]) { names[Int($0)] }
  }
}
