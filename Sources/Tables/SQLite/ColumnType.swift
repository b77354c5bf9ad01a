/// What SQLite and GeoPackages know as the type of a column.
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

  /// As documents call it.
  package var documented: String {
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

/// What differs from job to job among the types of columns.
package struct SQLTypes: Sendable {
  /// Whole numbers where all ids of the job are, else texts.
  package let id: String
  /// Dates and times, which programs of the field know by this type; texts where they are hours of typical days.
  package let moment: String

  package static let text = SQLTypes(idsAreNumbers: false)

  package init(idsAreNumbers: Bool, hasTypicalDays: Bool = false) {
    id = idsAreNumbers ? "INTEGER" : "TEXT"
    moment = hasTypicalDays ? "TEXT" : "DATETIME"
  }
}
