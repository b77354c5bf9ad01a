/// An area within a ring of points, without its holes.
///
/// The first ring is counterclockwise, the holes are clockwise: the area is to the left of every edge. No ring repeats
/// its first point.
package struct RingedArea: Sendable {
  package let rings: [[FixedCoordinate]]

  /// Rings in these directions.
  package init(rings: [[FixedCoordinate]]) { self.rings = rings }

  /// Whether a point is inside, and not on a ring.
  package func contains(_ point: FixedCoordinate) -> Bool {
    rings.indices.allSatisfy { RingedArea.isInside(point, rings[$0]) == ($0 == 0) }
  }

  var edgeCount: Int { rings.reduce(0) { $0 + $1.count } }

  /// The areas enclosed by rings in any order and direction: a ring inside a ring is a hole, one inside that a separate
  /// area. Nil if rings overlap, or span more than a hemisphere.
  package static func areas(of rings: [[FixedCoordinate]]) -> [RingedArea]? {
    let box = BoundingBox(around: rings.joined())
    guard Int(box.maxLongitude) - Int(box.minLongitude) < 1 << 30, Int(box.maxLatitude) - Int(box.minLatitude) < 1 << 30
    else { return nil }
    var around = [[Int]](repeating: [], count: rings.count)
    for (index, ring) in rings.enumerated() {
      for (other, outer) in rings.enumerated() where other != index {
        guard let isInside = isInside(ring, outer) else { return nil }
        if isInside { around[index].append(other) }
      }
    }
    // The ring directly around a ring is the one with the most rings around itself.
    let next = around.map { outer in outer.max { around[$0].count < around[$1].count } }
    return rings.indices.filter { around[$0].count.isMultiple(of: 2) }.map { outer in
      let holes = rings.indices.filter { next[$0] == outer && !around[$0].count.isMultiple(of: 2) }
      return RingedArea(
        rings: [directed(rings[outer], isCounterclockwise: true)]
          + holes.map { directed(rings[$0], isCounterclockwise: false) })
    }
  }

  private static func directed(_ ring: [FixedCoordinate], isCounterclockwise: Bool) -> [FixedCoordinate] {
    // Wrapping sums: the total fits, even if partial sums do not.
    let doubledArea = ring.indices.dropFirst().dropLast().reduce(Int64(0)) {
      $0 &+ Edge(from: ring[0], to: ring[$1]).side(of: ring[$1 + 1])
    }
    return (doubledArea > 0) == isCounterclockwise ? ring : ring.reversed()
  }

  /// Whether a ring is inside another; they may touch. Nil if it is on it.
  private static func isInside(_ ring: [FixedCoordinate], _ outer: [FixedCoordinate]) -> Bool? {
    for point in ring {
      if let isInside = isInside(point, outer) { return isInside }
    }
    for (index, point) in ring.enumerated() {
      let next = ring[(index + 1) % ring.count]
      let middle = FixedCoordinate(
        longitude: Int32((Int64(point.longitude) + Int64(next.longitude)) / 2),
        latitude: Int32((Int64(point.latitude) + Int64(next.latitude)) / 2))
      if let isInside = isInside(middle, outer) { return isInside }
    }
    return nil
  }

  /// Nil if the point is on the ring.
  private static func isInside(_ point: FixedCoordinate, _ ring: [FixedCoordinate]) -> Bool? {
    var isInside = false
    for index in ring.indices {
      let edge = Edge(from: ring[index], to: ring[(index + 1) % ring.count])
      let side = edge.side(of: point)
      if side == 0 && (point == edge.from || edge.isBetween(point)) { return nil }
      // Edges upward from the point's latitude, or downward to it, that pass east of it.
      let (isFromAbove, isToAbove) = (edge.from.latitude > point.latitude, edge.to.latitude > point.latitude)
      if isFromAbove != isToAbove && (side > 0) == isToAbove { isInside.toggle() }
    }
    return isInside
  }
}
