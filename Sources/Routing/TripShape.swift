import Geography
import Hierarchy
import StreetNetwork

/// The points of a trip, and the index at which each of its pieces starts.
struct TripShape {
  private(set) var points: [FixedCoordinate] = []
  /// The elevation of each point in centimetres, from the network; empty if it has none.
  private(set) var heights: [Int32] = []
  private(set) var starts: [Int] = []
  /// The index of the point on the street at which the trip ends.
  private(set) var end = 0

  init(_ trip: Trip, from source: TripEnd, to destination: TripEnd, on network: StreetNetwork) {
    guard !trip.pieces.isEmpty else {
      points = [source.place, destination.place]  // a trip from a place to itself: a line has two points
      return
    }
    points.reserveCapacity(trip.pieces.count * 8 + 4)
    starts.reserveCapacity(trip.pieces.count + 1)
    let mapPoints = network.points.buffer
    let ground = network.hasElevations ? network.heights.buffer : nil
    let ends = ground == nil ? (nil, nil) : (network.height(at: trip.from), network.height(at: trip.to))
    if source.leg > .zero { append(source.place, ends.0) }
    if let entrance = source.entrance { append(entrance, ends.0) }
    append(source.snap.point, ends.0)
    for (index, piece) in trip.pieces.enumerated() {
      starts.append(points.count - 1)
      if index == 0, trip.from.line > .zero { append(network.point(at: trip.from), ends.0) }
      let shape = network.shape(of: piece.street.street)
      // The shape points passed, in the direction of travel: on the first street the points after the source's segment,
      // on the last street the points before the destination's segment.
      var passed = shape
      if index == 0, !piece.isWhole {
        let segment = shape.lowerBound + trip.from.segment
        passed = piece.street.isReversed ? passed.lowerBound..<segment + 1 : segment + 1..<passed.upperBound
      }
      if index == trip.pieces.count - 1, !piece.isWhole {
        let segment = shape.lowerBound + trip.to.segment
        passed =
          piece.street.isReversed
          ? max(passed.lowerBound, segment + 1)..<max(passed.upperBound, segment + 1)
          : min(passed.lowerBound, segment + 1)..<min(passed.upperBound, segment + 1)
      }
      // Only the first point, at the junction between two streets, can repeat the last one.
      if piece.street.isReversed, let first = passed.last {
        append(mapPoints[first], ground?[first])
        points.append(contentsOf: mapPoints[passed.dropLast()].reversed())
        if let ground { heights.append(contentsOf: ground[passed.dropLast()].reversed()) }
      } else if let first = passed.first {
        append(mapPoints[first], ground?[first])
        points.append(contentsOf: mapPoints[passed.dropFirst()])
        if let ground { heights.append(contentsOf: ground[passed.dropFirst()]) }
      }
      if index == trip.pieces.count - 1 {
        if trip.to.line > .zero { append(network.point(at: trip.to), ends.1) }
        append(destination.snap.point, ends.1)
      }
    }
    end = points.count - 1
    if let entrance = destination.entrance { append(entrance, ends.1) }
    if destination.leg > .zero { append(destination.place, ends.1) }
    if points.count == 1 {  // two places at the same point on a street
      points.append(points[0])
      heights += heights
    }
  }

  /// Returns the index of the last point of a piece or, if all of its points are equal, of the next other point;
  /// greater than the index of its first point if the trip has more.
  func end(ofPiece index: Int) -> Int {
    let (start, next) = (starts[index], index + 1 < starts.count ? starts[index + 1] : end)
    let end = max(next, min(start + 1, points.count - 1))
    guard points[start...end].allSatisfy({ $0 == points[start] }) else { return end }
    return points[end...].firstIndex { $0 != points[start] } ?? end
  }

  private mutating func append(_ point: FixedCoordinate, _ height: Int32?) {
    if let last = points.last, last.longitude == point.longitude, last.latitude == point.latitude { return }
    points.append(point)
    if let height { heights.append(height) }
  }
}

/// A place snapped to the streets, at which routes can start or end.
package struct TripEnd: Sendable, Hashable {
  package var place: FixedCoordinate
  package var snap: Snap
  /// The weight of the straight line between the place and the street; zero if it is not included.
  package var leg: Weight
  /// The station entrance between the place and the street; nil for none. The line between entrance and place is part
  /// of `leg`.
  package var entrance: FixedCoordinate?

  package init(place: FixedCoordinate, snap: Snap, leg: Weight) {
    (self.place, self.snap, self.leg) = (place, snap, leg)
  }

  /// Returns whether a trip to another end uses no street because both are the same place. Stops with entrances are
  /// different places, even at the same coordinates: riders leave one through its entrance, and enter the other through
  /// its own.
  func isAtPlace(of other: TripEnd) -> Bool { place == other.place && entrance == nil && other.entrance == nil }

  /// The point for measuring distances: the place if the straight line to its street is included, or else the point on
  /// the street.
  package var measured: FixedCoordinate { leg.centimetres == 0 ? snap.point : place }

  /// Returns the straight-line distance between the ends, in centimetres.
  package static func straightLine(_ origin: TripEnd, _ destination: TripEnd) -> Int64 {
    Int64((origin.measured.distance(to: destination.measured) * 100).rounded())
  }
}

/// A trip as the streets along it, in order; the first and the last are partial.
struct Trip {
  var pieces: [TripPiece]
  /// The trip's start on the first street and its end on the last.
  var from: StreetPosition
  var to: StreetPosition
}

extension Trip {
  /// A trip between two ends at one place.
  init(at source: TripEnd, and destination: TripEnd) {
    self.init(pieces: [], from: source.snap.position, to: destination.snap.position)
  }

  /// A trip along one street.
  init(_ direct: DirectTrip, taking weight: Weight) {
    let start = TripPiece(
      street: DirectedStreet(direct.from.street, isReversed: direct.from.fraction == 0), weight: .zero)
    let piece = TripPiece(street: direct.street, weight: weight)
    self.init(pieces: direct.fromJunction ? [start, piece] : [piece], from: direct.from, to: direct.to)
  }

  /// The streets along the trip.
  var streets: [DirectedStreet] { pieces.compactMap { $0.weight > .zero ? $0.street : nil } }
}

struct TripPiece {
  var street: DirectedStreet
  /// The weight of the turn into the street and of the street itself.
  var weight: Weight
  /// Whether the street is travelled from end to end.
  var isWhole = false
}
