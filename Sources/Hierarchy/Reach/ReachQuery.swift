/// What can be reached from a place: all states within a time, or the weights of the ways to all states.
///
///     let query = ReachQuery(hierarchy, graph)
///     for seed in query.reached(from: [Seed(home)], within: 900_000) { … }      // a quarter of an hour
///     query.weights(from: SeedTable(states: squares)) { point, weights in … }   // to everywhere
///
/// A few streets around a place are searched on the graph itself; ways to everywhere are swept over the hierarchy,
/// sixteen places at once. One object a thread.
public final class ReachQuery {
  private let hierarchy: Hierarchy
  private let graph: ArcGraph
  private var weights: [Weight]
  private var touched: [UInt32] = []
  private var heap = SearchHeap()
  private lazy var sweep = LaneSweep<WeightLanes16>(
    climbing: hierarchy.outgoing, over: hierarchy, sweeping: Selection(all: hierarchy.incoming))

  public init(_ hierarchy: Hierarchy, _ graph: ArcGraph) {
    precondition(hierarchy.stateCount == graph.stateCount, "a hierarchy of another graph")
    self.hierarchy = hierarchy
    self.graph = graph
    weights = Array(repeating: .infinity, count: graph.stateCount)
  }

  deinit { heap.deallocate() }

  /// The states that can be reached in at most `limit` milliseconds, each with the weight of the way, nearest first.
  ///
  /// E. W. Dijkstra 1959, ended at the limit. *Complexity*: O(arcs log states) of what is reached.
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

  /// Calls `body` with each point's number and the weights of the ways from it to all states, in their order;
  /// `infinity` where there is no way.
  ///
  /// PHAST in lanes (D. Delling, A. V. Goldberg, A. Nowatzyk, R. F. Werneck 2013).
  public func weights(from points: SeedTable, _ body: (_ point: Int, _ weights: [Weight]) throws -> Void) rethrows {
    for start in stride(from: 0, to: points.count, by: WeightLanes16.count) {
      let block = Array(start..<min(start + WeightLanes16.count, points.count))
      sweep.sweep(from: block[...], of: points)
      for (lane, point) in block.enumerated() {
        try body(point, hierarchy.ranks.map { sweep.weight(position: Int($0), lane: lane) })
      }
    }
  }
}
