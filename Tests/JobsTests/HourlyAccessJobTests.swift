import Foundation
import TestMaps
import Testing

/// The nearest stations by hour on drawn maps: from seven to eight on Mondays, main streets take eight times as long.
struct HourlyAccessJobTests {
  private let map = TestMap("a-b-c-d").way("ab", ["highway": "secondary"]).way("bcd")
  private static let traffic = """
    { periods: '60min', classes: { secondary: { 'Mo 07:00-08:00': 8 } } }
    """.replacing("'", with: "\"")

  private func run(_ map: TestMap, _ keys: String, origins: String, stations: String, workers: Int = 1) throws
    -> JobScene
  {
    let weights = Dictionary(uniqueKeysWithValues: Set(origins).map { ($0, ",\($0 == "b" ? 10 : 30)") })
    return try JobScene(
      map,
      [
        "origins.csv": map.list(origins, ",population", weights), "stations.csv": map.list(stations),
        "city.json5": HourlyAccessJobTests.traffic,
      ],
      "kind: 'access', origins: 'origins.csv', stations: 'stations.csv', verify: 1000, \(keys)", by: "automobile",
      workers: workers)
  }

  @Test func nearestStationDependsOnTheHour() throws {
    let scene = try run(
      map, "traffic: 'city.json5', departures: ['06:00', '07:00'], week: ['Mo'], nearest: 1,", origins: "bc",
      stations: "ad")
    defer { scene.remove() }
    try scene.expect(
      "SELECT origin_id, departure, departure_date, rank, station_id FROM access",
      "b|1|Mo 06:00|1|a\nb|2|Mo 07:00|1|d\nc|1|Mo 06:00|1|d\nc|2|Mo 07:00|1|d\n")
    try scene.expect(
      "SELECT value FROM job WHERE key IN ('verified_rows', 'verified_differences') ORDER BY key", "0\n4\n")
    let features = try scene.unzipped("access.geojson.gz")
    #expect(features.contains(#""id":"b/2","properties":{"origin_id":"b","departure":2,"departure_date":"Mo 07:00""#))
    #expect(features.split(separator: "\n").count == 6)
  }

  @Test func percentilesAreOfTheTimesToEachStation() throws {
    let scene = try run(
      map,
      "traffic: 'city.json5', departures: ['06:00', '07:00'], week: ['Mo'], nearest: 1, percentiles: [50, 100], "
        + "routes: true,", origins: "bc", stations: "ad")
    defer { scene.remove() }
    try scene.expect(
      "SELECT origin_id, percentile, rank, station_id FROM access",
      "b|50|1|a\nb|100|1|d\nc|50|1|d\nc|100|1|d\n")
    try scene.expect(
      """
      SELECT pair_id, route.percentile, route.departure_date, destination_id,
        route.expected_travel_time = access.expected_travel_time AND route.distance = access.distance,
        (SELECT count(*) > 0 FROM step WHERE step.pair_id = route.pair_id AND step.percentile = route.percentile)
      FROM route JOIN access ON origin_id = pair_id AND access.percentile = route.percentile
      """.replacing("origin_id =", with: "access.origin_id ="),
      "b|50|Mo 06:00|a|1|1\nb|100|Mo 06:00|d|1|1\nc|50|Mo 06:00|d|1|1\nc|100|Mo 06:00|d|1|1\n")
    try scene.expect(
      "SELECT value FROM job WHERE key IN ('verified_rows', 'verified_differences') ORDER BY key", "0\n4\n")
  }

