import Hierarchy

/// An arc of the window graph: a label that holds at its source holds at its target.
struct NodeArc {
  var source: UInt32
  var target: UInt32
}

/// An order of nodes in which every arc leads forward, except within cycles.
///
/// Nodes are ordered by time. Nodes of the same second are ordered by the strongly connected components of the arcs
/// between them; Tarjan's algorithm (1972) finds these in reverse topological order. A component of several nodes is a
/// cycle without duration.
struct NodeOrder {
  /// The position of each node.
  private(set) var positions: [UInt32]
  /// The nodes by position.
  private(set) var nodes: [UInt32]
  /// The position of the first node of a position's component: the same position outside cycles.
  private(set) var representatives: [UInt32]

  init(times: [Int32], arcs: some Sequence<NodeArc>) {
    let sameSecond = arcs.filter { times[Int($0.source)] == times[Int($0.target)] }
    let graph = SourceLists(count: times.count, sameSecond.map { NodeArc(source: $0.target, target: $0.source) })
    let components = StrongComponents(
      ArcGraph(
        firstArc: graph.first, heads: graph.sources,
        weights: Column(repeatElement(Weight(milliseconds: 1, centimetres: 0), count: graph.sources.count)))
    ).ofState
    // Later components first: time in the upper half, biased to be unsigned.
    let keys = times.indices.map { node in
      UInt64(UInt32(bitPattern: times[node]) ^ 1 << 31) << 32 | UInt64(UInt32.max - components[node])
    }
    nodes = times.indices.map { UInt32($0) }
    nodes.sort { (keys[Int($0)], $0) < (keys[Int($1)], $1) }
    positions = Array(repeating: 0, count: times.count)
    representatives = positions
    for (position, node) in nodes.enumerated() {
      positions[Int(node)] = UInt32(position)
      let continues = position > 0 && components[Int(nodes[position - 1])] == components[Int(node)]
      representatives[position] = continues ? representatives[position - 1] : UInt32(position)
    }
  }
}

/// The sources of the arcs into each node.
struct SourceLists: Sendable {
  /// The first source of each node, then the total number of sources.
  let first: Column<UInt32>
  let sources: Column<UInt32>

  /// - Parameter inPairs: Whether to pad each node's sources to an even number by repeating its last one.
  init(count: Int, _ arcs: [NodeArc], inPairs: Bool = false) {
    let unit: UInt32 = inPairs ? 2 : 1
    var first = [UInt32](repeating: 0, count: count + 1)
    for arc in arcs { first[Int(arc.target) + 1] += 1 }
    for node in 0..<count { first[node + 1] = first[node] + (first[node + 1] + unit - 1) / unit * unit }
    var next = first
    var sources = [UInt32](repeating: 0, count: Int(first[count]))
    for arc in arcs {
      sources[Int(next[Int(arc.target)])] = arc.source
      next[Int(arc.target)] += 1
    }
    for node in 0..<count {
      for place in next[node]..<first[node + 1] { sources[Int(place)] = sources[Int(next[node]) - 1] }
    }
    (self.first, self.sources) = (Column(first), Column(sources))
  }

  subscript(node: Int) -> Slice<Column<UInt32>> { sources[Int(first[node])..<Int(first[node + 1])] }
}
