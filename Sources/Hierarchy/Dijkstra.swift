/// Shortest paths by the textbook algorithm (E. W. Dijkstra 1959, with a binary heap): the oracle for all other
/// engines. No shortcuts, no pruning, no bit tricks.
///
/// *Complexity*: O((states + arcs) log states) per query.
public struct Dijkstra: Sendable {
  /// The graph.
  public let graph: ArcGraph

  /// An oracle on `graph`.
  public init(_ graph: ArcGraph) { self.graph = graph }

  /// Returns the shortest path from any of `sources` to any of `targets`; nil if there is none.
  public func path(from sources: [Seed], to targets: [Seed]) -> Path? {
    let (weights, parents) = tree(from: sources)
    var best: (weight: Weight, target: Int)?
    for (index, target) in targets.enumerated() {
      let weight = weights[Int(target.state.index)] + target.weight
      if weight.isFinite && weight < best?.weight ?? .infinity { best = (weight, index) }
    }
    guard let best else { return nil }
    var (arcs, state): ([ArcID], StateID) = ([], targets[best.target].state)
    while case .arc(let arc, let tail) = parents[Int(state.index)] {
      arcs.append(arc)
      state = tail
    }
    guard case .seed(let source) = parents[Int(state.index)] else { preconditionFailure("a path without a seed") }
    return Path(weight: best.weight, arcs: arcs.reversed(), source: source, target: best.target)
  }

  /// Returns the weight of each state's shortest path from any of `sources`; `infinity` if unreachable.
  public func weights(from sources: [Seed]) -> [Weight] { tree(from: sources).weights }

  private enum Parent { case none, seed(Int), arc(ArcID, tail: StateID) }

  /// Returns the shortest-path tree from some seeds: for each state, the weight of the shortest path and the state's
  /// parent, which is the path's last arc and that arc's tail or, without arcs, the index of the path's seed.
  private func tree(from sources: [Seed]) -> (weights: [Weight], parents: [Parent]) {
    var weights = [Weight](repeating: .infinity, count: graph.stateCount)
    var parents = [Parent](repeating: .none, count: graph.stateCount)
    var heap = OracleHeap<Weight, StateID>()
    for (index, seed) in sources.enumerated() where seed.weight < weights[Int(seed.state.index)] {
      weights[Int(seed.state.index)] = seed.weight
      parents[Int(seed.state.index)] = .seed(index)
      heap.push(seed.weight, seed.state)
    }
    while let (nearest, state) = heap.popMin() {
      guard nearest == weights[Int(state.index)] else { continue }
      for arc in graph.arcs(from: state) {
        let head = graph.head(of: ArcID(arc))
        let weight = nearest + graph.weight(of: ArcID(arc))
        guard weight < weights[Int(head.index)] else { continue }
        weights[Int(head.index)] = weight
        parents[Int(head.index)] = .arc(ArcID(arc), tail: state)
        heap.push(weight, head)
      }
    }
    return (weights, parents)
  }
}

/// A binary min-heap for plain searches; equal keys come out in any order.
struct OracleHeap<Key: Comparable, Item> {
  private var items: [(key: Key, item: Item)] = []

  mutating func push(_ key: Key, _ item: Item) {
    items.append((key, item))
    var child = items.count - 1
    while child > 0, items[child].key < items[(child - 1) / 2].key {
      items.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func popMin() -> (key: Key, item: Item)? {
    guard let minimum = items.first else { return nil }
    items.swapAt(0, items.count - 1)
    items.removeLast()
    var parent = 0
    while 2 * parent + 1 < items.count {
      var child = 2 * parent + 1
      if child + 1 < items.count, items[child + 1].key < items[child].key { child += 1 }
      guard items[child].key < items[parent].key else { break }
      items.swapAt(child, parent)
      parent = child
    }
    return minimum
  }
}
