import Geography
import StreetNetwork

/// The points of a trip, and where each of its pieces starts among them.
struct TripShape {
  private(set) var points: [FixedCoordinate] = []
  /// Centimetres above the sea of each point, as the network has them; empty where it has none.
  private(set) var heights: [Int32] = []
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
    let ground = network.knowsHeights ? network.heights.buffer : nil
    let ends = ground == nil ? (nil, nil) : (network.height(at: source.snap), network.height(at: destination.snap))
    if source.leg > .zero { append(source.place, ends.0) }
    append(source.snap.point, ends.0)
    for (index, piece) in trip.pieces.enumerated() {
      starts.append(points.count - 1)
      if index == 0, trip.from.line > .zero { append(network.point(at: trip.from), ends.0) }
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
        append(drawn[first], ground?[first])
        points.append(contentsOf: drawn[passed.dropLast()].reversed())
        if let ground { heights.append(contentsOf: ground[passed.dropLast()].reversed()) }
      } else if let first = passed.first {
        append(drawn[first], ground?[first])
        points.append(contentsOf: drawn[passed.dropFirst()])
        if let ground { heights.append(contentsOf: ground[passed.dropFirst()]) }
      }
      if index == trip.pieces.count - 1 {
        if trip.to.line > .zero { append(network.point(at: trip.to), ends.1) }
        append(destination.snap.point, ends.1)
      }
    }
    end = points.count - 1
    if destination.leg > .zero { append(destination.place, ends.1) }
    if points.count == 1 {  // two places on one point of a street
      points.append(points[0])
      heights += heights
    }
  }

  /// The last point of a piece, which is its second at least where the trip has two.
  func end(ofPiece index: Int) -> Int {
    let next = index + 1 < starts.count ? starts[index + 1] : end
    return max(next, min(starts[index] + 1, points.count - 1))
  }

  private mutating func append(_ point: FixedCoordinate, _ height: Int32?) {
    if let last = points.last, last.longitude == point.longitude, last.latitude == point.latitude { return }
    points.append(point)
    if let height { heights.append(height) }
  }
}
