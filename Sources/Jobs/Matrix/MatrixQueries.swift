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

extension ResultsDatabase {
  /// - Parameter position: The position of an hour or percentile, from 1; nil for all.
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
