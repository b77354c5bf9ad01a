/// A run of segments of a piece that lie on one way.
struct PiecePart {
  /// By index in `OSMImport.ways`.
  var way: UInt32
  /// The index of a node.
  var headNode: UInt32
  var segments: UInt32
  /// Whether it runs against the way's drawn direction.
  var isReversed: Bool

  /// Whether `next`, which begins where it ends, runs on along the same way: from the last node of a closed way to its
  /// first it does not, so that a part is always a run of the way's nodes as they are listed.
  func runsOn(to next: PiecePart, on map: OSMImport) -> Bool {
    guard way == next.way, isReversed == next.isReversed else { return false }
    return map.wayNodes[map.ways[Int(way)].nodes.lowerBound] != headNode
  }
}
