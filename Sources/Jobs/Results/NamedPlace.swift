import Geography
import Tables

/// A place with its name, for tables.
package struct NamedPlace: Sendable {
  package var id: Identifier
  package var name: String?
  package var point: FixedCoordinate?

  package var label: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? "\(id)" }
}

extension SQLite.Statement {
  /// Returns a place from consecutive columns, the first of which is `origin_id` if the prefix is `origin`; nil if it
  /// has no id.
  func namedPlace(_ prefix: String) throws -> NamedPlace? {
    let first = try index(of: "\(prefix)_id")
    guard let id: Identifier = try value(at: first) else { return nil }
    let latitude: Double? = try value(at: first + 2)
    return NamedPlace(
      id: id, name: try value(at: first + 1),
      point: try latitude.map { try point(latitude: $0, longitude: value(at: first + 3)) })
  }

  /// Returns the columns for `namedPlace`, in its order, from table `place` under an alias equal to the prefix.
  static func namedPlaceColumns(_ prefix: String) -> String {
    [
      "place_id AS \(prefix)_id", "name AS \(prefix)_name", "latitude AS \(prefix)_latitude",
      "longitude AS \(prefix)_longitude",
    ]
    .map { "\(prefix).\($0)" }.joined(separator: ", ")
  }
}
