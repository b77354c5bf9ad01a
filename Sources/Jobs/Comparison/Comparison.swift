import Foundation
import Input
import Tables

/// A comparison of two runs by row, cell and zone, with reasons for changes.
///
///     let summary = try Comparison(old: "monday/results.sqlite", new: "tuesday/results.sqlite", threshold)
///       .write(to: "compare/compare.sqlite")
package struct Comparison {
  package let facts: ComparisonFacts
  private let threshold: ChangeThreshold
  /// An upper bound of the number of changed rows.
  private let maximumRows: Int
  /// The maximum number of rows in table `change`.
  private let rowLimit: Int
  /// The hours or percentiles of the new run; the old run has the same, percentiles possibly in another order.
  let axis: RowAxis
  /// The position of each hour or percentile in the old run, from 0; only 0 without hours.
  private let oldPositions: [Int]
  private var departures: [DepartureRow] { axis.asDepartures }
  /// The maximum size of the page's map data, in bytes.
  private let mapBytes: Int
  /// Whether the old side is a run of this program.
  var hasOld: Bool { times == nil }
  /// The cells of matrices; nil for other kinds.
  private let cells: (old: any MatrixCells, new: any MatrixCells)?
  /// Another program's times in place of the old run; nil for two runs.
  let times: TravelTimes?

  /// - Throws: `ResultsError` if one of the runs is unfinished, or the two cannot be compared.
  package init(old oldPath: String, new newPath: String, _ threshold: ChangeThreshold, rowLimit: Int = .max) throws {
    let old = try ResultsDatabase(path: oldPath, checksRows: true)
    let new = try ResultsDatabase(path: newPath, checksRows: true)
    (self.threshold, self.rowLimit, times) = (threshold, rowLimit, nil)
    axis = try new.rowAxis()
    guard new.kind.results.comparison.family == old.kind.results.comparison.family else {
      throw ResultsError(
        path: oldPath,
        problem: "these results are of kind \(old.kind.rawValue), the new ones of kind \(new.kind.rawValue)",
        cause: .input)
    }
    let oldAxis = try old.rowAxis()
    try Comparison.checkHours(oldAxis, axis, of: oldPath)
    oldPositions =
      axis.column == .percentile
      ? axis.numbers.compactMap { oldAxis.numbers.firstIndex(of: $0) } : Array(0..<max(1, axis.count))
    maximumRows = try old.comparedRows() + new.comparedRows()
    mapBytes =
      Comparison.minimumBytes + 300 * (try old.flowRows() + new.flowRows())
      + ComparisonTables.maximumRoutes * (8 << 10)
    let comparesCells = new.kind.hasCells
    cells = comparesCells ? (try Comparison.cells(of: old), try Comparison.cells(of: new)) : nil
    facts = ComparisonFacts(oldPath, old.record, new, threshold, cells)
  }

  /// Compares results with another program's times.
  ///
  /// - Throws: `ResultsError` if the results are unfinished, have no travel times, or have different hours.
  package init(of path: String, with times: TravelTimes, _ threshold: ChangeThreshold, rowLimit: Int = .max) throws {
    let results = try ResultsDatabase(path: path, checksRows: true)
    (self.threshold, self.rowLimit, self.times) = (threshold, rowLimit, times)
    axis = try results.rowAxis()
    oldPositions = Array(0..<max(1, axis.count))
    let comparison = results.kind.results.comparison
    let comparesCells = comparison.comparesCells
    guard comparesCells ? !times.areByPair : comparison.trips?.sql(byPairs: times.areByPair, .single) != nil
    else {
      let expected = times.areByPair ? "routes or etas, whose pairs have ids" : "routes, etas, matrix or access"
      throw ResultsError(
        path: path, problem: "these results are of kind \(results.kind.rawValue), expected \(expected)", cause: .input)
    }
    guard times.hours == max(1, axis.count) else {
      throw ResultsError(
        path: times.path,
        problem: "got times without \(axis.unit), but \(path) has \(axis.count) \(axis.unit); expected a column "
          + (axis.column == .percentile
            ? "percentile, or a column travel_time_p\(axis.numbers[0]) and so on"
            : "departure with their numbers, from 1"),
        cause: .input)
    }
    maximumRows = try results.comparedRows() + times.count
    mapBytes = Comparison.minimumBytes
    cells = comparesCells ? (TravelTimeCells(times), try Comparison.cells(of: results)) : nil
    facts = ComparisonFacts(times.path, nil, results, threshold, cells)
  }

  /// Returns a note about rows missing in table `change`; nil if it is complete.
  package func omission(of summary: ComparisonSummary) -> String? {
    let changed = summary.rows - (summary.counts[.same] ?? 0)
    return changed > rowLimit
      ? "table change has only the first \(rowLimit) of \(changed) changed rows (--rows keeps more); other tables count all"
      : nil
  }

  /// Opens the cells in the first format that the job wrote.
  private static func cells(of database: ResultsDatabase) throws -> any MatrixCells {
    guard let format = database.cellFormats.first else {
      throw ResultsError(
        path: database.path,
        problem:
          "the matrix has no cells: its job kept only summaries; add sqlite, npy or csv to its key format",
        cause: .input)
    }
    return try database.matrixCells(in: format, lengths: false)
  }

  /// Checks that hours are equal: their times of day, and their weekdays unless both runs have a date. Percentiles may
  /// be in another order.
  private static func checkHours(_ old: RowAxis, _ new: RowAxis, of path: String) throws {
    let haveDates = (old.asDepartures + new.asDepartures).allSatisfy { $0.day != nil }
    func names(_ axis: RowAxis) -> [String] {
      guard case .departures(let hours) = axis else { return axis.numbers.sorted().map { "percentile \($0)" } }
      return hours.map { "\(haveDates ? "" : "\($0.weekday) ")\($0.time)\($0.departure == nil ? " (arrival)" : "")" }
    }
    guard names(old) != names(new) else { return }
    func summary(_ names: [String]) -> String {
      guard let first = names.first else { return "trips without a departure" }
      return names.count <= 6 ? names.joined(separator: ", ") : "\(names.count) hours, starting at \(first)"
    }
    let isOrder = names(old).sorted() == names(new).sorted()
    throw ResultsError(
      path: path,
      problem: "these results are for \(summary(names(old))), the new ones for \(summary(names(new))); "
        + "expected results for the same \(new.unit)\(isOrder ? " in the same order" : "")", cause: .input)
  }

  private static let minimumBytes = 3 << 20

  /// The maximum size of the comparison's database in bytes, if every row changes, up to the limit.
  package var maximumBytes: Int {
    min(maximumRows, rowLimit).multipliedReportingOverflow(by: 220).partialValue + mapBytes
  }

  /// Writes the comparison's database atomically. *Throws*: `ResultsError`.
  package func write(to path: String) throws -> ComparisonSummary {
    do {
      return try compare(writingTo: path)
    } catch let error as ResultsError
      where error.path == path.unfinished && (error.cause == .input || error.sqlite?.isDamage == true)
    {
      // Both runs are attached to the comparison's database, so the error names that file.
      throw ResultsError(
        path: "\(facts.old.path) or \(facts.new.path)", problem: error.problem, cause: .input, sqlite: error.sqlite)
    }
  }

  private func compare(writingTo path: String) throws -> ComparisonSummary {
    try checkReplaced(path)
    let part = path.unfinished
    func remove() { for suffix in ["", "-journal"] { unlink(part + suffix) } }
    remove()
    defer { remove() }
    let database = try SQLite(path: part, .creating)
    try database.execute("PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;")
    for (name, run) in [("old", facts.old), ("new", facts.new)] where times == nil || name == "new" {
      try database.prepare("ATTACH ? AS \(name)").execute(run.path)
    }
    var changed = 0
    let count = ChangeCount(threshold, comparesAreas: facts.comparesAreas)
    try database.transaction {
      try database.execute(ComparisonTables.creation)
      let insert = try Insert(into: ComparisonTables.changes, of: database)
      try forEachRow(database, counting: count) { row in
        let change = count.add(row)
        guard change != .same else { return }
        changed += 1
        if changed <= rowLimit { try insert((row, change)) }
      }
      if let times { try check(times, count.summary) }
      try times == nil ? explain(database) : explainTimes(database)
      try writeMap(to: database)
      try writeStreets(to: database)
      let facts = times == nil && count.summary.areEqual ? facts.forEqualResults : facts
      try database.insert(facts.entries, into: JobRecord.table)
      try count.write(to: database)
    }
    try database.close()
    guard rename(part, path) == 0 else {
      throw ResultsError(path: path, problem: String(cString: strerror(errno)), cause: .output)
    }
    return count.summary
  }

  /// Checks that the comparison does not replace a different kind of file. *Throws*: `ResultsError`.
  private func checkReplaced(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    guard (try? SQLite(path: path, .reading).hasTable(ComparisonTables.changes.name)) == true else {
      throw ResultsError(
        path: path,
        problem:
          "this is a different kind of file, which the comparison would replace; name another folder with --output",
        cause: .output)
    }
  }

  /// Calls `body` for the rows of both runs side by side. Unchanged cells are counted directly, without building
  /// strings.
  private func forEachRow(
    _ database: SQLite, counting count: ChangeCount, _ body: (ComparedRow) throws -> Void
  ) throws {
    if let cells {
      let old =
        try times.map { (cells.old, $0.origins.values, $0.destinations.values) }
        ?? side(database, "old", cells.old)
      return try CellComparison(
        old: old, new: side(database, "new", cells.new), departures: departures, oldPositions: oldPositions
      ).forEachCell(unchanged: { _ = count.add($0) }, body)
    }
    // If a pair has several rows, the hour distinguishes them.
    let labels = axis.count < 2 ? [] : departures.map { ", \($0.text)" }
    if let times {
      let trips = facts.kind.results.comparison.trips
      guard let query = trips?.sql(byPairs: times.areByPair, axis) else { return }
      return try TripComparison(times: times, query: query, labels: labels).forEachRow(database, body)
    }
    guard let row = try facts.kind.results.comparison.rows(in: database, axis) else { return }
    let labelsByNumber = Dictionary(uniqueKeysWithValues: zip(axis.numbers, labels))
    while try row.next() {
      let number: Int? = try row["number"]
      try body(
        ComparedRow(
          item: try row["item"] + (number.flatMap { labelsByNumber[$0] } ?? ""), origin: try row["origin"],
          destination: try row["destination"], zone: try row["zone"],
          oldStatus: try row["old_status"], newStatus: try row["new_status"], oldValue: try row["old_value"],
          newValue: try row["new_value"]))
    }
  }

  /// Returns the cells of a run, with the ids of its places.
  private func side(_ database: SQLite, _ run: String, _ cells: any MatrixCells) throws -> CellComparison.Side {
    // Places with the same id are distinguished by their order.
    func ids(_ role: PlaceRole) throws -> [String] {
      var occurrences: [String: Int] = [:]
      return try database.rows(
        "SELECT CAST(place_id AS TEXT) AS id FROM \(run).place WHERE role = ? ORDER BY fid", role.rawValue
      ) { row in
        let id: String = try row["id"]
        occurrences[id, default: 0] += 1
        return occurrences[id] == 1 ? id : "\(id)#\(occurrences[id] ?? 0)"
      }
    }
    return (cells, try ids(.origin), try ids(.destination))
  }

  /// Sets the reason of each changed row: a moved place if there is one, since it is the most specific reason, or else
  /// the differences between the runs.
  private func explain(_ database: SQLite) throws {
    try readOldPlaces(database)
    try database.execute(
      """
      CREATE TEMP TABLE moved AS
        SELECT CAST(new.place_id AS TEXT) AS place_id, CASE WHEN abs(new.latitude - old.latitude) > 1e-7
          OR abs(new.longitude - old.longitude) > 1e-7 THEN 'place moved' ELSE 'snapping moved' END AS why
        FROM new.place AS new JOIN temp.was AS old ON old.id = CAST(new.place_id AS TEXT) AND old.role = new.role
        GROUP BY 1 HAVING min(abs(new.latitude - old.latitude) + abs(new.longitude - old.longitude)) > 1e-7
          OR min(abs(coalesce(new.snapped_latitude, 99) - coalesce(old.snapped_latitude, 99)) +
            abs(coalesce(new.snapped_longitude, 999) - coalesce(old.snapped_longitude, 999))) > 1e-5
          OR min(coalesce(new.street, '') <> coalesce(old.street, ''));
      CREATE INDEX temp.moved_by_id ON moved (place_id);
      UPDATE change SET reason = 'input changed' WHERE change IN ('new', 'gone');
      UPDATE change SET
        origin_id = coalesce(
          (SELECT id FROM temp.was WHERE CAST(old_id AS TEXT) = origin_id AND role = 'origin'), origin_id),
        destination_id = coalesce(
          (SELECT id FROM temp.was WHERE CAST(old_id AS TEXT) = destination_id AND role = 'destination'), destination_id)
        WHERE change = 'gone';
      """)
    try database.prepare(
      """
      UPDATE change SET reason = coalesce(
        (SELECT min(why) FROM temp.moved WHERE place_id IN (change.origin_id, change.destination_id)), ?)
      WHERE change NOT IN ('new', 'gone')
      """
    ).execute(facts.reasons)
  }

  /// Creates table `temp.was`: the places of the old run by their ids in the new one.
  ///
  /// Places of pairs without ids are numbered in order of appearance, so removing a pair changes the numbers of all
  /// later places. Such places are identified by their pairs instead.
  private func readOldPlaces(_ database: SQLite) throws {
    func areNumbered(_ run: String) throws -> Bool {
      let isNumbered: Int = try database.value(
        """
        SELECT coalesce(min(number) = 1 AND max(number) = count(DISTINCT number) AND min(number || '' = id), 0)
          FROM (SELECT CAST(place_id AS INTEGER) AS number, CAST(place_id AS TEXT) AS id FROM \(run).place)
        """)
      return isNumbered == 1
    }
    let byPairs = try facts.kind.hasPairs && areNumbered("old") && areNumbered("new")
    let ends = ["origin_id", "destination_id"].map { end in
      func legs(_ run: String) -> String {
        "(SELECT DISTINCT CAST(pair_id AS TEXT) AS pair_id, leg, \(end) AS id FROM \(run).route WHERE alternative = 0)"
      }
      return """
        SELECT old.id AS old_id, new.id AS new_id FROM \(legs("new")) AS new JOIN \(legs("old")) AS old USING (pair_id, leg)
        """
    }
    // If there are several new places, the closest one is used.
    let matched = """
      LEFT JOIN (
        SELECT old_id, CAST(new_id AS TEXT) AS new_id,
          min(abs(new.latitude - old.latitude) + abs(new.longitude - old.longitude))
        FROM (\(ends.joined(separator: " UNION ")))
        JOIN old.place AS old ON old.place_id = old_id JOIN new.place AS new ON new.place_id = new_id GROUP BY old_id
      ) ON old_id = place_id
      """
    try database.execute(
      """
      CREATE TEMP TABLE was AS
        SELECT \(byPairs ? "coalesce(new_id, place_id || ' (old)')" : "CAST(place_id AS TEXT)") AS id, role,
          min(place_id) AS old_id, min(name) AS name, longitude, latitude, snapped_longitude, snapped_latitude, street
        FROM old.place \(byPairs ? matched : "") GROUP BY 1, role;
      CREATE INDEX temp.was_by_id ON was (id, role);
      CREATE INDEX temp.was_by_old_id ON was (CAST(old_id AS TEXT), role);
      """)
  }
}

