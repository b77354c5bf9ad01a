import Foundation
import Geography
import Input
import Routing
import Settings
import StreetNetwork
import Tables

/// The explanation of a row: its table rows, the streets near its places, and the obstacles to its route.
package struct RowDiagnosis {
  /// The explanation, as lines of text.
  package let text: String

  private static let maximumRows = 8
  private static let maximumTrips = 4

  /// - Parameters:
  ///   - id: The id of a pair, a place or a trace.
  ///   - path: The results database, finished or not.
  /// - Throws: `ResultsError` if the results cannot be read, or have no such row.
  package init(
    of id: String, in path: String, at files: LocatedFiles, cache: String?, workers: Int, report: (NetworkEvent) -> Void
  ) throws {
    let database = try ResultsDatabase(path: path, mayBeUnfinished: true)
    let found = try database.rows(withID: id, atMost: RowDiagnosis.maximumRows)
    let rejected = try database.rejected(id, isFound: !found.isEmpty, atMost: RowDiagnosis.maximumRows)
    guard !found.isEmpty || !rejected.isEmpty else { throw try RowDiagnosis.unknown(id, in: database) }
    var sections: [String] = []
    if !database.isFinished { sections.append("the run has not finished: these are its rows so far") }
    sections += found.map(RowDiagnosis.text)
    if !rejected.isEmpty {
      sections.append(
        rejected.map { "rejected: \($0.file), line \($0.line): \($0.reason)\n  \(printable($0.text, atMost: 200))" }
          .joined(separator: "\n"))
    }
    let rows = found.flatMap(\.rows)
    if rows.contains(where: { $0.table == "route" || $0.table == "place" }) {
      do {
        let map = try DiagnosisMap(
          of: database.record, in: path, at: files, cache: cache, workers: workers, report: report)
        let transit = try TransitDiagnosis(database, on: map.network, workers: workers, cache: cache)
        sections += try RowDiagnosis.explanations(of: rows, in: database, map, transit)
        if map.streets == nil {
          sections.append("the map is a network file: name its extract with --map to see which tags close the way")
        }
      } catch  where RowDiagnosis.isAboutMap(error) {
        sections.append("no further details: \(error)")
      }
    }
    text = sections.joined(separator: "\n\n")
  }

  /// Returns whether an error concerns only the map; the rows of the tables are printed anyway.
  private static func isAboutMap(_ error: any Error) -> Bool {
    error is OdometerError || error is ResultsError
  }

  private static func unknown(_ id: String, in database: ResultsDatabase) throws -> ResultsError {
    let ids = try database.sampleIDs(atMost: 10_000)
    let maximumCount = 5
    let examples = RowProblem.list(ids, atMost: maximumCount)
    let state = database.isFinished ? "" : "; the run has not finished, so the row may not have been computed yet"
    return ResultsError(
      path: database.path,
      problem:
        "no pair, place, trace or rejected row has the id \(RowProblem.excerpt(id))"
        + (examples.isEmpty ? "" : "; known ids: \(examples)") + state + Suggestion.question(id, of: ids),
      cause: .input)
  }

  private static func text(_ found: (rows: [FoundRow], count: Int)) -> String {
    let lines = found.rows.map { row in
      "\(row.table): " + row.facts.map { "\($0.column) \(printable($0.value, atMost: 200))" }.joined(separator: ", ")
    }
    let rest = found.count - found.rows.count
    let more = "… and \(rest) more \(rest == 1 ? "row" : "rows") of \(found.rows[0].table)"
    return (lines + (rest > 0 ? [more] : [])).joined(separator: "\n")
  }

  // MARK: Sections

  private static func explanations(
    of rows: [FoundRow], in database: ResultsDatabase, _ map: DiagnosisMap, _ transit: TransitDiagnosis?
  ) throws -> [String] {
    var sections: [String] = []
    var described: Set<FixedCoordinate> = []
    func describe(_ title: String, _ point: FixedCoordinate) {
      if described.insert(point).inserted { sections.append(map.place(title, at: point)) }
    }
    var trips = 0
    for row in rows where row.table == "route" && row["alternative"] == "0" {
      guard let from = row["origin_id"], let to = row["destination_id"], trips < maximumTrips else { continue }
      for origin in try database.points(of: .origin, withID: from) {
        for destination in try database.points(of: .destination, withID: to) where trips < maximumTrips {
          trips += 1
          describe("origin \(printable(from))", origin)
          describe("destination \(printable(to))", destination)
          if let obstacles = obstacles(of: row, from: origin, to: destination, map, transit),
            !sections.contains(obstacles)
          {
            sections.append(obstacles)
          }
        }
      }
    }
    if rows.contains(where: { $0.table == "isochrone" && $0["reason"] == "closed" }) {
      sections.append("no trip may use the place's street or square at the job's time; at other times, it is open")
    }
    let leadsToOrigins = database.record.identity.leadsToPlaces && rows.contains { $0.table == "isochrone" }
    for row in rows where row.table == "place" {
      guard let role = row["role"], let id = row["place_id"], let point = row.point, !described.contains(point) else {
        continue
      }
      describe("\(role) \(printable(id))", point)
      if let transit, let end = map.end(at: point) {
        let isOrigin = role == PlaceRole.origin.rawValue && !leadsToOrigins
        sections.append(transit.stops(isOrigin ? .fromTargets : .toTargets, "\(role) \(printable(id))", end))
      }
      if row["status"] == RowStatus.placemarkNotFound.rawValue || row["passed_component_size"] != nil {
        let isOnIsland = row["passed_component_size"] != nil && row["snap_distance"] != nil
        sections += map.obstacles(around: point, isOnIsland: isOnIsland)
      }
    }
    return sections
  }

  /// Describes the obstacles between the ends of a pair; nil if there is a route, or nothing to describe.
  private static func obstacles(
    of row: FoundRow, from origin: FixedCoordinate, to destination: FixedCoordinate, _ map: DiagnosisMap,
    _ transit: TransitDiagnosis?
  ) -> String? {
    switch row["status"].flatMap(RowStatus.init(rawValue:)) {
    case .ok, nil: return nil
    case .outsideCoverage:
      return "the row is not computed because of the coverage: \(row["reason"] ?? "an end lies outside")"
    default:
      if let transit, let from = map.end(at: origin), let to = map.end(at: destination) {
        if let number = row["departure"].flatMap({ Int($0) }) { return transit.trip(from: from, to: to, at: number) }
        let time = PairTable.RowTime(arrival: row["arrival_time"], departure: row["departure_date"])
        return time.flatMap { transit.at($0) }?.trip(from: from, to: to, at: 1)
          ?? transit.trip(from: from, to: to, at: nil)
      }
      let avoided = row["avoids"].map { "without avoiding \(Profile.Avoidance(text: $0).words)" }
      let isTimed = ["departure", "arrival", "departure_date", "arrival_time"].contains { row[$0] != nil }
      let time = avoided == nil || isTimed ? "without a departure or arrival time" : nil
      return map.obstacles(
        from: origin, to: destination, ignored: [time, avoided].compactMap(\.self).joined(separator: " and "))
    }
  }
}

