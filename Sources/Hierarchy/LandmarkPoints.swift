/// Points of a plane for the states of a graph of which nobody says where they are: what is near by travel time is near in
/// the plane, whatever the direction. Across lies the way from one end of the graph to the other, up the way from a state that is far
/// from both ends; each connected part has ends of its own.
///
/// Source: landmarks that are far from each other, A. V. Goldberg and C. Harrelson 2005.
/// *Complexity*: O((states + arcs) log states).
struct LandmarkPoints {
  let points: [SIMD2<Int32>]

  init(_ graph: ArcGraph) {
    var arcs: [ArcGraph.Arc] = []
    arcs.reserveCapacity(graph.arcCount * 2)
    for tail in 0..<graph.stateCount {
      for arc in graph.arcs(from: StateID(tail)) {
        let (tail, head, weight) = (StateID(tail), StateID(graph.heads[arc]), graph.weights[arc])
        arcs += [.init(from: tail, to: head, weight: weight), .init(from: head, to: tail, weight: weight)]
      }
    }
    let twoWay = ArcGraph(stateCount: graph.stateCount, arcs: arcs)
    let dijkstra = Dijkstra(twoWay)
    let parts = StrongComponents(twoWay)
    /// Of each part the state that is farthest by some weights, the first of equal ones.
    func farthest(_ weights: (Int) -> Weight) -> [Seed] {
      var best = [(weight: Weight, state: Int)?](repeating: nil, count: parts.sizes.count)
      for state in 0..<graph.stateCount {
        let part = Int(parts.ofState[state])
        if best[part].map({ $0.weight < weights(state) }) ?? true { best[part] = (weights(state), state) }
      }
      return best.compactMap { $0.map { Seed(StateID($0.state)) } }
    }
    let fromFirst = dijkstra.weights(from: farthest { _ in .zero })
    let fromOneEnd = dijkstra.weights(from: farthest { fromFirst[$0] })
    let fromOther = dijkstra.weights(from: farthest { fromOneEnd[$0] })
    let fromBeside = dijkstra.weights(from: farthest { min(fromOneEnd[$0], fromOther[$0]) })
    // Finite weights are below 2^31 milliseconds.
    points = (0..<graph.stateCount).map { state in
      SIMD2(
        Int32(fromOneEnd[state].milliseconds) - Int32(fromOther[state].milliseconds),
        Int32(fromBeside[state].milliseconds))
    }
  }
}
