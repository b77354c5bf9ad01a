import Tables

/// Results next to times that another program found.
extension Comparison {
  /// Refuses times that are of other places, or in another unit. *Throws*: `ResultsError`.
  func check(_ times: TravelTimes, _ summary: ComparisonSummary) throws {
    func refused(_ problem: String) -> ResultsError {
      ResultsError(path: times.path, problem: problem, cause: .input)
    }
    let both = summary.rows - (summary.counts[.new] ?? 0) - (summary.counts[.gone] ?? 0)
    guard both > 0 else {
      func listed(_ names: [String]) -> String { names.prefix(3).joined(separator: ", ") }
      let ends =
        times.areOfPairs ? "" : " to \(listed(times.destinations.names)), …"
      throw refused(
        "none of its \(times.count) times is of a row of \(facts.new.path): they are of "
          + "\(times.areOfPairs ? "pairs " : "")\(listed(times.origins.names)), …\(ends); expected the ids of the results"
      )
    }
    let median = summary.quantiles.first { $0.measure == "median" }?.ratio ?? 0
    guard times.isUnitGiven || (-0.95..<19).contains(median) else {
      throw refused(
        "most of its times are \(median > 0 ? "less than a twentieth" : "more than twenty times") of those in "
          + "\(facts.new.path): are they in another unit? --unit seconds, minutes or hours says so")
    }
  }

  /// What only one of the two has, where the other is another program's; nil where both have all.
  package func oneSided(_ summary: ComparisonSummary) -> String? {
    let (new, gone) = (summary.counts[.new] ?? 0, summary.counts[.gone] ?? 0)
    guard let times, new + gone > 0 else { return nil }
    return
      "\(new) \(new == 1 ? "row is" : "rows are") in \(facts.new.path) alone (new), \(gone) in \(times.path) alone (gone)"
  }

  /// Why rows differ: a place that cannot be reached says so itself.
  func explainTimes(_ database: SQLite) throws {
    try database.execute(
      """
      CREATE TEMP TABLE unreached AS SELECT CAST(place_id AS TEXT) AS place_id, role || ': ' || reason AS why
        FROM new.place WHERE reason NOT NULL;
      CREATE INDEX temp.unreached_by_id ON unreached (place_id);
      UPDATE change SET reason = CASE change WHEN 'new' THEN 'only in the results' ELSE 'only in the file' END
        WHERE change IN ('new', 'gone');
      UPDATE change SET reason =
        (SELECT min(why) FROM temp.unreached WHERE place_id IN (change.origin_id, change.destination_id))
        WHERE change = 'newly_unreachable';
      """)
  }
}
