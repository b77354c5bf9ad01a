/// A contraction hierarchy: the states in an order of importance, and arcs that lead only upward, such that a shortest
/// path between any two states is found by an upward search from each end.
///
///     let hierarchy = Hierarchy(contracting: graph)
///     let query = PathQuery(hierarchy)
///     let path = query.path(from: [Seed(StateID(4))], to: [Seed(StateID(17))])
///
/// Plain data, safe to share between threads; a query object belongs to one thread.
/// Source: R. Geisberger, P. Sanders, D. Schultes, D. Delling 2008; made from an order (`CustomizableHierarchy`).
public struct Hierarchy: Sendable {
  /// The rank of each state.
  public let ranks: Column<UInt32>
  /// The parent of each rank in the elimination tree: all upward arcs of a rank lead to its ancestors, of which its parent is
  /// the lowest. Of a root it is the root itself.
  public let parents: Column<UInt32>
  /// Arcs by their lower tail: the search from a source follows these.
  public let outgoing: UpwardArcs
  /// Arcs by their lower head: the search from a target follows these, against their direction.
  public let incoming: UpwardArcs

  /// The number of states.
  public var stateCount: Int { ranks.count }
  /// The number of upward arcs in both halves, shortcuts included.
  public var arcCount: Int { outgoing.arcs.count + incoming.arcs.count }

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
  /// Takes the states of `graph` out, least important first, leaving shortcuts so that no distance changes. States between
  /// which few arcs lead, such as the bridges of a river, are the most important.
  ///
  /// The hierarchy is the same, byte for byte, for any number of workers (threads). Where there are several metrics, a
  /// `CustomizableHierarchy` shares what they have in common. *Complexity*: about 6 s per million junctions of a road map
  /// on one core.
  /// - Parameters:
  ///   - points: Where the states are on a plane. If nil they are guessed from travel times, which takes half as long again and may
  ///     yield half more arcs.
  ///   - closed: Arcs to leave out; the others keep their IDs.
  public init(
    contracting graph: ArcGraph, at points: [SIMD2<Int32>]? = nil, without closed: ArcSet? = nil, workers: Int = 1
  ) {
    let ranks = CustomizableHierarchy.ranks(of: graph, at: points ?? LandmarkPoints(graph).points, workers: workers)
    self = CustomizableHierarchy(graph, ranks: Column(ranks)).hierarchy(without: closed)
  }
}
