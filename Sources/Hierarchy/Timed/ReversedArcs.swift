/// The arcs of a graph by head, with their tails.
package struct ReversedArcs: Sendable {
  /// `stateCount + 1` offsets.
  package let first: Column<UInt32>
  package let arcs: Column<Entry>

  package struct Entry: Sendable, BitwiseCopyable {
    package var tail: UInt32
    /// The index of the arc.
    package var index: UInt32
    package var arc: ArcID { ArcID(index) }
  }

  package init(_ graph: ArcGraph) {
    var first = [UInt32](repeating: 0, count: graph.stateCount + 1)
    for head in graph.heads { first[Int(head) + 1] += 1 }
    for state in 0..<graph.stateCount { first[state + 1] += first[state] }
    var arcs = [Entry](repeating: Entry(tail: 0, index: 0), count: graph.arcCount)
    var next = first
    for state in 0..<graph.stateCount {
      for arc in graph.arcs(from: StateID(state)) {
        let head = Int(graph.heads[arc])
        arcs[Int(next[head])] = Entry(tail: UInt32(state), index: UInt32(arc))
        next[head] += 1
      }
    }
    (self.first, self.arcs) = (Column(first), Column(arcs))
  }

  package func arcs(into state: Int) -> Slice<Column<Entry>> { arcs[Int(first[state])..<Int(first[state + 1])] }
}
