/// Lines of sight in an area with holes: those that a shortest path between some of its points may use.
///
///     e────────────┐
///     │ `. ┌──┐    │      e and f are ends; a shortest path bends at inward corners, so it needs
///     │   `c  │    │      the lines from e to c and from c to f
///     │    └──┘`.  │
///     └───────────`f
///
/// The outline itself is not included: its owner adds the lines along it. All tests are exact, in integers, so the
/// answer is the same on every machine. *Complexity*: O(n²·m) for n ends and corners, and m edges.
package struct VisibilityGraph {
  package typealias Line = (from: FixedCoordinate, to: FixedCoordinate)
  package let lines: [Line]

  /// Why an area has no lines.
  package enum Failure: Error {
    case tooManyCorners
    /// Its outline crosses itself.
    case broken
  }

  /// `ends` are points of the rings. The total number of ends and inward corners must not exceed `limit`.
  package init(_ area: RingedArea, ends: Set<FixedCoordinate>, limit: Int) throws(Failure) {
    guard area.edgeCount <= VisibilityGraph.mostEdges else { throw .tooManyCorners }
    let area = VisibleArea(area, ends: ends)
    let (corners, edges) = (area.corners, area.edges)
    guard corners.count <= limit else { throw .tooManyCorners }
    guard !crossesItself(edges) else { throw .broken }
    var lines: [Line] = []
    for (index, corner) in corners.enumerated() {
      for other in corners[(index + 1)...] where corner.mayLead(to: other) && other.mayLead(to: corner) {
        if area.isClear(Edge(from: corner.point, to: other.point)) { lines.append((corner.point, other.point)) }
      }
    }
    self.lines = lines
  }

  /// More than any area that is walked across; limits the time for a hostile map.
  private static let mostEdges = 10_000
}

/// A point of the rings, with all rings that go through it.
struct Corner {
  let point: FixedCoordinate
  var bends: [Bend]
  var isEnd = false

  /// Whether a shortest path may bend here.
  var isReflex: Bool { bends.contains(where: \.isReflex) }

  /// Whether a shortest path may use the line to another corner, judging from here.
  func mayLead(to other: Corner) -> Bool { mayLead(to: other.point) }

  /// The same for any point.
  func mayLead(to point: FixedCoordinate) -> Bool {
    guard bends.allSatisfy({ $0.isInside(point) && !$0.isOutline(point) }) else { return false }
    // A path that bends here touches the corner. Where rings touch, and at an end, it may go anywhere.
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

  /// Whether the direction toward `point` leads into the area, or along its outline.
  func isInside(_ point: FixedCoordinate) -> Bool {
    let isLeftOfIncoming = Edge(from: before, to: at).side(of: point) >= 0
    let isLeftOfOutgoing = Edge(from: at, to: after).side(of: point) >= 0
    return isReflex ? isLeftOfIncoming || isLeftOfOutgoing : isLeftOfIncoming && isLeftOfOutgoing
  }

  func isOutline(_ point: FixedCoordinate) -> Bool { point == before || point == after }

  /// Whether the line from `point`, extended, leaves the outline on one side.
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
