import Geography

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
  /// Returns whether the two may be one point, rounded on different lines: one unit is about a centimetre.
  fileprivate func isWithinRounding(of other: FixedCoordinate) -> Bool {
    abs(Int64(longitude) - Int64(other.longitude)) <= 1 && abs(Int64(latitude) - Int64(other.latitude)) <= 1
  }
}
