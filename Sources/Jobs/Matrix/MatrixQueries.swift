import Geography
import Tables

/// An origin of a matrix, for reports.
package struct ReportedOrigin: Sendable {
  package var place: NamedPlace
  package var meanTime: Double?
  package var reachable: Int
  package var nearest: Identifier?
  package var nearestTime: Double?
}

/// The reach of origins within given times: shares of the destinations, or of their weights.
package struct ReachedShares: Sendable {
  /// Seconds, ascending.
  package var thresholds: [Int]
  /// By origin, then by row of the job's axis, then by threshold.
  package var shares: [Double]
  /// The sum of all weights, or the number of destinations, in the coverage.
  package var total: Double
  /// The column of weights; nil if destinations are counted.
  package var weight: String?
}

extension ResultsDatabase {
  /// Returns the shares from table `within`; nil if the job has none, or if some origins are missing.
  package func reachedShares(origins: Int) throws -> ReachedShares? {
    guard try database.hasTable("within") else { return nil }
    let rows = try database.rows("SELECT threshold, destinations, weight FROM within ORDER BY fid") {
      (threshold: try $0["threshold"] as Int, count: try $0["destinations"] as Int, weight: try $0["weight"] as Double?)
    }
    let thresholds = Set(rows.map(\.threshold)).sorted()
    guard !rows.isEmpty, rows.count == origins * max(1, try rowAxis().count) * thresholds.count,
      rows.enumerated().allSatisfy({ $1.threshold == thresholds[$0 % thresholds.count] })
    else { return nil }
    let weight = rows.allSatisfy { $0.weight != nil } ? record.figures.text(.weight(of: .destination)) : nil
    let total: Double = try database.value(
      "SELECT total(\(weight == nil ? "1" : "weight")) FROM place WHERE role = 'destination' AND status <> 'outside_coverage'"
    )
    guard total > 0 else { return nil }
    return ReachedShares(
      thresholds: thresholds,
      shares: rows.map { (weight == nil ? Double($0.count) : $0.weight ?? 0) / total }, total: total, weight: weight)
  }

  /// - Parameter position: The position of an hour or a percentile, from 1; nil for all.
  package func originSummaries(at position: Int? = nil) throws -> [ReportedOrigin] {
    let condition = try position.map { "WHERE \(try rowAxis().condition($0, in: "origin_summary"))" } ?? ""
    return try database.rows(
      """
      SELECT \(SQLite.Statement.namedPlaceColumns("origin")), mean_travel_time, reachable, nearest_id, nearest_travel_time
      FROM origin_summary JOIN place AS origin ON origin.place_id = origin_summary.origin_id AND origin.role = 'origin'
      \(condition) GROUP BY origin_summary.rowid ORDER BY origin_summary.rowid
      """
    ) { row in
      try row.namedPlace("origin").map { place in
        ReportedOrigin(
          place: place, meanTime: try row["mean_travel_time"], reachable: try row["reachable"],
          nearest: try row["nearest_id"], nearestTime: try row["nearest_travel_time"])
      }
    }.compactMap(\.self)
  }
}
