/// Joins pieces that continue one another to one piece a street: where just two alike pieces meet, nothing happens
/// that a route could care about.
///
///     a───b───c───d   with b and c used by nothing else and alike all along   =>   a───────────d
///
/// A ring keeps one of its junctions.
func joinedChains(_ pieces: [Piece], junctionCount: UInt32) -> [Piece] {
  let ends = PieceEnds(pieces, junctionCount: junctionCount)
  var isUsed = [Bool](repeating: false, count: pieces.count)
  var joined: [Piece] = []

  /// Follows the chain from `piece` (in the direction given) as far as it goes.
  func chain(from piece: Int, isReversed: Bool) -> Piece {
    isUsed[piece] = true
    var whole = isReversed ? pieces[piece].reversed : pieces[piece]
    var last = piece
    while let (next, nextIsReversed) = ends.continuation(
      of: last, at: whole.head, attributes: whole.attributes, flags: whole.flags, pieces),
      !isUsed[next]
    {
      isUsed[next] = true
      let further = nextIsReversed ? pieces[next].reversed : pieces[next]
      whole.points.append(contentsOf: further.points.dropFirst())
      whole.head = further.head
      last = next
    }
    return whole
  }

  for (index, piece) in pieces.enumerated() where !isUsed[index] {
    let goesOn = ends.continues(piece.reversedFlags, index, at: piece.tail, pieces)
    guard !goesOn else { continue }
    joined.append(chain(from: index, isReversed: false))
  }
  for (index, piece) in pieces.enumerated() where !isUsed[index] {
    let goesOn = ends.continues(piece.flags, index, at: piece.head, pieces)
    guard !goesOn else { continue }
    // A chain that ends here but was not entered from its other end: drawn towards its middle from both.
    joined.append(chain(from: index, isReversed: true).reversed)
  }
  for index in pieces.indices where !isUsed[index] {
    joined.append(chain(from: index, isReversed: false))  // rings
  }
  return joined
}

/// Which pieces end at each junction: the first two, and how many there are.
private struct PieceEnds {
  private var ends: [(first: Int32, second: Int32, count: Int32)]

  init(_ pieces: [Piece], junctionCount: UInt32) {
    ends = Array(repeating: (-1, -1, 0), count: Int(junctionCount))
    for (index, piece) in pieces.enumerated() {
      add(Int32(index), at: piece.tail)
      add(Int32(index), at: piece.head)
    }
  }

  private mutating func add(_ piece: Int32, at junction: UInt32) {
    switch ends[Int(junction)].count {
    case 0: ends[Int(junction)].first = piece
    case 1: ends[Int(junction)].second = piece
    default: break
    }
    ends[Int(junction)].count += 1
  }

  func continues(_ flags: StreetFlags, _ piece: Int, at junction: UInt32, _ pieces: [Piece]) -> Bool {
    continuation(of: piece, at: junction, attributes: pieces[piece].attributes, flags: flags, pieces) != nil
  }

  /// The one other piece that ends at `junction`, if it is alike, and whether it is drawn against the way there.
  func continuation(
    of piece: Int, at junction: UInt32, attributes: UInt32, flags wanted: StreetFlags, _ pieces: [Piece]
  ) -> (piece: Int, isReversed: Bool)? {
    let ends = self.ends[Int(junction)]
    guard ends.count == 2, ends.first != ends.second else { return nil }
    let other = Int(ends.first) == piece ? Int(ends.second) : Int(ends.first)
    let isReversed = pieces[other].tail != junction
    let flags = isReversed ? pieces[other].reversedFlags : pieces[other].flags
    guard pieces[other].attributes == attributes, flags == wanted else { return nil }
    return (other, isReversed)
  }
}
