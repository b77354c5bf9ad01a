import Hierarchy
import StreetNetwork

/// A query to the hierarchy: where trips start and end, and which arcs they may not use.
struct TripSearch {
  var sources: SnapSeeds
  var targets: SnapSeeds
  /// Nil for none.
  var closed: Closure?
}
