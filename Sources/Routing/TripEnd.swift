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

  /// Where distances begin and end: at the place where the straight line to its street counts, else on the street.
  package var counted: FixedCoordinate { leg.centimetres == 0 ? snap.point : place }

  /// The straight line between the points that distances are between, in centimetres.
  package static func straightLine(_ origin: TripEnd, _ destination: TripEnd) -> Int64 {
    Int64((origin.counted.distance(to: destination.counted) * 100).rounded())
  }
}
