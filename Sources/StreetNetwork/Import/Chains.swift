/// Joins pieces that continue one another to one piece per street: where just two alike pieces meet, nothing happens
/// that matters to a route.
///
///     a───b───c───d   with b and c used by nothing else and alike all along   =>   a───────────d
///
/// A ring keeps one of its junctions. Pinned junctions are kept.
func joinedChains(_ pieces: [Piece], isPinned: [Bool]) -> [Piece] {
  let ends = PieceEnds(pieces, isPinned: isPinned)
  var isUsed = [Bool](repeating: false, count: pieces.count)
  var joined: [Piece] = []

  /// Follows the chain from `piece` (in the direction given) as far as it goes.
  func chain(from piece: Int, isReversed: Bool) -> Piece {
    isUsed[piece] = true
    var whole = isReversed ? pieces[piece].reversed : pieces[piece]
    var last = piece
    while let (next, further) = ends.continuation(of: last, drawnAs: whole, pieces), !isUsed[next] {
      isUsed[next] = true
      whole.points.append(contentsOf: further.points.dropFirst())
      whole.nodes.append(contentsOf: further.nodes.dropFirst())
      whole.head = further.head
      whole.headDelay = further.headDelay
      whole.parts += further.parts
      last = next
    }
    return whole
  }

  for (index, piece) in pieces.enumerated() where !isUsed[index] {
    guard ends.continuation(of: index, drawnAs: piece.reversed, pieces) == nil else { continue }
    joined.append(chain(from: index, isReversed: false))
  }
  for (index, piece) in pieces.enumerated() where !isUsed[index] {
    guard ends.continuation(of: index, drawnAs: piece, pieces) == nil else { continue }
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
  private let isPinned: [Bool]

  init(_ pieces: [Piece], isPinned: [Bool]) {
    self.isPinned = isPinned
    ends = Array(repeating: (-1, -1, 0), count: isPinned.count)
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

  /// The one other piece that ends at the head of `drawn` (that is `piece`, or its reverse, or a chain that ends with
  /// it), if it is alike; drawn in the same direction.
  func continuation(of piece: Int, drawnAs drawn: Piece, _ pieces: [Piece]) -> (index: Int, drawn: Piece)? {
    let ends = self.ends[Int(drawn.head)]
    guard ends.count == 2, ends.first != ends.second, !isPinned[Int(drawn.head)] else { return nil }
    let other = Int(ends.first) == piece ? Int(ends.second) : Int(ends.first)
    let next = pieces[other].tail == drawn.head ? pieces[other] : pieces[other].reversed
    return drawn.isLike(next) ? (other, next) : nil
  }
}
