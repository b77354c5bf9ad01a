import Geography

extension StreetSearch {
  /// Returns the point of a street nearest to `place`, at most `limit` metres away; of several at the same distance,
  /// the one on a street that is open to all, then on the street with the smallest ID. Inside a square, the point is on
  /// the square. Nil if there is none.
  package func snap(_ place: Coordinate, limit: Double) -> Snap? {
    // A street just beyond the limit may hide a less suitable one within the limit.
    let street =
      snap(place, limit: limit, reach: limit * StreetSearch.margin) ?? snap(place, limit: limit, reach: limit)
    guard findsSquares else { return street }
    return network.snapOnSquare(FixedCoordinate(place), near: street) ?? street.map(network.snapOnOutline)
  }

  /// The plane is an approximation: a point slightly beyond the limit in the plane may actually be within it.
  private static let margin = 1.02

  private func snap(_ place: Coordinate, limit: Double, reach: Double) -> Snap? {
    guard let nearest = nearestSegment(to: place, limit: reach) else { return nil }
    let (first, point) = firstAtPoint(of: nearest)
    let distance = place.distance(to: point.coordinate)
    guard distance <= limit else { return nil }
    let position = position(on: first, at: point)
    return Snap(
      position: position, twins: ties.count > 1 ? twins(of: position, at: point) : [], point: point, distance: distance)
  }

  func position(on segment: Segment, at point: FixedCoordinate) -> StreetPosition {
    let street = StreetID(segment.street)
    return StreetPosition(
      street: street, fraction: fraction(of: point, segment: segment.segment, shape: network.shape(of: street)),
      segment: segment.segment)
  }

  /// Returns the point of a segment nearest to the place.
  func point(of segment: Segment) -> FixedCoordinate {
    let first = network.shape(of: StreetID(segment.street)).lowerBound + segment.segment
    let (a, b) = (points[first], points[first + 1])
    return FixedCoordinate(
      longitude: Int32((Double(a.longitude) + segment.along * (Double(b.longitude) - Double(a.longitude))).rounded()),
      latitude: Int32((Double(a.latitude) + segment.along * (Double(b.latitude) - Double(a.latitude))).rounded()))
  }

  private func fraction(of point: FixedCoordinate, segment: Int, shape: Range<Int>) -> Double {
    var (before, total) = (0.0, 0.0)
    var last = MeasuredPoint(points[shape.lowerBound].coordinate)
    for index in shape.dropFirst() {
      if index == shape.lowerBound + segment + 1 { before = total + last.distance(to: MeasuredPoint(point.coordinate)) }
      let next = MeasuredPoint(points[index].coordinate)
      total += last.distance(to: next)
      last = next
    }
    return total > 0 ? min(1, before / total) : 0
  }
}
