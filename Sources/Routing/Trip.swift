import Hierarchy
import StreetNetwork

/// The streets of a trip in order, the first and the last in part.
struct Trip {
  var pieces: [TripPiece]
  /// Where it begins on the first street and ends on the last.
  var from: StreetPosition
  var to: StreetPosition
}

struct TripPiece {
  var street: DirectedStreet
  /// Of the turn into the street, and of the street.
  var weight: Weight
  /// Whether the street is travelled from end to end.
  var isWhole = false
}
