import Geography

extension StreetSearch {
  /// Returns the street point nearest to `place`; nil if there is none within `limit` metres. At equal distances,
  /// streets that are open to all come first, then the smallest ID. A place inside a square snaps to the square.
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

/// Overlapping streets: two ways over the same nodes, or over nodes at the same coordinates, a way that returns over
/// its own nodes, lines that touch. A place on one of them is on all of them.
extension StreetSearch {
  /// Returns the first of the streets at the nearest point, and the point on it, regardless of the streets' directions
  /// and of rounding.
  func firstAtPoint(of nearest: Segment) -> (segment: Segment, point: FixedCoordinate) {
    let point = point(of: nearest)
    guard ties.count > 1 else { return (nearest, point) }
    var first = nearest
    for tie in ties where tie.isBefore(first) && self.point(of: tie).isWithinRounding(of: point) { first = tie }
    return (first, self.point(of: first))
  }

  /// Returns the other positions of `point` on streets, with each junction and each section of a street only once.
  func twins(of position: StreetPosition, at point: FixedCoordinate) -> [StreetPosition] {
    var positions = [position]
    for tie in ties.sorted(by: { $0.isBefore($1) }) where isOn(tie, point) {
      let twin = self.position(on: tie, at: point)
      if !positions.contains(where: { isSame($0, twin) }) { positions.append(twin) }
    }
    return Array(positions.dropFirst())
  }

  /// Returns whether a point is on a segment; a point beyond the segment's end is not, however near it is.
  private func isOn(_ segment: Segment, _ point: FixedCoordinate) -> Bool {
    let nearest = self.point(of: segment)
    return segment.along > 0 && segment.along < 1 ? nearest.isWithinRounding(of: point) : nearest == point
  }

  /// Returns whether two positions are the same junction, or the same point of a street up to rounding.
  private func isSame(_ a: StreetPosition, _ b: StreetPosition) -> Bool {
    let street = network.street(a.street)
    if a.street == b.street, abs(a.fraction - b.fraction) * Double(street.centimetres) < 10 { return true }
    guard let junction = street.junction(at: a.fraction) else { return false }
    return network.street(b.street).junction(at: b.fraction) == junction
  }
}

extension FixedCoordinate {
  /// Returns whether both may be the same point, rounded on different lines: one unit is about a centimetre.
  fileprivate func isWithinRounding(of other: FixedCoordinate) -> Bool {
    abs(Int64(longitude) - Int64(other.longitude)) <= 1 && abs(Int64(latitude) - Int64(other.latitude)) <= 1
  }
}
