import Geography
import Tables

/// A row of results that is called by some id, as its table has it.
package struct FoundRow: Sendable {
  package var table: String
  /// Its columns that have a value, in order, as text; geometries are left out.
  package var facts: [(column: String, value: String)]

  package subscript(column: String) -> String? { facts.first { $0.column == column }?.value }
}

extension ResultsDatabase {
  /// The columns that rows are called by, and the tables they are in; those of the kind in hand come first.
  private static let tables = [
    ("route", "pair_id"), ("trace", "trace_id"), ("place", "place_id"), ("access", "origin_id"),
    ("isochrone", "place_id"), ("origin_summary", "origin_id"), ("station_service", "station_id"),
  ]

  /// At most `limit` rows of each table that are called `id`, and how many there are.
  package func rows(called id: String, atMost limit: Int) throws -> [(rows: [FoundRow], count: Int)] {
    try ResultsDatabase.tables.compactMap { table, column -> (rows: [FoundRow], count: Int)? in
      guard try database.hasTable(table) else { return nil }
      let isCalled = "\(column) IN (?, ?)"
      let count: Int = try database.value(
        "SELECT count(*) FROM \(table) WHERE \(isCalled)", Identifier(id), Identifier.text(id))
      guard count > 0 else { return nil }
      let rows = try database.rows(
        "SELECT * FROM \(table) WHERE \(isCalled) LIMIT ?", Identifier(id), Identifier.text(id), limit
      ) { FoundRow(table: table, facts: $0.facts) }
      return (rows, count)
    }
  }

  /// Rejected rows of the input that have `id` as a field.
  package func rejected(naming id: String, atMost limit: Int) throws -> [RejectedRow] {
    let rows = try database.rows(
      "SELECT file, line, text, reason FROM rejected WHERE instr(text, ?) > 0 LIMIT 10000", id
    ) { row in
      RejectedRow(file: try row["file"], line: try row["line"], text: try row["text"], reason: try row["reason"])
    }
    let separators: Set<Character> = [",", ";", "\t", "|", "\"", ":", "{", "}", " "]
    return Array(
      rows.filter { $0.text.split(whereSeparator: separators.contains).contains(Substring(id)) }.prefix(limit))
  }

  /// Ids of rows and places, some of each table, for a person who mistyped one.
  func someIDs(atMost limit: Int) throws -> [String] {
    var ids: [String] = []
    for (table, column) in ResultsDatabase.tables.prefix(3) where try database.hasTable(table) {
      let found: [String] = try database.rows(
        "SELECT CAST(\(column) AS TEXT) AS id FROM \(table) GROUP BY \(column) ORDER BY min(rowid) LIMIT ?", limit
      ) { try $0["id"] }
      for id in found where !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  /// Where places of a role are that have an id: one mostly.
  package func points(of role: PlaceRole, called id: String) throws -> [FixedCoordinate] {
    try database.rows(
      "SELECT latitude, longitude FROM place WHERE role = ? AND place_id IN (?, ?) ORDER BY fid", role.rawValue,
      Identifier(id), Identifier.text(id)
    ) { try $0.point() }
  }
}

extension SQLite.Statement {
  /// The columns of the row in hand that have a value that is a number or a text.
  fileprivate var facts: [(column: String, value: String)] {
    zip(names, Int32(0)...).compactMap { name, index in
      guard !["", "fid"].contains(name), !isNull(at: index) else { return nil }
      let value = text(at: index) ?? integer(at: index).map { "\($0)" } ?? double(at: index).map { "\($0)" }
      return value.map { (name, $0) }
    }
  }
}
