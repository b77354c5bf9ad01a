import Geography
import Tables

/// A place that is not as it should be, as reports list it.
package struct ProblemPlace: Sendable {
  package var place: NamedPlace
  package var role: PlaceRole
  package var reason: PlaceReason
  /// Metres to its street, where it has one.
  package var snapDistance: Double?
  package var weight: Double?
}

extension ResultsDatabase {
  /// Places with a reason, those that have no street before those that are far from theirs, the largest weight first; and how
  /// many there are.
  package func problemPlaces(atMost limit: Int) throws -> (places: [ProblemPlace], count: Int) {
    let places = try database.rows(
      """
      SELECT \(SQLite.Statement.namedPlaceColumns("place")), role, reason, snap_distance, weight FROM place
      WHERE reason NOT NULL ORDER BY reason = 'far', coalesce(weight, 0) DESC, fid LIMIT ?
      """, limit
    ) { row in
      try row.namedPlace("place").map {
        ProblemPlace(
          place: $0, role: try row["role"], reason: try row["reason"], snapDistance: try row["snap_distance"],
          weight: try row["weight"])
      }
    }
    return (
      places.compactMap(\.self), try database.value("SELECT count(*) FROM place WHERE reason NOT NULL")
    )
  }
}
