import Geography
import Input
import Routing
import StreetNetwork
import Tables
import TransitNetwork

/// A comparison of results with plain Dijkstra, or a plain timetable search: random rows are recomputed on the network
/// without its hierarchy, and all sums are added up again. Deterministic for the same results, sample and seed.
package struct Verification {
  private let database: ResultsDatabase
  private let context: JobContext

  struct Rows {
    var count: Int
    var differences: [Difference]
    /// The reason if no rows were recomputed.
    var emptyReason = "the results have no rows"

    static func += (rows: inout Rows, other: Rows) {
      rows.count += other.count
      rows.differences += other.differences
    }
  }

  /// The outcome of a verification.
  package struct Outcome: Sendable {
    /// The seed of the sample.
    package var seed: Int
    /// The number of recomputed rows.
    package var rows: Int
    /// The number of recomputed sums.
    package var sums: Int
    package var differences: [Difference]
    /// The reason if no rows were recomputed.
    var emptyReason: String
    /// The search that recomputed the rows.
    var search: String
  }

  /// Verifies the results at `path`, on their original network. *Throws*: `ResultsError`.
  ///
  /// - Parameter cache: The folder for timetable files; the first feed's folder if nil.
  package init(of path: String, on network: StreetNetwork, workers: Int, cache: String? = nil) throws {
    database = try ResultsDatabase(path: path, checksRows: true)
    let job = try Job(of: database, on: network)
    try job.speeds.check(database)
    context = try JobContext(job, on: network, workers: workers, .verification, cache: cache)
    try context.transit?.check(database)
  }

  /// A random seed, for a different sample in each run.
  package static var newSeed: Int { .random(in: 1..<1 << 53) }

  /// Recomputes `sample` rows, or all if there are fewer, and stores the outcome in the results, with the seed, which
  /// determines the rows.
  package func run(sample: Int, seed: Int) throws -> Outcome {
    let rows = try context.job.task.verify(ResultsToVerify(database, in: context, sample: sample, seed: seed))
    let sums = try database.verifiedSums()
    let outcome = Outcome(
      seed: seed, rows: rows.count, sums: sums.checked, differences: rows.differences + sums.differences,
      emptyReason: rows.emptyReason, search: context.job.transit == nil ? "plain Dijkstra" : "a plain timetable search")
    var figures = Entries<FigureKey>()
    figures.set(.verifiedRows, outcome.rows)
    figures.set(.verifiedSums, outcome.sums)
    figures.set(.verifiedDifferences, outcome.differences.count)
    try ResultsDatabase.store(outcome.differences, figures, seed: seed, in: database.path)
    return outcome
  }
}

extension Verification.Outcome: CustomStringConvertible {
  /// For example "1,000 rows computed again …: all equal".
  package var description: String {
    if rows == 0, differences.isEmpty {
      return "nothing to verify: \(emptyReason); only \(sums.counted("sum")) added up again"
    }
    let checked = "\(rows.counted("row")) computed again by \(search), \(sums) sums added up again"
    let count = differences.count
    return "\(checked): \(count == 0 ? "all equal" : "\(count.counted("difference")), in table verification")"
  }
}

extension Verification {
  /// Opens the original network of results; no other network is opened or built. *Throws*: `ResultsError`, and errors
  /// from opening the network.
  package static func network(
    of path: String, at files: LocatedFiles, cache: String?, workers: Int,
    report: @escaping @Sendable (NetworkEvent) -> Void
  ) throws -> StreetNetwork {
    var options = RunOptions()
    (options.cache, options.workers, options.networkEvent) = (cache, workers, report)
    let record = try ResultsDatabase(path: path).record
    return try options.network(of: Job(of: record, in: path, output: path.folder, at: files)) { location in
      guard let name = record.mismatch(with: location) else { return }
      throw ResultsError(
        path: path,
        problem: "the \(name) is not the one these results were computed with; verification needs that \(name)",
        cause: .input)
    }
  }
}

extension TransitSchedule {
  /// Checks that results are explained or verified with their own feeds. *Throws*: `ResultsError`.
  func check(_ database: ResultsDatabase) throws {
    let digests = database.record.identity.list(IdentityKey(digestOf: "gtfs"))
    guard let other = zip(feeds.feeds, digests).first(where: { $0.digest != $1 }) else { return }
    throw ResultsError(
      path: other.0.path,
      problem: "this is not the feed that the results of \(database.path) were computed with: its content has changed",
      cause: .input)
  }
}

extension SpeedInputs {
  /// Checks that rows are computed again with the speeds of their results. *Throws*: `ResultsError`.
  func check(_ database: ResultsDatabase) throws {
    var current = Entries<IdentityKey>()
    try enter(in: &current)
    let identity = database.record.identity
    guard ![IdentityKey.speeds, .speedsSHA256, .traffic, .trafficSHA256].allSatisfy({ identity[$0] == current[$0] })
    else {
      return
    }
    throw ResultsError(
      path: database.path,
      problem:
        "rows cannot be recomputed: \(database.record.run[.jobFile] ?? "") no longer names the speeds of these results, "
        + "or one of the files has changed", cause: .input)
  }
}