extension ResultsDatabase {
  /// Returns the number of rows or cells in a comparison of these results.
  fileprivate func comparedRows() throws -> Int { try statusCounts().total }
}

/// Another program's times as the cells of a matrix, in the order of that program's origins and destinations.
final class TravelTimeCells: MatrixCells {
  let name: String
  let isSingle: Bool
  private let times: TravelTimes

  init(_ times: TravelTimes) { (self.times, name, isSingle) = (times, times.path, times.isSingle) }

  func read(_ row: Int, into cells: inout CellRow) throws {
    cells = CellRow(times: Array(repeating: CellRow.absent, count: times.destinations.count))
    for index in times.indices(ofRow: row) { cells.times[times.column(of: index)] = times.time(index) }
  }
}

/// Counts of a comparison's rows by change, in total and by zone. Belongs to one thread.
final class ChangeCount {
  private let threshold: ChangeThreshold
  private let comparesAreas: Bool
  private var tally = ChangeTally()
  private var ratios = RatioHistogram()
  /// Whether all rows so far have the same status and value in both runs.
  private var areEqual = true
  private var zones: [String: ChangeTally] = [:]

  init(_ threshold: ChangeThreshold, comparesAreas: Bool) {
    (self.threshold, self.comparesAreas) = (threshold, comparesAreas)
  }

