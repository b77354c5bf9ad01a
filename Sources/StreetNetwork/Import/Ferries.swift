import COsmium

/// The connections of ferries and trains to streets: each line has a separate junction at a node, joined to the
/// streets' junction by a boarding piece. Boarding time is therefore added once per ride, wherever the trip started.
///
///     ───street───A  boarding  F───ferry───        the ferry calls at the pier: passengers who stay on board pass F
///                              └───ferry───
///
/// There is no boarding at a level crossing: streets and rails are not connected.
struct FerryTerminals {
  /// The terminals in use, in the order of the ways.
  private(set) var used: [FerryTerminal] = []
  private var indices: [Key: Int] = [:]
  /// By node: whether travellers can change there between a ferry and a street or another line; empty without ferries.
  private let isTerminal: [Bool]
  /// The nodes at which one way without a line continues as another.
  private var continued: Set<UInt32> = []
  private let levelCrossings: Set<UInt32>

  private struct Key: Hashable {
    var node: UInt32
    var line: Boarding.Line
  }

  init(_ map: OSMImport, _ runs: WayRuns) {
    levelCrossings = map.levelCrossings
    guard map.ways.contains(where: { $0.rules.boarding != nil }) else {
      isTerminal = []
      return
    }
    var isBoarded = [Bool](repeating: false, count: map.points.count)
    var isTerminal = isBoarded
    // The ways at each node. A way is listed once where it ends and twice where it passes through.
    var waysAtNodes: [UInt32: [Int]] = [:]
    for (index, way) in map.ways.enumerated() where way.rules.boarding != nil {
      for run in runs.bounds(ofWay: index) {
        let nodes = runs.nodes[run]
        for node in nodes.dropLast() { waysAtNodes[node, default: []].append(index) }
        for node in nodes.dropFirst() { waysAtNodes[node, default: []].append(index) }
      }
    }
    for (node, indices) in waysAtNodes {
      let ways = indices.map { map.ways[$0] }
      isBoarded[Int(node)] = true
      // Travellers change between lines where they meet, even without a street.
      guard Set(ways.map { $0.rules.boarding?.line ?? .way($0.id) }).count > 1 else { continue }
      let (first, last) = (ways[0].rules, ways[ways.count - 1].rules)
      if ways.count == 2, first.kind == last.kind, first.boarding == last.boarding, first.boarding?.line == nil {
        continued.insert(node)
      } else {
        isTerminal[Int(node)] = true
      }
    }
    for (index, way) in map.ways.enumerated() where way.rules.boarding == nil {
      for node in runs.nodes(ofWay: index) where isBoarded[Int(node)] { isTerminal[Int(node)] = true }
    }
    self.isTerminal = isTerminal
  }

  /// Returns whether a way has a separate junction at a node.
  func separates(_ way: OSMImport.Way, at node: UInt32) -> Bool { way.rules.boarding != nil && isTerminal[Int(node)] }

  /// Returns the junction of the way's line at a node; nil if there is none yet.
  func junction(of way: OSMImport.Way, at node: UInt32) -> UInt32? { indices[key(way, node)].map { used[$0].junction } }

  mutating func add(_ junction: UInt32, _ way: OSMImport.Way, at node: UInt32) {
    indices[key(way, node)] = used.count
    used.append(
      FerryTerminal(
        node: node, junction: junction, boarding: way.rules.boarding?.seconds ?? 0,
        isBoarded: !levelCrossings.contains(node)))
  }

  /// Records that `piece`, directed toward the node, ends there.
  mutating func add(_ piece: Piece, _ way: OSMImport.Way, at node: UInt32) {
    guard let index = indices[key(way, node)] else { return }
    if used[index].first == nil { used[index].first = piece }
    if !piece.flags.contains(.endsOnly) { used[index].isOpen = true }
  }

