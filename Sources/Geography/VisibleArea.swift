/// An area with holes, the points visible from any point in it, and the lines of sight that a shortest path between
/// given points may use.
///
///     e────────────┐
///     │ `. ┌──┐    │      e and f are ends; a shortest path bends at inward corners, so it needs
///     │   `c  │    │      the lines from e to c and from c to f
///     │    └──┘`.  │
///     └───────────`f
///
/// Lines along the outline are not included: the caller adds them. All tests are exact, in integers, so the
/// result is the same on every machine.
package struct VisibleArea: Sendable {
  /// The corners at which shortest paths end or bend.
  let corners: [Corner]
  let edges: [Edge]
  private let area: RingedArea

  /// Creates the area. `ends` are points of the rings.
  package init(_ area: RingedArea, ends: Set<FixedCoordinate>) {
    self.area = area
    edges = area.rings.flatMap { ring in ring.indices.map { Edge(from: ring[$0], to: ring[($0 + 1) % ring.count]) } }
    var corners = VisibleArea.corners(of: area)
    for index in corners.indices { corners[index].isEnd = ends.contains(corners[index].point) }
    corners.removeAll { !$0.isEnd && !$0.isReflex }
    self.corners = corners
  }

  /// The reason why lines of sight cannot be computed.
  package enum Failure: Error {
    case tooManyCorners
    /// The outline crosses itself.
    case broken
  }

  /// Returns the lines of sight between ends and inward corners, of which there must be at most `limit` together.
  /// *Complexity*: O(n²·m) for n ends and corners, and m edges.
  package func linesOfSight(limit: Int) throws(Failure) -> [(from: FixedCoordinate, to: FixedCoordinate)] {
    guard edges.count <= VisibleArea.maximumEdges, corners.count <= limit else { throw .tooManyCorners }
    guard !crossesItself(edges) else { throw .broken }
    var lines: [(from: FixedCoordinate, to: FixedCoordinate)] = []
    for (index, corner) in corners.enumerated() {
      for other in corners[(index + 1)...] where corner.mayLead(to: other.point) && other.mayLead(to: corner.point) {
        if isFree(from: corner.point, to: other.point) { lines.append((corner.point, other.point)) }
      }
    }
    return lines
  }

  /// More edges than any area crossed on foot has; limits the time for a malicious map.
  private static let maximumEdges = 10_000
}

/// A point of the rings, with all rings that go through it.
struct Corner {
  let point: FixedCoordinate
  var bends: [Bend]
  var isEnd = false

  /// Whether a shortest path may bend here.
  var isReflex: Bool { bends.contains(where: \.isReflex) }

  /// Returns whether a shortest path may use the line to a point, judging by this corner alone.
  func mayLead(to point: FixedCoordinate) -> Bool {
    guard bends.allSatisfy({ $0.isInside(point) && !$0.isOutline(point) }) else { return false }
    // A path that bends here touches the corner. Where rings touch, and at an end, it may continue in any direction.
    return isEnd || bends.count > 1 || bends[0].isTouched(by: point)
  }
}

/// A ring at one of its points, with the area to its left.
struct Bend {
  let before: FixedCoordinate
  let at: FixedCoordinate
  let after: FixedCoordinate

  /// Whether the area's interior angle exceeds 180 degrees here.
  var isReflex: Bool { Edge(from: before, to: at).side(of: after) < 0 }

  /// Returns whether the direction toward `point` leads into the area or along its outline.
  func isInside(_ point: FixedCoordinate) -> Bool {
    let isLeftOfIncoming = Edge(from: before, to: at).side(of: point) >= 0
    let isLeftOfOutgoing = Edge(from: at, to: after).side(of: point) >= 0
    return isReflex ? isLeftOfIncoming || isLeftOfOutgoing : isLeftOfIncoming && isLeftOfOutgoing
  }

  func isOutline(_ point: FixedCoordinate) -> Bool { point == before || point == after }

  /// Returns whether the line from `point`, extended, keeps the outline on one side.
  func isTouched(by point: FixedCoordinate) -> Bool {
    let line = Edge(from: point, to: at)
    return line.side(of: before).signum() * line.side(of: after).signum() >= 0
  }
}

