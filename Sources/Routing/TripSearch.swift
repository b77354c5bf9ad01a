import Hierarchy
import StreetNetwork

/// A query of a hierarchy: the ends of trips, and the closed arcs.
struct TripSearch {
  var sources: SnapSeeds
  var targets: SnapSeeds
  /// Nil for none.
  var closed: Closure?
  var query: PathQuery
  /// The graph of the query's hierarchy.
  var weights: Column<Weight>
}
