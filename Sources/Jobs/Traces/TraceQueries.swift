import Geography
import Tables

/// The sums over traces.
package struct TraceTotals: Sendable {
  package var fixes: Int
  package var kept: Int
  package var matched: Int
  package var parts: Int
  package var stops: Int
  /// Metres.
  package var distance: Double
  package var offRoadLength: Double
  /// The numbers of unmatched fixes by reason, in the order of `UnmatchedFixes.reasons`.
  package var reasons: [Int]
}

/// A part of a trace, for maps.
package struct DrawnPart: Sendable {
  package var trace: Identifier
  package var points: [FixedCoordinate]
  /// The moving time of its trace divided by the expected time.
  package var timeRatio: Double?
  package var beginReason: String
}

/// A directed street, for reports.
package struct ReportedStreet: Sendable {
  package var name: String
  package var roadClass: String
  /// Its position.
  package var point: FixedCoordinate?
  package var passes: Int
  /// Metres per second.
  package var speed: Double
  package var slowness: Double
  /// Its slowest period: "Mo-Fr" and an hour.
  package var weekday: String
  package var hour: Int
}

/// A stop, for reports.
package struct ReportedStop: Sendable {
  package var trace: Identifier
  package var point: FixedCoordinate
  package var seconds: Double
  package var arrival: String
  package var street: String?
}

/// A trace, for reports.
package struct ReportedTrace: Sendable {
  package var row: Int
  package var id: Identifier
  package var status: RowStatus
  package var reason: String?
  package var fixes: Int
  package var kept: Int
  package var matched: Int
  package var parts: Int
  package var sigma: Double
  package var departure: String?
  /// The distance in metres; times are in seconds.
  package var distance: Double?
  package var movingTime: Double?
  package var expectedTime: Double?
  package var timeRatio: Double?
  package var detour: Double?
  var maxSpeed: Double?
  /// The kept fixes.
  package var points: [FixedCoordinate]
  /// The numbers of unmatched fixes by reason, in the order of `UnmatchedFixes.reasons`.
  package var reasons: [Int]
}

/// A part of a trace, for reports.
package struct ReportedPart: Sendable {
  package var number: Int
  package var beginReason: String
  package var firstFix: Int
  package var lastFix: Int
  package var departure: String?
  package var distance: Double
  package var expectedTime: Double
  package var observedTime: Double?
  package var name: String?
  package var points: [FixedCoordinate]
}

extension ResultsDatabase {
  private static let reasonColumns = UnmatchedFixes.reasons.map { "\($0.name)_count" }

  package func traceTotals() throws -> TraceTotals? {
    let sums = ResultsDatabase.reasonColumns.map { "coalesce(sum(\($0)), 0) AS \($0)" }.joined(separator: ", ")
    return try database.rows(
      """
      SELECT coalesce(sum(fix_count), 0) AS fixes, coalesce(sum(kept_count), 0) AS kept,
        coalesce(sum(matched_count), 0) AS matched, coalesce(sum(part_count), 0) AS parts,
        coalesce(sum(stop_count), 0) AS stops, total(distance) AS distance, total(off_road_length) AS off_road, \(sums)
      FROM trace
      """
    ) { row in
      TraceTotals(
        fixes: try row["fixes"], kept: try row["kept"], matched: try row["matched"], parts: try row["parts"],
        stops: try row["stops"], distance: try row["distance"], offRoadLength: try row["off_road"],
        reasons: try ResultsDatabase.reasonColumns.map { try row[$0] })
    }.first
  }

  /// Returns at most `limit` parts, as an even sample, and the number of all parts.
  package func drawnParts(atMost limit: Int) throws -> (parts: [DrawnPart], of: Int) {
    let count: Int = try database.value("SELECT count(*) FROM trace_part")
    let interval = max(1, (count + limit - 1) / limit)
    let parts = try database.rows(
      """
      SELECT trace_id, trace_part.geom, begin_reason, time_ratio FROM trace_part
      LEFT JOIN (SELECT trace_id, max(time_ratio) AS time_ratio FROM trace GROUP BY 1) USING (trace_id)
      WHERE trace_part.fid % ? = 0 ORDER BY trace_part.fid
      """, interval
    ) { row in
      DrawnPart(
        trace: try row["trace_id"], points: (try row["geom"] as GeometryBlob).lines.first ?? [],
        timeRatio: try row["time_ratio"], beginReason: try row["begin_reason"])
    }
    return (parts, count)
  }

