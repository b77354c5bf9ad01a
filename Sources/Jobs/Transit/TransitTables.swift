import Foundation
import Tables
import Transit
import TransitNetwork

/// A row of table `feed`: a GTFS feed of a transit job, and its service on the job's date.
struct TransitFeedRow: Sendable {
  /// The number of the feed, from 1, in the order of the job.
  var number: Int
  var feed: FeedTimetable.Feed
  var timeZone: String
  var tripsThatRun: Int
  var usualTrips: Int
  var unsnapped: Int
  /// Departures of vehicles from stops during the window's trips.
  var departures: Int

  static let table = Table<TransitFeedRow>(
    "feed", "GTFS feed, in transit jobs",
    [
      .key("feed", "number of the feed, from 1") { $0.number },
      .text("file", "path of the zip") { $0.feed.path },
      .text("sha256", "SHA-256 of the zip's content") { $0.feed.digest },
      .text("publisher", "`feed_publisher_name`; empty if the feed has none") { $0.feed.facts.publisher },
      .text("version", "`feed_version`; empty if the feed has none") { $0.feed.facts.version },
      .lineBreak,
      .text("time_zone", "`agency_timezone`") { $0.timeZone },
      .text("first_date", "first day on which a trip runs") { $0.feed.facts.firstDate },
      .text("last_date", "last day on which a trip runs") { $0.feed.facts.lastDate },
      .lineBreak,
      .integer("stops", "rows of stops.txt, including stations and entrances") { $0.feed.facts.stops },
      .integer("stops_used", "stops at which a trip calls") { $0.feed.facts.stopsUsed },
      .integer("stops_unsnapped", "used stops without a street nearby, only for transfers") { $0.unsnapped },
      .integer("trips", "rows of trips.txt") { $0.feed.facts.trips },
      .integer("trips_that_run", "trips on the job's date; frequency trips count once") { $0.tripsThatRun },
      .integer("usual_trips", "median number of trips on that weekday") { $0.usualTrips },
      .integer(
        "departures",
        "departures of vehicles from stops within `limit` (or the longest threshold) after the job's departures or "
          + "before its arrivals"
      ) { $0.departures },
      .lineBreak,
      .integer("interpolated_times", "stop times without a time, interpolated") { $0.feed.facts.interpolatedTimes },
      .integer("frequency_trips", "trips repeated by frequencies.txt") { $0.feed.facts.frequencyTrips },
      .integer(
        "rejected_rows",
        "number of rejected rows, excluding stops off the map; table `rejected` has the first 1,000 per file and reason"
      ) { $0.feed.facts.rejectedRows },
    ])
}

extension TransitTask {
  /// The tables that only transit jobs have.
  static let tables = [TransitFeedRow.table.description, serviceHours.description]

  /// The departures of a feed in an hour of the job's date.
  static let serviceHours = Table<(feed: Int, hour: Int, departures: Int)>(
    "service_hour", "feed and hour of the job's date, in transit jobs", key: ["feed", "hour"],
    [
      .integer("feed", "number of the feed in table `feed`") { $0.feed },
      .integer("hour", "hours since the start of the day: 0 to 23 (22 or 24 if clocks change)") { $0.hour },
      .integer("departures", "departures of vehicles from stops") { $0.departures },
    ])
}

extension TransitStops {
  /// Returns the rows of tables `feed` and `service_hour`.
  func tables() -> (feeds: [TransitFeedRow], hours: [(feed: Int, hour: Int, departures: Int)]) {
    let service = schedule.service()
    let feeds = schedule.feeds.feeds.enumerated().map { index, feed in
      TransitFeedRow(
        number: index + 1, feed: feed, timeZone: schedule.timetable.text(schedule.timetable.timeZones[index]),
        tripsThatRun: schedule.calendar.trips[index], usualTrips: schedule.calendar.usualTrips[index],
        unsnapped: unsnapped[index], departures: service[index].inWindow)
    }
    let hours = service.enumerated().flatMap { index, service in
      service.byHour.enumerated().map { (feed: index + 1, hour: $0, departures: $1) }
    }
    return (feeds, hours)
  }

  /// The lines of a dry run about each feed.
  var summary: [String] {
    tables().feeds.map { row in
      let facts = row.feed.facts
      return "\(row.feed.path): \(facts.firstDate) to \(facts.lastDate), \(row.tripsThatRun) of \(facts.trips) trips "
        + "run (usually \(row.usualTrips)), \(row.departures) departures during the job's hours; "
        + "\(facts.stopsUsed) stops used, \(row.unsnapped) of them without a street"
    }
  }
}

extension TransitSchedule {
  /// Returns, for each feed, the departures of vehicles during the job's trips, and in each hour of the date.
  fileprivate func service() -> [(inWindow: Int, byHour: [Int])] {
    var service = [(inWindow: Int, byHour: [Int])](
      repeating: (0, Array(repeating: 0, count: (secondsOfDay + 3599) / 3600)), count: feeds.feeds.count)
    let (period, frequencies) = (window.travelPeriod, Dictionary(grouping: timetable.frequencies, by: \.trip))
    for trip in timetable.trips.indices {
      let (calls, facts) = (timetable.calls(of: trip), timetable.trips[trip])
      let feed = Int(timetable.serviceFeeds[Int(facts.service)])
      let begin = Int(timetable.departures[calls.lowerBound])
      let starts = frequencies[UInt32(trip)]?.flatMap { Array($0.starts(.timetable)) } ?? [begin]
      for day in window.days where day.feed == feed && timetable.runs(Int(facts.service), on: day.day) {
        for start in starts {
          for call in calls.dropLast() {
            let second = Int(timetable.departures[call]) + day.start + start - begin
            if period.contains(second * 1000) { service[feed].inWindow += 1 }
            if (0..<secondsOfDay).contains(second) { service[feed].byHour[second / 3600] += 1 }
          }
        }
      }
    }
    return service
  }
}

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
  /// Departures of vehicles from stops during the job's trips.
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

  /// Returns the feeds without a vehicle during the job's trips. Empty if pairs have their own times, since table
  /// `feed` describes only the first of their dates.
  package func idleFeeds() throws -> [ReportedFeed] {
    try departures().isEmpty ? [] : feeds().filter { $0.departures == 0 }
  }

  /// Returns the departures of all feeds' vehicles from stops in each hour of the job's date.
  package func serviceHours() throws -> [(hour: Int, departures: Int)] {
    guard try database.hasTable(TransitTask.serviceHours.name) else { return [] }
    return try database.rows("SELECT hour, sum(departures) AS departures FROM service_hour GROUP BY hour ORDER BY hour")
    { (try $0["hour"], try $0["departures"]) }
  }
}
