extension Hierarchy {
  /// The invariants of hierarchies that this one violates, as sentences; empty if it is valid.
  /// *Complexity*: O(arcs).
  package func brokenInvariants(over graph: ArcGraph) -> [String] {
    var broken: [String] = []
    if Set(ranks) != Set(0..<UInt32(stateCount)) { broken.append("ranks are not a permutation") }
    if !hasTree { broken.append("an upward arc leads to no ancestor") }
    for (name, half) in [("outgoing", outgoing), ("incoming", incoming)] {
      for rank in 0..<UInt32(stateCount) {
        for position in half[Rank(rank)] {
          let arc = half.arcs[position]
          if arc.head <= rank { broken.append("\(name) arc \(position) does not lead upward") }
          if weight(of: half.parts[position], in: graph) != arc.weight {
            broken.append("\(name) arc \(position) has not the weight of its parts")
          }
        }
      }
    }
    return broken
  }

  /// Whether all that is above a rank is above the lowest of its upper neighbours, or is that one: so it is with ancestors.
  private var hasTree: Bool {
    for rank in 0..<UInt32(stateCount) {
      let heads = [outgoing, incoming].flatMap { half in half[Rank(rank)].map { half.arcs[$0].head } }
      for head in Set(heads) {
        var ancestor = parents[Int(rank)]
        while ancestor < head && parents[Int(ancestor)] > ancestor { ancestor = parents[Int(ancestor)] }
        if ancestor != head { return false }
      }
    }
    return true
  }

  private func weight(of parts: ArcParts, in graph: ArcGraph) -> Weight {
    guard !parts.isOriginal else { return graph.weight(of: ArcID(parts.up)) }
    return incoming.arcs[Int(parts.down)].weight + outgoing.arcs[Int(parts.up)].weight
  }
}
