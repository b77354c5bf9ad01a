extension GTFSFeed {
  /// The lines that call at each stop, by the stop's id; only those of `types`, if any are named. Empty if the feed has no
  /// trips. *Throws*: `InputError`.
  func lines(of types: Set<RouteType>?) throws -> [String: Set<String>] {
    let names = ["routes.txt", "trips.txt", "stop_times.txt"]
    guard names.allSatisfy(has) else {
      guard types != nil else { return [:] }
      throw InputError(file: path, problem: "routeTypes needs \(names.joined(separator: ", ")); the zip lacks one")
    }
    let lines = try lines(names[0])
    let labels = LineLabels(lines.values)
    var linesOfTrips: [String: String] = [:]
    try forEachRow(names[1], ["trip_id", "route_id"]) { fields in
      let line = lines[fields[1]]
      if let types, line?.type.map(types.contains) != true { return }
      linesOfTrips[fields[0]] = line.map { labels[$0] } ?? fields[1]
    }
    var linesOfStops: [String: Set<String>] = [:]
    var (trip, line): (String, String?) = ("", nil)
    try forEachRow(names[2], ["trip_id", "stop_id"]) { fields in
      // Rows of a trip are next to one another in nearly every feed.
      if fields[0] != trip { (trip, line) = (fields[0], linesOfTrips[fields[0]]) }
      // Trips on demand name areas in place of stops.
      if let line, !fields[1].isEmpty { linesOfStops[fields[1], default: []].insert(line) }
    }
    return linesOfStops
  }

  /// The line of each route, by the route's id.
  private func lines(_ name: String) throws -> [String: TransitLine] {
    var agencies: [String: String] = [:]
    if has("agency.txt") {
      try forEachRow("agency.txt", [], ["agency_id", "agency_name"]) {
        agencies[$0[0]] = $0[1].isEmpty ? $0[0] : $0[1]
      }
    }
    let isAmbiguous = Set(agencies.values).count < agencies.count
    var lines: [String: TransitLine] = [:]
    try forEachRow(
      name, ["route_id", "route_type"], ["route_short_name", "route_long_name", "agency_id"]
    ) { fields in
      // A feed of one agency need not say it.
      let id = fields[4].isEmpty && agencies.count == 1 ? agencies.keys.first! : fields[4]
      let agency = isAmbiguous ? id : agencies[id] ?? id
      lines[fields[0]] = TransitLine(
        name: fields[2...3].first { !$0.isEmpty } ?? fields[0], agency: agency,
        type: Int(fields[1]).flatMap(RouteType.init(code:)), code: fields[1])
    }
    return lines
  }

  /// Calls `body` with the fields of each row in the order of `columns`; optional ones are empty where there is none.
  private func forEachRow(
    _ name: String, _ columns: [String], _ optional: [String] = [], _ body: ([String]) -> Void
  ) throws {
    let rows = try rows(of: name)
    let header = try rows.header()
    let required = try columns.map { column in
      guard let index = header.firstIndex(of: column) else {
        throw InputError(file: rows.path, line: 1, problem: "the header has no column \(column)")
      }
      return index
    }
    let others = optional.map { header.firstIndex(of: $0) }
    let least = (required.max() ?? 0) + 1
    // Feeds are long and not always tidy: a row counts that has what is asked for.
    while try rows.next() {
      guard rows.count >= least else { continue }
      body(
        required.map { rows[$0].text }
          + others.map { index in index.flatMap { $0 < rows.count ? rows[$0].text : nil } ?? "" })
    }
  }
}

/// A line of a timetable: all routes of one name, agency and type.
private struct TransitLine: Hashable {
  /// Its short name, else its long name, else its id.
  var name: String
  var agency: String
  /// Nil for a code that GTFS does not have.
  var type: RouteType?
  var code: String

  var typeName: String { type?.name ?? "type \(code)" }
}

/// Lines as tables name them: by their names, followed by agency and type if lines of one name differ in them.
private struct LineLabels {
  private let labels: [TransitLine: String]

  init(_ lines: some Sequence<TransitLine>) {
    var labels: [TransitLine: String] = [:]
    for (name, lines) in Dictionary(grouping: lines, by: \.name) {
      let hasAgencies = Set(lines.map(\.agency)).count > 1
      let hasTypes = Set(lines.map(\.typeName)).count > 1
      for line in lines {
        let marks = [hasAgencies ? line.agency : "", hasTypes ? line.typeName : ""].filter { !$0.isEmpty }
        labels[line] = marks.isEmpty ? name : "\(name) (\(marks.joined(separator: ", ")))"
      }
    }
    self.labels = labels
  }

  subscript(line: TransitLine) -> String { labels[line] ?? line.name }
}