extension FoundRow {
  fileprivate var point: FixedCoordinate? {
    guard let latitude = self["latitude"].flatMap({ Double($0) }),
      let longitude = self["longitude"].flatMap({ Double($0) })
    else { return nil }
    let point = Coordinate(latitude: latitude, longitude: longitude)
    return point.isValid ? FixedCoordinate(point) : nil
  }
}

/// A row of results found by its id, as stored in its table.
package struct FoundRow: Sendable {
  package var table: String
  /// Its non-empty columns, in order, as text; without geometries.
  package var facts: [(column: String, value: String)]

  package subscript(column: String) -> String? { facts.first { $0.column == column }?.value }
}

extension ResultsDatabase {
  /// The tables to search for an id, with their id columns. The first three have the ids of pairs, traces and places.
  private static let tables = [
    ("route", "pair_id"), ("trace", "trace_id"), ("place", "place_id"), ("access", "origin_id"),
    ("isochrone", "place_id"), ("origin_summary", "origin_id"), ("station_service", "station_id"),
  ]

  /// Returns the condition that a column has an id, given both as an `Identifier` and as text: SQLite converts text to
  /// the column's type, so 007 would match 7.
  private static func hasID(_ column: String) -> String { "\(column) IN (?1, ?2) AND CAST(\(column) AS TEXT) = ?2" }

