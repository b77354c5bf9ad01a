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
}
