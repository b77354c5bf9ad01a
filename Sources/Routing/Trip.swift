import Hierarchy
import StreetNetwork

/// The streets of a trip in order, the first and the last in part.
struct Trip {
  var pieces: [TripPiece]
}

struct TripPiece {
  var street: DirectedStreet
  /// Of the turn into the street, and of the street.
  var weight: Weight
  /// Whether the street is travelled from end to end.
  var isWhole = false
}
