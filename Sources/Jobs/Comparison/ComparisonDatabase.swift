import Tables

/// The database of a comparison, read.
package struct ComparisonDatabase {
  private let database: SQLite
  package let facts: ComparisonFacts

  /// *Throws*: `ResultsError`.
  package init(path: String) throws {
    database = try SQLite(path: path, .reading)
    facts = try ComparisonFacts(database)
  }

  package func counts() throws -> [(change: Change, rows: Int, share: Double)] {
    try database.rows("SELECT change, rows, share FROM change_count ORDER BY rows DESC, change") {
      (try $0["change"], try $0["rows"], try $0["share"])
    }
  }

  package func quantiles() throws -> [ComparisonSummary.Quantile] {
    try database.rows(
      "SELECT measure, ratio FROM change_quantile ORDER BY measure = 'mean' DESC, ratio, measure"
    ) { .init(measure: try $0["measure"], ratio: try $0["ratio"]) }
  }

  package func reasons() throws -> [(change: Change, reason: String, rows: Int)] {
    try database.rows(
      "SELECT change, reason, count(*) AS rows FROM change GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2"
    ) { (try $0["change"], try $0["reason"] ?? "", try $0["rows"]) }
  }

  /// What maps are drawn upon.
  package func backdrop() throws -> [BackdropRow] { try database.backdrop() }

  package func places() throws -> [ComparedPlace] {
    try database.rows("SELECT place_id, role, name, longitude, latitude, change FROM place ORDER BY fid") { row in
      ComparedPlace(
        id: try row["place_id"], role: try row["role"], name: try row["name"], point: try row.point(),
        change: try row["change"])
    }
  }

  /// Every origin of table `change`.
  package func origins() throws -> [ChangedOrigin] {
    var origins: [ChangedOrigin] = []
    let rows = try database.prepare(
      """
      SELECT origin_id, change, count(*) AS count, total(difference) AS sum, count(difference) AS both FROM change
      WHERE origin_id NOT NULL GROUP BY origin_id, change ORDER BY origin_id, change
      """)
    var (sum, both) = (0.0, 0)
    while try rows.next() {
      let id: String = try rows["origin_id"]
      if origins.last?.id != id {
        origins.append(ChangedOrigin(id: id, counts: [:], difference: nil))
        (sum, both) = (0, 0)
      }
      origins[origins.count - 1].counts[try rows["change"]] = try rows["count"]
      sum += try rows["sum"]
      both += try rows["both"] as Int
      if both > 0 { origins[origins.count - 1].difference = sum / Double(both) }
    }
    return origins
  }

  package func shares() throws -> [ChangedShare] {
    try database.rows("SELECT * FROM change_of_share ORDER BY fid") { row in
      ChangedShare(
        departure: try row["departure"], threshold: try row["threshold"], measure: try row["measure"],
        old: (try row["old_value"], try row["old_share"]), new: (try row["new_value"], try row["new_share"]))
    }
  }

  /// A row that has changed.
  package struct Row {
    package var item: String
    package var origin: String?
    package var destination: String?
    package var change: Change
    package var old: Double?
    package var new: Double?
    package var ratio: Double?
    package var reason: String?
  }

  /// Those that changed most: what can no longer be reached first, then by the relative change.
  package func greatest(atMost limit: Int) throws -> [Row] {
    try database.rows(
      """
      SELECT item, origin_id, destination_id, change, old_value, new_value, ratio, reason FROM change
      ORDER BY change <> 'newly_unreachable', ratio IS NULL, abs(ratio) DESC, change_id LIMIT ?
      """, limit
    ) { row in
      Row(
        item: try row["item"], origin: try row["origin_id"], destination: try row["destination_id"],
        change: try row["change"], old: try row["old_value"], new: try row["new_value"],
        ratio: try row["ratio"], reason: try row["reason"])
    }
  }

  /// A zone, and the counts of its rows by change.
  package struct Zone {
    package var name: String
    package var rows: Int
    /// New, gone, faster or smaller, slower or larger, newly unreachable, newly reachable.
    package var counts: [Int]
    package var oldMean: Double?
    package var newMean: Double?
  }

  package func zones(atMost limit: Int) throws -> [Zone] {
    try database.rows(
      "SELECT * FROM change_by_zone ORDER BY newly_unreachable DESC, slower + faster DESC, zone LIMIT ?", limit
    ) { row in
      Zone(
        name: try row["zone"], rows: try row["rows"],
        counts: try ["new", "gone", "faster", "slower", "newly_unreachable", "newly_reachable"].map { try row[$0] },
        oldMean: try row["old_mean"], newMean: try row["new_mean"])
    }
  }
}
