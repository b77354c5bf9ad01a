import Geography
import Tables

/// An isochrone's size, for reports. `threshold` is in seconds; `departure` is the position of the hour or percentile,
/// from 1, and nil in a job without hours.
package typealias ReportedArea = (
  place: NamedPlace, departure: Int?, status: RowStatus, threshold: Int, squareMetres: Double?, streetMetres: Double?
)

/// An isochrone, for maps; `threshold` and `departure` are as in `ReportedArea`.
package typealias DrawnArea = (place: Identifier, threshold: Int, departure: Int?, rings: [[FixedCoordinate]])

/// An isochrone, for verification; `threshold` and `departure` are as in `ReportedArea`.
typealias AreaToVerify = (
  id: Identifier, point: FixedCoordinate, departure: Int?, threshold: Int, status: RowStatus, streetMetres: Double?,
  squareMetres: Double?
)

extension ResultsDatabase {
  /// Returns the areas to draw, the largest thresholds first.
  package func drawnAreas() throws -> [DrawnArea] {
    try database.rows(
      "SELECT place_id, threshold, \(try hourColumn) AS hour, geom FROM isochrone WHERE geom NOT NULL ORDER BY threshold DESC, fid"
    ) { (try $0["place_id"], try $0["threshold"], try $0["hour"], (try $0["geom"] as GeometryBlob).lines) }
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
      try row.namedPlace("place").map { place -> ReportedArea in
        (
          place, try row["hour"], try row["status"], try row["threshold"], try row["area"], try row["street_length"]
        )
      }
    }.compactMap(\.self)
  }

  func areaCount() throws -> Int { try database.value("SELECT coalesce(max(fid), 0) FROM isochrone") }

  /// Returns the area in row `row`, from 1, with its place. The rows are in the order of the places, each with one row
  /// per threshold and hour or percentile.
  func area(_ row: Int) throws -> AreaToVerify? {
    try database.rows(
      """
      SELECT isochrone.place_id, latitude, longitude, threshold, isochrone.status, street_length, area,
        \(try hourColumn) AS hour
      FROM isochrone JOIN place ON place.fid =
        (isochrone.fid - 1) / ((SELECT count(DISTINCT threshold) FROM isochrone) * \(max(1, try rowAxis().count))) + 1
      WHERE isochrone.fid = ?
      """, row
    ) { row -> AreaToVerify in
      (
        try row["place_id"], try row.point(), try row["hour"], try row["threshold"], try row["status"],
        try row["street_length"], try row["area"]
      )
    }.first
  }
}
