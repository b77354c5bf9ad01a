/// The higher neighbours of each rank, some of them twice, on arcs of a graph in one direction.
struct UpwardNeighbours: Sendable {
  private var first: [UInt32]
  private var heads: [UInt32]

  /// - Parameter isOutgoing: Whether arcs lead up to them rather than down from them.
  init(_ graph: ArcGraph, _ ranks: Column<UInt32>, isOutgoing: Bool) {
    let (ranks, graphHeads) = (ranks.buffer, graph.heads.buffer)
    var first = [UInt32](repeating: 0, count: graph.stateCount + 2)
    func forEachArc(_ body: (_ low: Int, _ high: UInt32) -> Void) {
      for state in 0..<graph.stateCount {
        let tail = ranks[state]
        for arc in graph.arcs(from: StateID(state)) {
          let head = ranks[Int(graphHeads[arc])]
          if isOutgoing ? tail < head : head < tail { body(Int(min(tail, head)), max(tail, head)) }
        }
      }
    }
    // Counted two positions later, so that filling moves each start to its place.
    forEachArc { low, _ in first[low + 2] += 1 }
    for rank in 1..<first.count { first[rank] += first[rank - 1] }
    var heads = [UInt32](repeating: 0, count: Int(first[first.count - 1]))
    forEachArc { low, high in
      heads[Int(first[low + 1])] = high
      first[low + 1] += 1
    }
    (self.first, self.heads) = (first, heads)
  }

  subscript(rank: UInt32) -> ArraySlice<UInt32> { heads[Int(first[Int(rank)])..<Int(first[Int(rank) + 1])] }
}
