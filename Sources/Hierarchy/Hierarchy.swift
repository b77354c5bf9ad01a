/// A customizable contraction hierarchy: the states in an order of importance, and arcs that lead only upward, such
/// that upward searches from both ends find a shortest path between any two states.
///
///     let hierarchy = Hierarchy(contracting: graph)
///     let query = PathQuery(hierarchy)
///     let path = query.path(from: [Seed(StateID(4))], to: [Seed(StateID(17))])
///
/// Plain data that threads can share; each thread needs its own query object. Source: R. Geisberger, P. Sanders, D.
/// Schultes, D. Delling 2008; built by a `CustomizableHierarchy`.
public struct Hierarchy: Sendable {
  /// The rank of each state.
  public let ranks: Column<UInt32>
  /// The parent of each rank in the elimination tree: all upward arcs of a rank lead to ancestors, the lowest of which
  /// is its parent. A root is its own parent.
  public let parents: Column<UInt32>
  /// Arcs whose tail is the lower end, grouped by tail; used by searches from sources.
  public let outgoing: UpwardArcs
  /// Arcs whose head is the lower end, grouped by head; used in reverse by searches from targets.
  public let incoming: UpwardArcs

  /// The number of states.
  public var stateCount: Int { ranks.count }
  /// The number of upward arcs in both halves, shortcuts included.
  public var arcCount: Int { outgoing.arcs.count + incoming.arcs.count }
  /// The size of an upward arc in bytes.
  package static let arcBytes = MemoryLayout<UpwardArc>.stride + MemoryLayout<ArcParts>.stride

  package init(ranks: Column<UInt32>, parents: Column<UInt32>, outgoing: UpwardArcs, incoming: UpwardArcs) {
    precondition(
      outgoing.first.count == ranks.count + 1 && incoming.first.count == ranks.count + 1
        && parents.count == ranks.count,
      "columns of different hierarchies")
    self.ranks = ranks
    self.parents = parents
    self.outgoing = outgoing
    self.incoming = incoming
  }
}

extension Hierarchy {
  /// Builds the hierarchy of `graph`: orders its states by nested dissection, and adds shortcuts that preserve all
  /// distances. States that separate large parts, such as those on bridges over a river, are the most important.
  ///
  /// The hierarchy is the same, byte for byte, for any number of workers (threads). For several metrics, a
  /// `CustomizableHierarchy` shares the common part of the work. *Complexity*: about 6 s per million junctions of a
  /// road map on one core.
  ///
  /// - Parameters:
  ///   - points: The states' points on a plane. If nil, they are estimated from travel times, which takes 50% longer
  ///     and may yield 50% more arcs.
  ///   - closed: Arcs to omit; the others keep their IDs.
  public init(
    contracting graph: ArcGraph, at points: [SIMD2<Int32>]? = nil, without closed: ArcSet? = nil, workers: Int = 1
  ) {
    let ranks = CustomizableHierarchy.ranks(
      of: graph, at: points ?? Hierarchy.landmarkPoints(of: graph), workers: workers)
    self = CustomizableHierarchy(graph, ranks: Column(ranks)).hierarchy(without: closed)
  }

  /// Returns plane coordinates for the states of a graph without coordinates: states with short travel times between
  /// them, in either direction, are close together. The x axis leads from one end of the graph to the other, and the y
  /// axis leads away from a state far from both ends; each connected part has its own ends.
  ///
  /// Source: landmarks far from each other, A. V. Goldberg and C. Harrelson 2005. *Complexity*: O((states + arcs) log
  /// states).
  private static func landmarkPoints(of graph: ArcGraph) -> [SIMD2<Int32>] {
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
    /// Returns the farthest state of each part by the given weights; ties go to the first.
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
    let fromSide = dijkstra.weights(from: farthest { min(fromOneEnd[$0], fromOther[$0]) })
    // Finite weights are below 2^31 milliseconds.
    return (0..<graph.stateCount).map { state in
      SIMD2(
        Int32(fromOneEnd[state].milliseconds) - Int32(fromOther[state].milliseconds),
        Int32(fromSide[state].milliseconds))
    }
  }
}

extension Hierarchy {
  /// Returns the first violated invariant of the hierarchy, as a sentence; nil if it is valid.
  ///
  /// All indices must be valid ranks, states and arcs. In a valid hierarchy every search ends, every path found is a
  /// path of the graph, and no shortcut stands for more arcs than its weight allows. *Complexity*: O(arcs), a few
  /// nanoseconds each.
  package func brokenInvariant(over graph: ArcGraph) -> String? {
    guard graph.stateCount == stateCount, let states = statesByRank else { return "ranks are not a permutation" }
    guard let preorder else { return "a parent is not above its child" }
    let check = InvariantCheck(self, graph, states, preorder)
    return check.problem(of: outgoing, isOutgoing: true) ?? check.problem(of: incoming, isOutgoing: false)
  }