  func add(_ row: ComparedRow) -> Change {
    let change = row.change(threshold, comparesAreas: comparesAreas)
    tally.add(row, change)
    if let ratio = row.ratio { ratios.add(ratio) }
    if row.oldValue != row.newValue || row.oldStatus != row.newStatus { areEqual = false }
    if let zone = row.zone ?? row.origin { zones[zone, default: ChangeTally()].add(row, change) }
    return change
  }

  var summary: ComparisonSummary {
    ComparisonSummary(
      rows: tally.rows, counts: tally.counts, areEqual: areEqual,
      quantiles: [("mean", ratios.mean)] + FailureConditions.quantiles.map { ($0.name, ratios.quantile($0.share)) })
  }

  func write(to database: SQLite) throws {
    try database.insert(
      Change.allCases.compactMap { change in tally.counts[change].map { (change, $0, tally.rows) } },
      into: ComparisonTables.counts)
    try database.insert(summary.quantiles, into: ComparisonTables.quantiles)
    try database.insert(
      zones.sorted { $0.key < $1.key }.filter { $0.value.count(.same) != $0.value.rows }
        .map { ($0.key, $0.value) }, into: ComparisonTables.zones)
  }
}

/// The distribution of relative changes in steps of 0.01 %, from −100 % to +1,900 %; larger changes count as +1,900 %. The
/// mean and the maximum are not rounded.
struct RatioHistogram {
  private static let maximumStep = 190_000
  private var counts = [Int](repeating: 0, count: 10_000 + RatioHistogram.maximumStep + 1)
  private(set) var count = 0
  private var (sum, greatest) = (0.0, -1.0)

