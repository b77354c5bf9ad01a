import Geography
import Tables

/// A trace, for reports.
package struct ReportedTrace: Sendable {
  package var id: Identifier
  package var status: RowStatus
  package var reason: String?
  package var fixes: Int
  package var kept: Int
  package var matched: Int
  package var parts: Int
  /// In metres.
  package var sigma: Double
  package var departure: String?
  /// The distance in metres; times are in seconds.
  package var distance: Double?
  package var movingTime: Double?
  package var expectedTime: Double?
  package var timeRatio: Double?
  package var detour: Double?
  /// The kept fixes.
  package var points: [FixedCoordinate]
  /// The numbers of unmatched fixes by reason, in the order of `UnmatchedFixes.reasons`.
  package var reasons: [Int]
}

extension ResultsDatabase {
  private static let reasonColumns = UnmatchedFixes.reasons.map { "\($0.name)_count" }

  /// The sums over traces with status `ok`: numbers of kept and matched fixes and of stops, and metres along streets;
  /// and over all traces: the number of fixes, and of unmatched ones by reason, in the order of
  /// `UnmatchedFixes.reasons`.
  package typealias TraceTotals = (kept: Int, matched: Int, stops: Int, distance: Double, fixes: Int, reasons: [Int])

  package func traceTotals() throws -> TraceTotals? {
    let sums = ResultsDatabase.reasonColumns.map { "coalesce(sum(\($0)), 0) AS \($0)" }.joined(separator: ", ")
    return try database.rows(
      """
      SELECT coalesce(sum(kept_count) FILTER (WHERE status = 'ok'), 0) AS kept,
        coalesce(sum(matched_count) FILTER (WHERE status = 'ok'), 0) AS matched,
        coalesce(sum(stop_count) FILTER (WHERE status = 'ok'), 0) AS stops,
        total(distance) FILTER (WHERE status = 'ok') AS distance, coalesce(sum(fix_count), 0) AS fixes, \(sums)
      FROM trace
      """
    ) { row -> TraceTotals in
      let reasons: [Int] = try ResultsDatabase.reasonColumns.map { try row[$0] }
      return (try row["kept"], try row["matched"], try row["stops"], try row["distance"], try row["fixes"], reasons)
    }.first
  }

  /// A part of a trace, for maps, with the moving time of its trace divided by the expected time.
  package typealias DrawnPart = (
    trace: Identifier, points: [FixedCoordinate], timeRatio: Double?, beginReason: String
  )

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
      (
        try row["trace_id"] as Identifier, (try row["geom"] as GeometryBlob).lines.first ?? [],
        try row["time_ratio"] as Double?, try row["begin_reason"] as String
      )
    }
    return (parts, count)
  }

  /// Returns the slowest directed streets with at least `passes` passes. Because of `max`, SQLite takes the weekday and
  /// hour from the slowest row of a street.
  package func slowestStreets<Row>(
    passes: Int, atMost limit: Int, _ decode: (SQLite.Statement) throws -> Row
  ) throws -> [Row] {
    try database.rows(
      """
      SELECT name, class, geom, sum(passes) AS passes, sum(distance) / sum(observed_time) AS speed,
        sum(observed_time) / sum(expected_travel_time) AS slowness, weekday, hour, max(slowness) AS slowest
      FROM observed_speed JOIN street_used ON street_used.fid = street_fid
      GROUP BY street_fid, is_reversed HAVING sum(passes) >= ?
      ORDER BY sum(observed_time) / sum(expected_travel_time) DESC, street_fid, is_reversed LIMIT ?
      """, passes, limit, decode: decode)
  }

  /// A stop of a trace, for reports; the street is nil off the streets.
  package typealias ReportedStop = (
    trace: Identifier, point: FixedCoordinate, seconds: Double, arrival: String, street: String?
  )

  /// Returns the longest stops, and the number of all stops.
  package func stops(atMost limit: Int) throws -> (stops: [ReportedStop], of: Int) {
    let stops = try database.rows(
      """
      SELECT trace_id, latitude, longitude, seconds, arrival_date, name FROM stop
      LEFT JOIN street_used ON street_used.fid = street_fid ORDER BY seconds DESC, stop.fid LIMIT ?
      """, limit
    ) { row -> ReportedStop in
      (try row["trace_id"], try row.point(), try row["seconds"], try row["arrival_date"], try row["name"])
    }
    return (stops, try database.value("SELECT count(*) FROM stop"))
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
        id: try row["trace_id"], status: try row["status"], reason: try row["status_reason"],
        fixes: try row["fix_count"], kept: try row["kept_count"], matched: try row["matched_count"],
        parts: try row["part_count"], sigma: try row["sigma"], departure: try row["departure_date"],
        distance: try row["distance"], movingTime: try row["moving_time"],
        expectedTime: try row["expected_travel_time"], timeRatio: try row["time_ratio"], detour: try row["detour"],
        points: (try row["geom"] as GeometryBlob?)?.lines.first ?? [],
        reasons: try reasons.map { try row[$0] })
    }
  }

  /// Returns the parts of a trace, in order.
  package func parts<Row>(of trace: Identifier, _ decode: (SQLite.Statement) throws -> Row) throws -> [Row] {
    try database.rows(
      """
      SELECT part, begin_reason, first_fix, last_fix, departure_date, distance, expected_travel_time, observed_time, name,
        geom FROM trace_part WHERE trace_id = ? ORDER BY part
      """, trace, decode: decode)
  }
}
