/// A contraction hierarchy: the states in an order of importance, and arcs that lead only upward, such that a shortest
/// path between any two states is found by an upward search from each end.
///
///     let hierarchy = Hierarchy(contracting: graph)
///     let query = PathQuery(hierarchy)
///     let path = query.path(from: [Seed(StateID(4))], to: [Seed(StateID(17))])
///
/// Plain data, safe to share between threads; a query object belongs to one thread.
/// Source: R. Geisberger, P. Sanders, D. Schultes, D. Delling 2008.
///
/// Ranks are sorted by level, then by state: any order in which all arcs lead upward will do, and this one keeps
/// neighbours on the map neighbours in memory where states are numbered along the map.
public struct Hierarchy: Sendable {
  /// The rank of each state.
  public let ranks: Column<UInt32>
  /// Arcs by their lower tail: the search from a source follows these.
  public let outgoing: UpwardArcs
  /// Arcs by their lower head: the search from a target follows these, against their direction.
  public let incoming: UpwardArcs

  /// The number of states.
  public var stateCount: Int { ranks.count }
  /// The number of upward arcs in both halves, shortcuts included.
  public var arcCount: Int { outgoing.arcs.count + incoming.arcs.count }

  package init(ranks: Column<UInt32>, outgoing: UpwardArcs, incoming: UpwardArcs) {
    precondition(
      outgoing.first.count == ranks.count + 1 && incoming.first.count == ranks.count + 1,
      "columns of different hierarchies")
    self.ranks = ranks
    self.outgoing = outgoing
    self.incoming = incoming
  }
}