  mutating func add(_ ratio: Double) {
    let ratio = max(-1, min(19, ratio))
    count += 1
    sum += ratio
    greatest = max(greatest, ratio)
    counts[Int((ratio * 10_000).rounded()) + 10_000] += 1
  }

  /// Returns a quantile of the ratios, given as a share from 0 to 1, at most their maximum; 0 if there are no ratios.
  func quantile(_ share: Double) -> Double {
    var rest = Int((share * Double(max(0, count - 1))).rounded())
    guard count > 0 else { return 0 }
    guard share < 1 else { return greatest }
    for (bucket, count) in counts.enumerated() {
      if rest < count { return min(greatest, Double(bucket - 10_000) / 10_000) }
      rest -= count
    }
    return greatest
  }

  var mean: Double { count > 0 ? sum / Double(count) : 0 }
}

/// The comparison of results with another program's times.
extension Comparison {
  /// Rejects times that match no row, or that appear to be in a different unit. *Throws*: `ResultsError`.
  func check(_ times: TravelTimes, _ summary: ComparisonSummary) throws {
    func inputError(_ problem: String) -> ResultsError {
      ResultsError(path: times.path, problem: problem, cause: .input)
    }
    let both = summary.rows - (summary.counts[.new] ?? 0) - (summary.counts[.gone] ?? 0)
    guard both > 0 else {
      func listed(_ names: [String]) -> String { RowProblem.list(names.prefix(3)) }
      let ends = times.areByPair ? "" : " to \(listed(times.destinations.values)), …"
      throw inputError(
        (times.count == 1 ? "its time matches no row" : "none of its \(times.count) times matches a row")
          + " of \(facts.new.path): \(times.count == 1 ? "it is" : "they are") for "
          + "\(times.areByPair ? "pairs " : "")\(listed(times.origins.values)), …\(ends); "
          + "expected the ids of the results")
    }
    let median = summary.quantiles.first { $0.measure == "median" }?.ratio ?? 0
    guard times.isUnitGiven || (-0.95..<19).contains(median) else {
      throw inputError(
        "most of its times are \(median > 0 ? "less than a twentieth of" : "more than twenty times") those in "
          + "\(facts.new.path): if they are in another unit, set --unit to seconds, minutes or hours")
    }
  }