  private func key(_ way: OSMImport.Way, _ node: UInt32) -> Key {
    // No way of the map has this ID.
    Key(node: node, line: continued.contains(node) ? .way(0) : way.rules.boarding?.line ?? .way(way.id))
  }
}

/// A node where a line meets the streets or another line.
struct FerryTerminal {
  let node: UInt32
  let junction: UInt32
  /// Seconds for boarding, including waiting.
  let boarding: Double
  let isBoarded: Bool
  /// The first of the line's pieces that end at the node, directed toward the node.
  fileprivate(set) var first: Piece?
  /// Whether any piece is open to through traffic.
  fileprivate(set) var isOpen = false
}

/// Data from the route relations of ferries and car trains: the name, the duration of the whole trip, the interval
/// between departures, and the ways of each line.
struct FerryRoutes {
  private var routes: [Route] = []
  /// The index of the first route that contains each way.
  private var routesOfWays: [Int64: Int] = [:]

  private struct Route {
    var ways: [Int64] = []
    var name: String
    var duration: Double?
    var interval: Double?
  }

  /// Records a relation if it is a route.
  mutating func add(_ relation: COsmiumRelation) {
    let tags = Tags(relation.tags)
    guard tags["type"] == "route" else { return }
    var route = Route(
      name: tags["name"]?[...].trimmingSpaces ?? "", duration: tags["duration"].flatMap(durationSeconds),
      interval: tags["interval"].flatMap(durationSeconds))
    for member in UnsafeBufferPointer(start: relation.members, count: relation.member_count)
    where member.type == CChar(UInt8(ascii: "w")) && !isPlatformOrStop(String(cString: member.role)) {
      guard !route.ways.contains(member.ref) else { continue }
      route.ways.append(member.ref)
      if routesOfWays[member.ref] == nil { routesOfWays[member.ref] = routes.count }
    }
    routes.append(route)
  }

  private func isPlatformOrStop(_ role: String) -> Bool { role.hasPrefix("platform") || role.hasPrefix("stop") }

  /// Adds the data of routes to their ways. `length` returns the length of a way in metres; nil if part of it is not in
  /// the map.
  func complete(_ ways: inout [OSMImport.Way], length: (OSMImport.Way) -> Double?) {
    guard !routes.isEmpty else { return }
    var indices: [Int64: Int] = [:]
    for (index, way) in ways.enumerated() where way.rules.boarding != nil && routesOfWays[way.id] != nil {
      indices[way.id] = index
    }
    for (routeIndex, route) in routes.enumerated() {
      divideDuration(of: route, among: route.ways.map { indices[$0] }, of: &ways, length)
      for id in route.ways where routesOfWays[id] == routeIndex {
        guard let index = indices[id] else { continue }
        ways[index].rules.boarding?.line = .route(routeIndex)
        if ways[index].rules.name.isEmpty, ways[index].rules.ref.isEmpty { ways[index].rules.name = route.name }
        if let interval = route.interval, ways[index].rules.boarding?.isWaitingKnown == false {
          ways[index].rules.boarding?.setInterval(interval)
        }
      }
    }
  }

  /// Divides a route's duration among its ways without a duration, in proportion to their lengths.
  private func divideDuration(
    of route: Route, among members: [Int?], of ways: inout [OSMImport.Way], _ length: (OSMImport.Way) -> Double?
  ) {
    guard let duration = route.duration, !members.contains(nil) else { return }
    let members = members.compactMap(\.self)
    let remaining = duration - members.reduce(0) { $0 + (ways[$1].rules.duration ?? 0) }
    let untimed = members.filter { ways[$0].rules.duration == nil }
    let lengths = untimed.map { length(ways[$0]) }
    let total = lengths.reduce(0) { $0 + ($1 ?? 0) }
    guard remaining > 0, total > 0, !lengths.contains(nil) else { return }
    for (index, length) in zip(untimed, lengths) { ways[index].rules.duration = remaining * (length ?? 0) / total }
  }
}
