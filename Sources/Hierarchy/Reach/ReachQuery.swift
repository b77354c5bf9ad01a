/// A query for the states within a given time of a point.
///
///     let query = ReachQuery(graph)
///     for seed in query.reached(from: [Seed(home)], within: 900_000) { … }      // a quarter of an hour
///
/// Searches the graph itself: no hierarchy is needed. Each thread needs its own object, which takes 8 bytes per state.
///
/// Source: E. W. Dijkstra 1959, stopped at the limit. *Complexity*: O(arcs log states) for the reached part.
public final class ReachQuery {
  private let graph: ArcGraph
  private var weights: [Weight]
  private var touched: [UInt32] = []
  private var heap = SearchHeap()

  /// A query on `graph`.
  public init(_ graph: ArcGraph) {
    self.graph = graph
    weights = Array(repeating: .infinity, count: graph.stateCount)
  }

  /// Returns the bytes for a graph of `stateCount` states.
  package static func memory(stateCount: Int) -> Int { stateCount * MemoryLayout<Weight>.stride }

  deinit { heap.deallocate() }

  /// Returns the states reachable in at most `limit` milliseconds, each with the weight of its path, nearest first.
  public func reached(from seeds: [Seed], within limit: UInt32) -> [Seed] {
    var reached: [Seed] = []
    for seed in seeds { reach(seed.state.index, seed.weight, limit) }
    while let (key, state) = heap.popMin() {
      let weight = Weight(packed: key)
      guard weight == weights[Int(state)] else { continue }
      reached.append(Seed(StateID(state), weight))
      for arc in graph.arcs(from: StateID(state)) { reach(graph.heads[arc], weight + graph.weights[arc], limit) }
    }
    for state in touched { weights[Int(state)] = .infinity }
    touched.removeAll(keepingCapacity: true)
    return reached
  }

  private func reach(_ state: UInt32, _ weight: Weight, _ limit: UInt32) {
    guard weight < weights[Int(state)], weight.milliseconds <= limit else { return }
    if weights[Int(state)] == .infinity { touched.append(state) }
    weights[Int(state)] = weight
    heap.push(key: weight.packed, state: state)
  }
}

/// A query for the weights of the shortest paths from a point to all states.
///
///     let query = OneToAllQuery(hierarchy)
///     query.weights(from: SeedTable(states: squares)) { point, weights in … }
///
/// Sweeps the hierarchy for sixteen points at once. Each thread needs its own object, which takes 128 bytes per state.
///
/// Source: PHAST in lanes (D. Delling, A. V. Goldberg, A. Nowatzyk, R. F. Werneck 2013). *Complexity*: O(arcs) per
/// sixteen points.
public final class OneToAllQuery {
  private let hierarchy: Hierarchy
  private let sweep: LaneSweep<WeightLanes16>

  /// A query on `hierarchy`.
  public init(_ hierarchy: Hierarchy) {
    self.hierarchy = hierarchy
    sweep = LaneSweep(upward: hierarchy.outgoing, over: hierarchy, sweeping: Selection(all: hierarchy.incoming))
  }

  /// Calls `body` with each point's index and the weights of the paths from it to all states, in order; `infinity` if
  /// unreachable.
  public func weights(from points: SeedTable, _ body: (_ point: Int, _ weights: [Weight]) throws -> Void) rethrows {
    for block in Array(0..<points.count).batches(of: WeightLanes16.count) {
      sweep.sweep(from: block, of: points)
      for (lane, point) in block.enumerated() {
        try body(point, hierarchy.ranks.map { sweep.weight(position: Int($0), lane: lane) })
      }
    }
  }
}
