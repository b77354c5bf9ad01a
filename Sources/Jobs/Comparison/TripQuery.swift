import Tables

/// Trips of a run that is attached as `new`, as SQL: `item`, `origin`, `destination`, `zone`, `departure` (1 without hours),
/// `status`, `value` in seconds.
struct TripQuery: Sendable {
  /// By their ends.
  let byEnds: String
  /// By their pair, whose id is `origin`, and all its legs together; nil where there are no pairs.
  var byPairs: String?

  /// - Parameter hasHours: Whether the run has a column `departure`; without it there is one hour.
  func sql(byPairs isByPairs: Bool, hasHours: Bool) -> String? {
    (isByPairs ? byPairs : byEnds).map { "SELECT \(hasHours ? "departure" : "1 AS departure"), \($0)" }
  }
}
