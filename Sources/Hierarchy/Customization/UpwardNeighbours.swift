extension Grouped<UInt32> {
  /// Returns the higher neighbours of each rank on arcs in one direction, possibly with duplicates.
  ///
  /// - Parameter isOutgoing: Whether the arcs lead up to the neighbours rather than down from them.
  static func upwardNeighbours(_ graph: ArcGraph, _ ranks: Column<UInt32>, isOutgoing: Bool) -> Grouped {
    let (ranks, heads) = (ranks.buffer, graph.heads.buffer)
    return Grouped(graph.stateCount) { add in
      for state in 0..<graph.stateCount {
        let tail = ranks[state]
        for arc in graph.arcs(from: StateID(state)) {
          let head = ranks[Int(heads[arc])]
          if isOutgoing ? tail < head : head < tail { add(min(tail, head), max(tail, head)) }
        }
      }
    }
  }
}
