/// The single definition of a results table: its rows, and the name, type, meaning and value of each column. SQL,
/// insertion and documentation are derived from it.
///
///     static let table = Table<StopRow>("stop", "stop of a trace", [
///       .rowNumber("fid"),
///       .text("street", "street of the stop") { $0.street },
///       .geometry("geom", .lineString) { $0.shape },
///     ])
package struct Table<Row>: Sendable {
  package let name: String
  /// The meaning of one row, for documentation, such as "pair".
  package let summary: String
  package let columns: [Column<Row>]
  /// Columns that form a unique key; empty if the key is a single column or there is none.
  package let key: [String]

  /// The indices of columns preceded by a line break in `.schema`.
  private let lineBreaks: [Int]
  private let definesRowNumber: Bool

  package init(
    _ name: String, _ summary: String, key: [String] = [], _ columns: [Column<Row>]
  ) {
    (self.name, self.summary, self.key) = (name, summary, key)
    let breaks = columns.indices.filter { columns[$0].isLineBreak }
    lineBreaks = breaks.enumerated().map { $1 - $0 }
    let all = columns.filter { !$0.isLineBreak }
    // GDAL does not read tables without row numbers.
    definesRowNumber = all.contains(where: \.isRowNumber)
    self.columns = definesRowNumber ? all : [.rowNumber("fid")] + all
  }

  /// The columns with values from rows.
  @usableFromInline var filledColumns: [Column<Row>] { columns.filter { $0.put != nil } }

  /// A query of the columns that are filled from rows.
  package var query: String { "SELECT \(filledColumns.map(\.name).joined(separator: ", ")) FROM \(name)" }

  /// Returns the statement that creates the table.
  package func creation(_ types: SQLTypes) -> String {
    let breaks = lineBreaks.map { definesRowNumber ? $0 : $0 + 1 }
    var lines = zip([0] + breaks, breaks + [columns.count]).map { start, end in
      columns[start..<end].map { "\($0.name) \($0.declaration(types))" }.joined(separator: ", ")
    }
    if !key.isEmpty {
      let last = "\(lines.removeLast()), UNIQUE (\(key.joined(separator: ", ")))"
      lines.append(last.count < 115 ? last : last.replacing(", UNIQUE", with: ",\n  UNIQUE"))
    }
    let single = "CREATE TABLE \(name) (\(lines[0]))"
    if lines.count == 1 && single.count <= 110 && !single.contains("\n") { return single + ";\n" }
    return "CREATE TABLE \(name) (\n  \(lines.joined(separator: ",\n  ")));\n"
  }

  package var description: TableDescription {
    TableDescription(
      name: name, summary: summary,
      columns: columns.compactMap { column in
        column.note.isEmpty ? nil : .init(name: column.name, type: column.type.documentedName, note: column.note)
      })
  }
}

/// A table or view of the results, as shown in documentation and help.
package struct TableDescription: Sendable {
  package var name: String
  /// The meaning of one row, such as "pair".
  package var summary: String
  package var columns: [Column]

  package struct Column: Sendable {
    package var name: String
    /// `id`: integer if all ids of the job are whole numbers, else text.
    package var type: String
    package var note: String
  }
}

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
  package func insert<Row>(_ rows: some Sequence<Row>, into table: Table<Row>) throws {
    try Insert(into: table, of: self)(RowValues(of: table, rows))
  }
}
