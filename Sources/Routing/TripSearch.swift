import Hierarchy
import StreetNetwork

/// The input of a search on a hierarchy: the ends of trips, and the closed arcs.
struct TripSearch {
  var sources: SnapSeeds
  var targets: SnapSeeds
  /// The closed arcs; nil for none.
  var closed: Closure?
  var query: PathQuery
  /// The arc weights of the graph in the query's hierarchy.
  var weights: Column<Weight>

  /// Returns the path along `arcs` between two seeds, with its weight in this search.
  func path(along arcs: [ArcID], from source: Int, to target: Int) -> Path {
    let ends = sources.seeds[source].weight + targets.seeds[target].weight
    return Path(weight: arcs.reduce(ends) { $0 + weights[Int($1.index)] }, arcs: arcs, source: source, target: target)
  }
}
