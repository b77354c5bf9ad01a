/// Shortest paths around closed arcs: Dijkstra's search on the graph itself, ended as soon as the answer is certain.
///
/// For the few queries whose shortest path uses an arc that is closed just then. One object per thread, 20 bytes per
/// state.
///
/// Source: E. W. Dijkstra 1959. *Complexity*: O(arcs log states) of what is settled before the answer is certain.
public final class DetourQuery {
  private let graph: ArcGraph
  private var labels: [Label]
  private var touched: [UInt32] = []
  private var heap = SearchHeap()

  /// How a state was reached: over an arc from another state, or, with `arc` == `seed`, from the seed `from`.
  private struct Label {
    var weight = Weight.infinity
    var arc: UInt32 = 0
    var from: UInt32 = 0
  }

  private static let seed = UInt32.max

  /// A query on `graph`, with working memory for one search at a time.
  public init(_ graph: ArcGraph) {
    self.graph = graph
    labels = Array(repeating: Label(), count: graph.stateCount)
  }

  deinit { heap.deallocate() }

  /// The shortest path from any of `sources` to any of `targets` without `closed` arcs; nil where there is none,
  /// or where `isCancelled` returns true before it is found.
  ///
  /// Arcs of `penalized` count for 1.4 times their time in the search; the path's weight is that of its arcs.
  public func path(
    from sources: [Seed], to targets: [Seed], without closed: ArcSet?, penalized: ArcSet? = nil,
    isCancelled: () -> Bool = { false }
  ) -> Path? {
    for state in touched { labels[Int(state)] = Label() }
    touched.removeAll(keepingCapacity: true)
    heap.removeAll()
    for (index, seed) in sources.enumerated() {
      reach(seed.state.index, seed.weight, over: DetourQuery.seed, from: UInt32(index))
    }
    var ends: [UInt32: [Int]] = [:]
    for (index, target) in targets.enumerated() { ends[target.state.index, default: []].append(index) }
    var best: (weight: Weight, target: Int)?
    var settled = 0
    while let (key, state) = heap.popMin(), Weight(packed: key) < best?.weight ?? .infinity {
      settled += 1
      if settled % 4096 == 0, isCancelled() { return nil }
      let weight = Weight(packed: key)
      guard weight == labels[Int(state)].weight else { continue }
      for target in ends[state] ?? [] where weight + targets[target].weight < best?.weight ?? .infinity {
        best = (weight + targets[target].weight, target)
      }
      for arc in graph.arcs(from: StateID(state)) where closed?.contains(ArcID(arc)) != true {
        reach(graph.heads[arc], weight + cost(of: ArcID(arc), penalized), over: UInt32(arc), from: state)
      }
    }
    guard var best else { return nil }
    var arcs: [ArcID] = []
    var label = labels[Int(targets[best.target].state.index)]
    while label.arc != DetourQuery.seed {
      arcs.append(ArcID(label.arc))
      label = labels[Int(label.from)]
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

  private func reach(_ state: UInt32, _ weight: Weight, over arc: UInt32, from: UInt32) {
    guard weight < labels[Int(state)].weight else { return }
    if labels[Int(state)].weight == .infinity { touched.append(state) }
    labels[Int(state)] = Label(weight: weight, arc: arc, from: from)
    heap.push(key: weight.packed, state: state)
  }
}
