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
    try forEachRow(names[1], ["trip_id", "route_id"]) { row in
      let line = lines[row[1].text]
      if let types, line?.type.map(types.contains) != true { return }
      linesOfTrips[row[0].text] = line.map { labels[$0] } ?? row[1].text
    }
    var linesOfStops: [String: Set<String>] = [:]
    var (trip, line): (String, String?) = ("", nil)
    try forEachRow(names[2], ["trip_id", "stop_id"]) { row in
      // Rows of a trip are next to one another in nearly every feed.
      let id = row[0].text
      if id != trip { (trip, line) = (id, linesOfTrips[id]) }
      // Trips on demand name areas in place of stops.
      if let line, !row[1].isEmpty { linesOfStops[row[1].text, default: []].insert(line) }
    }
    return linesOfStops
  }

  /// The line of each route, by the route's id.
  private func lines(_ name: String) throws -> [String: TransitLine] {
    var agencies: [String: String] = [:]
    if has("agency.txt") {
      try forEachRow("agency.txt", [], ["agency_id", "agency_name"]) {
        agencies[$0[0].text] = ($0[1].isEmpty ? $0[0] : $0[1]).text
      }
    }
    let isAmbiguous = Set(agencies.values).count < agencies.count
    var lines: [String: TransitLine] = [:]
    try forEachRow(
      name, ["route_id", "route_type"], ["route_short_name", "route_long_name", "agency_id"]
    ) { row in
      let fields = (0..<5).map { row[$0].text }
      // A feed of one agency need not say it.
      let id = fields[4].isEmpty && agencies.count == 1 ? agencies.keys.first! : fields[4]
      let agency = isAmbiguous ? id : agencies[id] ?? id
      lines[fields[0]] = TransitLine(
        name: fields[2...3].first { !$0.isEmpty } ?? fields[0], agency: agency,
        type: Int(fields[1]).flatMap(RouteType.init(code:)), code: fields[1])
    }
    return lines
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
