extension Hierarchy {
  /// An invariant of hierarchies that this one violates, as a sentence; nil if it is valid.
  ///
  /// Its indices must be those of ranks, states and arcs. Then searches in a valid hierarchy end, every path that they find is
  /// one of the graph, and no shortcut stands for more arcs than its weight allows. *Complexity*: O(arcs), some
  /// nanoseconds each.
  package func brokenInvariant(over graph: ArcGraph) -> String? {
    guard graph.stateCount == stateCount, let states = statesByRank else { return "ranks are not a permutation" }
    guard let tree = AncestorTree(parents) else { return "a parent is not above its child" }
    let check = InvariantCheck(self, graph, states, tree)
    return check.problem(of: outgoing, isOutgoing: true) ?? check.problem(of: incoming, isOutgoing: false)
  }

  /// The state of each rank; nil where a rank has none.
  private var statesByRank: [UInt32]? {
    var states = [UInt32](repeating: .max, count: stateCount)
    for (state, rank) in ranks.buffer.enumerated() { states[Int(rank)] = UInt32(state) }
    return states.contains(.max) ? nil : states
  }
}

/// Tells the ancestors of ranks in the elimination tree.
private struct AncestorTree {
  /// The place of each rank in a walk from the roots, its descendants next to it, and how many these are, itself included.
  private var walk: [(place: UInt32, size: UInt32)]

  /// Nil where a parent is lower than its child.
  init?(_ parents: Column<UInt32>) {
    let parents = parents.buffer
    walk = Array(repeating: (0, 1), count: parents.count)
    for (rank, parent) in parents.enumerated() where parent != rank {
      guard parent > rank else { return nil }
      walk[Int(parent)].size += walk[rank].size
    }
    // Where the next child of each rank is placed, and behind all the next root.
    var next = [UInt32](repeating: 0, count: parents.count + 1)
    for rank in parents.indices.reversed() {
      let above = Int(parents[rank]) == rank ? parents.count : Int(parents[rank])
      walk[rank].place = next[above]
      next[above] += walk[rank].size
      next[rank] = walk[rank].place + 1
    }
  }

  @inline(__always)
  func isAncestor(_ rank: UInt32, of lower: UInt32) -> Bool {
    let ancestor = walk[Int(rank)]
    return walk[Int(lower)].place &- ancestor.place < ancestor.size
  }
}

/// Compares the arcs of a hierarchy with what they stand for.
private struct InvariantCheck {
  private let hierarchy: Hierarchy
  private let graph: ArcGraph
  private let states: [UInt32]
  private let tree: AncestorTree
  /// The lower end of each of the incoming arcs.
  private let lowerEnds: [UInt32]

  init(_ hierarchy: Hierarchy, _ graph: ArcGraph, _ states: [UInt32], _ tree: AncestorTree) {
    (self.hierarchy, self.graph, self.states, self.tree) = (hierarchy, graph, states, tree)
    let first = hierarchy.incoming.first.buffer
    lowerEnds = [UInt32](unsafeUninitializedCapacity: hierarchy.incoming.arcs.count) { ends, count in
      for rank in states.indices {
        for arc in Int(first[rank])..<Int(first[rank + 1]) { ends[arc] = UInt32(rank) }
      }
      count = ends.count
    }
  }

  func problem(of half: UpwardArcs, isOutgoing: Bool) -> String? {
    let (first, arcs, parts) = (half.first.buffer, half.arcs.buffer, half.parts.buffer)
    for rank in 0..<UInt32(states.count) {
      for index in Int(first[Int(rank)])..<Int(first[Int(rank) + 1]) {
        let arc = arcs[index]
        guard arc.head > rank else { return "arc \(index) does not lead upward" }
        guard tree.isAncestor(arc.head, of: rank) else { return "arc \(index) leads to no ancestor" }
        let (tail, head) = isOutgoing ? (rank, arc.head) : (arc.head, rank)
        guard weight(of: parts[index], from: tail, to: head, below: rank) == arc.weight else {
          return "arc \(index) is not what its parts are together"
        }
      }
    }
    return nil
  }

  /// Nil where the parts do not lead from a rank to another, over one below both.
  @inline(__always)
  private func weight(of parts: ArcParts, from tail: UInt32, to head: UInt32, below rank: UInt32) -> Weight? {
    guard !parts.isOriginal else {
      let (arc, state) = (Int(parts.up), Int(states[Int(tail)]))
      let range = graph.firstArc.buffer[state]..<graph.firstArc.buffer[state + 1]
      guard range.contains(parts.up), graph.heads.buffer[arc] == states[Int(head)] else { return nil }
      return graph.weights.buffer[arc]
    }
    let (down, up) = (Int(parts.down), Int(parts.up))
    guard down < lowerEnds.count, up < hierarchy.outgoing.arcs.count else { return nil }
    let (into, out) = (hierarchy.incoming.arcs.buffer[down], hierarchy.outgoing.arcs.buffer[up])
    let middle = lowerEnds[down]
    guard middle < rank, into.head == tail, out.head == head, isOutgoing(up, of: middle) else { return nil }
    return into.weight + out.weight
  }

  @inline(__always)
  private func isOutgoing(_ arc: Int, of rank: UInt32) -> Bool {
    let first = hierarchy.outgoing.first.buffer
    return arc >= Int(first[Int(rank)]) && arc < Int(first[Int(rank) + 1])
  }
}
