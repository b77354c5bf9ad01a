/// Closed ways, as the search goes along them.
extension ObstacleSearch {
  struct Neighbour {
    var reference: Int
    var direction: Direction
  }

  func neighbours(_ reference: Int) -> [Neighbour] {
    let nodes = map.raw.ways[Int(wayOf[reference])].nodes
    var neighbours: [Neighbour] = []
    if reference + 1 < nodes.upperBound { neighbours.append(Neighbour(reference: reference + 1, direction: .forward)) }
    if reference > nodes.lowerBound { neighbours.append(Neighbour(reference: reference - 1, direction: .backward)) }
    return neighbours
  }

  /// Those at a node, on ways that are closed.
  func references(at node: UInt32) -> [Int] {
    closedAt[Int(firstAt[Int(node)])..<Int(firstAt[Int(node) + 1])].map { Int($0) }
  }

  func wayVertex(_ reference: Int) -> Int { stateCount + nodeCount + reference }

  mutating func price(ofWay way: Int) -> UInt64 {
    guard map.uses[way] == 0 else { return ObstacleSearch.closure }
    if let known = prices[way] { return known }
    let isClass = network.profile.isClosedByClass(map.raw.tagList(of: map.raw.ways[way]))
    let price = ObstacleSearch.closure + (isClass ? ObstacleSearch.otherClass : 0)
    prices[way] = price
    return price
  }

  static func centimetres(_ metres: Double) -> UInt64 { UInt64((metres * 100).rounded()) }
}