  /// Returns at most `limit` rows with `id` from each table, and their total number.
  package func rows(withID id: String, atMost limit: Int) throws -> [(rows: [FoundRow], count: Int)] {
    try ResultsDatabase.tables.compactMap { table, column -> (rows: [FoundRow], count: Int)? in
      guard try database.hasTable(table) else { return nil }
      let hasID = ResultsDatabase.hasID(column)
      let count: Int = try database.value(
        "SELECT count(*) FROM \(table) WHERE \(hasID)", Identifier(id), Identifier.text(id))
      guard count > 0 else { return nil }
      let rows = try database.rows(
        "SELECT * FROM \(table) WHERE \(hasID) LIMIT ?", Identifier(id), Identifier.text(id), limit
      ) { FoundRow(table: table, facts: $0.facts) }
      return (rows, count)
    }
  }

  /// Returns rejected input rows with an id. If there are none, and no other table has the id, returns rows with `id` in
  /// any field, since the id of an invalid row may be unknown.
  func rejected(_ id: String, isFound: Bool, atMost limit: Int) throws -> [RejectedRow] {
    let own = try database.rows("SELECT * FROM rejected WHERE id = ? LIMIT ?", id, limit, decode: RejectedRow.init)
    guard own.isEmpty, !isFound else { return own }
    let rows = try database.rows(
      "SELECT * FROM rejected WHERE instr(text, ?) > 0 LIMIT 10000", id, decode: RejectedRow.init)
    let separators: Set<Character> = [",", ";", "\t", "|", "\"", ":", "{", "}", " "]
    let shown = rows.filter { $0.text.split(whereSeparator: separators.contains).contains(id[...]) }
    return Array(shown.prefix(limit))
  }