/// Returns whether any two edges cross; touching does not count.
private func crossesItself(_ edges: [Edge]) -> Bool {
  let sorted = edges.sorted { $0.west < $1.west }
  for (index, edge) in sorted.enumerated() {
    for other in sorted[(index + 1)...] {
      if other.west >= edge.east { break }
      guard edge.mayMeet(other) else { continue }
      if edge.side(of: other.from).signum() * edge.side(of: other.to).signum() < 0,
        other.side(of: edge.from).signum() * other.side(of: edge.to).signum() < 0
      {
        return true
      }
    }
  }
  return false
}

/// A straight segment between two points, in the plane of longitude and latitude.
package struct Edge {
  package let from: FixedCoordinate
  package let to: FixedCoordinate

  package init(from: FixedCoordinate, to: FixedCoordinate) { (self.from, self.to) = (from, to) }

  var west: Int32 { min(from.longitude, to.longitude) }
  var east: Int32 { max(from.longitude, to.longitude) }
  var south: Int32 { min(from.latitude, to.latitude) }
  var north: Int32 { max(from.latitude, to.latitude) }

  /// Returns the side on which a point lies: positive to the left, negative to the right, zero on the line. Exact
  /// within a hemisphere.
  package func side(of point: FixedCoordinate) -> Int64 {
    let (x, y) = (Int64(to.longitude) - Int64(from.longitude), Int64(to.latitude) - Int64(from.latitude))
    let (px, py) = (Int64(point.longitude) - Int64(from.longitude), Int64(point.latitude) - Int64(from.latitude))
    return x * py - y * px
  }

  /// Returns whether a point on the edge's line lies between its ends.
  func isBetween(_ point: FixedCoordinate) -> Bool {
    point != from && point != to && west <= point.longitude && point.longitude <= east && south <= point.latitude
      && point.latitude <= north
  }

  /// Returns whether the bounding boxes of the edges intersect.
  func mayMeet(_ other: Edge) -> Bool {
    west <= other.east && other.west <= east && south <= other.north && other.south <= north
  }
}

extension VisibleArea {
  /// The points of its corners: ends, and corners at which shortest paths bend.
  package var points: [FixedCoordinate] { corners.map(\.point) }

  /// The points of its rings.
  package var outline: some Sequence<FixedCoordinate> { area.rings.joined() }

  /// Returns whether a point lies inside, not on the outline.
  package func contains(_ point: FixedCoordinate) -> Bool { area.contains(point) }

  /// Returns whether a point is within the bounding box of an edge, or at most `reach` (in 1e-7 degrees) outside it;
  /// true for all points this close to the outline.
  package func mayTouch(_ point: FixedCoordinate, within reach: Int32) -> Bool {
    edges.contains { edge in
      edge.west &- reach <= point.longitude && point.longitude <= edge.east &+ reach
        && edge.south &- reach <= point.latitude && point.latitude <= edge.north &+ reach
    }
  }

  /// Returns the possible first corners of shortest paths from a point inside. *Complexity*: O(corners · edges).
  package func corners(seenFrom point: FixedCoordinate) -> [FixedCoordinate] {
    corners.lazy.filter { $0.mayLead(to: point) && isClear(Edge(from: point, to: $0.point)) }.map(\.point)
  }

  /// Returns whether the straight line between two points of the area stays inside and touches no corner between them.
  package func isFree(from a: FixedCoordinate, to b: FixedCoordinate) -> Bool { isClear(Edge(from: a, to: b)) }

  /// Returns the point at which a straight line, from a point inside or from a corner, first meets the outline; the end
  /// of the line if it stays inside, and nil if it leaves the area at its start.
  package func end(of line: Edge) -> FixedCoordinate? {
    let corner = corners.first { $0.point == line.from }
    guard corner?.bends.allSatisfy({ $0.isInside(line.to) }) != false else { return nil }
    var part = 1.0
    for edge in edges where edge.mayMeet(line) {
      guard line.side(of: edge.from).signum() * line.side(of: edge.to).signum() <= 0 else { continue }
      // The inside is to the left of each edge.
      let (start, end) = (edge.side(of: line.from), edge.side(of: line.to))
      if start == 0, end < 0, edge.isBetween(line.from) { return nil }
      if start > 0 && end <= 0 { part = min(part, Double(start) / (Double(start) - Double(end))) }
    }
    return line.from.towards(line.to, part)
  }

