/// An area with holes, and the visible points from any point in it. Exact, in integers.
package struct VisibleArea: Sendable {
  /// The corners at which shortest paths end or bend.
  let corners: [Corner]
  let edges: [Edge]
  private let area: RingedArea

  /// `ends` are points of the rings.
  package init(_ area: RingedArea, ends: Set<FixedCoordinate>) {
    self.area = area
    edges = area.rings.flatMap { ring in ring.indices.map { Edge(from: ring[$0], to: ring[($0 + 1) % ring.count]) } }
    var corners = VisibleArea.corners(of: area)
    for index in corners.indices { corners[index].isEnd = ends.contains(corners[index].point) }
    corners.removeAll { !$0.isEnd && !$0.isReflex }
    self.corners = corners
  }

  /// The points of its corners: ends, and those at which shortest paths bend.
  package var points: [FixedCoordinate] { corners.map(\.point) }

  /// Whether a point lies inside, not on the outline.
  package func contains(_ point: FixedCoordinate) -> Bool { area.contains(point) }

  /// Whether a point is within the box of an edge, or at most `reach` outside; true for all points close to the
  /// outline.
  package func mayTouch(_ point: FixedCoordinate, within reach: Int32) -> Bool {
    edges.contains { edge in
      edge.west &- reach <= point.longitude && point.longitude <= edge.east &+ reach
        && edge.south &- reach <= point.latitude && point.latitude <= edge.north &+ reach
    }
  }

  /// The corners to which a shortest path from a point inside may lead first. *Complexity*: O(corners · edges).
  package func corners(seenFrom point: FixedCoordinate) -> [FixedCoordinate] {
    corners.lazy.filter { $0.mayLead(to: point) && isClear(Edge(from: point, to: $0.point)) }.map(\.point)
  }

  /// Whether the straight line between two points inside stays inside.
  package func isFree(from a: FixedCoordinate, to b: FixedCoordinate) -> Bool { isClear(Edge(from: a, to: b)) }

  /// Each point of the rings once, in order.
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

  /// Whether a line between two points that starts into the area at both ends stays inside and touches no corner.
  func isClear(_ line: Edge) -> Bool {
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
