import Geography
import Tables

/// A pair, for reports.
package struct ReportedTrip: Sendable {
  package var origin: NamedPlace
  package var destination: NamedPlace
  /// Its departure; nil in a job without hours.
  package var departure: String?
  package var status: RowStatus
  /// The reason for a missing route, as in table `route`.
  package var reason: String?
  /// Seconds and metres.
  package var time: Double?
  package var distance: Double?
  package var detour: Double?
  package var steps: Int?
}

/// A trip, for maps.
package struct DrawnTrip: Sendable {
  package var points: [FixedCoordinate]
  package var seconds: Double
}

extension ResultsDatabase {
  package func trips(_ order: RouteSurvey.Order, of survey: RouteSurvey) throws -> [ReportedTrip] {
    let sorting =
      switch order {
      case .longest: "expected_travel_time DESC"
      case .greatestDetour: "distance / crow_fly_distance DESC"
      case .missing: "fid"
      }
    return try database.rows(
      """
      SELECT \(try endColumns("origin")), \(try endColumns("destination")),
        route.status, route.reason, expected_travel_time, distance,
        distance / nullif(crow_fly_distance, 0) AS detour, step_count,
        \(try hourText("departure_date")) AS hour
      FROM route JOIN place AS origin ON origin.place_id = origin_id
      JOIN place AS destination ON destination.place_id = destination_id
      WHERE origin.role = 'origin' AND destination.role <> 'origin' AND route.fid IN
        (SELECT value FROM json_each('\(survey.rows(order))'))
      GROUP BY route.fid ORDER BY route.\(sorting), route.fid
      """
    ) { row in
      guard let origin = try row.namedPlace("origin"), let destination = try row.namedPlace("destination") else {
        return nil
      }
      return ReportedTrip(
        origin: origin, destination: destination, departure: try row["hour"], status: try row["status"],
        reason: try row["reason"],
        time: try row["expected_travel_time"], distance: try row["distance"], detour: try row["detour"],
        steps: try row["step_count"])
    }.compactMap(\.self)
  }

  /// At most `limit` trips, an even sample, for drawing; without `shapes` those with a line, and for kind `etas`
  /// straight ones.
  package func drawnTrips(atMost limit: Int, of survey: RouteSurvey) throws -> [DrawnTrip] {
    let count = survey.answered
    let interval = max(1, (count + limit - 1) / limit)
    let drawn = try database.rows(
      """
      SELECT geom, expected_travel_time FROM main.route WHERE geom NOT NULL AND alternative = 0 AND fid % ? = 0 ORDER BY fid
      """, record.identity.flag(.shapes) == true ? interval : 1
    ) { row in
      DrawnTrip(
        points: (try row["geom"] as GeometryBlob).lines.first ?? [], seconds: try row["expected_travel_time"])
    }
    guard drawn.isEmpty else { return drawn }
    return try database.rows(
      """
      SELECT origin.latitude, origin.longitude, destination.latitude AS end_latitude,
        destination.longitude AS end_longitude, expected_travel_time
      FROM route JOIN place AS origin ON origin.place_id = origin_id AND origin.role = 'origin'
      JOIN place AS destination ON destination.place_id = destination_id AND destination.role = 'destination'
      WHERE route.status = 'ok' AND route.fid % ? = 0 GROUP BY route.fid ORDER BY route.fid
      """, interval
    ) { row in
      DrawnTrip(
        points: [try row.point(), try row.point("end_latitude", "end_longitude")],
        seconds: try row["expected_travel_time"])
    }
  }
}
