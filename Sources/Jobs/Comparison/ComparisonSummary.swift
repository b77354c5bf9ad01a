import Tables

/// A comparison in a few numbers.
package struct ComparisonSummary: Sendable {
  package var rows: Int
  package var counts: [Change: Int]
  /// Whether both have the same rows with the same values, to the last digit.
  package var areEqual: Bool
  /// The mean and quantiles of relative changes.
  package var quantiles: [Quantile]

  package struct Quantile: Sendable, Hashable {
    /// "mean", "p95".
    package var measure: String
    package var ratio: Double
  }
}

extension ComparisonSummary: CustomStringConvertible {
  /// "480 rows: 470 same, 10 slower"; "480 rows: all equal".
  package var description: String {
    guard !areEqual else { return "\(rows) \(rows == 1 ? "row" : "rows"): all equal" }
    let parts = Change.allCases.compactMap { change in
      counts[change].map { "\($0) \(change.rawValue)" }
    }
    return "\(rows) \(rows == 1 ? "row" : "rows"): \(parts.joined(separator: ", "))"
  }
}
