import Geography

/// A table of the results, described once: what a row is, and per column its name, type and meaning and the value that a
/// row has there. The table's SQL, its insertion and its documentation come from this.
///
///     static let table = Table<StreetRow>("street", "street drawn as a backdrop", [
///       .key("fid"),
///       .text("class", "the road's class") { $0.roadClass },
///       .geometry("geom", .lineString) { $0.shape },
///     ])
package struct Table<Row>: Sendable {
  let name: String
  /// What one row is of, for documentation: "pair".
  let summary: String
  let columns: [Column<Row>]
  /// Columns of the primary key, where that is not one column; such a table has no other row numbers.
  let key: [String]

  /// Where `.schema` shows a new line: before the columns with these indices.
  private let lineBreaks: [Int]

  package init(
    _ name: String, _ summary: String, key: [String] = [], _ columns: [Column<Row>]
  ) {
    (self.name, self.summary, self.key) = (name, summary, key)
    let breaks = columns.indices.filter { columns[$0].isLineBreak }
    lineBreaks = breaks.enumerated().map { $1 - $0 }
    self.columns = columns.filter { !$0.isLineBreak }
  }

  /// The statement that makes it.
  package func creation(_ ids: IDType) -> String {
    let starts = [0] + lineBreaks
    var lines = zip(starts, lineBreaks + [columns.count]).map { start, end in
      columns[start..<end].map { "\($0.name) \($0.declaration(ids))" }.joined(separator: ", ")
    }
    let end = columns.contains(where: \.isTextKey) || !key.isEmpty ? ") WITHOUT ROWID" : ")"
    if !key.isEmpty {
      let last = "\(lines.removeLast()), PRIMARY KEY (\(key.joined(separator: ", ")))"
      let fits = last.count + end.count < 116
      lines.append(fits ? last : last.replacing(", PRIMARY KEY", with: ",\n  PRIMARY KEY"))
    }
    let single = "CREATE TABLE \(name) (\(lines[0])\(end)"
    if lines.count == 1 && single.count <= 110 && !single.contains("\n") { return single + ";\n" }
    return "CREATE TABLE \(name) (\n  \(lines.joined(separator: ",\n  "))\(end);\n"
  }

  package var description: TableDescription {
    TableDescription(
      name: name, summary: summary,
      columns: columns.compactMap { column in
        column.note.isEmpty ? nil : .init(name: column.name, type: column.type.documented, note: column.note)
      })
  }
}

/// The type of columns of ids: whole numbers if all ids of the input are, else texts.
package enum IDType: String {
  case number = "INTEGER"
  case text = "TEXT"
}

