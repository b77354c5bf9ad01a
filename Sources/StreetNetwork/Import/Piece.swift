/// A section of a way between two junctions, later joined with similar pieces into a street. Its nodes are stored in
/// `PieceList`.
struct Piece {
  /// The indices of its junctions.
  var tail: UInt32
  var head: UInt32
  /// The range of its nodes in the list, which are in reverse order if the piece is reversed.
  var firstNode: UInt32
  var nodeCount: UInt32
  /// The index in `OSMImport.ways` of its way; for a gate, of the way that leads there.
  var way: UInt32
  /// Whether the piece runs against the way's direction.
  var isReversed = false
  var attributes: UInt32
  var flags: StreetFlags
  /// Metres per second forward and backward; 0 if not used in that direction.
  var forwardSpeed: Double
  var backwardSpeed: Double
  /// Milliseconds for passing the node at the end of the piece: at its head when travelling forward, at its tail when
  /// travelling backward.
  var headDelay: UInt32
  var tailDelay: UInt32
  var times: PieceTimes
  /// The heading of a piece without geometry, as in `Street`.
  var heading: UInt16?
  /// Milliseconds for boarding and waiting, in addition to the travel time.
  var forwardWait: UInt32 = 0
  var backwardWait: UInt32 = 0

  /// The same piece in the opposite direction.
  var reversed: Piece {
    var piece = self
    piece.isReversed.toggle()
    piece.flags = flags.reversed
    (piece.tail, piece.head) = (head, tail)
    (piece.forwardSpeed, piece.backwardSpeed) = (backwardSpeed, forwardSpeed)
    (piece.headDelay, piece.tailDelay) = (tailDelay, headDelay)
    (piece.forwardWait, piece.backwardWait) = (backwardWait, forwardWait)
    piece.times = times.reversed
    piece.heading = heading.map { $0 &+ 0x8000 }
    return piece
  }

  /// Returns whether `next`, which has the same direction, continues the same street.
  func isSimilar(to next: Piece) -> Bool {
    attributes == next.attributes && flags == next.flags && forwardSpeed == next.forwardSpeed
      && backwardSpeed == next.backwardSpeed && times == next.times
  }
}

/// Pieces, and all their nodes in one array.
struct PieceList {
  var pieces: [Piece] = []
  /// Indices into `OSMImport.nodeIDs`: the nodes of the ways' runs, followed by the nodes of pieces of zero length.
  var nodes: [UInt32]

  /// Returns the nodes of a piece, from its tail to its head.
  func nodes(of piece: Piece) -> some RandomAccessCollection<UInt32> {
    (0..<Int(piece.nodeCount)).lazy.map { node($0, of: piece) }
  }

  /// Appends the nodes of a piece, starting with the one at position `first`.
  func append(_ piece: Piece, from first: Int, to nodes: inout [UInt32]) {
    for position in first..<Int(piece.nodeCount) { nodes.append(node(position, of: piece)) }
  }

  func tailNode(of piece: Piece) -> UInt32 { node(0, of: piece) }
  func headNode(of piece: Piece) -> UInt32 { node(Int(piece.nodeCount) - 1, of: piece) }

  /// Returns the part of a way that a piece covers, in the piece's direction.
  func part(of piece: Piece) -> PiecePart {
    PiecePart(
      way: piece.way, headNode: headNode(of: piece), segments: piece.nodeCount - 1, isReversed: piece.isReversed)
  }

  private func node(_ position: Int, of piece: Piece) -> UInt32 {
    nodes[Int(piece.firstNode) + (piece.isReversed ? Int(piece.nodeCount) - 1 - position : position)]
  }
}

/// A run of segments of a piece that lie on one way.
struct PiecePart {
  /// The way's index in `OSMImport.ways`.
  var way: UInt32
  var headNode: UInt32
  var segments: UInt32
  /// Whether the part runs against the way's direction.
  var isReversed: Bool

  /// Returns whether `next`, which begins where this part ends, continues along the same way. The transition from the
  /// last node of a closed way to its first does not count, so that a part is always a run of the way's nodes in order.
  func continues(in next: PiecePart, on map: OSMImport) -> Bool {
    guard way == next.way, isReversed == next.isReversed else { return false }
    return map.wayNodes[map.ways[Int(way)].nodes.lowerBound] != headNode
  }
}