  @Test func sharesDependOnTheHour() throws {
    let scene = try run(
      map, "traffic: 'city.json5', departures: ['06:00', '07:00'], week: ['Mo'], thresholds: [0.3],", origins: "bc",
      stations: "ad")
    defer { scene.remove() }
    try scene.expect(
      "SELECT departure, measure, value, total FROM access_share",
      "1|origins|2.0|2.0\n1|population|40.0|40.0\n2|origins|1.0|2.0\n2|population|30.0|40.0\n")
    try scene.expect(
      "SELECT station_id, departure, value, nearest_value FROM station_service WHERE measure = 'population'",
      "a|1|10.0|10.0\na|2|0.0|0.0\nd|1|30.0|30.0\nd|2|30.0|30.0\n")
    try scene.expect("SELECT DISTINCT departure FROM access_curve ORDER BY departure", "1\n2\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func stationsBehindClosedStreetsAreNotTheNearest() throws {
    let gated = TestMap("a-b-c-d").way("ab", ["access:conditional": "no @ (07:00-08:00)"]).way("bcd")
    let scene = try run(
      gated, "departures: ['06:30', '07:30'], date: '2026-11-23', nearest: 2,", origins: "b", stations: "ad")
    defer { scene.remove() }
    try scene.expect(
      "SELECT departure, rank, station_id FROM access", "1|1|a\n1|2|d\n2|1|d\n2|2|a\n")
    try scene.expect("SELECT expected_travel_time > 1800 FROM access WHERE departure = 2 AND station_id = 'a'", "1\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func routesHaveStepsAtEachHour() throws {
    let scene = try run(
      map, "traffic: 'city.json5', departures: ['06:00', '07:00'], week: ['Mo'], nearest: 1, routes: true,",
      origins: "bc", stations: "a")
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT pair_id, route.departure, route.departure_date, destination_id,
        route.expected_travel_time = access.expected_travel_time, route.expected_travel_time > 2 * static_travel_time
      FROM route JOIN access ON access.origin_id = pair_id AND access.departure = route.departure
      """, "b|1|Mo 06:00|a|1|0\nb|2|Mo 07:00|a|1|1\nc|1|Mo 06:00|a|1|0\nc|2|Mo 07:00|a|1|1\n")
    try scene.expect(
      """
      SELECT count(*) FROM route WHERE round(expected_travel_time, 3) <> (SELECT round(sum(step.expected_travel_time), 3)
        FROM step WHERE step.pair_id = route.pair_id AND step.departure = route.departure)
      """, "0\n")
    #expect(try scene.unzipped("routes.geojson.gz").contains(#""id":"b/2""#))
  }

  private static let grid = TestMap(
    """
    a-b-c-d-e
    | | | | |
    f-g-h-i-j
    | | | | |
    k-l-m-n-o   y-z
    """
  ).way("abcde", ["highway": "secondary"]).way("fghij").way("klmno", ["highway": "tertiary", "oneway": "yes"]).way(
    "afk"
  )
  .way("bgl", ["highway": "secondary"]).way("chm", ["oneway": "yes"]).way("din", ["highway": "tertiary"]).way("ejo")
  .way("yz")

  /// Returns hours, traffic and direction of a random job; all stations are found, so services can be counted by rows.
  private static func random(_ seed: UInt64) -> (keys: String, traffic: String) {
    var random = SeededGenerator(seed: seed)
    let classes = ["secondary", "tertiary", "residential"].map { name in
      let hours = (6..<10).map {
        "'Mo 0\($0):00-\($0 < 9 ? "0" : "")\($0 + 1):00': \(Int.random(in: 1...40, using: &random))"
      }
      return "\(name): { \(hours.joined(separator: ", ")) }"
    }
    let key = seed.isMultiple(of: 2) ? "departures" : "arrivals"
    let keys = """
      \(key): { from: '06:50', to: '09:10', every: '\(Int.random(in: 5...40, using: &random))min' }, week: ['Mo', 'Tu'],
      direction: '\(seed % 4 < 2 ? "to" : "from")', nearest: 100, thresholds: [0.5, 1, 2],
      \(seed % 3 == 0 ? "limit: 2," : "")
      """
    return (keys, "{ classes: { \(classes.joined(separator: ", ")) } }".replacing("'", with: "\""))
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func randomJobsAgreeWithDijkstra(seed: UInt64) throws {
    let (keys, traffic) = HourlyAccessJobTests.random(seed)
    let grid = HourlyAccessJobTests.grid
    let scene = try JobScene(
      grid, ["origins.csv": grid.list("abdefhikmnoy"), "stations.csv": grid.list("cglj"), "city.json5": traffic],
      "kind: 'access', origins: 'origins.csv', stations: 'stations.csv', traffic: 'city.json5', verify: 5000, \(keys)",
      by: "automobile", workers: 2)
    defer { scene.remove() }
    try scene.expect("SELECT * FROM verification", "")
    try scene.expect(
      """
      SELECT station_id, departure, threshold, value, expected FROM (SELECT *, (SELECT count(*) FROM access
        WHERE access.station_id = station_service.station_id AND access.departure = station_service.departure
          AND expected_travel_time <= threshold) AS expected FROM station_service) WHERE value <> expected
      """, "")
    try scene.expect("SELECT count(DISTINCT value) > 3 FROM station_service", "1\n")
    try scene.expect(
      "SELECT DISTINCT status FROM access WHERE origin_id = 'y'", "directions_not_found\n")
  }

  /// Each line is served by all of its stations.
  private static func feed(_ scratch: Scratch) throws -> String {
    let files = [
      "stops.txt": grid.list("cgl").replacing("id,lon,lat", with: "stop_id,stop_lon,stop_lat"),
      "routes.txt": "route_id,route_short_name,route_type\n1,U1,1\n2,U2,1\n",
      "trips.txt": "route_id,service_id,trip_id\n1,w,t1\n2,w,t2\n",
      "stop_times.txt": "trip_id,stop_id,stop_sequence\nt1,c,1\nt1,g,2\nt2,g,1\nt2,l,2\n",
    ]
    for (name, text) in files { try scratch.write(text, to: name) }
    try Run("/usr/bin/env", ["python3", "-m", "zipfile", "-c", "feed.zip"] + files.keys.sorted(), in: scratch.folder)
    return scratch.path("feed.zip")
  }

  @Test(arguments: ["to", "from"], ["departures", "arrivals"])
  func slownessOneEqualsTheJobWithoutHours(direction: String, times: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let feed = try HourlyAccessJobTests.feed(scratch)
    func dump(_ hours: String) throws -> [String] {
      let grid = HourlyAccessJobTests.grid
      let scene = try JobScene(
        grid,
        [
          "origins.csv": grid.list("abdehikmnoy", ",weight", ["a": ",5", "d": ",7", "m": ",1"]),
          "city.json5": "{ classes: { residential: { \"Mo\": 1 } } }",
        ],
        "kind: 'access', origins: 'origins.csv', stations: '\(feed)', nearest: 2, direction: '\(direction)', "
          + "thresholds: [0.5, 1], limit: 1, \(hours)", by: "automobile")
      defer { scene.remove() }
      let tables = [
        "SELECT origin_fid, rank, station_fid, milliseconds, centimetres, status FROM access_row",
        "SELECT threshold, measure, value, total, share FROM access_share",
        "SELECT measure, within, value, share FROM access_curve",
        "SELECT station_id, threshold, measure, value, share, nearest_value FROM station_service",
        "SELECT line, stations, threshold, measure, value, share FROM line_service", "SELECT * FROM statistic",
      ]
      return try tables.map(scene.sql)
    }
    let without = try dump("")
    #expect(try dump("traffic: 'city.json5', week: ['Mo'], \(times): ['07:10'],") == without)
    #expect(without[4].contains("U1|2|") && without.allSatisfy { $0.count > 50 })
  }

  private static let many = String(repeating: "abcdefghijklmnoyz", count: 70)
  private static let dumps = [
    "access_row", "access_share", "access_curve", "station_service", "statistic", "chunk_file",
  ].map { "SELECT * FROM \($0)" }

  private func runMany(_ keys: String, workers: Int) throws -> JobScene {
    let many = HourlyAccessJobTests.many
    let grid = HourlyAccessJobTests.grid
    let rows = many.enumerated().map { "\($0),\(grid[$1].longitude),\(grid[$1].latitude),\($0 % 9).1\n" }.joined()
    return try JobScene(
      grid,
      [
        "origins.csv": "id,lon,lat,people\n\(rows)", "stations.csv": grid.list("cgl"),
        "city.json5": HourlyAccessJobTests.traffic,
      ],
      """
      kind: 'access', origins: 'origins.csv', stations: 'stations.csv', traffic: 'city.json5', week: ['Mo'],
      thresholds: [0.5, 1], \(keys)
      """, by: "automobile", workers: workers)
  }

  @Test(arguments: ["departures", "arrivals"])
  func writesTheSameWithAnyNumberOfWorkers(times: String) throws {
    // If searches start at stations, chunks are larger: more hours and stations make several.
    let more = times == "departures" ? "every: '10min' }, routes: true," : "every: '3min' }, nearest: 100,"
    let keys = "\(times): { from: '06:30', to: '08:30', \(more)"
    let (one, two) = (try runMany(keys, workers: 1), try runMany(keys, workers: 2))
    defer {
      one.remove()
      two.remove()
    }
    try one.expect("SELECT count(*) > 2 FROM chunk", "1\n")
    #expect(one.bytes("access.geojson.gz") == two.bytes("access.geojson.gz"))
    for dump in HourlyAccessJobTests.dumps { #expect(try one.sql(dump) == two.sql(dump), "\(dump)") }
  }

  @Test func resumesWithTheSumsOfEarlierOrigins() throws {
    let scene = try runMany("departures: ['06:30', '07:30'],", workers: 1)
    defer { scene.remove() }
    let before = try HourlyAccessJobTests.dumps.map(scene.sql)
    try scene.runInPart()
    #expect(try scene.run(workers: 1).isFinished)
    #expect(try HourlyAccessJobTests.dumps.map(scene.sql) == before)
    try scene.expect("SELECT count(*) > 1 FROM chunk", "1\n")
    try scene.expect("SELECT count(*) FROM sqlite_schema WHERE name = 'services_so_far'", "0\n")
  }

  @Test func refusesHoursWithoutTraffic() throws {
    #expect {
      try run(map, "departures: ['07:00'], week: ['Mo'],", origins: "b", stations: "a")
    } throws: { "\($0)".contains("free-flow times of a typical week do not depend on the hour") }
  }
}
