import Geography

/// A trip of the results that is to be computed again.
package struct TripToVerify: Sendable {
  package var item: String
  /// The places it may be between: an id may be of several points.
  package var ends: [(from: FixedCoordinate, to: FixedCoordinate)]
  /// When it starts; nil where its row does not say.
  package var departure: String?
  /// The index of its hour among those of the job; nil where the job has none.
  package var hour: Int?
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
  package func tripCount() throws -> Int { try database.value("SELECT coalesce(max(fid), 0) FROM route") }

  /// The trip in row `row`, from 1, of `tripCount`; nil for an alternate.
  package func trip(_ row: Int) throws -> TripToVerify? {
    let hour = try departures().isEmpty ? "NULL" : "route.departure"
    let candidates = try database.rows(
      """
      SELECT pair_id, origin.latitude, origin.longitude, destination.latitude AS end_latitude,
        destination.longitude AS end_longitude, departure_date, route.status, expected_travel_time, distance,
        \(hour) AS hour
      FROM route JOIN place AS origin ON origin.place_id = origin_id AND origin.role = 'origin'
      JOIN place AS destination ON destination.place_id = destination_id AND destination.role = 'destination'
      WHERE route.fid = ? AND alternative = 0
      """, row
    ) { row -> TripToVerify? in
      let (from, to) = (try row.point(), try row.point("end_latitude", "end_longitude"))
      let hour: Int? = try row["hour"]
      var trip = TripToVerify(
        item: "pair \(try row["pair_id"] as Identifier)\(hour.map { ", departure \($0)" } ?? "")", ends: [(from, to)],
        departure: try row["departure_date"], status: try row["status"],
        found: VerifiedWeight(seconds: try row["expected_travel_time"], metres: try row["distance"]))
      trip.hour = hour.map { $0 - 1 }
      return trip
    }.compactMap(\.self)
    guard var trip = candidates.first else { return nil }
    trip.ends = candidates.flatMap(\.ends)
    return trip
  }
}
