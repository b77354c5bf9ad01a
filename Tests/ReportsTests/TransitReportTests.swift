import Foundation
import Jobs
import Reports
import Tables
import TestMaps
import Testing

/// Pages and comparisons of percentiles and of jobs by public transport.
struct TransitReportTests {
  /// Returns a feed with a vehicle from a to e at 7:10, and one to a stop off the map at 8:10.
  private func feed(_ minute: String = "10") -> [String: String] {
    let map = ReportScene.map
    return [
      "agency.txt": "agency_name,agency_timezone\nA,Etc/UTC",
      "stops.txt": "stop_id,stop_lat,stop_lon\n"
        + "ae".map { "\($0),\(map[$0].latitude),\(map[$0].longitude)\n" }.joined() + "x,3,3",
      "routes.txt": "route_id,route_short_name,route_type\nr,5,3",
      "calendar_dates.txt": "service_id,date,exception_type\ns,20261123,1",
      "trips.txt": "trip_id,route_id,service_id\nt,r,s\nu,r,s",
      "stop_times.txt": """
      trip_id,stop_id,stop_sequence,arrival_time,departure_time
      t,a,1,7:\(minute):00,
      t,e,2,7:\(minute):30,
      u,a,1,8:10:00,
      u,x,2,8:11:00,
      """,
    ]
  }
  private static let when = "departures: ['07:00', '07:08'], date: '2026-11-23', timeZone: 'Etc/UTC', gtfs: 'feed.zip'"

  private func access(_ keys: String = "percentiles: [50, 100],", minute: String = "10") throws -> ReportScene {
    try ReportScene(
      "kind: 'access', origins: 'origins.csv', stations: 'stations.csv', \(keys) "
        + "\(Self.when),", feed: feed(minute))
  }

