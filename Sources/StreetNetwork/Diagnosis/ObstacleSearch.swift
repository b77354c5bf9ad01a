import Geography
import Hierarchy

/// Dijkstra's search over the states of the network and over closed objects: ways that the network does not use in a
/// direction, missing turns, impassable points. Each of these costs more than the longest trip.
///
///     states  0 ..< stateCount                  states of the network, on open streets only
///     points  … + index of a node               behind an impassable point
///     ways    … + index of a reference          at a node of a closed way, travelling on it
struct ObstacleSearch {
  let map: MapStreets
  let network: StreetNetwork
  private let closed: Closure?
  let stateCount: Int
  let nodeCount: Int
  /// The references of ways that are closed in a direction, grouped by node.
  let closedAt: Grouped<UInt32>
  var wayOf: [UInt32]
  /// The streets of the network at nodes with closed objects.
  private var streetsAt: [UInt32: [(street: StreetID, point: Int)]] = [:]
  /// The node of each point of the network; the maximum value for points without closed objects.
  private var nodeOf: [UInt32]
  /// The cost of entering each closed way, computed on demand.
  var entryCosts: [Int: UInt64] = [:]
  private var heap = SearchHeap()
  private(set) var steps: [Int: Step] = [:]
  private var settled: Set<Int> = []
  private var targets: [UInt32: UInt32] = [:]
  private let destination: MapStreets.Endpoint
  /// The references on the nearest way to a destination that is not snapped.
  private var targetReferences: [Int] = []

  /// The cost of reaching a vertex in centimetres, the vertex before it, and the closed object passed in between.
  struct Step {
    var key: UInt64
    var from: Int
    var cause: Cause?
  }

  enum Cause {
    case way(Int, Direction, at: UInt32)
    case node(UInt32)
    case turn(DirectedStreet, DirectedStreet)
  }

  /// The cost of a closed object, in centimetres.
  static let obstacleCost = UInt64(1) << 40
  /// The additional cost of entering a way of an excluded class, in centimetres.
  static let otherClassSurcharge: UInt64 = 100_000
  /// The search radius in metres for the nearest way to a place that is not snapped.
  private static let limit = 1_000.0
  let end: Int

  init(_ map: MapStreets, to destination: MapStreets.Endpoint) {
    (self.map, self.destination) = (map, destination)
    (network, closed) = (map.network, map.network.closure(at: nil))
    stateCount = network.states.arcs.stateCount
    nodeCount = map.nodeCount
    end = stateCount + nodeCount + map.nodes.count
    wayOf = Array(repeating: 0, count: map.nodes.count)
    var references: [(node: UInt32, reference: UInt32)] = []
    for (index, way) in map.raw.ways.enumerated() {
      for reference in way.nodes {
        wayOf[reference] = UInt32(index)
        if map.uses[index] != 3 { references.append((map.nodes[reference], UInt32(reference))) }
      }
    }
    references.sort { $0.reference < $1.reference }
    closedAt = Grouped(nodeCount) { add in for item in references { add(item.node, item.reference) } }
    nodeOf = Array(repeating: .max, count: network.points.count)
    switch destination {
    case .main: break
    case .snap(let snap):
      for seed in network.targets(snap).seeds {
        targets[seed.state.index] = min(targets[seed.state.index] ?? .max, seed.weight.centimetres)
      }
    case .place(let place):
      let nearest = map.segments(near: place, within: ObstacleSearch.limit).prefix(1)
      targetReferences = nearest.flatMap { [$0.position, $0.position + 1] }
    }
    for street in (0..<network.streetCount).map({ StreetID($0) }) {
      for point in network.shape(of: street) {
        guard let node = map.index(ofNode: network.pointNodes[point]), hasObstacles(node) else { continue }
        nodeOf[point] = node
        streetsAt[node, default: []].append((street, point))
      }
    }
  }

  private func hasObstacles(_ node: UInt32) -> Bool { !closedAt[node].isEmpty || map.blocked.contains(node) }

