import Foundation

/// Results of one night held against those of another: row by row and cell by cell, by zone and by street, and why.
///
///     let summary = try Comparison(old: "monday/results.sqlite", new: "tuesday/results.sqlite", threshold)
///       .write(to: "compare/compare.sqlite")
package final class Comparison {
  private let (old, new): (ResultsDatabase, ResultsDatabase)
  private let (oldPath, newPath): (String, String)
  private let (oldFacts, newFacts): ([String: String], [String: String])
  private let kind: String
  private let threshold: ChangeThreshold
  private var tally = ChangeTally()
  private var ratios = RatioSpread()
  private var zones: [String: ChangeTally] = [:]
  private var streets: [String: ChangeTally] = [:]
  private var streetOfPlace: [String: String] = [:]

  /// Opens both. *Throws*: `ResultsError` where one is no finished results, or they are of different kinds.
  package init(old: String, new: String, _ threshold: ChangeThreshold) throws {
    (oldPath, newPath) = (old, new)
    self.threshold = threshold
    (self.old, oldFacts) = try Comparison.opened(old)
    (self.new, newFacts) = try Comparison.opened(new)
    kind = newFacts["kind"] ?? ""
    func family(_ kind: String) -> String { kind == "etas" ? "routes" : kind }
    guard family(kind) == family(oldFacts["kind"] ?? "") else {
      throw ResultsError(
        path: old, problem: "these are results of kind \(oldFacts["kind"] ?? ""), the new ones of kind \(kind)")
    }
    for (path, database) in [(old, self.old), (new, self.new)] where kind == "matrix" {
      guard try database.cells(1) != nil else {
        throw ResultsError(
          path: path, problem: "the matrix has no cells in its database; a job with \"sqlite\" in format has them")
      }
    }
  }

  private static func opened(_ path: String) throws -> (ResultsDatabase, [String: String]) {
    do {
      let database = try ResultsDatabase(path: path)
      let facts = try database.facts()
      guard facts["state"] == "finished" else {
        throw ResultsError(path: path, problem: "the job has not been finished")
      }
      return (database, facts)
    } catch let error as ResultsError {
      throw ResultsError(path: path, problem: "this is no results database of a finished job: \(error.problem)")
    }
  }

  /// Writes the comparison's own database, whole or not at all. *Throws*: `ResultsError`.
  package func write(to path: String) throws -> ComparisonSummary {
    let part = ResultsFolder.unfinished(path)
    for suffix in ["", "-journal"] { unlink(part + suffix) }
    let database = try SQLite(path: part, .creating)
    try database.run("PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;")
    for (statement, path) in [(Schema.attachOld, oldPath), (Schema.attachNew, newPath)] {
      let attach = try database.prepare(statement)
      attach.bind(path)
      try attach.run()
    }
    for (place, street) in try ResultsDatabase(database).rows(
      Schema.streetsOfPlaces, nil, { ($0.text(0) ?? "", $0.text(1) ?? "") })
    {
      streetOfPlace[place] = street
    }
    try database.transaction {
      try database.run(Schema.comparison)
      let insert = try database.prepare(Schema.insertChange)
      if kind == "matrix" {
        try readCells(database) { try take($0, insert) }
      } else {
        try readRows(database) { try take($0, insert) }
      }
      try explain(database)
      try summarise(database)
    }
    try database.close()
    guard rename(part, path) == 0 else { throw ResultsError(path: path, problem: String(cString: strerror(errno))) }
    return summary
  }

  private var summary: ComparisonSummary {
    ComparisonSummary(
      rows: tally.rows, counts: tally.counts,
      quantiles: [("mean", ratios.mean)] + FailOver.quantiles.map { ($0.name, ratios.quantile($0.share)) })
  }

  // MARK: Rows

  private func readRows(_ database: SQLite, _ body: (ComparedRow) throws -> Void) throws {
    let rows = try database.prepare(Schema.comparedRows(kind))
    while try rows.next() {
      try body(
        ComparedRow(
          item: rows.text(0) ?? "", origin: rows.text(1), destination: rows.text(2), zone: rows.text(3),
          oldStatus: rows.text(4), newStatus: rows.text(6), oldValue: rows.isNull(5) ? nil : rows.double(5),
          newValue: rows.isNull(7) ? nil : rows.double(7)))
    }
  }

  /// Cells by origin, then by destination, as the newer run has them; then those that only the older one has.
  private func readCells(_ database: SQLite, _ body: (ComparedRow) throws -> Void) throws {
    func destinations(_ name: String) throws -> [String] {
      try ResultsDatabase(database).rows(Schema.destinations.replacing("%@", with: name)) { $0.text(0) ?? "" }
    }
    let (oldIDs, newIDs) = (try destinations("old"), try destinations("new"))
    let oldColumns = Dictionary(zip(oldIDs, oldIDs.indices)) { first, _ in first }
    // Most nights they are the same.
    let columns = oldIDs == newIDs ? Array(newIDs.indices) : newIDs.map { oldColumns[$0] ?? -1 }
    let known = Set(newIDs)
    let gone = oldIDs == newIDs ? [] : oldIDs.indices.filter { !known.contains(oldIDs[$0]) }
    let rows = try database.prepare(Schema.matrixRows)
    let oldRow = try database.prepare(Schema.oldMatrixRow)
    var (newCells, oldCells) = (CellReader(), CellReader())
    func row(_ origin: String, _ destination: String, _ old: Int64?, _ new: Int64?) -> ComparedRow {
      func status(_ cell: Int64?) -> String? {
        cell.map { $0 < 0 ? RowStatus.directionsNotFound.rawValue : RowStatus.ok.rawValue }
      }
      func seconds(_ cell: Int64?) -> Double? { cell.flatMap { $0 < 0 ? nil : Double($0) / 1000 } }
      return ComparedRow(
        item: "\(origin), \(destination)", origin: origin, destination: destination, zone: origin,
        oldStatus: status(old), newStatus: status(new), oldValue: seconds(old), newValue: seconds(new))
    }
    while try rows.next() {
      let origin = rows.text(0) ?? ""
      rows.withBytes(1) { newCells.read($0) }
      oldRow.bind(Identifier(origin))
      let hasOld = try oldRow.next()
      if hasOld { oldRow.withBytes(0) { oldCells.read($0) } }
      oldRow.rewind()
      for (column, cell) in newCells.cells.enumerated() where column < columns.count {
        let place = columns[column]
        let before = hasOld && place >= 0 && place < oldCells.cells.count ? oldCells.cells[place] : nil
        guard before != cell || cell < 0 else {
          // Nearly all cells of most nights: no text is made for them.
          let row = ComparedRow(
            item: "", origin: origin, zone: origin, oldValue: seconds(cell), newValue: seconds(cell))
          count(row, .same)
          continue
        }
        try body(row(origin, newIDs[column], before, cell))
      }
      for column in gone where hasOld && column < oldCells.cells.count {
        try body(row(origin, oldIDs[column], oldCells.cells[column], nil))
      }
    }
    let goneRows = try database.prepare(Schema.goneOrigins)
    while try goneRows.next() {
      goneRows.withBytes(1) { oldCells.read($0) }
      for (column, cell) in oldCells.cells.enumerated() where column < oldIDs.count {
        try body(row(goneRows.text(0) ?? "", oldIDs[column], cell, nil))
      }
    }
  }

  private func seconds(_ cell: Int64) -> Double { Double(cell) / 1000 }

  private func take(_ row: ComparedRow, _ insert: SQLite.Statement) throws {
    let change = row.change(threshold, isArea: kind == "isochrones")
    count(row, change)
    guard change != .same else { return }
    insert.bind(row.item)
    insert.bind(row.origin)
    insert.bind(row.destination)
    insert.bind(row.zone ?? row.origin)
    insert.bind(change.rawValue)
    insert.bind(row.oldValue)
    insert.bind(row.newValue)
    insert.bind(row.oldValue.flatMap { old in row.newValue.map { $0 - old } })
    insert.bind(row.ratio.flatMap { $0.isFinite ? $0 : nil })
    insert.bind(row.oldStatus)
    insert.bind(row.newStatus)
    try insert.run()
  }

  private func count(_ row: ComparedRow, _ change: Change) {
    tally.add(row, change)
    if let ratio = row.ratio { ratios.add(ratio) }
    guard let zone = row.zone ?? row.origin else { return }
    zones[zone, default: ChangeTally()].add(row, change)
    if let street = row.origin.flatMap({ streetOfPlace[$0] }) {
      streets[street, default: ChangeTally()].add(row, change)
    }
  }

  // MARK: Why, and how many

  /// What differs between the runs as a whole.
  private var reasons: String {
    let input: Set<String> = ["pairs_sha256", "origins_sha256", "destinations_sha256", "stations_sha256"]
    let course: Set<String> = [
      "started", "finished", "seconds", "rate", "workers", "rows", "rejected", "job_file", "job_file_sha256", "state",
      "measures", "map", "map_date", "profile_file", "network_sha256", "pairs", "origins", "destinations", "stations",
      "coverage", "version", "map_sha256", "profile_sha256", "format", "shapes", "summary", "links", "routes",
    ]
    let keys = Set(oldFacts.keys).union(newFacts.keys).filter { !$0.hasPrefix("verified_") && !$0.hasPrefix("cells_") }
    let changed = keys.filter { oldFacts[$0] ?? "" != newFacts[$0] ?? "" }
    var reasons: [String] = []
    if changed.contains("map_sha256") { reasons.append("map changed") }
    if changed.contains("profile_sha256") { reasons.append("profile changed") }
    let settings = changed.subtracting(course).subtracting(input).sorted()
    if !settings.isEmpty { reasons.append("settings changed (\(settings.joined(separator: ", ")))") }
    // Of other kinds a row's own places are all of the input that matters to it.
    if kind == "access", !changed.isDisjoint(with: input) { reasons.append("input changed") }
    if changed.contains("version") { reasons.append("version changed") }
    return reasons.isEmpty ? "unexplained" : reasons.joined(separator: ", ")
  }

  private func explain(_ database: SQLite) throws {
    try database.run(Schema.movedPlaces)
    let set = try database.prepare(Schema.setReasons)
    set.bind(reasons)
    try set.run()
    try database.run(Schema.setInputReasons)
    if oldFacts["kind"] == "routes" && kind == "routes" { try database.run(Schema.stepsByStreet) }
  }

  private func summarise(_ database: SQLite) throws {
    let both = ["version", "map", "map_date", "profile", "finished"].flatMap { key in
      [("old_\(key)", oldFacts[key] ?? ""), ("new_\(key)", newFacts[key] ?? "")]
    }
    try database.note(
      [
        ("kind", kind), ("old", oldPath), ("new", newPath), ("reasons", reasons),
        ("threshold_ratio", String(threshold.ratio)), ("threshold_amount", String(threshold.amount)),
      ] + both)
    let summary = summary
    let insertCount = try database.prepare(Schema.insertChangeCount)
    for change in Change.allCases {
      guard let count = tally.counts[change] else { continue }
      insertCount.bind(change.rawValue)
      insertCount.bind(count)
      insertCount.bind(Double(count) / Double(max(1, tally.rows)))
      try insertCount.run()
    }
    let insertQuantile = try database.prepare(Schema.insertChangeQuantile)
    for quantile in summary.quantiles {
      insertQuantile.bind(quantile.measure)
      insertQuantile.bind(quantile.ratio)
      try insertQuantile.run()
    }
    for (question, tallies) in [(Schema.insertByZone, zones), (Schema.insertByStreet, streets)] {
      let insert = try database.prepare(question)
      for (name, tally) in tallies.sorted(by: { $0.key < $1.key }) where tally.counts[.same] != tally.rows {
        insert.bind(name)
        insert.bind(tally.rows)
        func count(_ changes: Change...) { insert.bind(changes.reduce(0) { $0 + (tally.counts[$1] ?? 0) }) }
        count(.new)
        count(.gone)
        count(.faster, .smaller)
        count(.slower, .larger)
        count(.newlyUnreachable)
        count(.newlyReachable)
        insert.bind(tally.oldMean)
        insert.bind(tally.newMean)
        try insert.run()
      }
    }
  }
}
