import Foundation
import TestMaps
import Testing

/// Pairs by hour on a drawn map: at seven on Mondays, streets take twice as long.
struct HourlyRouteJobTests {
  private let map = TestMap("a-b-c-d").way("abcd")

  private func run(_ kind: String, _ keys: String, pairs: String? = nil) throws -> JobScene {
    try JobScene(
      map,
      [
        "pairs.csv": pairs ?? map.pairs([("a", "d"), ("c", "a")]),
        "city.json5": "{ classes: { residential: { \"Mo 07:00-08:00\": 2 } } }",
      ],
      "kind: '\(kind)', pairs: 'pairs.csv', traffic: 'city.json5', verify: 10, \(keys)", by: "automobile")
  }

  @Test(arguments: ["etas", "routes"]) func writesARowPerPairAndHour(kind: String) throws {
    let scene = try run(kind, "departures: ['06:00', '07:00'], week: ['Mo'],")
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT pair_id, departure, departure_date, round(expected_travel_time / static_travel_time, 1), waiting_time
      FROM route
      """, "1|1|Mo 06:00|1.0|0.0\n1|2|Mo 07:00|2.0|0.0\n2|1|Mo 06:00|1.0|0.0\n2|2|Mo 07:00|2.0|0.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test(arguments: ["", "traffic: 'city.json5',"]) func everyRouteWithATimeHasItsFreeFlowTime(traffic: String) throws {
    let scene = try JobScene(
      map,
      [
        "pairs.csv": map.pairs([("a", "a"), ("a", "d")]),
        "city.json5": "{ classes: { residential: { \"Mo 07:00-08:00\": 2 } } }",
      ],
      "kind: 'routes', pairs: 'pairs.csv', \(traffic) departureDate: '2026-11-23T12:00:00Z'", by: "automobile")
    defer { scene.remove() }
    try scene.expect("SELECT expected_travel_time = static_travel_time, waiting_time FROM route", "1|0.0\n1|0.0\n")
  }

  @Test func percentilesAreOfTheTimesAtAllHours() throws {
    let scene = try run("etas", "arrivals: ['06:00', '07:30', '09:00'], week: ['Mo'], percentiles: [0, 50, 100],")
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT pair_id, percentile, expected_arrival_date, round(expected_travel_time / static_travel_time, 1),
        distance > 0 FROM route WHERE pair_id = 1
      """, "1|0|Mo 06:00|1.0|1\n1|50|Mo 06:00|1.0|1\n1|100|Mo 07:30|2.0|1\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func timePassesWhileClocksAreTurnedBack() throws {
    let map = TestMap("a" + String(repeating: "-", count: 140) + "b").way("ab")
    let scene = try JobScene(
      map, ["pairs.csv": map.pairs([("a", "b")])],
      """
      kind: 'etas', pairs: 'pairs.csv', departures: ['00:55'], date: '2026-10-25', timeZone: 'Europe/Lisbon'
      """, by: "walking")
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT departure_date, expected_arrival_date NOT LIKE '%+01:00', expected_travel_time > 4000,
        strftime('%s', expected_arrival_date) - strftime('%s', departure_date) - round(expected_travel_time)
      FROM route
      """, "2026-10-25T00:55:00+01:00|1|1|0.0\n")
  }

  /// With a departure that is rounded up, a trip could arrive too late.
  @Test(arguments: ["arrivalDate: '2026-11-23T08:00:00Z'", "arrivals: ['08:00'], date: '2026-11-23'"])
  func departuresBeforeAnArrivalAreRoundedDown(keys: String) throws {
    let map = TestMap("a-b-c-d").way("abcd", ["maxspeed": "50"])
    let scene = try JobScene(
      map, ["pairs.csv": map.pairs([("a", "b"), ("a", "c"), ("a", "d")])], "kind: 'etas', pairs: 'pairs.csv', \(keys)",
      by: "automobile")
    defer { scene.remove() }
    let seconds = "strftime('%s', expected_arrival_date) - strftime('%s', departure_date)"
    try scene.expect("SELECT min(\(seconds) - expected_travel_time) BETWEEN 0 AND 1 FROM route", "1\n")
  }

  @Test func percentilesRefuseWaypoints() throws {
    let map = TestMap("a-b-c").way("abc")
    let points = "abc".map { "\(map[$0].latitude),\(map[$0].longitude)" }
    let link =
      "https://maps.apple.com/directions?source=\(points[0])&waypoint=\(points[1])&destination=\(points[2])"
    let error = try #require(throws: (any Error).self) {
      try JobScene(
        map, ["links.txt": link, "city.json5": "{ classes: { residential: { \"Mo 07:00-08:00\": 2 } } }"],
        "kind: 'etas', pairs: 'links.txt', traffic: 'city.json5', departures: ['06:00', '07:00'], week: ['Mo'], percentiles: [50]",
        by: "automobile")
    }
    #expect("\(error)".contains("pair 1 has waypoints, which percentiles do not support"), "\(error)")
  }

  @Test func namesTheHourOfAFeature() throws {
    let scene = try run("routes", "departures: ['06:00', '07:00'], week: ['Mo'],")
    defer { scene.remove() }
    let features = try scene.unzipped("routes.geojson.gz")
    #expect(features.contains("\"id\":\"2/1\",\"properties\":{\"pair_id\":2,\"departure\":1,"))
    #expect(features.contains("\"static_travel_time\":"))
  }

  @Test func refusesHoursInBothTheJobAndItsRows() throws {
    let pairs = map.pairs([("a", "d")]).replacing("id,", with: "departure_time,id,").replacing(
      "\n1,", with: "\n2026-11-23T07:00:00Z,1,")
    let error = try #require(throws: (any Error).self) {
      try run("etas", "departures: ['06:00'], week: ['Mo'],", pairs: pairs)
    }
    #expect("\(error)".contains("rows have their own times, and the job has departures; leave out one of them"))
  }

  @Test func rowsWithTheirOwnTimesHaveNoDepartureColumn() throws {
    let pairs = map.pairs([("a", "d")]).replacing("id,", with: "departure_time,id,").replacing(
      "\n1,", with: "\n2026-11-23T07:00:00Z,1,")
    let scene = try run("etas", "timeZone: 'Etc/UTC',", pairs: pairs)
    defer { scene.remove() }
    try scene.expect("SELECT count(*) FROM pragma_table_info('route') WHERE name = 'departure'", "0\n")
    try scene.expect("SELECT round(expected_travel_time / static_travel_time, 1) FROM route", "2.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func refusesSpeedsWithoutHours() throws {
    let error = try #require(throws: (any Error).self) { try run("etas", "") }
    #expect("\(error)".contains("traffic: the hours are missing; add departures"))
  }
}
