import Geography
import Tables

/// A trip of the results that is to be computed again.
package struct TripToVerify: Sendable {
  package var item: String
  /// The places it may be between: an id may be of several points.
  package var ends: [(from: FixedCoordinate, to: FixedCoordinate)]
  /// When it starts; nil where its row does not say.
  package var departure: String?
  /// By when it is to end, in a job without hours; nil if that is not fixed.
  package var arrival: String?
  /// The index of its hour among those of the job; nil where the job has none.
  package var hour: Int?
  /// Milliseconds of the legs of its pair that are travelled before it, or after it where trips have an arrival.
  var elapsed: UInt32 = 0
  /// What its pair avoids in addition to the job: "tolls".
  package var avoids: String?
  package var status: RowStatus
  package var found: VerifiedWeight?

  package init(
    item: String, ends: [(from: FixedCoordinate, to: FixedCoordinate)], departure: String?, status: RowStatus,
    found: VerifiedWeight?
  ) {
    (self.item, self.ends, self.departure, self.status, self.found) = (item, ends, departure, status, found)
  }
}

extension ResultsDatabase {
  /// How many trips there are, of which alternates are none, and the row of each.
  func tripRows() throws -> (count: Int, row: (Int) -> Int) {
    guard record.identity.flag(.alternateRoutes) == true else {
      return (try database.value("SELECT coalesce(max(fid), 0) FROM route"), { $0 + 1 })
    }
    let rows: [Int] = try database.rows("SELECT fid FROM route WHERE alternative = 0 ORDER BY fid") { try $0["fid"] }
    return (rows.count, { rows[$0] })
  }

  /// The trip in row `row`.
  package func trip(_ row: Int) throws -> TripToVerify? {
    let hour = try departures().isEmpty ? "NULL" : "route.departure"
    let isArrival =
      try record.identity.text(.arrivals) != nil
      || record.identity.text(.arrivalDate) != nil && !departures().isEmpty
    let sameTrip =
      "other.pair_id = route.pair_id AND other.alternative = 0"
      + (try departures().isEmpty ? "" : " AND other.departure IS route.departure")
    let candidates = try database.rows(
      """
      SELECT pair_id, origin.latitude, origin.longitude, destination.latitude AS end_latitude,
        destination.longitude AS end_longitude, departure_date, route.status, expected_travel_time, distance,
        \(hour) AS hour, leg, avoids, arrival_time,
        (SELECT coalesce(sum(round(expected_travel_time * 1000)), 0) FROM route AS other
          WHERE \(sameTrip)
            AND CASE WHEN \(isArrival) OR route.arrival_time NOT NULL THEN other.leg > route.leg
              ELSE other.leg < route.leg END) AS elapsed,
        (SELECT departure_date FROM route AS other WHERE \(sameTrip) AND other.leg = 1) AS first_departure_date
      FROM route JOIN place AS origin ON origin.place_id = origin_id AND origin.role = 'origin'
      JOIN place AS destination ON destination.place_id = destination_id AND destination.role = 'destination'
      WHERE route.fid = ? AND alternative = 0 AND route.reason IS NOT 'no_time'
      """, row
    ) { row -> TripToVerify? in
      let (from, to) = (try row.point(), try row.point("end_latitude", "end_longitude"))
      let hour: Int? = try row["hour"]
      let leg: Int = try row["leg"]
      var trip = TripToVerify(
        item:
          "pair \(try row["pair_id"] as Identifier)\(leg > 1 ? ", leg \(leg)" : "")\(hour.map { ", departure \($0)" } ?? "")",
        ends: [(from, to)],
        departure: try row["first_departure_date"], status: try row["status"],
        found: VerifiedWeight(seconds: try row["expected_travel_time"], metres: try row["distance"]))
      trip.hour = hour.map { $0 - 1 }
      trip.elapsed = UInt32(clamping: Int(try row["elapsed"] as Double))
      trip.avoids = try row["avoids"]
      trip.arrival = try row["arrival_time"]
      return trip
    }.compactMap(\.self)
    guard var trip = candidates.first else { return nil }
    trip.ends = candidates.flatMap(\.ends)
    return trip
  }
}
