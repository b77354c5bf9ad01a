import Geography

/// Where the search ends.
extension ObstacleSearch {
  /// Metres along the rest of a street to where the trip ends; nil where it does not lead there.
  func distanceToTarget(_ directed: DirectedStreet, from point: Int) -> Double? {
    switch target {
    case .main: return network.street(directed.street).flags.contains(.snappable) ? 0 : nil
    case .ways: return nil
    case .snap(let snap):
      return snap.positions.lazy.compactMap { position -> Double? in
        let segment = network.shape(of: position.street).lowerBound + position.segment
        guard position.street == directed.street, directed.isReversed ? segment < point : segment >= point else {
          return nil
        }
        let last = directed.isReversed ? segment + 1 : segment
        let passed = network.points[min(point, last)...max(point, last)]
        return Polyline(points: passed).length + network.points[last].distance(to: snap.point)
      }.first
    }
  }

  /// Whether the trip ends between two nodes that follow one another.
  func isTarget(_ a: UInt32, _ b: UInt32) -> Bool {
    guard case .snap(let snap) = target else { return false }
    return snap.positions.contains { position in
      let first = network.shape(of: position.street).lowerBound + position.segment
      guard let nodes = twoNodes([first, first + 1]) else { return false }
      return nodes == (a, b) || nodes == (b, a)
    }
  }

  func twoNodes(_ points: [Int]) -> (UInt32, UInt32)? {
    let nodes = points.compactMap { map.index(ofNode: network.pointNodes[$0]) }
    return nodes.count == 2 ? (nodes[0], nodes[1]) : nil
  }
}
