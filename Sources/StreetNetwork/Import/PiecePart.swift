/// A run of segments of a piece that lie on one way.
struct PiecePart {
  /// By index in `OSMImport.ways`.
  var way: UInt32
  /// Indices of nodes.
  var tailNode: UInt32
  var headNode: UInt32
  var segments: UInt32
  /// Whether it runs against the way's drawn direction.
  var isReversed: Bool

  /// Without length, on the way that ends at a gate.
  init(gateAtHeadOf piece: Piece) {
    let last = piece.parts[piece.parts.count - 1]
    self.init(way: last.way, tailNode: last.headNode, headNode: last.headNode, segments: 1)
  }

  init(way: UInt32, tailNode: UInt32, headNode: UInt32, segments: UInt32, isReversed: Bool = false) {
    (self.way, self.tailNode, self.headNode) = (way, tailNode, headNode)
    (self.segments, self.isReversed) = (segments, isReversed)
  }

  /// The same part drawn the other way round.
  var reversed: PiecePart {
    PiecePart(way: way, tailNode: headNode, headNode: tailNode, segments: segments, isReversed: !isReversed)
  }

  /// Whether `next`, which begins where it ends, runs on along the same way: from the last node of a closed way to its
  /// first it does not, so that a part is always a run of the way's nodes as they are listed.
  func runsOn(to next: PiecePart, on map: OSMImport) -> Bool {
    guard way == next.way, isReversed == next.isReversed else { return false }
    return map.wayNodes[map.ways[Int(way)].nodes.lowerBound] != headNode
  }
}
