import COsmium

/// Data from the route relations of ferries and car trains: the duration of the whole trip, the interval between
/// departures, and the ways of each line.
struct FerryRoutes {
  private var routes: [Route] = []
  /// The index of the first route that contains each way.
  private var routesOfWays: [Int64: Int] = [:]

  private struct Route {
    var ways: [Int64] = []
    var duration: Double?
    var interval: Double?
  }

  /// Records a relation if it is a route.
  mutating func add(_ relation: COsmiumRelation) {
    let tags = Tags(relation.tags)
    guard tags["type"] == "route" else { return }
    var route = Route(
      duration: tags["duration"].flatMap(durationSeconds), interval: tags["interval"].flatMap(durationSeconds))
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
