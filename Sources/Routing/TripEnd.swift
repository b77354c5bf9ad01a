import Geography
import Hierarchy
import StreetNetwork

/// A place put on the streets, ready to be routed from or to.
package struct TripEnd: Sendable, Hashable {
  package var place: FixedCoordinate
  package var snap: Snap
  /// The straight way between the place and the street; zero where it does not count.
  package var leg: Weight
}