  /// Returns the slowest streets with at least `passes` passes. Because of `max`, SQLite takes the weekday and hour from
  /// the slowest row of a street.
  package func slowestStreets(passes: Int, atMost limit: Int) throws -> [ReportedStreet] {
    try database.rows(
      """
      SELECT name, class, geom, sum(passes) AS passes, sum(distance) / sum(observed_time) AS speed,
        sum(observed_time) / sum(expected_travel_time) AS slowness, weekday, hour, max(slowness) AS slowest
      FROM observed_speed JOIN street_used ON street_used.fid = street_fid
      GROUP BY street_fid, is_reversed HAVING sum(passes) >= ?
      ORDER BY sum(observed_time) / sum(expected_travel_time) DESC, street_fid, is_reversed LIMIT ?
      """, passes, limit
    ) { row in
      let points = (try row["geom"] as GeometryBlob).lines.first ?? []
      return ReportedStreet(
        name: try row["name"], roadClass: try row["class"], point: points.isEmpty ? nil : points[points.count / 2],
        passes: try row["passes"], speed: try row["speed"], slowness: try row["slowness"],
        weekday: try row["weekday"], hour: try row["hour"])
    }
  }

  /// Returns the longest stops.
  package func stops(atMost limit: Int) throws -> [ReportedStop] {
    try database.rows(
      """
      SELECT trace_id, latitude, longitude, seconds, arrival_date, name FROM stop
      LEFT JOIN street_used ON street_used.fid = street_fid ORDER BY seconds DESC, stop.fid LIMIT ?
      """, limit
    ) { row in
      ReportedStop(
        trace: try row["trace_id"], point: try row.point(), seconds: try row["seconds"],
        arrival: try row["arrival_date"], street: try row["name"])
    }
  }

  /// A selection of traces, and its order.
  package enum TraceOrder {
    /// The slowest compared with the profile.
    case slowest
    /// Matched traces: the slowest first, traces without times last.
    case followed
    /// Unmatched and doubtful traces.
    case failed
    /// The trace with the most parts, preferably with at most 5,000 kept fixes.
    case detailed
  }

  package func traces(_ order: TraceOrder, atMost limit: Int) throws -> [ReportedTrace] {
    let condition =
      switch order {
      case .slowest: "status = 'ok' AND time_ratio NOT NULL ORDER BY time_ratio DESC, fid"
      case .followed: "status = 'ok' ORDER BY time_ratio DESC NULLS LAST, fid"
      case .failed: "status <> 'ok' ORDER BY status, fid"
      case .detailed: "part_count > 0 ORDER BY kept_count > 5000, part_count DESC, kept_count DESC, fid"
      }
    let reasons = ResultsDatabase.reasonColumns
    return try database.rows("SELECT * FROM trace WHERE \(condition) LIMIT ?", limit) { row in
      ReportedTrace(
        row: try row["fid"], id: try row["trace_id"], status: try row["status"], reason: try row["status_reason"],
        fixes: try row["fix_count"], kept: try row["kept_count"], matched: try row["matched_count"],
        parts: try row["part_count"], sigma: try row["sigma"], departure: try row["departure_date"],
        distance: try row["distance"], movingTime: try row["moving_time"],
        expectedTime: try row["expected_travel_time"], timeRatio: try row["time_ratio"], detour: try row["detour"],
        maxSpeed: try row["max_speed"], points: (try row["geom"] as GeometryBlob?)?.lines.first ?? [],
        reasons: try reasons.map { try row[$0] })
    }
  }

  /// Returns the parts of a trace, in order.
  package func parts(of trace: Identifier) throws -> [ReportedPart] {
    try database.rows(
      """
      SELECT part, begin_reason, first_fix, last_fix, departure_date, distance, expected_travel_time, observed_time, name,
        geom FROM trace_part WHERE trace_id = ? ORDER BY part
      """, trace
    ) { row in
      ReportedPart(
        number: try row["part"], beginReason: try row["begin_reason"], firstFix: try row["first_fix"],
        lastFix: try row["last_fix"], departure: try row["departure_date"], distance: try row["distance"],
        expectedTime: try row["expected_travel_time"], observedTime: try row["observed_time"],
        name: try row["name"], points: (try row["geom"] as GeometryBlob).lines.first ?? [])
    }
  }
}
