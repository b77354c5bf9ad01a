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
    let tree = Tree(graph, from: sources)
    var best: (weight: Weight, target: Int)?
    for (index, target) in targets.enumerated() {
      let weight = tree.weights[Int(target.state.index)] + target.weight
      if weight.isFinite && weight < best?.weight ?? .infinity { best = (weight, index) }
    }
    guard let best else { return nil }
    let (arcs, source) = tree.arcs(to: targets[best.target].state)
    return Path(weight: best.weight, arcs: arcs, source: source, target: best.target)
  }

  /// Returns the weights from `sources` to every state; `infinity` if unreachable.
  public func weights(from sources: [Seed]) -> [Weight] { Tree(graph, from: sources).weights }
}

/// The shortest path tree from some seeds.
private struct Tree {
  var weights: [Weight]
  /// The last arc to each state, with the arc's tail; a seed's index if there is no arc.
  private var parents: [Parent]

  private enum Parent { case none, seed(Int), arc(ArcID, tail: StateID) }

  init(_ graph: ArcGraph, from sources: [Seed]) {
    weights = Array(repeating: .infinity, count: graph.stateCount)
    parents = Array(repeating: .none, count: graph.stateCount)
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
  }

  func arcs(to state: StateID) -> (arcs: [ArcID], source: Int) {
    var arcs: [ArcID] = []
    var state = state
    while true {
      switch parents[Int(state.index)] {
      case .arc(let arc, let tail):
        arcs.append(arc)
        state = tail
      case .seed(let source):
        return (arcs.reversed(), source)
      case .none:
        preconditionFailure("a state that was not reached has no path")
      }
    }
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
