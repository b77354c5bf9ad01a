import Hierarchy
import StreetNetwork

/// The streets of a trip in order, the first and the last in part.
struct Trip {
  var pieces: [TripPiece]
  /// Where it begins on the first street and ends on the last.
  var from: StreetPosition
  var to: StreetPosition

  init(pieces: [TripPiece], from: StreetPosition, to: StreetPosition) {
    (self.pieces, self.from, self.to) = (pieces, from, to)
  }

  /// Between two ends at one place.
  init(at source: TripEnd, and destination: TripEnd) {
    self.init(pieces: [], from: source.snap.position, to: destination.snap.position)
  }

  /// Along one street.
  init(_ direct: DirectTrip, taking weight: Weight) {
    let start = TripPiece(
      street: DirectedStreet(direct.from.street, isReversed: direct.from.fraction == 0), weight: .zero)
    let piece = TripPiece(street: direct.street, weight: weight)
    self.init(pieces: direct.fromJunction ? [start, piece] : [piece], from: direct.from, to: direct.to)
  }
}

struct TripPiece {
  var street: DirectedStreet
  /// Of the turn into the street, and of the street.
  var weight: Weight
  /// Whether the street is travelled from end to end.
  var isWhole = false
}
