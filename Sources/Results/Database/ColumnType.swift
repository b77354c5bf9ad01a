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

/// The type of columns of ids: whole numbers if all ids of the input are, else texts.
package enum IDType: String {
  case number = "INTEGER"
  case text = "TEXT"
}