  // MARK: Search

  mutating func run(from origin: MapStreets.Endpoint) -> (list: [Obstacle], metres: Double)? {
    defer { heap.deallocate() }
    start(at: origin)
    while let (key, index) = heap.popMin() {
      let at = Int(index)
      guard settled.insert(at).inserted else { continue }
      if at == end { return obstacles(key) }
      if at < stateCount {
        advance(fromState: UInt32(at), key)
      } else if at < stateCount + nodeCount {
        enterStreets(at: UInt32(at - stateCount), key, from: at)
        enterWays(at: UInt32(at - stateCount), key, from: at)
      } else {
        advance(onWay: at - stateCount - nodeCount, key, from: at)
      }
    }
    return nil
  }

  private mutating func start(at origin: MapStreets.Endpoint) {
    switch origin {
    case .main:
      for street in (0..<network.streetCount).map({ StreetID($0) })
      where network.street(street).flags.contains(.snappable) {
        for isReversed in [false, true] {
          let directed = DirectedStreet(street, isReversed: isReversed)
          guard network.isOpen(directed, nil) else { continue }
          pass(directed, from: nil, 0, from: -1)
          reach(network.states.start(of: directed), 0, from: -1)
        }
      }
    case .snap(let snap):
      if case .snap(let other) = destination, let direct = network.direct(snap, other) {
        reach(end, UInt64(direct.weight.centimetres), from: -1)
      }
      let seeds = network.sources(snap)
      for (index, seed) in seeds.seeds.enumerated() {
        let directed = seeds.streets[index]
        let position = seeds.position(ofSeed: index, snap)
        let point = network.shape(of: directed.street).lowerBound + position.segment + (directed.isReversed ? 0 : 1)
        let metres = seeds.isWhole[index] ? 0 : snap.point.distance(to: network.points[point])
        pass(directed, from: seeds.isWhole[index] ? nil : point, ObstacleSearch.centimetres(metres), from: -1)
        reach(Int(seed.state.index), UInt64(seed.weight.centimetres), from: -1)
      }
      for position in snap.positions { leave(position) }
    case .place(let place):
      guard let nearest = map.segments(near: place, within: ObstacleSearch.limit).first else { return }
      for reference in [nearest.position, nearest.position + 1] {
        reach(
          wayVertex(reference), entryCost(ofWay: nearest.way), from: -1,
          .way(nearest.way, reference == nearest.position ? .backward : .forward, at: map.nodes[reference]))
      }
    }
  }

  /// Enters the ways at the trip's start in the directions in which they are closed.
  private mutating func leave(_ position: StreetPosition) {
    let shape = network.shape(of: position.street)
    let points = [shape.lowerBound + position.segment, shape.lowerBound + position.segment + 1]
    guard let nodes = twoNodes(points) else { return }
    // Ways between these two nodes, in their closed direction.
    for reference in references(at: nodes.0) {
      for next in neighbours(reference) where map.nodes[next.reference] == nodes.1 {
        enter(next, at: nodes.0, 0, from: -1)
        for back in neighbours(next.reference) where back.reference == reference {
          enter(back, at: nodes.1, 0, from: -1)
        }
      }
    }
  }

  /// Continues along open streets, or leaves them.
  private mutating func advance(fromState state: UInt32, _ key: UInt64) {
    if let rest = targets[state] { reach(end, key + UInt64(rest), from: Int(state)) }
    for arc in network.states.arcs.arcs(from: StateID(state)) where closed?.contains(ArcID(arc)) != true {
      let directed = network.states.streets[arc]
      if case .main = destination, network.street(directed.street).flags.contains(.snappable) {
        reach(end, key, from: Int(state))
      }
      pass(directed, from: nil, key, from: Int(state))
      reach(
        Int(network.states.arcs.heads[arc]), key + UInt64(network.street(directed.street).centimetres), from: Int(state)
      )
    }
  }