/// A column of a table, and the value that a row has there.
package struct Column<Row>: Sendable {
  let name: String
  let type: ColumnType
  /// What it is, with its unit; empty where it serves the program alone.
  let note: String
  private let suffix: String
  /// Binds the row's value; nil for a column that the database fills itself.
  let bind: (@Sendable (Row, SQLite.Statement) -> Void)?

  private init(
    _ name: String, _ type: ColumnType, _ note: String, _ suffix: String = "",
    _ bind: (@Sendable (Row, SQLite.Statement) -> Void)? = nil
  ) {
    (self.name, self.type, self.note, self.suffix, self.bind) = (name, type, note, suffix, bind)
  }

  func declaration(_ ids: IDType) -> String { type.sql(ids) + suffix }

  /// Not a column: where `.schema` shows a new line.
  package static var lineBreak: Self { Column("", .text, "") }
  var isLineBreak: Bool { name.isEmpty }
  var isTextKey: Bool { type.isText && suffix == Column.primaryKey }
  private static var primaryKey: String { " PRIMARY KEY" }

  // MARK: Filled by the database

  /// Row numbers from 1, in the order of insertion.
  package static func rowNumber(_ name: String) -> Self { Column(name, .integer, "", primaryKey) }

  /// Computed from other columns of its row.
  package static func computed(_ name: String, _ type: ColumnType, _ note: String, _ expression: String) -> Self {
    Column(name, type, note, " AS (\(expression))")
  }

  // MARK: Filled from rows. An `optional…` column may be NULL.

  /// A primary key that rows bring themselves.
  package static func key(_ name: String, _ note: String, _ value: @escaping @Sendable (Row) -> Int) -> Self {
    Column(name, .integer, note, primaryKey) { $1.bind(value($0)) }
  }

  static func textKey(_ name: String, _ note: String, _ value: @escaping @Sendable (Row) -> String) -> Self {
    Column(name, .text, note, primaryKey) { $1.bind(value($0)) }
  }

  package static func id(_ name: String, _ note: String, _ value: @escaping @Sendable (Row) -> Identifier) -> Self {
    Column(name, .id, note) { $1.bind(value($0)) }
  }

  static func optionalID(_ name: String, _ note: String, _ value: @escaping @Sendable (Row) -> Identifier?) -> Self {
    Column(name, .id, note) { row, statement in
      if let id = value(row) { statement.bind(id) } else { statement.bindNull() }
    }
  }

  package static func integer(_ name: String, _ note: String, _ value: @escaping @Sendable (Row) -> Int) -> Self {
    Column(name, .integer, note, " NOT NULL") { $1.bind(value($0)) }
  }

  package static func optionalInteger(_ name: String, _ note: String, _ value: @escaping @Sendable (Row) -> Int?)
    -> Self
  {
    Column(name, .integer, note) { $1.bind(value($0)) }
  }

  static func real(_ name: String, _ note: String, _ value: @escaping @Sendable (Row) -> Double) -> Self {
    Column(name, .real, note, " NOT NULL") { $1.bind(value($0)) }
  }

  static func optionalReal(_ name: String, _ note: String, _ value: @escaping @Sendable (Row) -> Double?) -> Self {
    Column(name, .real, note) { $1.bind(value($0)) }
  }

  package static func text(_ name: String, _ note: String, _ value: @escaping @Sendable (Row) -> String) -> Self {
    Column(name, .text, note, " NOT NULL") { $1.bind(value($0)) }
  }

  static func optionalText(_ name: String, _ note: String, _ value: @escaping @Sendable (Row) -> String?) -> Self {
    Column(name, .text, note) { $1.bind(value($0)) }
  }

  /// Text that is bound without a copy: it must stay until the row is run.
  static func bytes(
    _ name: String, _ note: String, _ value: @escaping @Sendable (Row) -> UnsafeBufferPointer<UInt8>?
  ) -> Self {
    Column(name, .text, note) { row, statement in
      if let text = value(row) { statement.bind(staying: text) } else { statement.bindNull() }
    }
  }

  static func blob(_ name: String, _ note: String, _ value: @escaping @Sendable (Row) -> [UInt8]) -> Self {
    Column(name, .blob, note, " NOT NULL") { $1.bind(blob: value($0)) }
  }

  static func geometry(
    _ name: String, _ type: GeoPackage.GeometryType, _ value: @escaping @Sendable (Row) -> GeometryBlob?
  ) -> Self {
    Column(name, .geometry(type), "WGS 84") { row, statement in
      if let shape = value(row) { statement.bind(blob: shape.bytes) } else { statement.bindNull() }
    }
  }

  static func point(_ name: String, _ value: @escaping @Sendable (Row) -> FixedCoordinate?) -> Self {
    Column(name, .geometry(.point), "WGS 84") { row, statement in
      if let point = value(row) { statement.bind(point: point) } else { statement.bindNull() }
    }
  }
}

/// What SQLite and GeoPackages know as the type of a column.
package enum ColumnType: Sendable {
  case id, integer, real, text, blob
  case geometry(GeoPackage.GeometryType)

  func sql(_ ids: IDType) -> String {
    switch self {
    case .id: ids.rawValue
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    case .geometry(let type): type.rawValue
    }
  }

  var isText: Bool { if case .text = self { true } else { false } }

  /// As documents call it.
  var documented: String {
    switch self {
    case .id: "id"
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .blob: "blob"
    case .geometry(let type): type.rawValue.lowercased()
    }
  }
}
