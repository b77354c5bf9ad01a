/// Lines of sight in an area with holes: those that a shortest path between some of its points may follow.
///
///     e────────────┐
///     │ `. ┌──┐    │      e and f are ends; a shortest path bends at corners that stick into the area, so a line is
///     │   `c  │    │      needed from e to c, and from c to f
///     │    └──┘`.  │
///     └───────────`f
///
/// The outline itself is not among them: lines along it are left to whoever has the outline. All tests are exact, in whole
/// numbers, so that the answer is the same on every machine. *Complexity*: O(n²·m) of n ends and corners, m edges.
package struct VisibilityGraph {
  package typealias Line = (from: FixedCoordinate, to: FixedCoordinate)
  package let lines: [Line]

  /// Why an area has no lines.
  package enum Failure: Error {
    case tooManyCorners
    /// Its outline crosses itself.
    case broken
  }

  /// `ends` are points of the rings. At most `limit` of them and of the corners that stick into the area are allowed.
  package init(_ area: RingedArea, ends: Set<FixedCoordinate>, limit: Int) throws(Failure) {
    guard area.edgeCount <= VisibilityGraph.mostEdges else { throw .tooManyCorners }
    let area = VisibleArea(area, ends: ends)
    let (corners, edges) = (area.corners, area.edges)
    guard corners.count <= limit else { throw .tooManyCorners }
    guard !crossesItself(edges) else { throw .broken }
    var lines: [Line] = []
    for (index, corner) in corners.enumerated() {
      for other in corners[(index + 1)...] where corner.mayLead(to: other) && other.mayLead(to: corner) {
        if area.isClear(Edge(from: corner.point, to: other.point)) {
          lines.append((corner.point, other.point))
        }
      }
    }
    self.lines = lines
  }

  /// Nothing that is walked across has more; a bound on the time that a hostile map can take.
  private static let mostEdges = 10_000
}

/// A point of the rings, with all rings that go through it.
struct Corner {
  let point: FixedCoordinate
  var bends: [Bend]
  var isEnd = false

  /// Whether a shortest path may bend here.
  var isReflex: Bool { bends.contains(where: \.isReflex) }

  /// Whether a shortest path may follow the line to another corner, as far as that is seen from here.
  func mayLead(to other: Corner) -> Bool { mayLead(to: other.point) }

  /// The same for any point.
  func mayLead(to point: FixedCoordinate) -> Bool {
    guard bends.allSatisfy({ $0.isInside(point) && !$0.isOutline(point) }) else { return false }
    // A path that bends here lies against the corner. Where rings touch, and at an end, it may go anywhere.
    return isEnd || bends.count > 1 || bends[0].isTouched(by: point)
  }
}

/// A ring at one of its points, with the area to its left.
struct Bend {
  let before: FixedCoordinate
  let at: FixedCoordinate
  let after: FixedCoordinate

  /// Whether the area takes more than half of the surroundings.
  var isReflex: Bool { Edge(from: before, to: at).side(of: after) < 0 }

  /// Whether one looks into the area, or along its outline, toward `point`.
  func isInside(_ point: FixedCoordinate) -> Bool {
    let isLeftOfIncoming = Edge(from: before, to: at).side(of: point) >= 0
    let isLeftOfOutgoing = Edge(from: at, to: after).side(of: point) >= 0
    return isReflex ? isLeftOfIncoming || isLeftOfOutgoing : isLeftOfIncoming && isLeftOfOutgoing
  }

  func isOutline(_ point: FixedCoordinate) -> Bool { point == before || point == after }

  /// Whether the line from `point`, drawn further, leaves the outline on one side.
  func isTouched(by point: FixedCoordinate) -> Bool {
    let line = Edge(from: point, to: at)
    return line.side(of: before).signum() * line.side(of: after).signum() >= 0
  }
}

/// Whether two of the edges cross, other than by touching.
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
