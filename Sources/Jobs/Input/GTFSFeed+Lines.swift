extension GTFSFeed {
  /// The lines that call at each stop, by the stop's id; only those of `types`, if any are named. Empty where the feed
  /// says nothing of trips. *Throws*: `InputError`.
  func lines(of types: Set<RouteType>?) throws -> [String: Set<String>] {
    let names = ["routes.txt", "trips.txt", "stop_times.txt"]
    guard let routes = try bytes(of: names[0]), let trips = try bytes(of: names[1]),
      let stopTimes = try bytes(of: names[2])
    else {
      guard types != nil else { return [:] }
      throw InputError(file: path, problem: "routeTypes needs \(names.joined(separator: ", ")); the zip lacks one")
    }
    var lines: [String: String] = [:]
    try forEachRow(routes, names[0], ["route_id", "route_type"], ["route_short_name", "route_long_name"]) { fields in
      if let types, Int(fields[1]).flatMap(RouteType.init(code:)).map(types.contains) != true { return }
      lines[fields[0]] = fields[2...].first { !$0.isEmpty } ?? fields[0]
    }
    var linesOfTrips: [String: String] = [:]
    try forEachRow(trips, names[1], ["trip_id", "route_id"]) { fields in linesOfTrips[fields[0]] = lines[fields[1]] }
    var linesOfStops: [String: Set<String>] = [:]
    var (trip, line): (String, String?) = ("", nil)
    try forEachRow(stopTimes, names[2], ["trip_id", "stop_id"]) { fields in
      // Rows of a trip are next to one another in nearly every feed.
      if fields[0] != trip { (trip, line) = (fields[0], linesOfTrips[fields[0]]) }
      if let line { linesOfStops[fields[1], default: []].insert(line) }
    }
    return linesOfStops
  }

  /// Calls `body` with the fields of each row in the order of `columns`; optional ones are empty where there is none.
  private func forEachRow(
    _ bytes: [UInt8], _ name: String, _ columns: [String], _ optional: [String] = [], _ body: ([String]) -> Void
  ) throws {
    let all = try HeadedRows(bytes, file: path(of: name))
    let required = try columns.map(all.index)
    let others = optional.map { all.header.firstIndex(of: $0) }
    // Feeds are long and not always tidy: a row counts that has what is asked for.
    for row in all.with(required: required, optional: others.compactMap(\.self)) {
      guard case .success(let fields) = row.content else { continue }
      body(
        required.map { fields[$0] }
          + others.map { index in index.flatMap { $0 < fields.count ? fields[$0] : nil } ?? "" })
    }
  }
}
