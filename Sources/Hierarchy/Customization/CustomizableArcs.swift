/// One half of a customizable hierarchy: arcs without weights.
struct CustomizableArcs: Sendable {
  /// The arcs of each lower rank, and their end.
  let first: Column<UInt32>
  /// Their upper ranks, ascending for each lower one.
  let heads: Column<UInt32>
  /// The same arcs by their upper ranks, and their end.
  let firstBelow: Column<UInt32>
  let below: Column<ArcBelow>

  /// An arc as its upper end sees it.
  struct ArcBelow: BitwiseCopyable {
    var rank: UInt32
    /// Among `heads`.
    var position: UInt32
  }

  private init(first: [UInt32], heads: [UInt32]) {
    var firstBelow = [UInt32](repeating: 0, count: first.count)
    for head in heads { firstBelow[Int(head) + 1] += 1 }
    for rank in 1..<max(1, first.count) { firstBelow[rank] += firstBelow[rank - 1] }
    var below = [ArcBelow](repeating: ArcBelow(rank: 0, position: 0), count: heads.count)
    var next = firstBelow
    for rank in 0..<first.count - 1 {
      for position in first[rank]..<first[rank + 1] {
        let head = Int(heads[Int(position)])
        below[Int(next[head])] = ArcBelow(rank: UInt32(rank), position: position)
        next[head] += 1
      }
    }
    (self.first, self.heads) = (Column(first), Column(heads))
    (self.firstBelow, self.below) = (Column(firstBelow), Column(below))
  }

  /// Where the arc to `head` is, which must be there.
  func position(of head: UInt32, from rank: UInt32) -> UInt32 {
    var (low, high) = (first[Int(rank)], first[Int(rank) + 1])
    while low < high {
      let middle = (low + high) / 2
      if heads[Int(middle)] < head { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Both halves: an arc leads from x up to y if a path does whose other states all rank below x.
  static func halves(
    _ graph: ArcGraph, _ ranks: Column<UInt32>, _ shares: RankShares, workers: Int
  ) -> (outgoing: CustomizableArcs, incoming: CustomizableArcs) {
    let made = GrowingArcs(graph, ranks, shares, workers: workers).made(workers: workers)
    return sideBySide(workers: workers) {
      CustomizableArcs(first: made.outgoing.first, heads: made.outgoing.heads)
    } _: {
      CustomizableArcs(first: made.incoming.first, heads: made.incoming.heads)
    }
  }
}