  /// Travels along a street in one direction, from one of its points or, if nil, from its start: passes impassable
  /// points, enters closed ways, and makes the missing turns at its end.
  private mutating func pass(_ directed: DirectedStreet, from first: Int?, _ key: UInt64, from vertex: Int) {
    let shape = network.shape(of: directed.street)
    let points = network.points
    var metres = 0.0
    let order = directed.isReversed ? Array(shape.reversed()) : Array(shape)
    let start = first ?? order[0]
    var hasStarted = false
    for (index, point) in order.enumerated() {
      if point == start {
        hasStarted = true
      } else if hasStarted {
        metres += points[order[index - 1]].distance(to: points[point])
      }
      guard hasStarted, case let node = nodeOf[point], node != .max else { continue }
      let here = key + ObstacleSearch.centimetres(metres)
      if map.blocked.contains(node) {
        guard index > 0 else { continue }
        reach(stateCount + Int(node), here + ObstacleSearch.obstacleCost, from: vertex, .node(node))
      } else {
        enterWays(at: node, here, from: vertex)
      }
    }
    turn(from: directed, key + ObstacleSearch.centimetres(metres), from: vertex)
  }

  /// Makes the missing turns at the end of a street.
  private mutating func turn(from directed: DirectedStreet, _ key: UInt64, from vertex: Int) {
    let junction = network.streets.end(of: directed).junction
    let states = [false, true].flatMap { network.states.starts(of: directed, isEntering: $0).map(\.state) }
    for next in network.ends[junction] {
      guard next != directed.opposite, network.streets.isOpen(next) else { continue }
      let isOpen = states.contains { state in
        network.states.arcs.arcs(from: StateID(state)).contains {
          network.states.streets[$0] == next && closed?.contains(ArcID($0)) != true
        }
      }
      let isThrough = states.allSatisfy { state in
        network.states.arcs.arcs(from: StateID(state)).contains { network.states.streets[$0] == next }
      }
      guard !isOpen || !isThrough else { continue }
      enterStreet(next, from: nil, key + ObstacleSearch.obstacleCost, from: vertex, .turn(directed, next))
    }
  }

  /// Continues along a closed way.
  private mutating func advance(onWay reference: Int, _ key: UInt64, from vertex: Int) {
    let node = map.nodes[reference]
    if targetReferences.contains(reference) { reach(end, key, from: vertex) }
    let isBlocked = map.blocked.contains(node)
    let gate = isBlocked ? ObstacleSearch.obstacleCost : 0
    for next in neighbours(reference) where !map.isUsed(Int(wayOf[reference]), next.direction) {
      step(from: reference, to: next, key + gate, from: vertex, isBlocked ? .node(node) : nil)
    }
    guard !isBlocked else { return reach(stateCount + Int(node), key + gate, from: vertex, .node(node)) }
    enterStreets(at: node, key, from: vertex)
    enterWays(at: node, key, from: vertex)
  }

  /// Enters the open streets at a node.
  private mutating func enterStreets(at node: UInt32, _ key: UInt64, from vertex: Int) {
    for (street, point) in streetsAt[node] ?? [] {
      for isReversed in [false, true] {
        let directed = DirectedStreet(street, isReversed: isReversed)
        guard network.isOpen(directed, nil) else { continue }
        enterStreet(directed, from: point, key, from: vertex, nil)
      }
    }
  }

  private mutating func enterStreet(
    _ directed: DirectedStreet, from point: Int?, _ key: UInt64, from vertex: Int, _ cause: Cause?
  ) {
    let shape = network.shape(of: directed.street)
    let start = point ?? (directed.isReversed ? shape.upperBound - 1 : shape.lowerBound)
    guard start != (directed.isReversed ? shape.lowerBound : shape.upperBound - 1) else { return }
    if let metres = distanceToTarget(directed, from: start) {
      return reach(end, key + ObstacleSearch.centimetres(metres), from: vertex, cause)
    }
    let rest = directed.isReversed ? shape.lowerBound..<start + 1 : start..<shape.upperBound
    let metres = zip(rest, rest.dropFirst()).reduce(0) { $0 + network.points[$1.0].distance(to: network.points[$1.1]) }
    guard let state = network.states.start(of: directed) else { return }
    reach(Int(state), key + ObstacleSearch.centimetres(metres), from: vertex, cause)
  }

