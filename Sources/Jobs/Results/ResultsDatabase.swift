import Foundation
import Geography
import Tables

/// A results database opened for reading; an unfinished one only on request.
package struct ResultsDatabase {
  package let path: String
  package let record: JobRecord
  package let kind: JobKind
  let database: SQLite
  let cache = Cache()

  /// Values that are computed on demand, because each needs a scan of all rows.
  final class Cache {
    fileprivate var counts: [StatusCount]?
    /// Whether pairs have waypoints.
    var hasLegs: Bool?
  }

  /// - Parameter checksRows: Whether to check numbers that readers use as indices, except in a run's own results.
  /// - Throws: `ResultsError` if the file at `path` is missing, is not a results database, or belongs to an unfinished
  ///   run.
  package init(path: String, mayBeUnfinished: Bool = false, checksRows: Bool = false) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw ResultsError(path: path, problem: "no such file; expected a results.sqlite", cause: .input)
    }
    self.path = path
    do {
      SQLite.rollBack(path)
      database = try SQLite(path: path, .reading)
      record = try database.jobRecord()
      kind = try record.kind(of: path)
    } catch let error as ResultsError where error.sqlite != nil {
      throw ResultsError(
        path: path, problem: "not a results database: \(error.problem)", cause: .input, sqlite: error.sqlite)
    }
    guard mayBeUnfinished || isFinished else {
      throw ResultsError(path: path, problem: "the job has not finished; run it again", cause: .input)
    }
    if checksRows, !isPart { try checkDepartures() }
  }

  /// Checks that every row's departure is a number in table `departure`, since readers use it as an index.
  private func checkDepartures() throws {
    let count = try departures().count
    guard count > 0 else { return }
    let tables = try database.rows(
      """
      SELECT m.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
      WHERE m.type = 'table' AND c.name = 'departure'
      """
    ) { try $0["name"] as String }
    for table in tables {
      let wrong: Int = try database.value(
        "SELECT count(*) FROM main.\"\(table.replacing("\"", with: "\"\""))\" WHERE departure NOT BETWEEN 1 AND \(count)"
      )
      guard wrong == 0 else {
        throw ResultsError(
          path: path,
          problem: "table \(table) has \(wrong.counted("row")) with a departure that is not in table departure",
          cause: .input)
      }
    }
  }

  /// Reads the results through the connection of a run that is about to end.
  init(of database: SQLite) throws {
    (path, self.database) = (database.path, database)
    record = try database.jobRecord()
    kind = try record.kind(of: path)
  }

  /// The results in one sentence.
  package var headline: String { get throws { try record.figures[.headline] ?? Headline(results: self).sentence() } }

  /// Missing data, in one line; empty if there is none.
  package var missing: String { get throws { try record.figures[.missing] ?? Headline(results: self).missing() } }

  /// Whether the file does not have its final name yet, and is read by the run that writes it.
  var isPart: Bool { path.hasSuffix("".unfinished) }

  package var isFinished: Bool { record.run[.state] == RunState.finished.rawValue }

  /// Returns the statistics of the whole job and of its groups.
  package func statistics() throws -> [Statistic] {
    try database.rows(Statistic.table.query) { row in
      Statistic(
        scope: try row["scope"], measure: try row["measure"], count: try row["count"], mean: try row["mean"],
        quantiles: try ["min", "p05", "p25", "median", "p75", "p95", "max"].map { try row[$0] })
    }
  }

  package func histograms() throws -> [Histogram] {
    let rows = try database.rows("\(HistogramRow.table.query) ORDER BY scope, measure, low") { row in
      HistogramRow(
        scope: try row["scope"], measure: try row["measure"],
        bin: .init(low: try row["low"], high: try row["high"], count: try row["count"]))
    }
    return Histogram.histograms(of: rows)
  }

  /// Returns the counts of routes, cells, origins, isochrones or traces by status, which runs store in table `job`.
  package func statusCounts() throws -> [StatusCount] {
    if let counts = cache.counts { return counts }
    var counts = RowStatus.allCases.compactMap { status in
      record.figures.integer(.count(status, in: kind)).map { StatusCount(status: status, count: $0) }
    }
    if counts.isEmpty, let rows = kind.results.countedRows { counts = try statusCounts(of: rows) }
    cache.counts = counts.sorted { $0.status.rawValue < $1.status.rawValue }
    return cache.counts ?? []
  }

  /// Returns the counts of rows by status. Most are ok; only the others are grouped, since SQLite sorts rows to group
  /// them.
  func statusCounts(of rows: String) throws -> [StatusCount] {
    let (all, ok): (Int, Int) = try database.rows(
      "SELECT count(*) AS rows, count(status = 'ok' OR NULL) AS ok FROM \(rows)"
    ) { (try $0["rows"], try $0["ok"]) }[0]
    let others =
      all == ok
      ? []
      : try database.rows("SELECT status, count(*) AS rows FROM \(rows) AND status <> 'ok' GROUP BY status") {
        StatusCount(status: try $0["status"], count: try $0["rows"])
      }
    return (ok > 0 ? [StatusCount(status: .ok, count: ok)] : []) + others
  }

  /// Returns the places of one role, or of all roles, in table order.
  package func places(_ role: PlaceRole? = nil) throws -> [ReportedPlace] {
    try database.rows(
      """
      SELECT fid, place_id, role, name, latitude, longitude, status FROM place WHERE role = coalesce(?, role) ORDER BY fid
      """, role?.rawValue
    ) { row in
      ReportedPlace(
        row: try row["fid"], id: try row["place_id"], role: try row["role"], name: try row["name"],
        point: try row.point(), status: try row["status"])
    }
  }

  /// Returns the number of rows in the job's main input file, and of rejected rows among them. Rows of other place
  /// lists and of feeds do not count.
  package func inputRows() throws -> (all: Int, rejected: Int) {
    let main = record.identity[.pairs] ?? record.identity[.origins]
    let rejected = try database.rows("SELECT file, count(*) AS rows FROM rejected GROUP BY file") {
      (file: try $0["file"] as String, rows: try $0["rows"] as Int)
    }.filter { row in main.map { row.file == $0 || row.file.hasPrefix("\($0)/") } ?? true }.reduce(0) { $0 + $1.rows }
    let used = try kind.results.inputRows(self)
    return (used + rejected, rejected)
  }

  package func rejected(atMost limit: Int) throws -> (rows: [RejectedRow], count: Int) {
    let first = try database.rows("SELECT * FROM rejected ORDER BY rowid LIMIT ?", limit, decode: RejectedRow.init)
    return (first, try database.value("SELECT count(*) FROM rejected"))
  }
}

