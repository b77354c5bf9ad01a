import Geography
import StreetNetwork

/// A straight line by which trips lead across a square, with the milliseconds between the place and its start.
package struct TimedRay: Sendable {
  let ray: SquareRay
  let start: UInt32

  package var end: UInt32 { start + ray.milliseconds }

  /// Returns where trips of at most `limit` milliseconds end, which is not before the start.
  func end(within limit: UInt32) -> FixedCoordinate {
    end <= limit ? ray.to : ray.from.towards(ray.to, Double(limit - start) / Double(ray.milliseconds))
  }
}

extension TripEnd {
  /// Returns whether the place is on a square, parts of which are within `limit` milliseconds.
  package func isOnSquare(within limit: UInt32) -> Bool { snap.square != nil && leg.milliseconds < limit }
}

extension StreetNetwork {
  /// Returns straight lines across the squares within `limit` milliseconds of a place: from the place, and from the
  /// corners at which trips arrive along `stretches`. None if the buffer in metres is too narrow to fill squares.
  package func rays(
    around end: TripEnd, _ stretches: [TimedStretch], within limit: UInt32, buffer: Double
  ) -> [TimedRay] {
    let corners = squareCorners
    guard !corners.isEmpty, buffer >= AreaBuilder.minimumOutlined else { return [] }
    var times: [SquareCorner: UInt32] = [:]
    for stretch in stretches {
      for (fraction, time) in [(stretch.from, stretch.start), (stretch.to, stretch.end)]
      where (fraction == 0 || fraction == 1) && time < limit {
        for corner in corners[DirectedStreet(stretch.street, isReversed: fraction == 0)] ?? [] {
          times[corner] = min(times[corner] ?? .max, time)
        }
      }
    }
    var rays = self.rays(from: end.snap, buffer: buffer).map { TimedRay(ray: $0, start: end.leg.milliseconds) }
    func rank(_ corner: SquareCorner) -> (UInt32, Int32, Int32) {
      (corner.square.index, corner.point.longitude, corner.point.latitude)
    }
    for (corner, time) in times.sorted(by: { rank($0.key) < rank($1.key) }) {
      for ray in self.rays(from: corner, buffer: buffer) { rays.append(TimedRay(ray: ray, start: time)) }
    }
    return rays
  }
}
