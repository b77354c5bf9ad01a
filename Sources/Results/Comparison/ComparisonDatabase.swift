/// The database of a comparison, read.
package struct ComparisonDatabase {
  private let database: ResultsDatabase

  /// *Throws*: `ResultsError`.
  package init(path: String) throws { database = try ResultsDatabase(path: path) }

  package func facts() throws -> [String: String] { try database.facts() }

  package func counts() throws -> [(change: String, rows: Int, share: Double)] {
    try database.rows(Schema.changeCounts) { ($0.text(0) ?? "", $0.integer(1), $0.double(2)) }
  }

  package func quantiles() throws -> [(measure: String, ratio: Double)] {
    try database.rows(Schema.changeQuantiles) { ($0.text(0) ?? "", $0.double(1)) }
  }

  package func reasons() throws -> [(change: String, reason: String, rows: Int)] {
    try database.rows(Schema.changeReasons) { ($0.text(0) ?? "", $0.text(1) ?? "", $0.integer(2)) }
  }

  /// A row that has changed.
  package struct ChangedRow {
    package var item: String
    package var change: String
    package var old: Double?
    package var new: Double?
    package var ratio: Double?
    package var reason: String
  }

  /// Those that changed most: what can no longer be reached first, then by the relative change.
  package func greatest(atMost limit: Int) throws -> [ChangedRow] {
    try database.rows(Schema.greatestChanges, limit) { row in
      func number(_ column: Int32) -> Double? { row.isNull(column) ? nil : row.double(column) }
      return ChangedRow(
        item: row.text(0) ?? "", change: row.text(1) ?? "", old: number(2), new: number(3), ratio: number(4),
        reason: row.text(5) ?? "")
    }
  }

  /// A zone or a street, and what became of its rows.
  package struct Group {
    package var name: String
    package var rows: Int
    /// New, gone, faster or smaller, slower or larger, newly unreachable, newly reachable.
    package var counts: [Int]
    package var oldMean: Double?
    package var newMean: Double?
  }

  package func zones(atMost limit: Int) throws -> [Group] { try groups(Schema.changedZones, limit) }
  package func streets(atMost limit: Int) throws -> [Group] { try groups(Schema.changedStreets, limit) }

  private func groups(_ question: String, _ limit: Int) throws -> [Group] {
    try database.rows(question, limit) { row in
      Group(
        name: row.text(0) ?? "", rows: row.integer(1), counts: (2..<8).map { row.integer(Int32($0)) },
        oldMean: row.isNull(8) ? nil : row.double(8), newMean: row.isNull(9) ? nil : row.double(9))
    }
  }

  /// Streets on which routes spend more or less time than before, the greatest difference first.
  package func steps(atMost limit: Int) throws -> [(street: String, old: Double, new: Double)] {
    try database.rows(Schema.changedSteps, limit) { ($0.text(0) ?? "", $0.double(1), $0.double(2)) }
  }
}