extension RejectedRow {
  /// Reads a row of table `rejected`.
  init(_ row: SQLite.Statement) throws {
    self.init(
      file: try row["file"], line: try row["line"], id: try row["id"], text: try row["text"], reason: try row["reason"])
  }
}

extension SQLite {
  /// Reads table `job`.
  func jobRecord() throws -> JobRecord {
    JobRecord(
      entries: try rows("SELECT key, value FROM job ORDER BY key") { (try $0["key"], try $0["value"] as String) }
    )
  }
}

/// A place of the results, for tables and maps.
package struct ReportedPlace: Sendable {
  /// The place's row in table `place`.
  package var row: Int
  package var id: Identifier
  package var role: PlaceRole
  package var name: String?
  package var point: FixedCoordinate
  package var status: RowStatus

  package var label: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? "\(id)" }
}

extension ResultsDatabase {
  /// Returns the basemap, rows of low zooms first.
  package func backdrop() throws -> [BackdropRow] { try database.backdrop() }
}

extension SQLite {
  /// Returns the rows of table `backdrop`.
  func backdrop() throws -> [BackdropRow] {
    try rows("SELECT layer, class, min_zoom, features FROM backdrop ORDER BY fid") { row in
      BackdropRow(
        layer: try row["layer"], kind: try row["class"], minZoom: try row["min_zoom"], box: .empty,
        features: try row["features"])
    }
  }
}
