import Geography
import Hierarchy
import StreetNetwork

/// A place snapped to the streets, ready to be routed from or to.
package struct TripEnd: Sendable, Hashable {
  package var place: FixedCoordinate
  package var snap: Snap
  /// The straight line between the place and the street; zero where it does not count.
  package var leg: Weight

  package init(place: FixedCoordinate, snap: Snap, leg: Weight) {
    (self.place, self.snap, self.leg) = (place, snap, leg)
  }
}