  /// Returns one corner per distinct point of the rings, in order.
  private static func corners(of area: RingedArea) -> [Corner] {
    var corners: [Corner] = []
    var known: [FixedCoordinate: Int] = [:]
    for ring in area.rings {
      for (index, point) in ring.enumerated() {
        let bend = Bend(
          before: ring[(index + ring.count - 1) % ring.count], at: point, after: ring[(index + 1) % ring.count])
        if let corner = known[point] {
          corners[corner].bends.append(bend)
        } else {
          known[point] = corners.count
          corners.append(Corner(point: point, bends: [bend]))
        }
      }
    }
    return corners
  }

  /// Returns whether a line between two points that leads into the area at both ends stays inside and touches no
  /// corner.
  func isClear(_ line: Edge) -> Bool {
    for edge in edges where edge.mayMeet(line) {
      let (from, to) = (line.side(of: edge.from), line.side(of: edge.to))
      if from == 0 && line.isBetween(edge.from) { return false }
      guard from.signum() * to.signum() < 0 else { continue }
      let (atFrom, atTo) = (edge.side(of: line.from).signum(), edge.side(of: line.to).signum())
      // The inside is to the left of each edge; the view from a corner that touches an edge of another ring must not
      // pass through that edge.
      if atFrom * atTo < 0 || (atFrom == 0 && atTo < 0) || (atTo == 0 && atFrom < 0) { return false }
    }
    return true
  }
}

/// The area within a ring of points, minus its holes.
///
/// The first ring is counterclockwise, the holes are clockwise: the area is to the left of every edge. No ring repeats
/// its first point.
package struct RingedArea: Sendable {
  package let rings: [[FixedCoordinate]]

  /// Creates an area from rings in these directions.
  package init(rings: [[FixedCoordinate]]) { self.rings = rings }

  /// Returns whether a point is inside, and not on a ring.
  package func contains(_ point: FixedCoordinate) -> Bool {
    rings.indices.allSatisfy { RingedArea.isInside(point, rings[$0]) == ($0 == 0) }
  }

  /// Returns the areas enclosed by rings in any order and direction: a ring inside a ring is a hole, a ring inside a
  /// hole is a separate area. Nil if two rings coincide, or if the rings span more than about 107 degrees. Crossing
  /// rings are not detected; `linesOfSight` reports them.
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
    // The ring directly around a ring is the enclosing one with the most rings around it.
    let next = around.map { outer in outer.max { around[$0].count < around[$1].count } }
    return rings.indices.filter { around[$0].count.isMultiple(of: 2) }.map { outer in
      let holes = rings.indices.filter { next[$0] == outer && !around[$0].count.isMultiple(of: 2) }
      return RingedArea(
        rings: [directed(rings[outer], isCounterclockwise: true)]
          + holes.map { directed(rings[$0], isCounterclockwise: false) })
    }
  }

  private static func directed(_ ring: [FixedCoordinate], isCounterclockwise: Bool) -> [FixedCoordinate] {
    // Wrapping sums: the total fits even if partial sums do not.
    let doubledArea = ring.indices.dropFirst().dropLast().reduce(Int64(0)) {
      $0 &+ Edge(from: ring[0], to: ring[$1]).side(of: ring[$1 + 1])
    }
    return (doubledArea > 0) == isCounterclockwise ? ring : ring.reversed()
  }

  /// Returns whether a ring is inside another; they may touch. Nil if they coincide.
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

  /// Returns whether a point is inside a ring; nil if it is on the ring.
  private static func isInside(_ point: FixedCoordinate, _ ring: [FixedCoordinate]) -> Bool? {
    var isInside = false
    for index in ring.indices {
      let edge = Edge(from: ring[index], to: ring[(index + 1) % ring.count])
      let side = edge.side(of: point)
      if side == 0 && (point == edge.from || edge.isBetween(point)) { return nil }
      // Edges that cross the point's latitude to the east of it.
      let (isFromAbove, isToAbove) = (edge.from.latitude > point.latitude, edge.to.latitude > point.latitude)
      if isFromAbove != isToAbove && (side > 0) == isToAbove { isInside.toggle() }
    }
    return isInside
  }
}