  /// Returns a note about rows found only in the results or only in another program's times; nil if there are none.
  package func noteOnUnmatchedRows(_ summary: ComparisonSummary) -> String? {
    let (new, gone) = (summary.counts[.new] ?? 0, summary.counts[.gone] ?? 0)
    guard let times, new + gone > 0 else { return nil }
    return
      "\(new) \(new == 1 ? "row is" : "rows are") only in \(facts.new.path) (new), \(gone) only in \(times.path) (gone)"
  }

  /// Sets the reason of each changed row: the problem of a newly unreachable row's place if there is one, or else what
  /// a side lacks.
  func explainTimes(_ database: SQLite) throws {
    try database.execute(
      """
      CREATE TEMP TABLE unreached AS SELECT CAST(place_id AS TEXT) AS place_id, role || ': ' || reason AS why
        FROM new.place WHERE reason NOT NULL;
      CREATE INDEX temp.unreached_by_id ON unreached (place_id);
      """)
    try database.prepare(
      """
      UPDATE change SET reason = CASE change
        WHEN 'new' THEN 'only in the results' WHEN 'gone' THEN 'only in the file'
        WHEN 'newly_reachable' THEN 'no time in the file'
        WHEN 'newly_unreachable' THEN coalesce(
          (SELECT min(why) FROM temp.unreached WHERE place_id IN (change.origin_id, change.destination_id)),
          'no time in the results')
        ELSE ? END
      """
    ).execute(facts.reasons)
  }
}
