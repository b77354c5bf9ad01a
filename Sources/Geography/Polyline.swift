/// A line of points on the earth, stored at 1e-7 degrees.
///
///     for coordinate in route.polyline.coordinates { … }
///
/// Lines cut out of one another (the steps of a route) share their storage.
public struct Polyline: Hashable, Sendable {
  package private(set) var points: ArraySlice<FixedCoordinate>

  package init(points: some Sequence<FixedCoordinate>) {
    self.points = ArraySlice(points)
  }

  package init(points: ArraySlice<FixedCoordinate>) {
    self.points = points
  }

  /// The number of points.
  public var count: Int { points.count }

  /// The points in degrees. *Complexity*: O(`count`), a new array.
  public var coordinates: [Coordinate] { points.map(\.coordinate) }

  /// The sum of the great-circle distances between neighbouring points, in metres.
  public var length: Double {
    zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
  }
}

extension Collection<FixedCoordinate> {
  /// The heading in which a line leaves its first point, in degrees clockwise from north: toward the point some 10 m
  /// along, since the first metres are often drawn carelessly. The line must have a point.
  package var initialHeading: Double {
    let start = first!.coordinate
    var onward = start
    for point in dropFirst() {
      onward = point.coordinate
      if start.distance(to: onward) >= 10 { break }
    }
    return start.heading(to: onward)
  }
}
