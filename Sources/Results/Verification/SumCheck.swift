/// A sum of finished results, and the query that returns what differs from it: columns `item`, `found`, `expected`.
struct SumCheck: Sendable {
  let measure: String
  let query: String

  init(_ measure: String, _ query: String) { (self.measure, self.query) = (measure, query) }

  /// Rows of all chunks, of every kind.
  static let chunks = SumCheck(
    "rows of chunks",
    """
    SELECT 'chunks' AS item, sum(rows) AS found, (SELECT value FROM job WHERE key = 'rows') + 0 AS expected FROM chunk
    HAVING found <> expected
    """)

  /// The numbers of table `statistic` for a measure of the whole job, each against the values that a query returns under
  /// the measure's name.
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
