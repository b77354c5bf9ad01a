/// A prepared insertion into a table.
package struct Insert<Row> {
  private let statement: SQLite.Statement
  private let bindings: [@Sendable (Row, SQLite.Statement) -> Void]

  /// - Parameter isReplacing: Whether a row takes the place of an earlier one with the same key.
  package init(into table: Table<Row>, of database: SQLite, isReplacing: Bool = false) throws {
    let columns = table.columns.filter { $0.bind != nil }
    bindings = columns.compactMap(\.bind)
    let parameters = columns.map { _ in "?" }.joined(separator: ",")
    statement = try database.prepare(
      "INSERT \(isReplacing ? "OR REPLACE " : "")INTO \(table.name) (\(columns.map(\.name).joined(separator: ","))) "
        + "VALUES (\(parameters))")
  }

  package func callAsFunction(_ row: Row) throws {
    for bind in bindings { bind(row, statement) }
    try statement.execute()
  }
}

extension SQLite {
  /// Inserts rows into a table.
  package func insert<Row>(_ rows: some Sequence<Row>, into table: Table<Row>) throws {
    let insert = try Insert(into: table, of: self)
    for row in rows { try insert(row) }
  }
}
