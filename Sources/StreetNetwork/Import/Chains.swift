/// Joins consecutive pieces into streets: where exactly two similar pieces meet, the junction is irrelevant to routing.
///
///     a───b───c───d   if nothing else uses b and c   =>   a───────────d
///
/// A ring keeps one of its junctions. Pinned junctions are kept.
struct Chains {
  let list: PieceList
  /// The pieces of all chains, chain by chain, as links: twice the piece's index, plus 1 if reversed.
  private var links: [UInt32] = []
  private var firstLink: [UInt32] = [0]
  /// Whether a chain takes its properties from its last piece instead of its first, because the chain was followed from
  /// its last piece. The pieces of a chain have the same properties unless they are gates.
  private var beganAtEnd: [Bool] = []

  var count: Int { firstLink.count - 1 }
  /// The total number of nodes of all chains.
  var nodeCount: Int { list.pieces.reduce(0) { $0 + Int($1.nodeCount) } - (links.count - count) }

  init(_ list: PieceList, isPinned: [Bool]) {
    self.list = list
    let pieces = list.pieces
    let ends = PieceEnds(pieces, isPinned: isPinned)
    var isUsed = [Bool](repeating: false, count: pieces.count)
    links.reserveCapacity(pieces.count)

    /// Follows a chain from `piece` in the given direction.
    func follow(from piece: Int, isReversed: Bool) {
      var link = UInt32(piece) << 1 | (isReversed ? 1 : 0)
      while !isUsed[Int(link >> 1)] {
        isUsed[Int(link >> 1)] = true
        links.append(link)
        guard let next = ends.continuation(of: link, pieces) else { break }
        link = next
      }
      firstLink.append(UInt32(links.count))
      beganAtEnd.append(false)
    }

    for index in pieces.indices where !isUsed[index] {
      guard ends.continuation(of: UInt32(index) << 1 | 1, pieces) == nil else { continue }
      follow(from: index, isReversed: false)
    }
    for index in pieces.indices where !isUsed[index] {
      guard ends.continuation(of: UInt32(index) << 1, pieces) == nil else { continue }
      // Both ends of this chain are heads of pieces, so the loop above, which starts at tails, did not reach it.
      follow(from: index, isReversed: true)
      reverseLast()
    }
    for index in pieces.indices where !isUsed[index] { follow(from: index, isReversed: false) }  // rings
  }

  private mutating func reverseLast() {
    let start = Int(firstLink[count - 1])
    links[start...].reverse()
    for index in start..<links.count { links[index] ^= 1 }
    beganAtEnd[count - 1] = true
  }

  /// Gets the nodes of a chain, with each shared node only once, and the parts of its pieces. Reuses the buffers: an
  /// allocation for each of hundreds of thousands of chains would take longer than all other work.
  func get(_ chain: Int, _ nodes: inout [UInt32], _ parts: inout [PiecePart]) {
    nodes.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
    for link in links[Int(firstLink[chain])..<Int(firstLink[chain + 1])] {
      let piece = list.pieces.oriented(link)
      list.append(piece, from: nodes.isEmpty ? 0 : 1, to: &nodes)
      parts.append(list.part(of: piece))
    }
  }

  /// Returns a chain as one piece, from the tail of its first piece to the head of its last.
  func whole(_ chain: Int) -> Piece {
    let (first, last) = ends(of: chain)
    var whole = beganAtEnd[chain] ? last : first
    (whole.tail, whole.tailDelay) = (first.tail, first.tailDelay)
    (whole.head, whole.headDelay) = (last.head, last.headDelay)
    return whole
  }

  func ends(of chain: Int) -> (first: Piece, last: Piece) {
    (list.pieces.oriented(links[Int(firstLink[chain])]), list.pieces.oriented(links[Int(firstLink[chain + 1]) - 1]))
  }
}

/// The pieces that end at each junction: the first two, and the total number.
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

  /// Returns the only other piece at the head of a link, as a link in the same direction; nil if the junction is pinned
  /// or has another number of pieces, or if the two are not similar.
  func continuation(of link: UInt32, _ pieces: [Piece]) -> UInt32? {
    let piece = pieces.oriented(link)
    let ends = self.ends[Int(piece.head)]
    guard ends.count == 2, ends.first != ends.second, !isPinned[Int(piece.head)] else { return nil }
    let other = UInt32(ends.first) == link >> 1 ? UInt32(ends.second) : UInt32(ends.first)
    let next = other << 1 | (pieces[Int(other)].tail == piece.head ? 0 : 1)
    return piece.isSimilar(to: pieces.oriented(next)) ? next : nil
  }
}

extension [Piece] {
  /// Returns a piece by twice its index, plus 1 if reversed.
  func oriented(_ link: UInt32) -> Piece {
    link & 1 == 0 ? self[Int(link >> 1)] : self[Int(link >> 1)].reversed
  }
}
