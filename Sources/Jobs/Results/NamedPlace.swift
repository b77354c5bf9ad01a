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
  /// Returns a place from columns with a common prefix: `origin_id`, `origin_name`, `origin_latitude`,
  /// `origin_longitude`; nil if it has no id.
  func namedPlace(_ prefix: String) throws -> NamedPlace? {
    guard let id: Identifier = try self["\(prefix)_id"] else { return nil }
    let hasPoint = try self["\(prefix)_latitude"] as Double? != nil
    return NamedPlace(
      id: id, name: try self["\(prefix)_name"],
      point: hasPoint ? try point("\(prefix)_latitude", "\(prefix)_longitude") : nil)
  }

  /// Returns the columns for `namedPlace`, from table `place` under an alias equal to the prefix.
  static func namedPlaceColumns(_ prefix: String) -> String {
    [
      "place_id AS \(prefix)_id", "name AS \(prefix)_name", "latitude AS \(prefix)_latitude",
      "longitude AS \(prefix)_longitude",
    ]
    .map { "\(prefix).\($0)" }.joined(separator: ", ")
  }
}
