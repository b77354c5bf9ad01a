import Geography
import Tables

/// An isochrone's size, for reports.
package struct ReportedArea: Sendable {
  package var place: NamedPlace
  /// The position of its hour or percentile, from 1; nil in a job without hours.
  package var departure: Int?
  package var status: RowStatus
  package var threshold: Int
  package var squareMetres: Double?
  package var streetMetres: Double?
}

/// An isochrone, for maps.
package struct DrawnArea: Sendable {
  package var place: Identifier
  package var threshold: Int
  /// The position of its hour or percentile, from 1; nil in a job without hours.
  package var departure: Int?
  package var rings: [[FixedCoordinate]]
}

/// An isochrone, for verification.
package struct AreaToVerify: Sendable {
  package var id: Identifier
  package var point: FixedCoordinate
  /// The position of its hour or percentile, from 1; nil in a job without hours.
  package var departure: Int?
  /// Seconds.
  package var threshold: Int
  package var status: RowStatus
  package var streetMetres: Double?
}

extension ResultsDatabase {
  /// Returns the areas to draw, the largest thresholds first.
  package func drawnAreas() throws -> [DrawnArea] {
    try database.rows(
      "SELECT place_id, threshold, \(try hourColumn) AS hour, geom FROM isochrone WHERE geom NOT NULL ORDER BY threshold DESC, fid"
    ) {
      DrawnArea(
        place: try $0["place_id"], threshold: try $0["threshold"], departure: try $0["hour"],
        rings: (try $0["geom"] as GeometryBlob).lines)
    }
  }

  /// The SQL of the position of an area's hour or percentile, from 1.
  private var hourColumn: String { get throws { try rowAxis().position(in: "isochrone") } }

  /// Returns whole areas, even if the job wrote rings.
  package func areas() throws -> [ReportedArea] {
    let area =
      record.hasBands
      ? "sum(area) OVER (PARTITION BY isochrone.place_id, \(try hourColumn) ORDER BY threshold)" : "area"
    return try database.rows(
      """
      SELECT \(SQLite.Statement.namedPlaceColumns("place")), isochrone.status, threshold, \(area) AS area, street_length,
        \(try hourColumn) AS hour
      FROM isochrone JOIN place ON place.place_id = isochrone.place_id AND place.role = 'origin'
      GROUP BY isochrone.fid ORDER BY isochrone.fid
      """
    ) { row in
      try row.namedPlace("place").map { place in
        ReportedArea(
          place: place, departure: try row["hour"], status: try row["status"], threshold: try row["threshold"],
          squareMetres: try row["area"], streetMetres: try row["street_length"])
      }
    }.compactMap(\.self)
  }

  func areaCount() throws -> Int { try database.value("SELECT coalesce(max(fid), 0) FROM isochrone") }

  /// Returns the area in row `row`, from 1, with its place. The rows are in the order of the places, each with one row
  /// per threshold and hour or percentile.
  package func area(_ row: Int) throws -> AreaToVerify? {
    try database.rows(
      """
      SELECT isochrone.place_id, latitude, longitude, threshold, isochrone.status, street_length,
        \(try hourColumn) AS hour
      FROM isochrone JOIN place ON place.fid =
        (isochrone.fid - 1) / ((SELECT count(DISTINCT threshold) FROM isochrone) * \(max(1, try rowAxis().count))) + 1
      WHERE isochrone.fid = ?
      """, row
    ) { row in
      AreaToVerify(
        id: try row["place_id"], point: try row.point(), departure: try row["hour"], threshold: try row["threshold"],
        status: try row["status"], streetMetres: try row["street_length"])
    }.first
  }
}
