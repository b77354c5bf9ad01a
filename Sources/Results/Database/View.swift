/// A view: columns of some tables, joined.
package struct View: Sendable {
  let name: String
  /// What one row is of.
  let summary: String
  let columns: [Column]
  /// The tables it is of, as SQL.
  let source: String

  package struct Column: Sendable {
    let name: String
    /// What it is of, where that is not a column of the same name.
    let expression: String?
    let type: String
    /// For documentation; empty where it serves the program alone.
    let note: String

    package init(_ name: String, _ type: ColumnType, _ note: String, as expression: String? = nil) {
      (self.name, self.expression, self.type, self.note) = (name, expression, type.documented, note)
    }

    /// Not a column: where `.schema` shows a new line.
    package static let lineBreak = Column("", .text, "")

    /// Columns of a table under their own names, in the order of `names`. `qualifier` is the table's, where another one
    /// has columns of the same name.
    package static func of<Row>(_ table: Table<Row>, _ names: String..., qualifier: String? = nil) -> [Column] {
      names.map { name in
        guard let column = table.columns.first(where: { $0.name == name }) else {
          preconditionFailure("table \(table.name) has no column \(name)")
        }
        return Column(name, column.type, column.note, as: qualifier.map { "\($0).\(name)" })
      }
    }
  }

  package init(_ name: String, _ summary: String, _ columns: [Column], from source: String) {
    (self.name, self.summary, self.columns, self.source) = (name, summary, columns, source)
  }

  package var creation: String {
    let lines = columns.split { $0.name.isEmpty }.map { line in
      line.map { column in
        guard let expression = column.expression else { return column.name }
        return expression.hasSuffix(".\(column.name)") ? expression : "\(expression) AS \(column.name)"
      }.joined(separator: ", ")
    }
    return "CREATE VIEW \(name) AS\n  SELECT \(lines.joined(separator: ",\n    "))\n  FROM \(source);\n"
  }

  package var description: TableDescription {
    TableDescription(
      name: name, summary: summary,
      columns: columns.compactMap { $0.note.isEmpty ? nil : .init(name: $0.name, type: $0.type, note: $0.note) })
  }
}