  @Test func tripsBeyondTheLimitAreReportedInWords() throws {
    let scene = try ReportScene("kind: 'etas', pairs: 'pairs.csv', limit: 1, \(Self.when),", feed: feed())
    defer { scene.remove() }
    #expect(
      scene.html.contains("<td>no route: no trip within the limit</td>") && !scene.html.contains(": beyond_limit"))
  }

  @Test func aSliderGoesThroughThePercentiles() throws {
    let scene = try access()
    defer { scene.remove() }
    #expect(scene.html.contains("minutes, percentile 50</small>"))
    #expect(scene.html.contains("\"hours\":[\"percentile 50\",\"percentile 100\"]"))
    #expect(scene.html.contains("origins (once for each of 2 percentiles) have a station within reach"))
    #expect(scene.html.contains("\"servicesNote\":\" at the median\""))
    let table = try #require(scene.html.split(separator: "<caption>Catchments of stations").last)
    #expect(
      table.hasPrefix(", jobs, total at the median ") || table.hasPrefix(", origins at the median "),
      "\(table.prefix(60))")
    #expect(!scene.html.contains("hour 0"))
  }

  @Test(arguments: [
    "kind: 'etas', pairs: 'pairs.csv'", "kind: 'access', origins: 'origins.csv', stations: 'stations.csv'",
    "kind: 'isochrones', origins: 'origins.csv', thresholds: [10]",
    "kind: 'matrix', origins: 'origins.csv', summary: ['mean']",
  ])
  func picturesAndScriptsShowTheMiddlePercentile(keys: String) throws {
    let scene = try ReportScene("\(keys), percentiles: [100, 0, 50], \(Self.when),", feed: feed())
    defer { scene.remove() }
    #expect(
      scene.html.contains("minutes, percentile 50</small>") && scene.html.contains("\"initial\":\"percentile 50\""))
  }

  @Test func distancesOfEtasAreThoseOfTripsOnFoot() throws {
    let scene = try ReportScene("kind: 'etas', pairs: 'pairs.csv', percentiles: [50, 100], \(Self.when),", feed: feed())
    defer { scene.remove() }
    #expect(
      scene.html.contains("<td>Distance of trips on foot, km</td>") && scene.html.contains("<td>Travel time, min</td>"))
    #expect(scene.html.contains(">percentile</th>") && !scene.html.contains(">departure</th>"))
  }

  @Test func waitsAreCountedAtTheMedian() throws {
    let scene = try ReportScene("kind: 'etas', pairs: 'pairs.csv', percentiles: [50, 100], \(Self.when),", feed: feed())
    defer { scene.remove() }
    _ = try scene.sql(
      """
      UPDATE route SET waiting_time = 700 WHERE status = 'ok';
      UPDATE job SET value = '8' WHERE key = 'long_waits';
      """)
    let figures = ReportScene.figures(of: try Report(of: scene.scratch.path("out/results.sqlite")).html())
    #expect(figures.last == "4 wait longer than 10 minutes at the median", "\(figures)")
    let line = try Summary(of: ResultsFolder(path: scene.scratch.path("out"))).closingLine(unit: "etas", rejected: 0)
    #expect(line.hasSuffix("; 4 wait longer than 10 minutes at the median"), "\(line)")
  }

  @Test func matrixHasASliderOfPercentiles() throws {
    let scene = try ReportScene(
      "kind: 'matrix', origins: 'origins.csv', destinations: 'stations.csv', traffic: 'city.json5', summary: ['mean'], "
        + "departures: ['06:00', '07:00'], week: ['Mo'], percentiles: [0, 100],")
    defer { scene.remove() }
    #expect(scene.html.contains("minutes, percentile 0</small>"))
    #expect(scene.html.contains("Origins with the fewest destinations or longest times, at percentile 0"))
  }

  @Test func areasAreListedByPercentile() throws {
    let scene = try ReportScene(
      "kind: 'isochrones', origins: 'origins.csv', thresholds: [10], percentiles: [50, 100], \(Self.when),",
      feed: feed())
    defer { scene.remove() }
    #expect(scene.html.contains(">percentile</") && !scene.html.contains(">departure</"))
  }

  @Test func tablesNameHoursInWords() throws {
    let areas = "kind: 'isochrones', origins: 'origins.csv', thresholds: [10], \(Self.when),"
    for scene in try [access(""), ReportScene(areas, feed: feed())] {
      defer { scene.remove() }
      #expect(scene.html.contains("<td>Mon 23 Nov 2026, 07:00</td>") && !scene.html.contains("<td>2026-11-23T"))
    }
  }

  @Test func timetableIsDescribedInWords() throws {
    let scene = try access()
    defer { scene.remove() }
    #expect(scene.html.contains("feed.zip: 1 of 3 stops is outside the map or without a street nearby"))
    #expect(scene.html.contains("Departures of vehicles from stops by hour"))
    #expect(scene.html.contains("departures during the job&#39;s hours"))
    #expect(scene.html.contains("lines: the job&#39;s first and last departure"))
  }

  @Test func rejectedRowsOfFeedsAreCountedSeparately() throws {
    var feed = feed()
    feed["trips.txt"]! += "\n,r,s"
    let scene = try ReportScene("kind: 'etas', pairs: 'pairs.csv', \(Self.when),", feed: feed)
    defer { scene.remove() }
    #expect(scene.html.contains("feed.zip: 1 row is rejected (table rejected)"))
    #expect(scene.html.contains("<dt>rejected (without rows of feeds)</dt><dd>"))
  }

  @Test func chartsMarkTheFirstAndLastArrival() throws {
    let scene = try ReportScene(
      "kind: 'etas', pairs: 'pairs.csv', arrivals: ['07:20', '07:40'], date: '2026-11-23', timeZone: 'Etc/UTC', "
        + "gtfs: 'feed.zip',", feed: feed())
    defer { scene.remove() }
    #expect(scene.html.contains("lines: the job&#39;s first and last arrival"))
  }

  @Test func jobsOnStreetsHaveNoTimetable() throws {
    let scene = try ReportScene("kind: 'matrix', origins: 'origins.csv', destinations: 'stations.csv',")
    defer { scene.remove() }
    #expect(!scene.html.contains("Timetable"))
  }

  private func compare(_ old: ReportScene, _ new: ReportScene) throws -> ComparisonSummary {
    try Comparison(
      old: old.scratch.path("out/results.sqlite"), new: new.scratch.path("out/results.sqlite"),
      try #require(ChangeThreshold("0s"))
    ).write(to: new.scratch.path("compare.sqlite"))
  }

  @Test func comparesFeedsByPercentile() throws {
    let (old, new) = (try access(), try access(minute: "09"))
    defer {
      old.remove()
      new.remove()
    }
    let summary = try compare(old, new)
    #expect(summary.rows == 8)
    let shares = try ComparisonDatabase(path: new.scratch.path("compare.sqlite")).shares()
    #expect(Set(shares.map(\.percentile)) == [50, 100] && shares.allSatisfy { $0.departure == nil })
    #expect(try compare(old, old).counts == [.same: 8])
  }

  @Test func headlineOfAComparisonIsAboutTheMiddlePercentile() throws {
    let (old, new) = (try access("percentiles: [0, 50, 100],"), try access("percentiles: [0, 50, 100],"))
    defer { [old, new].forEach { $0.remove() } }
    _ = try new.sql("UPDATE access_row SET milliseconds = milliseconds + 1000")
    _ = try compare(old, new)
    let headline = try ComparisonDatabase(path: new.scratch.path("compare.sqlite")).headline
    #expect(headline.contains(" min, at the median: "), "\(headline)")
  }

  @Test func comparesWindowsOfMatricesByPercentile() throws {
    func scene(_ departures: String, _ percentiles: String) throws -> ReportScene {
      try ReportScene(
        "kind: 'matrix', origins: 'origins.csv', destinations: 'stations.csv', traffic: 'city.json5', "
          + "departures: \(departures), week: ['Mo'], percentiles: \(percentiles),")
    }
    let (old, new, other) = (
      try scene("['05:00', '06:00']", "[50, 100]"), try scene("['06:00', '07:00']", "[50, 100]"),
      try scene("['06:00', '07:00']", "[50, 75]")
    )
    defer { [old, new, other].forEach { $0.remove() } }
    _ = try compare(old, new)
    let items = try new.scratch.sql(
      "SELECT DISTINCT substr(item, -14) FROM change WHERE change = 'slower'", in: "compare.sqlite")
    #expect(items == "percentile 100\n")
    let error = try #require(throws: ResultsError.self) { try compare(old, other) }
    #expect(
      error.problem.contains("percentile 75") && error.problem.contains("expected results for the same percentiles"))
  }

  @Test(arguments: [
    "kind: 'matrix', origins: 'origins.csv', destinations: 'stations.csv'", "kind: 'etas', pairs: 'pairs.csv'",
    "kind: 'access', origins: 'origins.csv', stations: 'stations.csv'",
  ])
  func comparesPercentilesInAnyOrder(job: String) throws {
    let scenes = try ["[0, 100]", "[100, 0]"].map { percentiles in
      try ReportScene(
        "\(job), traffic: 'city.json5', departures: ['06:00', '07:00'], week: ['Mo'], percentiles: \(percentiles),")
    }
    defer { scenes.forEach { $0.remove() } }
    let summary = try compare(scenes[0], scenes[1])
    #expect(summary.rows > 0 && summary.counts == [.same: summary.rows])
  }
}
