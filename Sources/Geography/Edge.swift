/// A straight line between two points, in the plane of longitude and latitude.
package struct Edge {
  package let from: FixedCoordinate
  package let to: FixedCoordinate

  package init(from: FixedCoordinate, to: FixedCoordinate) { (self.from, self.to) = (from, to) }

  var west: Int32 { min(from.longitude, to.longitude) }
  var east: Int32 { max(from.longitude, to.longitude) }
  var south: Int32 { min(from.latitude, to.latitude) }
  var north: Int32 { max(from.latitude, to.latitude) }

  /// Positive to its left, negative to its right, zero on the line. Exact within a hemisphere.
  package func side(of point: FixedCoordinate) -> Int64 {
    let (x, y) = (Int64(to.longitude) - Int64(from.longitude), Int64(to.latitude) - Int64(from.latitude))
    let (px, py) = (Int64(point.longitude) - Int64(from.longitude), Int64(point.latitude) - Int64(from.latitude))
    return x * py - y * px
  }

  /// Whether a point on its line lies between its ends.
  func isBetween(_ point: FixedCoordinate) -> Bool {
    point != from && point != to && west <= point.longitude && point.longitude <= east && south <= point.latitude
      && point.latitude <= north
  }

  /// Whether their boxes intersect.
  func mayMeet(_ other: Edge) -> Bool {
    west <= other.east && other.west <= east && south <= other.north && other.south <= north
  }
}
