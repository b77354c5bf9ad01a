import Foundation
import TestMaps
import Testing

/// The nearest stations by public transport on a drawn map. Walking a kilometre takes 12 minutes.
struct TransitAccessJobTests {
  private let map = TestMap("a-b-c-d-e", spacing: 1000).way("abcde")
  /// A vehicle goes from a to d at 7:10, in 5 minutes.
  private var feed: FeedScene { FeedScene(on: map, "ad", "t,a,1,7:10:00", "t,d,2,7:15:00") }

  private func run(
    _ keys: String = "", workers: Int = 1, when: String = "departures: ['07:00', '07:10']"
  ) throws -> JobScene {
    try JobScene(
      map, ["origins.csv": map.list("ab", ",population", ["a": ",10", "b": ",20"]), "stations.csv": map.list("de")],
      "kind: 'access', origins: 'origins.csv', stations: 'stations.csv', thresholds: [15, 30], verify: 100, \(keys)"
        + "gtfs: 'feed.zip', \(when), date: '2026-11-23', timeZone: 'Etc/UTC'", by: "transit",
      feed: feed, workers: workers)
  }

  @Test func findsTheNearestStationsAtEachDeparture() throws {
    let scene = try run()
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT origin_id, departure, rank, station_id, round(expected_travel_time / 60), distance FROM access
      WHERE origin_id = 'a'
      """, "a|1|1|d|15.0|\na|1|2|e|27.0|\na|2|1|d|36.0|\na|2|2|e|48.0|\n")
    try scene.expect(
      "SELECT departure, value FROM access_share WHERE threshold = 900 AND measure = 'population'", "1|10.0\n2|0.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func findsTheNearestStationsByArrival() throws {
    let scene = try run(when: "arrivals: ['07:30']")
    defer { scene.remove() }
    // From a, trips leave at 7:09; from b, the trip to d is on foot all the way.
    try scene.expect(
      "SELECT origin_id, station_id, round(expected_travel_time / 60) FROM access ORDER BY origin_id, station_id",
      "a|d|21.0\na|e|21.0\nb|d|24.0\nb|e|33.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func tripsBeyondTheLimitHaveNoStation() throws {
    let scene = try run("limit: 30, ")
    defer { scene.remove() }
    try scene.expect(
      "SELECT departure, count(*), max(status) FROM access WHERE origin_id = 'a' GROUP BY departure",
      "1|2|ok\n2|1|beyond_limit\n")
  }

  @Test func percentilesAreOfTheTimesToEachStation() throws {
    let scene = try run("percentiles: [50, 100], ")
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT origin_id, percentile, rank, station_id, round(expected_travel_time / 60), distance FROM access
      WHERE origin_id = 'a'
      """, "a|50|1|d|15.0|\na|50|2|e|27.0|\na|100|1|d|36.0|\na|100|2|e|48.0|\n")
    try scene.expect(
      "SELECT percentile, value FROM access_share WHERE threshold = 900 AND measure = 'population'",
      "50|10.0\n100|0.0\n")
    try scene.expect(
      "SELECT to_id, round(travel_time_p50), round(travel_time_p100) FROM od WHERE from_id = 'a'",
      "d|15.0|36.0\ne|27.0|48.0\n")
    try scene.expect(
      "SELECT percentile, value FROM station_service WHERE station_id = 'd' AND measure = 'origins' AND threshold = 1800",
      "50|2.0\n100|1.0\n")
    try scene.expect("SELECT DISTINCT percentile FROM access_curve", "50\n100\n")
    try scene.expect(
      "SELECT value FROM job WHERE key IN ('verified_rows', 'verified_differences') ORDER BY key", "0\n4\n")
    let features = try scene.unzipped("access.geojson.gz")
    #expect(features.contains(#""id":"a/50","properties":{"origin_id":"a","percentile":50,"status""#))
  }

  @Test func refusesRoutesAndTripsFromStations() throws {
    for (key, message) in [
      ("routes: true, ", "routes: kind access computes only times for transit"), ("direction: 'from', ", "use \"to\""),
    ] {
      let error = try #require(throws: (any Error).self) { try run(key) }
      #expect("\(error)".contains(message), "\(error)")
    }
  }

  /// Runs a job of two chunks: a chunk has at most a million cells, which 375 origins with 1440 departures to two stations
  /// exceed.
  private func runMany() throws -> JobScene {
    let origins = map.list(String(repeating: "abcde", count: 75))
    return try JobScene(
      map, ["origins.csv": origins, "stations.csv": map.list("de")],
      "kind: 'access', origins: 'origins.csv', stations: 'stations.csv', duplicates: 'number', gtfs: 'feed.zip', "
        + "limit: 60, departures: { from: '00:00', to: '23:59', every: '1min' }, date: '2026-11-23', "
        + "percentiles: [25, 50], timeZone: 'Etc/UTC'", by: "transit", feed: feed)
  }

  @Test func resumedRunsHaveTheSameResults() throws {
    let scene = try runMany()
    defer { scene.remove() }
    let expected = try scene.results(in: "out")
    try FileManager.default.removeItem(atPath: scene.scratch.path("out"))
    try scene.runInPart()
    try scene.run(workers: 1)
    let results = try scene.results(in: "out")
    #expect(results.tables == expected.tables && results.files == expected.files)
  }

  @Test func resultsAreIdenticalForAnyNumberOfWorkersAndShards() throws {
    let scene = try runMany()
    defer { scene.remove() }
    let expected = try scene.results(in: "out")
    for workers in [2, 7] {
      try scene.run(workers: workers, shouldStop: { false }) { $0.output = scene.scratch.path("out\(workers)") }
      #expect(try scene.results(in: "out\(workers)").tables == expected.tables)
    }
    try scene.merge(3, workers: 2, into: "merged")
    #expect(try scene.results(in: "merged").tables == expected.tables)
  }
}
