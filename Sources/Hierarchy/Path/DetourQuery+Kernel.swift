// Labels are in raw memory: an array in an object would be checked for exclusive access at every arc.

/// A query for shortest paths on the graph itself, without closed arcs and avoiding penalized ones: Dijkstra's search,
/// stopped as soon as the result is certain. If a hierarchy of the graph is given, its distances are the potential.
///
/// For the few queries that the hierarchy cannot answer: alternates and trial weights. Each thread needs its own
/// object, which takes 8 bytes per state and more per reached state.
///
/// Source: E. W. Dijkstra 1959; A* (P. E. Hart, N. J. Nilsson, B. Raphael 1968) with hierarchy potentials (B. Strasser,
/// T. Zeitz 2021). *Complexity*: O(arcs log states) over the states settled before the result is certain: all states as
/// near as the target or, with a potential, few more than the states on the path.
public final class DetourQuery {
  private let graph: ArcGraph
  private let labels: PagedLabels<Label>
  private var heap = SearchHeap()
  private var potential: HierarchyPotential

  /// The predecessor of a state: an arc from another state, or, with `arc` == `seed`, the seed `from`.
  private struct Label {
    var weight = Weight.infinity
    var arc: UInt32 = 0
    var from: UInt32 = 0
    var isTarget = false
  }

  private static let seed = UInt32.max

  /// A query on `graph`, with working memory for one search at a time.
  public init(_ graph: ArcGraph) {
    self.graph = graph
    labels = PagedLabels(stateCount: graph.stateCount, Label())
    potential = HierarchyPotential(stateCount: graph.stateCount)
  }

  /// The bytes in use during the largest search so far.
  package var memory: Int { labels.memory + HierarchyPotential.memory(stateCount: graph.stateCount) }

  deinit {
    labels.deallocate()
    heap.deallocate()
    potential.deallocate()
  }

  /// Returns the shortest path from any of `sources` to any of `targets` without `closed` arcs; nil if there is none,
  /// or if `isCancelled` returns true before it is found.
  ///
  /// In the search, `penalized` arcs take 1.4 times their time; the path's weight excludes penalties. Ties are broken
  /// by the smallest last arc, then by the arc before it, and so on: the path is the same with and without a hierarchy.
  ///
  /// - Parameter hierarchy: A hierarchy of the graph in which at most the `closed` arcs are missing; nil to search
  ///   without one.
  public func path(
    from sources: [Seed], to targets: [Seed], without closed: ArcSet?, penalized: ArcSet? = nil,
    guidedBy hierarchy: Hierarchy? = nil, isCancelled: () -> Bool = { false }
  ) -> Path? {
    labels.removeAll()
    heap.removeAll()
    if let hierarchy {
      precondition(hierarchy.stateCount == graph.stateCount, "a hierarchy of another graph")
      potential.start(targets.map { ($0.state, $0.weight.milliseconds) }, hierarchy)
    }
    for target in targets { labels.writable(target.state.index).pointee.isTarget = true }
    // Local variables avoid the exclusivity check on every access to an object's field.
    var (heap, potential) = (self.heap, self.potential)
    defer { (self.heap, self.potential) = (heap, potential) }
    /// Returns a state's key in the queue: a lower bound on the weight of a path via it; nil if no path via it reaches
    /// a target.
    func key(_ state: UInt32, _ weight: Weight) -> UInt64? {
      guard hierarchy != nil else { return weight.packed }
      let bound = potential.bound(of: state)
      return bound < HierarchyPotential.unreachable
        ? (weight + Weight(milliseconds: bound, centimetres: 0)).packed : nil
    }
    func reach(_ state: UInt32, _ weight: Weight, over arc: UInt32, from: UInt32) {
      let known = labels[state]
      if weight < known.weight {
        guard let key = key(state, weight) else { return }
        labels.writable(state).pointee = Label(weight: weight, arc: arc, from: from, isTarget: known.isTarget)
        heap.push(key: key, state: state)
      } else if weight == known.weight, weight.isFinite, arc < known.arc {
        // Arcs have a time or a length, so an equally good predecessor is nearer.
        let label = labels.writable(state)
        (label.pointee.arc, label.pointee.from) = (arc, from)
      }
    }
    for (index, seed) in sources.enumerated() {
      reach(seed.state.index, seed.weight, over: DetourQuery.seed, from: UInt32(index))
    }
    var best: (weight: Weight, target: Int)?
    var settled = 0
    while let (found, state) = heap.popMin(), Weight(packed: found) < best?.weight ?? .infinity {
      settled += 1
      if settled % 4096 == 0, isCancelled() { return nil }
      let label = labels[state]
      guard found == key(state, label.weight) else { continue }
      if label.isTarget {
        for (index, target) in targets.enumerated() where target.state.index == state {
          let total = label.weight + target.weight
          if total < best?.weight ?? .infinity || total == best?.weight && index < best!.target {
            best = (total, index)
          }
        }
      }
      for arc in graph.arcs(from: StateID(state)) where closed?.contains(ArcID(arc)) != true {
        reach(graph.heads[arc], label.weight + cost(of: ArcID(arc), penalized), over: UInt32(arc), from: state)
      }
    }
    guard var best else { return nil }
    var arcs: [ArcID] = []
    var label = labels[targets[best.target].state.index]
    while label.arc != DetourQuery.seed {
      arcs.append(ArcID(label.arc))
      label = labels[label.from]
    }
    if penalized != nil {
      best.weight = sources[Int(label.from)].weight + targets[best.target].weight
      for arc in arcs { best.weight = best.weight + graph.weight(of: arc) }
    }
    return Path(weight: best.weight, arcs: arcs.reversed(), source: Int(label.from), target: best.target)
  }

  private func cost(of arc: ArcID, _ penalized: ArcSet?) -> Weight {
    let weight = graph.weight(of: arc)
    guard let penalized, penalized.contains(arc) else { return weight }
    return weight + Weight(milliseconds: weight.milliseconds / 5 * 2, centimetres: 0)
  }
}
