import Foundation
import Geography

/// A corner or an entrance of a square, which a street represents.
package struct SquareCorner: Hashable, Sendable {
  package let square: StreetID
  package let point: FixedCoordinate
}

/// A straight line across a square.
package struct SquareRay: Sendable {
  package let from: FixedCoordinate
  package let to: FixedCoordinate
  package let milliseconds: UInt32
}

/// Lines from a corner of a square, for areas with a buffer in metres; networks of one map may differ in the time that
/// the square's street takes.
struct SquareFan: Hashable {
  var corner: SquareCorner
  var buffer: Double
  var milliseconds: UInt32
}

extension StreetNetwork {
  /// The corners and entrances of squares by the streets that end there.
  package var squareCorners: [DirectedStreet: [SquareCorner]] { squareAreas.cornersByStreet }

  /// Returns straight lines from a corner of a square as far as they stay inside, so close together that the areas
  /// around them have no gaps:
  ///
  ///     ──a──────┐
  ///       │`·. `·│      Lines no longer than the buffer are left out.
  ///       │  `·. │
  ///       └──────┘
  package func rays(from corner: SquareCorner, buffer: Double) -> [SquareRay] {
    let milliseconds = street(corner.square).milliseconds(isReversed: false)
    return squareAreas.rays(of: SquareFan(corner: corner, buffer: buffer, milliseconds: milliseconds)) {
      rays(over: squareAreas.area(of: corner.square), from: corner.point, buffer: buffer)
    }
  }

  /// Returns such lines from a place on a square; none for other places.
  package func rays(from snap: Snap, buffer: Double) -> [SquareRay] {
    guard let square = snap.square.map(squareAreas.area(of:)), let inside = square.inside(snap.point) else { return [] }
    return rays(over: square, from: inside, buffer: buffer)
  }

  private func rays(over square: SquareArea, from point: FixedCoordinate, buffer: Double) -> [SquareRay] {
    let metres = square.area.outline.reduce(0) { max($0, point.distance(to: $1)) }
    guard metres > buffer else { return [] }
    let height = 2 * metres / Coordinate.metresPerDegree * 1e7
    let width = height / max(0.01, cos(point.coordinate.latitude * .pi / 180))
    // At their ends, neighbours are one and a half buffers apart.
    let count = Int((2 * .pi * metres / (1.5 * buffer)).rounded(.up))
    return (0..<count).compactMap { index in
      let angle = 2 * .pi * Double(index) / Double(count)
      let far = FixedCoordinate(
        longitude: Int32(clamping: Int64(Double(point.longitude) + width * cos(angle))),
        latitude: Int32(clamping: Int64(Double(point.latitude) + height * sin(angle))))
      guard let end = square.area.end(of: Edge(from: point, to: far)) else { return nil }
      let length = point.distance(to: end)
      guard length > buffer else { return nil }
      return SquareRay(
        from: point, to: end, milliseconds: lineWeight(over: square.street, metres: length).milliseconds)
    }
  }
}
