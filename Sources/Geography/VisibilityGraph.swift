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
    let edges = area.rings.flatMap { ring in
      ring.indices.map { Edge(from: ring[$0], to: ring[($0 + 1) % ring.count]) }
    }
    var corners = VisibilityGraph.corners(of: area)
    for index in corners.indices { corners[index].isEnd = ends.contains(corners[index].point) }
    corners.removeAll { !$0.isEnd && !$0.isReflex }
    guard corners.count <= limit else { throw .tooManyCorners }
    guard !crossesItself(edges) else { throw .broken }
    var lines: [Line] = []
    for (index, corner) in corners.enumerated() {
      for other in corners[(index + 1)...] where corner.mayLead(to: other) && other.mayLead(to: corner) {
        if VisibilityGraph.isClear(Edge(from: corner.point, to: other.point), among: edges) {
          lines.append((corner.point, other.point))
        }
      }
    }
    self.lines = lines
  }

  /// Nothing that is walked across has more; a bound on the time that a hostile map can take.
  private static let mostEdges = 10_000

  /// Each point of the rings once, in their order.
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

  /// Whether the line between two corners, which leaves both into the area, stays in it, and touches no corner between.
  private static func isClear(_ line: Edge, among edges: [Edge]) -> Bool {
    for edge in edges where edge.mayMeet(line) {
      let (from, to) = (line.side(of: edge.from), line.side(of: edge.to))
      if from == 0 && line.isBetween(edge.from) { return false }
      guard from.signum() * to.signum() < 0 else { continue }
      let (atFrom, atTo) = (edge.side(of: line.from).signum(), edge.side(of: line.to).signum())
      // The inside is to the left of each edge; a corner that touches an edge of another ring must not look through it.
      if atFrom * atTo < 0 || (atFrom == 0 && atTo < 0) || (atTo == 0 && atFrom < 0) { return false }
    }
    return true
  }
}

/// A point of the rings, with all rings that go through it.
private struct Corner {
  let point: FixedCoordinate
  var bends: [Bend]
  var isEnd = false

  /// Whether a shortest path may bend here.
  var isReflex: Bool { bends.contains(where: \.isReflex) }

  /// Whether a shortest path may follow the line to another corner, as far as that is seen from here.
  func mayLead(to other: Corner) -> Bool {
    guard bends.allSatisfy({ $0.isInside(other.point) && !$0.isOutline(other.point) }) else { return false }
    // A path that bends here lies against the corner. Where rings touch, and at an end, it may go anywhere.
    return isEnd || bends.count > 1 || bends[0].isTouched(by: other.point)
  }
}

/// A ring at one of its points, with the area to its left.
private struct Bend {
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
