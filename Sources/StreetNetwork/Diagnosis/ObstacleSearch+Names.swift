import Geography
import Hierarchy

extension ObstacleSearch {
  func obstacles(_ key: UInt64) -> (list: [Obstacle], metres: Double) {
    var causes: [Cause] = []
    var at = end
    while at >= 0, let step = steps[at] {
      if let cause = step.cause { causes.append(cause) }
      at = step.from
    }
    let list = causes.reversed().map(obstacle)
    let surcharges = causes.reduce(UInt64(0)) { sum, cause in
      if case .way(let way, _, _) = cause {
        sum + (entryCosts[way] ?? ObstacleSearch.obstacleCost) - ObstacleSearch.obstacleCost
      } else {
        sum
      }
    }
    return (list, Double(key % ObstacleSearch.obstacleCost - surcharges) / 100)
  }

  private func obstacle(_ cause: Cause) -> Obstacle {
    switch cause {
    case .way(let way, let direction, let node):
      let tags = map.raw.tagList(of: map.raw.ways[way])
      return Obstacle(
        id: "way/\(map.raw.ways[way].id)", name: tags["name"] ?? "",
        cause: network.profile.cause(closing: tags, map.uses[way] == 0 ? nil : direction), point: map.point(node)!)
    case .node(let node): return barrier(node)
    case .turn(let from, let to): return turn(from, to)
    }
  }

  private func barrier(_ node: UInt32) -> Obstacle {
    Obstacle(
      id: "node/\(map.id(ofNode: node))", name: "",
      cause: map.barriers[node].map(network.profile.cause(closingPoint:)) ?? "", point: map.point(node)!)
  }

  private func turn(_ from: DirectedStreet, _ to: DirectedStreet) -> Obstacle {
    let shape = network.shape(of: to.street)
    let point = to.isReversed ? shape.upperBound - 1 : shape.lowerBound
    let node = network.pointNodes[point]
    let index = map.index(ofNode: node)
    if network.street(to.street).flags.contains(.gate) || network.street(from.street).flags.contains(.gate), let index,
      map.barriers[index] != nil
    {
      return barrier(index)
    }
    let (before, after) = (way(of: from, atEnd: true), way(of: to, atEnd: false))
    let relation = map.restrictions.first { $0.turn.forbids(before, after, at: node) }
    if let relation {
      return Obstacle(id: "relation/\(relation.id)", name: "", cause: relation.tag, point: network.points[point])
    }
    return street(from, before, to, after, at: node, network.points[point])
  }

  /// Returns the obstacle to a turn that no relation forbids: a closed or restricted way, otherwise the junction.
  private func street(
    _ from: DirectedStreet, _ before: Int64?, _ to: DirectedStreet, _ after: Int64?, at node: Int64,
    _ point: FixedCoordinate
  ) -> Obstacle {
    func obstacle(_ way: Int64?, _ cause: (TagList) -> String) -> Obstacle? {
      guard let way, let known = map.raw.ways.first(where: { $0.id == way }) else { return nil }
      let tags = map.raw.tagList(of: known)
      return Obstacle(id: "way/\(way)", name: tags["name"] ?? "", cause: cause(tags), point: point)
    }
    let isClosed = !network.isOpen(to, nil)
    let isPrivate = network.street(from.street).flags.contains(.endsOnly)
    let known =
      isClosed
      ? obstacle(after) { network.profile.cause(closing: $0, nil) }
      : isPrivate
        ? obstacle(before) { "\(network.profile.cause(ofEndsOnly: $0)): only for trips that start or end there" } : nil
    let ways = [before, after].compactMap(\.self).map { "way/\($0)" }.joined(separator: " into ")
    return known ?? Obstacle(id: "node/\(node)", name: "", cause: "no turn from \(ways)", point: point)
  }

  private func way(of directed: DirectedStreet, atEnd: Bool) -> Int64? {
    let parts = network.parts(of: directed.street)
    return (atEnd == directed.isReversed ? parts.first : parts.last)?.way
  }
}

extension TurnRestriction {
  /// Returns whether the restriction forbids a turn from one way into another at a node.
  fileprivate func forbids(_ before: Int64?, _ after: Int64?, at node: Int64) -> Bool {
    guard let before, let after else { return false }
    let isLast: Bool
    switch via {
    case .node(let id): isLast = id == node && from.contains(before)
    case .ways(let ways): isLast = kind.isOnly ? ways.contains(before) && !ways.contains(after) : ways.last == before
    }
    return isLast && (kind.isOnly ? !to.contains(after) : to.contains(after))
  }
}

/// An object of the map that blocks trips: a way, a node or a turn restriction.
package struct Obstacle: Sendable, Hashable {
  /// The ID as in OpenStreetMap's URLs: "way/45", "node/6", "relation/7".
  package var id: String
  package var name: String
  /// The reason, such as the tag `access=private`.
  package var cause: String
  /// The point where a trip would reach the object.
  package var point: FixedCoordinate
}
