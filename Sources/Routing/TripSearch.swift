import Hierarchy
import StreetNetwork

/// A query to the hierarchy: where trips start and end, and which arcs they may not use.
struct TripSearch {
  var sources: SnapSeeds
  var targets: SnapSeeds
  /// Nil for none.
  var closed: Closure?
  /// On the network's hierarchy, or on one for the time.
  var query: PathQuery
  /// Whether what `query` finds is open, and all that is open is known to it.
  var isExact: Bool
}
