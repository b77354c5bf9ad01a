import Hierarchy
import StreetNetwork

/// A query to a hierarchy: where trips start and end, and which arcs they may not use.
struct TripSearch {
  var sources: SnapSeeds
  var targets: SnapSeeds
  /// Nil for none.
  var closed: Closure?
  var query: PathQuery
  /// What the query's hierarchy was made of.
  var weights: Column<Weight>
}
