import Tables

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
