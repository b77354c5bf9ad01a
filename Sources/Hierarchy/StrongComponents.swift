/// The strongly connected components of a graph: within a component, every state can be reached from every other.
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
    var lowLinks = indices
    var next: UInt32 = 0
    var stack: [UInt32] = []
    var frames: [(state: UInt32, arc: UInt32)] = []
    for root in 0..<UInt32(count) where indices[Int(root)] == .max {
      frames.append((root, graph.firstArc[Int(root)]))
      while let (state, arc) = frames.popLast() {
        let current = Int(state)
        if indices[current] == .max {
          indices[current] = next
          lowLinks[current] = next
          next += 1
          stack.append(state)
        } else if arc > graph.firstArc[current] {
          // The search has returned from the head of the previous arc.
          lowLinks[current] = min(lowLinks[current], lowLinks[Int(graph.heads[Int(arc) - 1])])
        }
        var arc = arc
        var descends = false
        while arc < graph.firstArc[current + 1] {
          let head = graph.heads[Int(arc)]
          arc += 1
          if indices[Int(head)] == .max {
            frames.append((state, arc))
            frames.append((head, graph.firstArc[Int(head)]))
            descends = true
            break
          }
          if ofState[Int(head)] == .max { lowLinks[current] = min(lowLinks[current], indices[Int(head)]) }
        }
        guard !descends, lowLinks[current] == indices[current] else { continue }
        var size = 0
        while let member = stack.popLast() {
          ofState[Int(member)] = UInt32(sizes.count)
          size += 1
          if member == state { break }
        }
        sizes.append(size)
      }
    }
  }
}
