/// The arcs of a graph grouped by head, with their tails.
package struct ReversedArcs: Sendable {
  /// `stateCount + 1` offsets into `arcs`.
  package let first: Column<UInt32>
  package let arcs: Column<Entry>

  package struct Entry: Sendable, BitwiseCopyable {
    package var tail: UInt32
    /// The index of the arc.
    package var index: UInt32
    package var arc: ArcID { ArcID(index) }
  }

  package init(_ graph: ArcGraph) {
    let byHead = Grouped<Entry>(graph.stateCount) { add in
      for state in 0..<graph.stateCount {
        for arc in graph.arcs(from: StateID(state)) {
          add(graph.heads[arc], Entry(tail: UInt32(state), index: UInt32(arc)))
        }
      }
    }
    (first, arcs) = (Column(byHead.first), Column(byHead.values))
  }

  package func arcs(into state: Int) -> Slice<Column<Entry>> { arcs[Int(first[state])..<Int(first[state + 1])] }
}
