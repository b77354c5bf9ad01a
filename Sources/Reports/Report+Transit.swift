import Jobs
import Tables

/// The timetables of a transit job: stops off the map, departures by hour, and figures for each feed.
extension Report {
  /// Returns the section about timetables; empty unless the job uses transit.
  func timetable() throws -> String {
    let feeds = try database.feeds()
    guard !feeds.isEmpty else { return "" }
    return HTML.section("Timetable", try timetableNotes(feeds) + (try departureChart()) + feedTable(feeds))
  }

  private func timetableNotes(_ feeds: [ReportedFeed]) throws -> String {
    let idle = try database.idleFeeds().map(\.file)
    let notes = feeds.flatMap { feed in
      let name = HTML.escaped(feed.fileName)
      func note(_ count: Int, _ text: String) -> String? { count > 0 ? "<li>\(name): \(text)</li>" : nil }
      return [
        note(
          feed.stopsOffMap,
          "\(Format.count(feed.stopsOffMap)) of \(Format.count(feed.stopsUsed)) stops are outside the map or without a street "
            + "nearby; no vehicle calls there"),
        note(idle.contains(feed.file) ? 1 : 0, "no vehicle leaves from the job's first departure to its last"),
        note(feed.interpolatedTimes, "\(Format.count(feed.interpolatedTimes)) blank stop times are interpolated"),
        note(feed.rejectedRows, "\(Format.count(feed.rejectedRows)) rows are rejected (table rejected)"),
      ].compactMap(\.self)
    }
    return notes.isEmpty ? "" : "<ul class=\"problems\">\(notes.joined())</ul>\n"
  }

  /// Returns a chart with one bar per hour that marks the job's first and last departures.
  private func departureChart() throws -> String {
    let hours = try database.departures().map { Report.hourOfDay($0.time) }
    let chart = Chart(
      try database.serviceHours(), title: "Departures of vehicles from stops by hour",
      marks: [hours.min(), hours.max()].compactMap(\.self))
    return "<div class=\"charts\">\(chart.html)</div>\n"
  }

  private func feedTable(_ feeds: [ReportedFeed]) -> String {
    ReportTable(
      "Feeds", note: "table feed",
      heads: [
        "feed", "publisher", "first day", "last day", "time zone", "#trips that day", "#usually", "#stops used",
        "#of them outside the map", "#departures in the window",
      ],
      rows: feeds.map { feed in
        let numbers = [feed.tripsThatRun, feed.usualTrips, feed.stopsUsed, feed.stopsOffMap, feed.departures]
        return [
          .text(feed.fileName), .text(feed.publisher), .text(feed.days.first),
          .text(feed.days.last), .text(feed.timeZone),
        ] + numbers.map { .count($0) }
      }
    ).html
  }
}
