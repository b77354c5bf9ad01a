/// The distributions of values that are not kept, while the results are being written: a run that is resumed goes on
/// with them.
package enum Distributions {
  package static let table = Table<(measure: Statistic.Measure, histogram: LogHistogram)>(
    "distribution", "measure of the results so far",
    [.textKey("measure", "") { $0.measure.rawValue }, .blob("counts", "") { $0.histogram.bytes }])

  package static func read(from database: SQLite) throws -> [Statistic.Measure: LogHistogram] {
    let rows = try database.rows("SELECT measure, counts FROM distribution") { row in
      guard let histogram = LogHistogram(bytes: try row["counts"]) else {
        throw ResultsError(path: database.path, problem: "the distribution of the values is corrupt", cause: .changed)
      }
      return (try row["measure"] as Statistic.Measure, histogram)
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// When the statistics are written, nobody needs them any more.
  package static func drop(from database: SQLite) throws { try database.execute("DROP TABLE \(table.name)") }
}