  /// Enters the closed ways at a node.
  private mutating func enterWays(at node: UInt32, _ key: UInt64, from vertex: Int) {
    for reference in references(at: node) {
      for next in neighbours(Int(reference)) { enter(next, at: node, key, from: vertex) }
    }
  }

  private mutating func enter(_ next: Neighbour, at node: UInt32, _ key: UInt64, from vertex: Int) {
    let way = Int(wayOf[next.reference])
    guard !map.isUsed(way, next.direction) else { return }
    step(
      from: next.direction == .forward ? next.reference - 1 : next.reference + 1, to: next, key + entryCost(ofWay: way),
      from: vertex, .way(way, next.direction, at: node))
  }

  private mutating func step(
    from reference: Int, to next: Neighbour, _ key: UInt64, from vertex: Int, _ cause: Cause?
  ) {
    guard let a = map.point(map.nodes[reference]), let b = map.point(map.nodes[next.reference]) else { return }
    let key = key + ObstacleSearch.centimetres(a.distance(to: b))
    if isTarget(map.nodes[reference], map.nodes[next.reference]) { reach(end, key, from: vertex, cause) }
    reach(wayVertex(next.reference), key, from: vertex, cause)
  }

  // MARK: Vertices

  private mutating func reach(_ state: UInt32?, _ key: UInt64, from vertex: Int) {
    if let state { reach(Int(state), key, from: vertex) }
  }

  private mutating func reach(_ vertex: Int, _ key: UInt64, from: Int, _ cause: Cause? = nil) {
    guard key < steps[vertex]?.key ?? .max else { return }
    steps[vertex] = Step(key: key, from: from, cause: cause)
    heap.push(key: key, state: UInt32(vertex))
  }
}

/// Traversal of closed ways.
extension ObstacleSearch {
  typealias Neighbour = (reference: Int, direction: Direction)

  func neighbours(_ reference: Int) -> [Neighbour] {
    let nodes = map.raw.ways[Int(wayOf[reference])].nodes
    var neighbours: [Neighbour] = []
    if reference + 1 < nodes.upperBound { neighbours.append((reference + 1, .forward)) }
    if reference > nodes.lowerBound { neighbours.append((reference - 1, .backward)) }
    return neighbours
  }

  func references(at node: UInt32) -> [Int] { closedAt[node].map { Int($0) } }

  func wayVertex(_ reference: Int) -> Int { stateCount + nodeCount + reference }

  mutating func entryCost(ofWay way: Int) -> UInt64 {
    guard map.uses[way] == 0 else { return ObstacleSearch.obstacleCost }
    if let known = entryCosts[way] { return known }
    let isClass = network.profile.isClosedByClass(map.raw.tagList(of: map.raw.ways[way]))
    let cost = ObstacleSearch.obstacleCost + (isClass ? ObstacleSearch.otherClassSurcharge : 0)
    entryCosts[way] = cost
    return cost
  }

  static func centimetres(_ metres: Double) -> UInt64 { UInt64((metres * 100).rounded()) }
}

/// The destination of the trip.
extension ObstacleSearch {
  /// Returns the distance in metres from a point of a street to the trip's end, in the direction of travel; nil if the
  /// end is not ahead on this street.
  func distanceToTarget(_ directed: DirectedStreet, from point: Int) -> Double? {
    switch destination {
    case .main: return network.street(directed.street).flags.contains(.snappable) ? 0 : nil
    case .place: return nil
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

  /// Returns whether the trip ends between two consecutive nodes.
  func isTarget(_ a: UInt32, _ b: UInt32) -> Bool {
    guard case .snap(let snap) = destination else { return false }
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
