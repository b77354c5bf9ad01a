import Geography

/// A column of a table, with the function that computes a row's value.
package struct Column<Row>: Sendable {
  package let name: String
  package let type: ColumnType
  /// The meaning and unit; empty for internal columns.
  package let note: String
  private let suffix: String
  package typealias Read<Value> = @Sendable (Row) -> Value
  /// Writes the row's value; nil for a column that the database fills itself.
  let put: (@Sendable (Row, ValueBytes) -> Void)?

  private init(
    _ name: String, _ type: ColumnType, _ note: String, _ suffix: String = "",
    _ put: (@Sendable (Row, ValueBytes) -> Void)? = nil
  ) { (self.name, self.type, self.note, self.suffix, self.put) = (name, type, note, suffix, put) }

  package func declaration(_ types: SQLTypes) -> String { type.sql(types) + suffix }

  /// A line break in `.schema`, not a column.
  package static var lineBreak: Self { Column("", .text, "") }
  var isLineBreak: Bool { name.isEmpty }
  var isRowNumber: Bool { suffix == Column.primaryKey }
  private static var primaryKey: String { " PRIMARY KEY" }

  // MARK: Filled by the database

  /// Returns a column of row numbers from 1, in insertion order unless SQL statements give them.
  package static func rowNumber(_ name: String, _ note: String = "") -> Self {
    Column(name, .integer, note, primaryKey)
  }

  /// Returns a column that SQL statements fill.
  package static func required(_ name: String, _ type: ColumnType, _ note: String) -> Self {
    Column(name, type, note, " NOT NULL")
  }

  /// Returns a column that SQL statements fill, or leave NULL.
  package static func optional(_ name: String, _ type: ColumnType, _ note: String) -> Self { Column(name, type, note) }

  /// Returns a column computed from other columns of its row.
  package static func computed(_ name: String, _ type: ColumnType, _ note: String, _ expression: String) -> Self {
    Column(name, type, note, " AS (\(expression))")
  }

  // MARK: Filled from rows. An `optional…` column may be NULL.

  /// Returns a primary key column with values from rows.
  package static func key(_ name: String, _ note: String, _ value: @escaping Read<Int>) -> Self {
    Column(name, .integer, note, primaryKey) { $1.put(value($0)) }
  }

  package static func textKey(_ name: String, _ note: String, _ value: @escaping Read<String>) -> Self {
    Column(name, .text, note, " NOT NULL UNIQUE") { $1.put(value($0)) }
  }

  package static func id(_ name: String, _ note: String, _ value: @escaping Read<Identifier>) -> Self {
    Column(name, .id, note) { $1.put(value($0)) }
  }

  package static func optionalID(_ name: String, _ note: String, _ value: @escaping Read<Identifier?>) -> Self {
    Column(name, .id, note) { row, bytes in bytes.put(optional: value(row)) { bytes.put($0) } }
  }

  package static func integer(_ name: String, _ note: String, _ value: @escaping Read<Int>) -> Self {
    Column(name, .integer, note, " NOT NULL") { $1.put(value($0)) }
  }

  /// Returns a column with the index of an item whose number is known only when the row is written.
  package static func reference(_ name: String, _ note: String, _ value: @escaping Read<Int>) -> Self {
    Column(name, .integer, note, " NOT NULL") { $1.put(reference: value($0)) }
  }

  /// This column, with values that may be omitted when the row is written.
  package var omittable: Self {
    guard let put else { return self }
    return Column(name, type, note, suffix) { row, values in values.omittable { put(row, values) } }
  }

  package static func optionalInteger(_ name: String, _ note: String, _ value: @escaping Read<Int?>) -> Self {
    Column(name, .integer, note) { row, bytes in bytes.put(optional: value(row)) { bytes.put($0) } }
  }

  package static func real(_ name: String, _ note: String, _ value: @escaping Read<Double>) -> Self {
    Column(name, .real, note, " NOT NULL") { $1.put(value($0)) }
  }

  package static func optionalReal(_ name: String, _ note: String, _ value: @escaping Read<Double?>) -> Self {
    Column(name, .real, note) { row, bytes in bytes.put(optional: value(row)) { bytes.put($0) } }
  }

  package static func text(_ name: String, _ note: String, _ value: @escaping Read<String>) -> Self {
    Column(name, .text, note, " NOT NULL") { $1.put(value($0)) }
  }

  package static func optionalText(_ name: String, _ note: String, _ value: @escaping Read<String?>) -> Self {
    Column(name, .text, note) { row, bytes in bytes.put(optional: value(row)) { bytes.put($0) } }
  }

  /// Returns a column with a date and time in ISO 8601, including the UTC offset.
  package static func moment(_ name: String, _ note: String, _ value: @escaping Read<String>) -> Self {
    Column(name, .moment, note, " NOT NULL") { $1.put(value($0)) }
  }

  package static func optionalMoment(_ name: String, _ note: String, _ value: @escaping Read<String?>) -> Self {
    Column(name, .moment, note) { row, bytes in bytes.put(optional: value(row)) { bytes.put($0) } }
  }

  /// Returns a column with text that is bound without a copy: it must stay valid until the row is written.
  package static func borrowedText(
    _ name: String, _ note: String, _ value: @escaping Read<UnsafeBufferPointer<UInt8>?>
  ) -> Self { Column(name, .text, note) { row, bytes in bytes.put(optional: value(row)) { bytes.put(borrowed: $0) } } }

  package static func blob(_ name: String, _ note: String, _ value: @escaping Read<[UInt8]>) -> Self {
    Column(name, .blob, note, " NOT NULL") { $1.put(blob: value($0)) }
  }

  package static func geometry(
    _ name: String, _ type: GeoPackage.GeometryType, _ value: @escaping Read<GeometryBlob?>
  ) -> Self {
    Column(name, .geometry(type), "WGS 84") { row, bytes in
      bytes.put(optional: value(row)) { bytes.put(blob: $0.bytes) }
    }
  }

  package static func point(_ name: String, _ value: @escaping Read<FixedCoordinate?>) -> Self {
    Column(name, .geometry(.point), "WGS 84") { row, bytes in bytes.put(optional: value(row)) { bytes.put(point: $0) } }
  }
}

/// A column's type in SQLite and GeoPackages.
package enum ColumnType: Sendable {
  case id, integer, real, text, moment, blob
  case geometry(GeoPackage.GeometryType)

  package func sql(_ types: SQLTypes) -> String {
    switch self {
    case .id: types.id
    case .moment: types.moment
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    case .geometry(let type): type.rawValue
    }
  }

  /// The type's name in the documentation.
  var documentedName: String {
    switch self {
    case .id: "id"
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .moment: "datetime"
    case .blob: "blob"
    case .geometry(let type): type.rawValue.lowercased()
    }
  }
}

/// Column types that depend on the job.
package struct SQLTypes: Sendable {
  /// INTEGER if all ids of the job are whole numbers, else TEXT.
  package let id: String
  /// Dates and times, under the type name that other programs recognize; TEXT for hours of typical days.
  package let moment: String

  package static let text = SQLTypes(idsAreNumbers: false)

  package init(idsAreNumbers: Bool, hasTypicalDays: Bool = false) {
    id = idsAreNumbers ? "INTEGER" : "TEXT"
    moment = hasTypicalDays ? "TEXT" : "DATETIME"
  }
}
