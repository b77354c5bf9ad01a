import Geography
import Tables

/// A trip, for maps.
package struct DrawnTrip: Sendable {
  package var points: [FixedCoordinate]
  package var seconds: Double
}

extension ResultsDatabase {
  /// Returns at most `limit` trips to draw, as an even sample. Without `shapes`, these are the trips that have a line;
  /// for kind `etas`, they are straight lines.
  package func drawnTrips(atMost limit: Int, of survey: RouteSurvey) throws -> [DrawnTrip] {
    let count = survey.answered
    let interval = max(1, (count + limit - 1) / limit)
    let sample = interval == 1 ? "" : "AND \(survey.condition(every: interval))"
    let drawn = try database.rows(
      """
      SELECT geom, expected_travel_time FROM main.route
      WHERE geom NOT NULL AND alternative = 0 \(record.identity.flag(.shapes) == true ? sample : "") ORDER BY fid
      """
    ) { row in
      DrawnTrip(points: (try row["geom"] as GeometryBlob).lines.first ?? [], seconds: try row["expected_travel_time"])
    }
    guard drawn.isEmpty else { return drawn }
    return try database.rows(
      """
      SELECT origin.latitude, origin.longitude, destination.latitude AS end_latitude,
        destination.longitude AS end_longitude, expected_travel_time
      FROM route JOIN place AS origin ON origin.place_id = origin_id AND origin.role = 'origin'
      JOIN place AS destination ON destination.place_id = destination_id AND destination.role = 'destination'
      WHERE route.status = 'ok' \(sample) GROUP BY route.fid ORDER BY route.fid
      """
    ) { row in
      DrawnTrip(
        points: [try row.point(), try row.point("end_latitude", "end_longitude")],
        seconds: try row["expected_travel_time"])
    }
  }
}
