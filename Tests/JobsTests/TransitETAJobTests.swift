import Foundation
import Jobs
import Tables
import TestMaps
import Testing

/// Travel times of pairs by public transport, and their components. Walking a kilometre takes 12 minutes.
struct TransitETAJobTests {
  private let map = TestMap("a-b-c-d-e-f-g", spacing: 1000).way("abcdefg")
  /// Vehicles go from b to d, and from e to g: riders walk from d to e.
  private var feed: FeedScene {
    FeedScene(on: map, "bdeg", "t,b,1,7:20:00", "t,d,2,7:25:00", "u,e,1,7:45:00", "u,g,2,7:52:00")
  }
  private static let when = "departures: ['07:00', '07:30'], date: '2026-11-23', timeZone: 'Etc/UTC', gtfs: 'feed.zip'"

  private func run(_ pairs: [(Character, Character)], _ keys: String = when, more: String? = nil) throws -> JobScene {
    try JobScene(
      map, ["pairs.csv": more ?? map.pairs(pairs)], "kind: 'etas', pairs: 'pairs.csv', verify: 100, \(keys)",
      by: "transit", feed: feed)
  }

  @Test func componentsAddUpToTravelTimes() throws {
    let scene = try run([("a", "g")])
    defer { scene.remove() }
    // 12 min to b, 8 min waiting, 5 min riding, 12 min on foot to e, 8 min waiting, 7 min riding; later, all on foot.
    try scene.expect(
      """
      SELECT departure, rides, round(expected_travel_time / 60), round(access_time / 60), round(waiting_time / 60),
        round(riding_time / 60), round(transfer_time / 60), round(egress_time / 60), transport_type, distance IS NULL FROM route
      """,
      "1|2|52.0|12.0|16.0|12.0|12.0|0.0|transit|1\n2|0|72.0|72.0|0.0|0.0|0.0|0.0|walking|0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  /// The vehicle of three days before arrives at 23:55 on the evening before.
  @Test func arrivalsAfterMidnightUseTripsOfThreeDaysBefore() throws {
    var feed = FeedScene(on: map, "bd", "t,b,1,71:50:00", "t,d,2,71:55:00", "u,b,1,7:00:00", "u,d,2,7:10:00")
    feed.files["trips.txt"] = "trip_id,route_id,service_id\nt,r,x\nu,r,s"
    feed.files["calendar_dates.txt"] = "service_id,date,exception_type\nx,20261120,1"
    let scene = try JobScene(
      map, ["pairs.csv": map.pairs([("b", "d")])],
      "kind: 'etas', pairs: 'pairs.csv', verify: 100, arrivals: ['00:05'], date: '2026-11-23', "
        + "timeZone: 'Etc/UTC', gtfs: 'feed.zip'", by: "transit", feed: feed)
    defer { scene.remove() }
    try scene.expect("SELECT rides, round(expected_travel_time / 60) FROM route", "1|16.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func timesEqualMatrixCells() throws {
    let letters = "abcdefg"
    let scene = try run(letters.flatMap { from in letters.map { (from, $0) } })
    defer { scene.remove() }
    let matrix = try JobScene(
      map, ["places.csv": map.list(letters)], "kind: 'matrix', origins: 'places.csv', \(Self.when)", by: "transit",
      feed: feed)
    defer { matrix.remove() }
    let times = "SELECT round(expected_travel_time * 1000) FROM"
    let cells = try matrix.sql("\(times) matrix ORDER BY departure, origin_id, destination_id")
    #expect(try scene.sql("\(times) route ORDER BY departure, fid") == cells)
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func percentileRowsShowTheEarliestDepartureWithThatTime() throws {
    // 52 minutes from 7:00, 47 from 7:05, and 72 on foot later.
    let scene = try run(
      [("a", "g")],
      "percentiles: [50, 0, 100], "
        + Self.when.replacing("'07:00', '07:30'", with: "'07:35', '07:30', '07:00', '07:05'"))
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT percentile, substr(departure_date, 12, 5), rides, round(expected_travel_time / 60),
        substr(expected_arrival_date, 12, 5) FROM route
      """, "50|07:00|2|52.0|07:52\n0|07:05|2|47.0|07:52\n100|07:30|0|72.0|08:42\n")
    try scene.expect("SELECT from_id, round(travel_time_p50), round(travel_time_p0) FROM od", "1|52.0|47.0\n")
    try scene.expect(
      "SELECT percentile, round(expected_travel_time / 60) FROM pair_total ORDER BY percentile",
      "0|47.0\n50|52.0\n100|72.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func percentilesWithoutATripAreReported() throws {
    let scene = try run([("a", "g")], "percentiles: [50, 100], limit: 60, \(Self.when)")
    defer { scene.remove() }
    try scene.expect(
      "SELECT percentile, status, reason FROM route",
      "50|ok|\n100|directions_not_found|beyond_limit\n")
  }

  @Test func verifyRefusesAnotherFeed() throws {
    let scene = try run([("a", "g")])
    defer { scene.remove() }
    let other = FeedScene(on: map, "bd", "t,b,1,7:20:00", "t,d,2,7:21:00")
    try other.zip().write(to: URL(fileURLWithPath: scene.scratch.path("feed.zip")))
    let path = scene.scratch.path("out/results.sqlite")
    let network = try Verification.network(of: path, at: LocatedFiles(), cache: nil, workers: 1) { _ in }
    let error = try #require(throws: ResultsError.self) { try Verification(of: path, on: network, workers: 1) }
    #expect("\(error)".contains("feed.zip: this is not the feed that the results of"))
  }

  @Test func rejectedFeedRowsAreNotInputRows() throws {
    var feed = feed
    feed.files["stops.txt"]! += "\ng,again,0,0\nx,far away,5,5"
    let scene = try JobScene(
      map, ["pairs.csv": map.pairs([("a", "g")])], "kind: 'etas', pairs: 'pairs.csv', \(Self.when)", by: "transit",
      feed: feed)
    defer { scene.remove() }
    try scene.expect("SELECT count(*) FROM rejected", "1\n")
    #expect(try ResultsDatabase(path: scene.scratch.path("out/results.sqlite")).inputRows() == (1, 0))
  }

  @Test func pairsWithoutTripsAreReported() throws {
    let scene = try run([("a", "g")], "limit: 30, \(Self.when)")
    defer { scene.remove() }
    try scene.expect(
      "SELECT DISTINCT status, reason, rides, expected_travel_time FROM route", "directions_not_found|beyond_limit||\n")
  }

  @Test func resultsAreIdenticalForAnyNumberOfWorkersAndShards() throws {
    let letters = "abcdefg"
    let scene = try run((0..<100).flatMap { _ in letters.flatMap { from in letters.map { (from, $0) } } })
    defer { scene.remove() }
    let expected = try scene.results(in: "out")
    for workers in [2, 7] {
      try scene.run(workers: workers, shouldStop: { false }) {
        $0.output = scene.scratch.path("out\(workers)")
        $0.verify = nil
      }
      let tables = try scene.results(in: "out\(workers)").tables
      #expect(tables["route"] == expected.tables["route"])
    }
    try scene.merge(3, workers: 2, into: "merged")
    #expect(try scene.results(in: "merged").tables["route"] == expected.tables["route"])
  }

  @Test(arguments: ["", "percentiles: [25, 50], "]) func resumedRunsHaveTheSameResults(keys: String) throws {
    let letters = "abcdefg"
    let scene = try run(
      (0..<100).flatMap { _ in letters.flatMap { from in letters.map { (from, $0) } } }, keys + Self.when)
    defer { scene.remove() }
    let expected = try scene.results(in: "out")
    try FileManager.default.removeItem(atPath: scene.scratch.path("out"))
    try scene.runInPart()
    try scene.run(workers: 1)
    #expect(try scene.results(in: "out").tables == expected.tables)
  }
}