  /// Returns some ids of pairs, traces and places, as suggestions for a mistyped one.
  func sampleIDs(atMost limit: Int) throws -> [String] {
    var ids: [String] = []
    for (table, column) in ResultsDatabase.tables.prefix(3) where try database.hasTable(table) {
      let found: [String] = try database.rows(
        "SELECT CAST(\(column) AS TEXT) AS id FROM \(table) GROUP BY \(column) ORDER BY min(rowid) LIMIT ?", limit
      ) { try $0["id"] }
      for id in found where !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  /// Returns the positions of places with an id and a role: usually one.
  package func points(of role: PlaceRole, withID id: String) throws -> [FixedCoordinate] {
    try database.rows(
      "SELECT latitude, longitude FROM place WHERE \(ResultsDatabase.hasID("place_id")) AND role = ? ORDER BY fid",
      Identifier(id), Identifier.text(id), role.rawValue
    ) { try $0.point() }
  }
}

extension SQLite.Statement {
  /// The non-empty numeric and text columns of the current row.
  fileprivate var facts: [(column: String, value: String)] {
    zip(names, Int32(0)...).compactMap { name, index in
      guard !["", "fid"].contains(name), !isNull(at: index) else { return nil }
      let value = text(at: index) ?? integer(at: index).map { "\($0)" } ?? double(at: index).map { "\($0)" }
      return value.map { (name, $0) }
    }
  }
}

/// Sentences about places on the map and the obstacles between them.
extension DiagnosisMap {
  private static let candidates = 6

  /// Describes the snap of a place, or the reason why it has none, and the nearest ways.
  func place(_ title: String, at point: FixedCoordinate) -> String {
    var lines = ["\(title) at \(DiagnosisMap.coordinate(point)): \(snap(of: point))"]
    if let near = streets?.near(point, count: DiagnosisMap.candidates, within: .infinity), !near.isEmpty {
      lines += DiagnosisMap.columns(near.map(columns))
    }
    return lines.joined(separator: "\n")
  }

  private func snap(of point: FixedCoordinate) -> String {
    let limit = "the snap limit of \(DiagnosisMap.metres(options.snapLimit))"
    guard let end = end(at: point) else {
      if let island = router.passedIsland(at: point.coordinate, nil) {
        return
          "no connected street within \(limit), but one \(DiagnosisMap.metres(island.distance)) away on an "
          + "island of \(island.size.counted("junction"))"
      }
      return network.box.contains(point)
        ? "no connected street within \(limit)" : "outside the map, no street within \(limit)"
    }
    let street = end.snap.street
    return "snapped to \(network.label(of: street)), \(DiagnosisMap.metres(end.snap.distance)) away, among "
      + DiagnosisMap.junctions(network.componentSize(of: street), reach.oneWayAccess(street))
  }

  private func columns(of street: NearStreet) -> [String] {
    let use =
      switch street.use {
      case .used(let size, let access, true): "used, among \(DiagnosisMap.junctions(size, access))"
      case .used(let size, let access, false): "used, but not snapped to: among \(DiagnosisMap.junctions(size, access))"
      case .closed(let cause): "not used: \(cause)"
      }
    return [
      DiagnosisMap.metres(street.distance), "way/\(street.way)", street.classTag,
      street.name.isEmpty ? "–" : street.name,
      use,
    ]
  }

  /// Describes the obstacles between two points; nil if the extract is needed and missing. `ignored` names the
  /// conditions of the row that do not apply here.
  func obstacles(from origin: FixedCoordinate, to destination: FixedCoordinate, ignored: String) -> String? {
    if let source = end(at: origin), let target = end(at: destination),
      let weight = router.weight(from: source, to: target)
    {
      return "\(ignored), a route exists: "
        + "\(DiagnosisMap.metres(weight.metres)), \(Int(weight.seconds.rounded())) s"
    }
    // Places off the map have no obstacles.
    guard [origin, destination].allSatisfy({ end(at: $0) != nil || network.box.contains($0) }) else {
      return nil
    }
    return obstacles("from origin to destination", spot(at: origin), spot(at: destination))
  }

  /// Describes the obstacles between a place and the main part of the network, in both directions.
  ///
  /// - Parameter isOnIsland: Whether snapping passed over a street of an island, which is then explained.
  func obstacles(around point: FixedCoordinate, isOnIsland: Bool) -> [String] {
    let spot = spot(at: point, isOnIsland: isOnIsland)
    let place = isOnIsland ? "the street that snapping passed over" : "the place"
    return [obstacles("away from \(place)", spot, .main), obstacles("to \(place)", .main, spot)].compactMap(\.self)
  }

  private func obstacles(_ direction: String, _ origin: MapStreets.Endpoint, _ destination: MapStreets.Endpoint)
    -> String?
  {
    guard let streets else { return nil }
    guard let found = streets.obstacles(from: origin, to: destination) else {
      return "no street of the map leads \(direction), not even a closed one"
    }
    guard !found.list.isEmpty else { return "streets lead \(direction)" }
    let objects = found.list.count.counted("object")
    let head = "\(objects) would have to be open for a route \(direction), \(DiagnosisMap.metres(found.metres)) long:"
    let rows = found.list.map {
      [$0.id, $0.cause, $0.name.isEmpty ? "–" : $0.name, DiagnosisMap.coordinate($0.point)]
    }
    return ([head] + DiagnosisMap.columns(rows)).joined(separator: "\n")
  }

  // MARK: Text

  private static func junctions(_ count: Int, _ access: MainReach.OneWayAccess?) -> String {
    let text = count == 1 ? "1 junction" : "\(count) mutually reachable junctions"
    return text + (access.map { ", \($0.rawValue)" } ?? "")
  }

  private static func metres(_ metres: Double) -> String {
    metres < 10_000 ? "\(Int(metres.rounded())) m" : "\(Int((metres / 1000).rounded())) km"
  }

  static func coordinate(_ point: FixedCoordinate) -> String {
    "\(Double(point.latitude) / 1e7),\(Double(point.longitude) / 1e7)"
  }

  /// Returns rows with aligned columns; lengths in the first column are right-aligned.
  private static func columns(_ rows: [[String]]) -> [String] {
    TextTable.lines(rows) { $0 > 0 || !$1.hasSuffix("m") }.map { "  " + $0 }
  }
}

/// The map of the results, read again to explain their rows.
struct DiagnosisMap {
  let network: StreetNetwork
  /// The streets of the extract; nil for a network file without one.
  let streets: MapStreets?
  let options: Directions.Options
  let reach: MainReach
  fileprivate let router: Router
  private let islands: StreetSearch

  /// - Parameter files: New paths of map and profile, if they have moved.
  /// - Throws: `ResultsError` if the map is gone or different; also errors from opening or building the network.
  init(
    of record: JobRecord, in path: String, at files: LocatedFiles, cache: String?, workers: Int,
    report: (NetworkEvent) -> Void
  ) throws {
    let identity = record.identity
    let networkFile = identity.text(.networkFile).map(record.located)
    let map = DiagnosisMap.extract(files.map, networkFile, identity.text(.map), record.located)
    let located = LocatedFiles(map: networkFile ?? map, profile: files.profile)
    let job = try Job(of: record, in: path, output: path.folder, at: located)
    let location = try StreetNetwork.location(map: map ?? job.map, profile: job.loadProfile(), cache: cache)
    let mismatch = record.mismatch(with: location)
    if let map, mismatch == "map" {
      throw ResultsError(
        path: map, problem: "this is not the run's map: its content has changed; name the original with --map",
        cause: .input)
    }
    guard mismatch == nil else {
      throw ResultsError(
        path: path, problem: "the map or the profile differs from the one these results were computed with",
        cause: .input)
    }
    network = try StreetNetwork(at: location, workers: workers, report: report)
    if let map {
      streets = try MapStreets(.file(map), of: network)
      try [location.mapFile].compactMap(\.self).check(\.isSame)
    } else {
      streets = nil
    }
    options = job.options
    reach = streets?.reach ?? MainReach(network)
    router = Router(network, options)
    islands = StreetSearch(network, among: network.islands)
  }

  /// Returns the extract: the named one, the original one, or the one next to a network file.
  private static func extract(
    _ named: String?, _ networkFile: String?, _ map: String?, _ located: (String) -> String
  ) -> String? {
    if let named { return StreetNetwork.isNetworkFile(named) ? nil : named }
    guard let networkFile else { return map.map(located) }
    let folder = networkFile.folder
    let sibling = map.map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
    return sibling.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
  }

  func end(at point: FixedCoordinate) -> TripEnd? { router.end(at: point.coordinate) }

  /// Returns the start or end of a trip for which every street would be open.
  ///
  /// - Parameter isOnIsland: Whether snapping passed over a street of an island, which is then explained.
  func spot(at point: FixedCoordinate, isOnIsland: Bool = false) -> MapStreets.Endpoint {
    let end = isOnIsland ? nil : end(at: point)
    let snap = end?.snap ?? islands.snap(point.coordinate, limit: options.snapLimit)
    return snap.map { .snap($0) } ?? .place(point)
  }
}
