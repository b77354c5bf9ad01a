/// A view: columns of joined tables.
package struct View: Sendable {
  package let name: String
  /// The meaning of one row.
  package let summary: String
  package let columns: [Column]
  /// The joined tables, as SQL.
  package let source: String
  /// The selection and grouping of rows, as SQL.
  package let condition: String
  /// For each type, a column of that type: SQLite gives expressions no declared type, so programs would read them as
  /// text.
  package let models: [String: String]
  /// The tables of the columns in `models`, as SQL.
  private let modelSource: String

  package struct Column: Sendable {
    package let name: String
    /// The SQL expression, unless the column has the same name.
    package let expression: String?
    package let type: String
    /// The meaning, for documentation; empty for internal columns.
    package let note: String

    package init(_ name: String, _ type: ColumnType, _ note: String, as expression: String? = nil) {
      (self.name, self.expression, self.type, self.note) = (name, expression, type.documentedName, note)
    }

    /// Whether the column is an expression, not a renamed column.
    fileprivate var isComputed: Bool {
      expression?.contains { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") } ?? false
    }

    /// Returns the SQL of the column in a query.
    fileprivate func selected(as expression: String?) -> String {
      guard let expression else { return name }
      return expression.hasSuffix(".\(name)") ? expression : "\(expression) AS \(name)"
    }

    /// A line break in `.schema`, not a column.
    package static let lineBreak = Column("", .text, "")

    /// Returns columns of a table under their own names, in the order of `names`. `qualifier` is the table's name, for
    /// ambiguous columns.
    package static func of<Row>(_ table: Table<Row>, _ names: String..., qualifier: String? = nil) -> [Column] {
      names.map { name in
        guard let column = table.columns.first(where: { $0.name == name }) else {
          preconditionFailure("table \(table.name) has no column \(name)")
        }
        return Column(name, column.type, column.note, as: qualifier.map { "\($0).\(name)" })
      }
    }
  }

  package init(
    _ name: String, _ summary: String, _ columns: [Column], from source: String, where condition: String = "",
    models: [String: String] = [:], modelSource: String? = nil
  ) {
    (self.name, self.summary, self.columns, self.source) = (name, summary, columns, source)
    (self.condition, self.models) = (condition.isEmpty ? "" : " WHERE \(condition)", models)
    self.modelSource = modelSource ?? source
  }

  package var creation: String {
    // The first part of the union, which has no rows, gives the columns their types.
    let typed = query(modelSource) { $0.isComputed ? models[$0.type] ?? $0.expression : $0.expression } + " WHERE 0"
    let rows = query(source, \.expression) + condition
    let parts = models.isEmpty ? [rows] : [typed, rows]
    return "CREATE VIEW \(name) AS\n  \(parts.joined(separator: "\n  UNION ALL\n  "));\n"
  }

  private func query(_ source: String, _ expression: (Column) -> String?) -> String {
    let lines = columns.split { $0.name.isEmpty }.map { line in
      line.map { $0.selected(as: expression($0)) }.joined(separator: ", ")
    }
    return "SELECT \(lines.joined(separator: ",\n    "))\n  FROM \(source)"
  }

  package var description: TableDescription {
    TableDescription(
      name: name, summary: summary,
      columns: columns.compactMap { $0.note.isEmpty ? nil : .init(name: $0.name, type: $0.type, note: $0.note) })
  }
}
