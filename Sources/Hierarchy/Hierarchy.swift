/// A contraction hierarchy: the states in an order of importance, and arcs that only climb, such that a shortest
/// way between any two states is one climb from each end.
///
///     let hierarchy = Hierarchy(contracting: graph)
///     let query = PathQuery(hierarchy)
///     let path = query.path(from: [Seed(StateID(4))], to: [Seed(StateID(17))])
///
/// Plain data, safe to share between threads; a query object belongs to one thread.
/// Source: R. Geisberger, P. Sanders, D. Schultes, D. Delling 2008.
///
/// Ranks are sorted by level, then by state: any order in which all arcs climb will do, and this one keeps
/// neighbours on the map neighbours in memory where states are numbered along the map.
public struct Hierarchy: Sendable {
  /// The rank of each state.
  public let ranks: Column<UInt32>
  /// Arcs by their lower tail: the way from a source climbs these.
  public let outgoing: UpwardArcs
  /// Arcs by their lower head: the way from a target climbs these, against their direction.
  public let incoming: UpwardArcs

  public var stateCount: Int { ranks.count }
  /// Upward arcs in both halves, shortcuts and arcs of the graph.
  public var arcCount: Int { outgoing.arcs.count + incoming.arcs.count }

  package init(ranks: Column<UInt32>, outgoing: UpwardArcs, incoming: UpwardArcs) {
    precondition(
      outgoing.first.count == ranks.count + 1 && incoming.first.count == ranks.count + 1,
      "columns of different hierarchies")
    self.ranks = ranks
    self.outgoing = outgoing
    self.incoming = incoming
  }

  public func rank(of state: StateID) -> Rank { Rank(ranks[Int(state.index)]) }
}
