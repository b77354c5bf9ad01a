import Geography
import Hierarchy

/// A place put on the nearest street:
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
  /// Metres from the place to the point, straight.
  package var distance: Double
}

extension Street {
  /// The part of the weight from the tail to the point at `fraction`. Rounded once: the two parts of a street add up
  /// to the whole, and the part between two points is the difference of theirs.
  package func weight(upTo fraction: Double) -> Weight {
    Weight(
      milliseconds: UInt32((Double(milliseconds) * fraction).rounded()),
      centimetres: UInt32((Double(centimetres) * fraction).rounded()))
  }

  /// The weight between two points of the street.
  package func weight(from a: Double, to b: Double) -> Weight {
    let (low, high) = (weight(upTo: min(a, b)), weight(upTo: max(a, b)))
    return Weight(
      milliseconds: high.milliseconds - low.milliseconds, centimetres: high.centimetres - low.centimetres)
  }
}
