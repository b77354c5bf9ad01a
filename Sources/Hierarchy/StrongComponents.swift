/// The strongly connected components of a graph: within one, every state can be reached from every other.
///
/// Source: R. Tarjan 1972, without recursion. *Complexity*: O(states + arcs).
package struct StrongComponents: Sendable {
  /// The component of each state: an index into `sizes`.
  package private(set) var ofState: [UInt32]
  /// The number of states of each component.
  package private(set) var sizes: [Int] = []

  package init(_ graph: ArcGraph) {
    let count = graph.stateCount
    ofState = Array(repeating: .max, count: count)
    var indices = [UInt32](repeating: .max, count: count)
    var lows = indices
    var next: UInt32 = 0
    var open: [UInt32] = []
    var frames: [(state: UInt32, arc: UInt32)] = []
    for root in 0..<UInt32(count) where indices[Int(root)] == .max {
      frames.append((root, graph.firstArc[Int(root)]))
      while let (state, arc) = frames.popLast() {
        let here = Int(state)
        if indices[here] == .max {
          indices[here] = next
          lows[here] = next
          next += 1
          open.append(state)
        } else if arc > graph.firstArc[here] {
          // The search has returned from the head of the previous arc.
          lows[here] = min(lows[here], lows[Int(graph.heads[Int(arc) - 1])])
        }
        var arc = arc
        var descends = false
        while arc < graph.firstArc[here + 1] {
          let head = graph.heads[Int(arc)]
          arc += 1
          if indices[Int(head)] == .max {
            frames.append((state, arc))
            frames.append((head, graph.firstArc[Int(head)]))
            descends = true
            break
          }
          if ofState[Int(head)] == .max { lows[here] = min(lows[here], indices[Int(head)]) }
        }
        guard !descends, lows[here] == indices[here] else { continue }
        var size = 0
        while let member = open.popLast() {
          ofState[Int(member)] = UInt32(sizes.count)
          size += 1
          if member == state { break }
        }
        sizes.append(size)
      }
    }
  }
}
