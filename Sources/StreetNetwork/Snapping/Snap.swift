import Geography
import Hierarchy

/// A place snapped to the nearest street:
///
///     place x
///           :  distance
///     tail--s-----------head      fraction = tail..s / tail..head, along the shape
///
/// The one result that every engine and every kind of job starts from.
package struct Snap: Sendable, Hashable {
  package var street: StreetID
  /// 0…1, along the shape from the tail.
  package var fraction: Double
  /// The shape's segment that the point lies on, counted from 0.
  package var segment: Int
  package var point: FixedCoordinate
  /// The straight-line distance from the place to the point, in metres.
  package var distance: Double

  package init(street: StreetID, fraction: Double, segment: Int, point: FixedCoordinate, distance: Double) {
    (self.street, self.fraction, self.segment) = (street, fraction, segment)
    (self.point, self.distance) = (point, distance)
  }
}

extension Street {
  /// The weight of the part between two points, travelled from one to the other. Rounded once at each: the two parts
  /// of a street add up to the whole.
  package func weight(from a: Double, to b: Double) -> Weight {
    let whole = weight(isReversed: a > b)
    func upTo(_ fraction: Double, _ whole: UInt32) -> UInt32 { UInt32((Double(whole) * fraction).rounded()) }
    let (low, high) = (min(a, b), max(a, b))
    return Weight(
      milliseconds: upTo(high, whole.milliseconds) - upTo(low, whole.milliseconds),
      centimetres: upTo(high, whole.centimetres) - upTo(low, whole.centimetres))
  }
}
