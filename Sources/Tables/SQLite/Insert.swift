/// A prepared INSERT statement for a table.
package struct Insert<Row> {
  private let statement: SQLite.Statement
  private let source: RowSource
  /// The values of one row.
  private let values: RowValues<Row>

  /// - Parameter isReplacing: Whether a row replaces an existing one with the same key.
  package init(into table: Table<Row>, of database: SQLite, isReplacing: Bool = false) throws {
    let columns = table.filledColumns
    values = RowValues(of: columns)
    source = database.preparedRows
    let selected = columns.indices.map { "c\($0)" }.joined(separator: ",")
    statement = try database.prepare(
      "INSERT \(isReplacing ? "OR REPLACE " : "")INTO \(table.name) (\(columns.map(\.name).joined(separator: ","))) "
        + "SELECT \(selected) FROM \(source.table(columns: columns.count, in: database))")
  }

  /// Inserts a row.
  package func callAsFunction(_ row: Row) throws {
    values.removeAll()
    values.append(row)
    try self(values)
  }

  /// Inserts prepared rows.
  ///
  /// - Parameters:
  ///   - resolving: Maps a reference to the row number that is stored for it.
  ///   - keeps: Returns whether a row, given by its index, keeps its omittable values.
  package func callAsFunction(
    _ rows: RowValues<Row>, resolving: @escaping (Int) -> Int = { $0 },
    keeps: @escaping (Int) -> Bool = { _ in true }
  ) throws { try source.insert(rows, by: statement, resolving, keeps) }
}

extension SQLite {
  /// Inserts rows into a table.
  package func insert<Row>(_ rows: some Sequence<Row>, into table: Table<Row>) throws {
    try Insert(into: table, of: self)(RowValues(of: table, rows))
  }
}
