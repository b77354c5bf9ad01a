/// What hierarchies of one graph under any weights have in common: the order of the states, and all arcs that a hierarchy
/// in this order may need. Weights come later: a metric takes a fifth of the time of the order.
///
///     let customizable = CustomizableHierarchy(graph, ranks: CustomizableHierarchy.ranks(of: graph, at: points))
///     let hierarchies = customizable.hierarchies(of: [night, morning])
///
/// A metric has a weight per arc of the graph; `infinity` closes the arc. What comes out are ordinary hierarchies, for
/// all engines: their arcs are those of the metric's shortest paths.
///
/// Source: J. Dibbelt, B. Strasser, D. Wagner 2016; directions that are never used are left out, as by V. Buchhold,
/// P. Sanders, D. Wagner 2019.
public struct CustomizableHierarchy: Sendable {
  /// What it was made from.
  public let graph: ArcGraph
  /// The rank of each state.
  public let ranks: Column<UInt32>
  /// The parent of each rank in the elimination tree.
  let parents: Column<UInt32>
  /// Arcs by their lower tail, and by their lower head.
  let outgoing: CustomizableArcs
  let incoming: CustomizableArcs
  /// Where each arc of the graph is among them: its position twice, plus one in `outgoing`; `none` for loops.
  let slots: Column<UInt32>

  static let none = UInt32.max

  /// The number of upward arcs in both halves.
  public var arcCount: Int { outgoing.heads.count + incoming.heads.count }

  /// An order of the states of a graph, each at a point of a plane in whole numbers: cut in two again and again where few
  /// arcs cross. The first half of what a customizable hierarchy takes; it depends on no weight, and may be kept. The same
  /// for any number of workers (threads).
  /// *Complexity*: some 5 s per million junctions of a road map on one core.
  public static func ranks(of graph: ArcGraph, at points: [SIMD2<Int32>], workers: Int = 1) -> [UInt32] {
    NestedDissection(graph, at: points, workers: workers).ranks
  }

  /// The arcs that hierarchies over `graph` need in an order that `ranks(of:at:)` found; any order is right. The same for
  /// any number of workers (threads).
  public init(_ graph: ArcGraph, ranks: Column<UInt32>, workers: Int = 1) {
    precondition(ranks.count == graph.stateCount, "a rank per state")
    self.graph = graph
    self.ranks = ranks
    parents = Column(EliminationTree.parents(of: graph, ranks: ranks))
    let workers = min(workers, RankShares.mostWorkers)
    let shares = RankShares(parents: parents, workers: workers)
    (outgoing, incoming) = CustomizableArcs.halves(graph, ranks, shares, workers: workers)
    let (outgoing, incoming) = (outgoing, incoming)
    let parts = inParallel((0..<graph.stateCount).shares(workers > 1 ? workers * 4 : 1), workers: workers) { states in
      var slots: [UInt32] = []
      slots.reserveCapacity(Int(graph.firstArc[states.upperBound] - graph.firstArc[states.lowerBound]))
      for state in states {
        for arc in graph.arcs(from: StateID(state)) {
          let (tail, head) = (ranks[state], ranks[Int(graph.heads[arc])])
          if tail < head {
            slots.append(outgoing.position(of: head, from: tail) << 1 | 1)
          } else if head < tail {
            slots.append(incoming.position(of: tail, from: head) << 1)
          } else {
            slots.append(CustomizableHierarchy.none)
          }
        }
      }
      return slots
    }
    slots = Column(parts.flatMap(\.self))
  }
}
