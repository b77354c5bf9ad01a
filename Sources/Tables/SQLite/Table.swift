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
  var filledColumns: [Column<Row>] { columns.filter { $0.put != nil } }

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
