import Geography
import StreetNetwork

/// The points of a trip, and where each of its pieces starts among them.
struct TripShape {
  private(set) var points: [FixedCoordinate] = []
  private(set) var starts: [Int] = []
  /// The point on the street at which the trip ends.
  private(set) var end = 0

  init(_ trip: Trip, from source: TripEnd, to destination: TripEnd, on network: StreetNetwork) {
    guard !trip.pieces.isEmpty else {
      points = [source.place, destination.place]  // a place to itself: a line has two points
      return
    }
    points.reserveCapacity(trip.pieces.count * 8 + 4)
    starts.reserveCapacity(trip.pieces.count + 1)
    let drawn = network.points.buffer
    if source.leg > .zero { points.append(source.place) }
    append(source.snap.point)
    for (index, piece) in trip.pieces.enumerated() {
      starts.append(points.count - 1)
      let shape = network.shape(of: piece.street.street)
      // The shape points passed: those behind the source's segment on the first street, before the destination's on
      // the last; drawn from tail to head, or from head to tail.
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
      // Only the first point can be the last one again: that of the junction between two streets.
      if piece.street.isReversed, let first = passed.last {
        append(drawn[first])
        points.append(contentsOf: drawn[passed.dropLast()].reversed())
      } else if let first = passed.first {
        append(drawn[first])
        points.append(contentsOf: drawn[passed.dropFirst()])
      }
      if index == trip.pieces.count - 1 { append(destination.snap.point) }
    }
    end = points.count - 1
    if destination.leg > .zero { append(destination.place) }
    if points.count == 1 { points.append(points[0]) }  // two places on one point of a street
  }

  /// The last point of a piece, which is its second at least where the trip has two.
  func end(ofPiece index: Int) -> Int {
    let next = index + 1 < starts.count ? starts[index + 1] : end
    return max(next, min(starts[index] + 1, points.count - 1))
  }

  private mutating func append(_ point: FixedCoordinate) {
    if let last = points.last, last.longitude == point.longitude, last.latitude == point.latitude { return }
    points.append(point)
  }
}