/// A wrong number in the results; a missing value is nil.
package struct Difference: Sendable, Hashable {
  package var item: String
  package var measure: String
  package var found: Double?
  package var expected: Double?

  static let table = Table<Difference>(
    "verification", "difference found by verification",
    [
      .text("item", "row or sum: \"pair 17\"") { $0.item },
      .text("measure", "recomputed measure") { $0.measure },
      .optionalReal("found", "value in the results") { $0.found },
      .optionalReal("expected", "recomputed value") { $0.expected },
    ])
}

extension Difference: CustomStringConvertible {
  /// For example "pair 17: distance is 120.5, expected 120.4".
  package var description: String {
    func text(_ value: Double?) -> String { value.map { String($0) } ?? "none" }
    return "\(item): \(measure) is \(text(found)), expected \(text(expected))"
  }
}

extension ResultsDatabase {
  /// Returns the number of recomputed sums, and the wrong ones.
  func verifiedSums() throws -> (checked: Int, differences: [Difference]) {
    let sums = try kind.results.sums(self) + statusSums()
    return (sums.count, try sums.flatMap { try $0.differences(database) })
  }

  /// Returns the check of the number of rows with each status, which the run counted in table `job`.
  private func statusSums() throws -> [SumCheck] {
    guard let rows = kind.results.countedRows,
      // Results of older versions have no counts.
      RowStatus.allCases.contains(where: { record.figures[.count($0, in: kind)] != nil })
    else { return [] }
    let counts = try statusCounts(of: rows)
    return [
      SumCheck(
        RowStatus.allCases.compactMap { status in
          let found = counts.first { $0.status == status }?.count ?? 0
          let expected = record.figures.integer(.count(status, in: kind)) ?? 0
          return found == expected
            ? nil
            : Difference(item: status.rawValue, measure: "rows", found: Double(found), expected: Double(expected))
        })
    ]
  }

  /// Stores the outcome of a verification in the database at `path`: differences in a table, the rest in table `job`.
  package static func store(
    _ differences: [Difference], _ figures: Entries<FigureKey>, seed: Int, in path: String
  ) throws {
    let database = try SQLite(path: path, .writing)
    try database.transaction {
      try database.execute("DROP TABLE IF EXISTS \(Difference.table.name)")
      try database.execute(Difference.table.creation(.text))
      try database.insert(differences, into: Difference.table)
      try GeoPackage.describe([Difference.table.description], in: database)
      var record = JobRecord(figures: figures)
      record.run.set(.verificationSeed, seed)
      try database.record(record)
      try database.numberEntries()
    }
    try database.close()
  }
}

/// A check of sums in finished results.
struct SumCheck: Sendable {
  let differences: @Sendable (SQLite) throws -> [Difference]

  /// - Parameter query: Returns the differences, with columns `item`, `found`, `expected`.
  init(_ measure: String, _ query: String) {
    differences = { database in
      try database.rows(query) { row in
        Difference(item: try row["item"], measure: measure, found: try row["found"], expected: try row["expected"])
      }
    }
  }

  /// Creates a check of a sum that has already been computed.
  init(_ differences: [Difference]) { self.differences = { _ in differences } }

  /// The check of the rows of all chunks, for every kind.
  static let chunks = SumCheck(
    "rows of chunks",
    """
    SELECT 'chunks' AS item, sum(rows) AS found, (SELECT value FROM job WHERE key = 'rows') + 0 AS expected FROM chunk
    HAVING found <> expected
    """)

  /// Returns checks of the numbers of table `statistic` for a measure of the whole job, each compared with the values
  /// that a query returns under the measure's name.
  static func statistic(_ measure: String, of values: String) -> [SumCheck] {
    ["count", "min", "max", "mean"].map { column in
      SumCheck(
        "\(column) of \(measure)",
        """
        SELECT 'statistic' AS item, \(column) AS found, expected FROM statistic,
          (SELECT \(column == "mean" ? "avg" : column)(\(measure)) AS expected FROM (\(values)))
          WHERE scope = 'job' AND measure = '\(measure)' AND abs(\(column) - expected) > 1e-9 * abs(expected)
        """)
    }
  }
}

/// A trip's weight in the results, in the engine's units.
package struct VerifiedWeight: Sendable, Hashable {
  package var milliseconds: Int
  /// The length; nil if the results have none.
  package var centimetres: Int?
  /// Whether the weight was read from 32-bit floats.
  var isSingle: Bool

  package init(milliseconds: Int, centimetres: Int?, isSingle: Bool = false) {
    (self.milliseconds, self.centimetres, self.isSingle) = (milliseconds, centimetres, isSingle)
  }

  /// The weight rounded to 32-bit floats.
  package var single: VerifiedWeight {
    guard !isSingle else { return self }
    return VerifiedWeight(
      milliseconds: Int(SingleFloat.rounded(Int64(milliseconds), per: 1000)),
      centimetres: centimetres.map { Int(SingleFloat.rounded(Int64($0), per: 100)) }, isSingle: true)
  }

  /// Nil for missing seconds, and for impossible values.
  init?(seconds: Double?, metres: Double?) {
    guard let milliseconds = seconds.flatMap({ Int(exactly: ($0 * 1000).rounded()) }) else { return nil }
    self.init(milliseconds: milliseconds, centimetres: metres.flatMap { Int(exactly: ($0 * 100).rounded()) })
  }
}
