import Geography
import Hierarchy

/// A place snapped to the nearest street:
///
///     place x
///           :  distance
///     tail--s-----------head      fraction = tail..s / tail..head, along the shape
///
/// All engines and kinds of jobs start from this result. Where streets overlap (two ways over the same points), the
/// place is on all of them: a trip may start and end on any of them.
package struct Snap: Sendable, Hashable {
  package var position: StreetPosition
  /// The same point on other streets, or on other sections of the same one; almost always empty, except on a square,
  /// where these are the other corners and entrances. Streets that meet at a junction are not listed: a snap at a
  /// junction is on all of them.
  package var twins: [StreetPosition]
  package var point: FixedCoordinate
  /// The straight-line distance in metres from the place to the point; for a place on a square where no corner can be
  /// reached, to the nearest street.
  package var distance: Double
  /// The street that represents the square at the point; the positions then include the visible corners and entrances.
  /// Nil on streets.
  package var square: StreetID?

  package init(
    position: StreetPosition, twins: [StreetPosition] = [], point: FixedCoordinate, distance: Double,
    square: StreetID? = nil
  ) {
    (self.position, self.twins, self.square) = (position, twins, square)
    (self.point, self.distance) = (point, distance)
  }

  /// The maximum distance in metres to the end of a ferry or train line without a street.
  package static let landingLimit = 300.0

  package var street: StreetID { position.street }
  package var fraction: Double { position.fraction }
  package var segment: Int { position.segment }

  /// All positions, the main one first.
  package var positions: [StreetPosition] { [position] + twins }
}

/// A point of a street, or the point where the line from a place on a square reaches a street.
package struct StreetPosition: Sendable, Hashable {
  package var street: StreetID
  /// 0…1, along the shape from the tail.
  package var fraction: Double
  /// The index of the shape's segment that contains the point.
  package var segment: Int
  /// The straight line across a square between the point and the place; zero if the place is on the street. At a
  /// corner, which is an end of the street, the line replaces the street: turns are those from and into the street.
  package var line: Weight

  package init(street: StreetID, fraction: Double, segment: Int, line: Weight = .zero) {
    (self.street, self.fraction, self.segment, self.line) = (street, fraction, segment, line)
  }
}

extension StreetPosition {
  /// Whether the position is a corner of a square at some distance from the place.
  package var isCorner: Bool { line > .zero && (fraction == 0 || fraction == 1) }
}

extension Street {
  /// Returns the junction at a fraction, if that is an end of the street.
  func junction(at fraction: Double) -> Int? {
    switch fraction {
    case 0: Int(tail)
    case 1: Int(head)
    default: nil
    }
  }

  /// Returns the weight between two points of a street in the direction of travel. It is rounded once at each point, so
  /// that the two parts of a street add up to the whole.
  package func weight(from a: Double, to b: Double) -> Weight {
    let whole = weight(isReversed: a > b)
    func upTo(_ fraction: Double, _ whole: UInt32) -> UInt32 { UInt32((Double(whole) * fraction).rounded()) }
    let (low, high) = (min(a, b), max(a, b))
    return Weight(
      milliseconds: upTo(high, whole.milliseconds) - upTo(low, whole.milliseconds),
      centimetres: upTo(high, whole.centimetres) - upTo(low, whole.centimetres))
  }
}