  /// The state of each rank; nil if a rank has none.
  var statesByRank: [UInt32]? {
    var states = [UInt32](repeating: .max, count: stateCount)
    for (state, rank) in ranks.buffer.enumerated() { states[Int(rank)] = UInt32(state) }
    return states.contains(.max) ? nil : states
  }

  /// The preorder position of each rank in the elimination tree, and the size of its subtree, which includes the rank;
  /// nil if a parent is lower than its child.
  private var preorder: [(position: UInt32, size: UInt32)]? {
    let parents = parents.buffer
    var preorder = [(position: UInt32, size: UInt32)](repeating: (0, 1), count: parents.count)
    for (rank, parent) in parents.enumerated() where parent != rank {
      guard parent > rank else { return nil }
      preorder[Int(parent)].size += preorder[rank].size
    }
    // The position of the next child of each rank; the last entry is for the next root.
    var next = [UInt32](repeating: 0, count: parents.count + 1)
    for rank in parents.indices.reversed() {
      let above = Int(parents[rank]) == rank ? parents.count : Int(parents[rank])
      preorder[rank].position = next[above]
      next[above] += preorder[rank].size
      next[rank] = preorder[rank].position + 1
    }
    return preorder
  }
}

/// A check of a hierarchy's arcs against their parts.
private struct InvariantCheck {
  private let hierarchy: Hierarchy
  private let graph: ArcGraph
  private let states: [UInt32]
  private let preorder: [(position: UInt32, size: UInt32)]
  /// The lower end of each incoming arc.
  private let lowerEnds: [UInt32]

  init(
    _ hierarchy: Hierarchy, _ graph: ArcGraph, _ states: [UInt32], _ preorder: [(position: UInt32, size: UInt32)]
  ) {
    (self.hierarchy, self.graph, self.states, self.preorder) = (hierarchy, graph, states, preorder)
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
        guard isAncestor(arc.head, of: rank) else { return "arc \(index) leads to no ancestor" }
        let (tail, head) = isOutgoing ? (rank, arc.head) : (arc.head, rank)
        guard weight(of: parts[index], from: tail, to: head, below: rank) == arc.weight else {
          return "the weight of arc \(index) is not the sum of its parts"
        }
      }
    }
    return nil
  }

  /// Returns the weight of an arc's parts; nil if they do not lead from one rank to the other via a rank below both.
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
  private func isAncestor(_ rank: UInt32, of lower: UInt32) -> Bool {
    let ancestor = preorder[Int(rank)]
    return preorder[Int(lower)].position &- ancestor.position < ancestor.size
  }

  @inline(__always)
  private func isOutgoing(_ arc: Int, of rank: UInt32) -> Bool {
    let first = hierarchy.outgoing.first.buffer
    return arc >= Int(first[Int(rank)]) && arc < Int(first[Int(rank) + 1])
  }
}

/// One searchable half of a hierarchy: for every rank, the arcs to (or from) higher ranks.
///
/// The arcs of rank `r` are `first[r] ..< first[r + 1]`. The hot column takes 12 bytes per arc; the parts, needed only
/// to unpack a path, are in a separate, cold column.
public struct UpwardArcs: Sendable {
  /// `stateCount + 1` offsets into `arcs`, ascending.
  public let first: Column<UInt32>
  /// The arcs, sorted by the rank of their lower end.
  public let arcs: Column<UpwardArc>
  /// The parts of each arc.
  public let parts: Column<ArcParts>

  package init(first: Column<UInt32>, arcs: Column<UpwardArc>, parts: Column<ArcParts>) {
    precondition(arcs.count == parts.count, "columns of different hierarchies")
    self.first = first
    self.arcs = arcs
    self.parts = parts
  }

  /// The indices of the arcs of `rank`.
  public subscript(rank: Rank) -> Range<Int> { Int(first[Int(rank.index)])..<Int(first[Int(rank.index) + 1]) }
}

/// An arc to a higher rank (`outgoing`) or from one (`incoming`).
public struct UpwardArc: Hashable, Sendable, BitwiseCopyable {
  /// The rank at the upper end.
  public var head: UInt32
  /// The length of the path that the arc stands for.
  public var centimetres: UInt32
  /// The time of the path that the arc stands for.
  public var milliseconds: UInt32

  @inline(__always)
  var packed: UInt64 { UInt64(milliseconds) << 32 | UInt64(centimetres) }

  /// The time and length of the path that the arc stands for.
  public var weight: Weight { Weight(packed: packed) }
}

/// The parts of an upward arc: an arc of the graph, or two arcs via a lower rank.
public struct ArcParts: Hashable, Sendable, BitwiseCopyable {
  /// The index in `incoming` of the part that leads down; `original` for an arc of the graph.
  public var down: UInt32
  /// The index in `outgoing` of the part that leads up; the `ArcID` for an arc of the graph.
  public var up: UInt32

  /// Marks an arc of the graph.
  public static let original = UInt32.max
  /// Whether the parts are a single arc of the graph rather than a shortcut's two.
  public var isOriginal: Bool { down == ArcParts.original }
}
