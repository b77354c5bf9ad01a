/// The distributions of values that are not stored individually. They are saved while results are written, so that a
/// resumed run continues them.
package enum Distributions {
  package static let table = Table<(name: String, histogram: LogHistogram)>(
    "distribution", "measure of the results so far",
    [.textKey("measure", "") { $0.name }, .blob("counts", "") { $0.histogram.bytes }])

  package static func read(from database: SQLite) throws -> [String: LogHistogram] {
    let rows = try database.rows("SELECT measure, counts FROM distribution") { row in
      guard let histogram = LogHistogram(bytes: try row["counts"]) else {
        throw ResultsError(path: database.path, problem: "the distribution of the values is corrupt", cause: .changed)
      }
      return (try row["measure"] as String, histogram)
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// Drops the table, which is not needed after the statistics are written.
  package static func drop(from database: SQLite) throws { try database.execute("DROP TABLE \(table.name)") }
}
