import Foundation
import Tables

/// A feed of a transit job, as shown in reports.
package struct ReportedFeed: Sendable {
  /// The zip's path.
  package var file: String
  /// The zip's name without its folder.
  package var fileName: String { (file as NSString).lastPathComponent }
  /// Its publisher; empty if the feed names none.
  package var publisher: String
  package var timeZone: String
  /// The first and the last day on which a trip runs.
  package var days: (first: String, last: String)
  package var stopsUsed: Int
  /// The used stops without a street nearby.
  package var stopsOffMap: Int
  package var trips: Int
  /// The trips on the job's date, and usually on that weekday.
  package var tripsThatRun: Int
  package var usualTrips: Int
  /// Departures of vehicles from stops, from the job's first departure to its last.
  package var departures: Int
  package var interpolatedTimes: Int
  package var rejectedRows: Int
}

extension ResultsDatabase {
  /// Returns the feeds of the job; none unless it uses transit.
  package func feeds() throws -> [ReportedFeed] {
    guard try database.hasTable(TransitFeedRow.table.name) else { return [] }
    return try database.rows("SELECT * FROM feed ORDER BY feed") { row in
      ReportedFeed(
        file: try row["file"], publisher: try row["publisher"], timeZone: try row["time_zone"],
        days: (try row["first_date"], try row["last_date"]), stopsUsed: try row["stops_used"],
        stopsOffMap: try row["stops_unsnapped"], trips: try row["trips"], tripsThatRun: try row["trips_that_run"],
        usualTrips: try row["usual_trips"], departures: try row["departures"],
        interpolatedTimes: try row["interpolated_times"], rejectedRows: try row["rejected_rows"])
    }
  }

  /// Returns the feeds without a vehicle between the job's first departure and its last. Empty if the job has a single
  /// departure, since vehicles leave after it.
  package func idleFeeds() throws -> [ReportedFeed] {
    try departures().count > 1 ? feeds().filter { $0.departures == 0 } : []
  }

  /// Returns the departures of all feeds' vehicles from stops in each hour of the job's date.
  package func serviceHours() throws -> [(hour: Int, departures: Int)] {
    guard try database.hasTable(ServiceHourRow.table.name) else { return [] }
    return try database.rows("SELECT hour, sum(departures) AS departures FROM service_hour GROUP BY hour ORDER BY hour")
    { (try $0["hour"], try $0["departures"]) }
  }
}
