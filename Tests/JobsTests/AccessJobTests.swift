import Foundation
import Geography
import Input
import Jobs
import Tables
import TestMaps
import Testing

/// Walks to stations on a drawn map: 100 m take 72 s, within the seven decimals of coordinates.
struct AccessJobTests {
  /// 9 is far from all streets, and f is on an isolated one.
  private let map = TestMap(
    """
    a-b-c-d-e   f-g
      |
      h             9
    """
  ).way("abcde").way("bh").way("fg")

  private let keys = "kind: 'access', origins: 'origins.csv', stations: 'stations.csv', "

  private func scene(
    _ origins: String, _ stations: String, _ more: String = "", weights: [Character: String] = [:], workers: Int = 1
  ) throws -> JobScene {
    try JobScene(
      map,
      [
        "origins.csv": map.list(origins, weights.isEmpty ? "" : ",population,jobs", weights),
        "stations.csv": map.list(stations),
      ], keys + more, workers: workers)
  }

  @Test func originsFindTheirNearestStationsByTime() throws {
    let scene = try scene("ah9f", "be", "nearest: 2,")
    defer { scene.remove() }
    try scene.expect(
      "SELECT origin_id, rank, station_id, entrance_id, expected_travel_time, distance, status FROM access",
      """
      a|1|b||71.998|100.0|ok
      a|2|e||288.001|400.0|ok
      h|1|b||143.997|200.0|ok
      h|2|e||360.0|500.0|ok
      9|0|||||placemark_not_found
      f|0|||||directions_not_found

      """)
    try scene.expect("SELECT role, place_id, status FROM place WHERE fid > 4", "station|b|ok\nstation|e|ok\n")
  }

  @Test func sumsTheWeightsServedByStations() throws {
    let weights: [Character: String] = ["a": ",10,1", "h": ",20,", "c": ",30,2", "9": ",40,1"]
    let scene = try scene("ahc9", "be", "thresholds: [1.5, 3],", weights: weights)
    defer { scene.remove() }
    try scene.expect(
      "SELECT threshold, measure, value, total, round(share, 3) FROM access_share ORDER BY threshold, measure",
      """
      90|jobs|3.0|4.0|0.75
      90|origins|2.0|4.0|0.5
      90|population|40.0|100.0|0.4
      180|jobs|3.0|4.0|0.75
      180|origins|3.0|4.0|0.75
      180|population|60.0|100.0|0.6

      """)
    // c is also within 144 s of e, though b is nearer.
    try scene.expect(
      "SELECT station_id, threshold, value, share, nearest_value FROM station_service WHERE measure = 'population'",
      "b|90|40.0|0.4|40.0\nb|180|60.0|0.6|60.0\ne|90|0.0|0.0|0.0\ne|180|30.0|0.3|0.0\n")
    try scene.expect(
      "SELECT within, value FROM access_curve WHERE measure = 'jobs' AND within IN (60, 90, 360)",
      "60|0.0\n90|3.0\n360|3.0\n")
    try scene.expect(
      "SELECT place_id, measure, value FROM place_weight JOIN place ON place.fid = place_fid WHERE place_id = 'h'",
      "h|population|20.0\n")
  }

  @Test func entrancesCountForTheirStation() throws {
    // Station s has the entrances d and h; platform p counts only if there are no entrances.
    let stations = """
      stop_id,stop_name,stop_lon,stop_lat,location_type,parent_station
      s,Central,\(map["c"].longitude),\(map["c"].latitude),1,
      d,North door,\(map["d"].longitude),\(map["d"].latitude),2,s
      h,South door,\(map["h"].longitude),\(map["h"].latitude),2,s
      p,Platform,\(map["c"].longitude),\(map["c"].latitude),0,s
      t,Other,\(map["e"].longitude),\(map["e"].latitude),0,
      n,Node,,,3,s
      x,Lost,\(map["a"].longitude),\(map["a"].latitude),2,nowhere
      y,Misled,\(map["a"].longitude),\(map["a"].latitude),2,t

      """
    let scene = try JobScene(map, ["origins.csv": map.list("ac"), "stations.csv": stations], keys + "nearest: 5,")
    defer { scene.remove() }
    try scene.expect(
      "SELECT origin_id, rank, station_id, entrance_id, distance FROM access",
      "a|1|s|h|300.0\na|2|t||400.0\nc|1|s|d|100.0\nc|2|t||200.0\n")
    try scene.expect(
      "SELECT line, reason FROM rejected",
      "8|part of a station, but parent_station nowhere is not in the file or is not a station\n"
        + "9|part of a station, but parent_station t is not in the file or is not a station\n")
    try scene.expect(
      "SELECT role, place_id, name FROM place WHERE role <> 'origin'",
      "station|s|Central\nstation|t|Other\nentrance|d|North door\nentrance|h|South door\n")
  }

  @Test func distinguishesOriginsBeyondTheLimitFromThoseWithoutARoute() throws {
    let scene = try scene("acf9", "b", "limit: 2, thresholds: [1, 2],")
    defer { scene.remove() }
    try scene.expect(
      "SELECT origin_id, rank, status FROM access",
      "a|1|ok\nc|1|ok\nf|0|directions_not_found\n9|0|placemark_not_found\n")
    let near = try self.scene("aef9", "b", "limit: 2, thresholds: [1, 2],")
    defer { near.remove() }
    try near.expect(
      "SELECT origin_id, status FROM access WHERE rank = 0",
      "e|beyond_limit\nf|directions_not_found\n9|placemark_not_found\n")
  }

  /// Trips beyond the limit are not searched for, so the curve is unknown there.
  @Test func curvesEndAtTheLimit() throws {
    for (limit, end) in [("", 240), ("limit: 2.6,", 150), ("limit: 5,", 240)] {
      let scene = try scene("aef9", "b", "\(limit) thresholds: [1, 2],")
      defer { scene.remove() }
      try scene.expect("SELECT max(within) FROM access_curve", "\(end)\n")
    }
  }

  @Test func directionsDifferOnOneWayStreets() throws {
    let square = TestMap(
      """
      a-b
      | |
      c-d
      """
    ).way("abdca", ["oneway": "yes"])
    let files = ["origins.csv": square.list("b"), "stations.csv": square.list("a")]
    for (direction, distance) in [("to", "500"), ("from", "100")] {
      let scene = try JobScene(square, files, keys + "direction: '\(direction)', routes: true,", by: "automobile")
      defer { scene.remove() }
      try scene.expect("SELECT round(distance) FROM access", "\(distance).0\n")
      try scene.expect(
        "SELECT pair_id, origin_id, destination_id, round(distance) FROM route",
        (direction == "to" ? "b|b|a|500.0\n" : "b|a|b|100.0\n"))
    }
  }

  @Test func routesHaveStepsToTheNearestStation() throws {
    let scene = try scene("ah9", "be", "routes: true,")
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT route.pair_id, route.destination_id, route.distance = access.distance,
        route.expected_travel_time = access.expected_travel_time,
        (SELECT round(sum(distance), 2) FROM step WHERE step.pair_id = route.pair_id) = round(route.distance, 2)
      FROM route JOIN access ON access.origin_id = pair_id AND rank = 1
      """, "a|b|1|1|1\nh|b|1|1|1\n")
    #expect(try scene.unzipped("routes.geojson.gz").split(separator: "\n").count == 4)
    let features = try scene.unzipped("access.geojson.gz").split(separator: "\n")
    #expect(features.count == 5)
    #expect(
      features[1].hasPrefix(
        #"{"type":"Feature","id":"a","properties":{"origin_id":"a","status":"ok","station_id":"b","station_name":null,"#
      ))
    #expect(features[3].contains(#""status":"placemark_not_found","station_id":null},"geometry":{"type":"Point""#))
  }

  @Test func routesToStationsHaveLinks() throws {
    let scene = try JobScene(
      map, ["origins.csv": map.list("a"), "stations.csv": map.list("b")], keys + "routes: true"
    ) { $0.writesLinks = true }
    defer { scene.remove() }
    let (a, b) = (FixedCoordinate(map["a"]).coordinate, FixedCoordinate(map["b"]).coordinate)
    try scene.expect(
      "SELECT link FROM route",
      "https://maps.apple.com/?saddr=\(a.latitude),\(a.longitude)&daddr=\(b.latitude),\(b.longitude)&dirflg=w\n")
    #expect(try scene.unzipped("routes.geojson.gz").contains("\"link\":\"https:"))
  }

  @Test func isIndependentOfTheNumberOfWorkers() throws {
    var random = SeededGenerator(seed: 3)
    let origins = String((0..<9000).map { _ in "abcdefgh9".randomElement(using: &random)! })
    func dump(_ workers: Int) throws -> [String] {
      let scene = try scene(origins, "bdfe", "nearest: 3,", workers: workers)
      defer { scene.remove() }
      let tables = [
        "place", "access_row", "access_share", "access_curve", "station_service", "chunk_file", "statistic",
      ]
      return try tables.map { try scene.sql("SELECT * FROM \($0)") } + [scene.unzipped("access.geojson.gz")]
    }
    #expect(try dump(1) == dump(2))
  }

  @Test func usesOnlyTheNamedWeights() throws {
    let weights: [Character: String] = ["a": ",10,1"]
    let scene = try scene("a", "b", "weights: ['jobs'],", weights: weights)
    defer { scene.remove() }
    try scene.expect("SELECT DISTINCT measure FROM access_share", "jobs\norigins\n")
    #expect(throws: OdometerError.self) { try self.scene("a", "b", "weights: ['cows'],", weights: weights) }
  }

  @Test func weightNamesTheColumnEverywhere() throws {
    let files = [
      "origins.csv": map.list("a9", ",males,cows,population", ["a": ",10,1,5", "9": ",30,1,5"]),
      "stations.csv": map.list("b"),
    ]
    let scene = try JobScene(map, files, keys + "weight: 'males',")
    defer { scene.remove() }
    try scene.expect("SELECT DISTINCT measure FROM access_share ORDER BY measure", "males\norigins\n")
    try scene.expect("SELECT weight FROM place WHERE role = 'origin'", "10.0\n30.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'origin_weight'", "males\n")
    let results = try ResultsDatabase(path: scene.scratch.path("out/results.sqlite"))
    let lines = try PlaceProblems.lines(of: results, results.placeSurvey())
    #expect(lines.first == "of 2 origins: 1 outside the map, 75.0 % of males")
  }

  @Test func rejectsDuplicateIDsAndReservedWeights() throws {
    let stations = map.list("be").replacing("e,", with: "b,")
    let files = ["origins.csv": map.list("a", ",jobs", ["a": ",10"]), "stations.csv": stations]
    let scene = try JobScene(map, files, keys)
    defer { scene.remove() }
    try scene.expect("SELECT station_id, distance FROM access", "b|100.0\n")
    try scene.expect("SELECT line, substr(reason, 1, 34) FROM rejected", "3|the id b is already used by line 2\n")
    try scene.expect("SELECT DISTINCT measure, total FROM access_share ORDER BY measure", "jobs|10.0\norigins|1.0\n")
    let clash = ["origins.csv": map.list("a", ",origins", ["a": ",10"]), "stations.csv": map.list("b")]
    #expect { try JobScene(self.map, clash, self.keys + "weights: ['origins'],") } throws: {
      "\($0)".contains("the column origins cannot be a weight")
    }
  }

  @Test func refusesAmbiguousWeights() throws {
    let files = ["origins.csv": map.list("a", ",jobs,flats", ["a": ",\"1,5\",3"]), "stations.csv": map.list("b")]
    #expect { try JobScene(self.map, files, self.keys) } throws: {
      "\($0)".contains("column jobs: got line 2 \"1,5\", expected numbers")
    }
    let scene = try JobScene(map, files, keys + "weights: ['flats'],")
    defer { scene.remove() }
    try scene.expect("SELECT DISTINCT measure, total FROM access_share ORDER BY measure", "flats|3.0\norigins|1.0\n")
  }

  @Test(arguments: [
    ("nearest: 0,", "nearest: got 0, expected a whole number of stations from 1 to 100"),
    ("nearest: 1.5,", "nearest: got 1.5, expected a whole number"),
    ("thresholds: [],", "thresholds: got [], expected a list of minutes, each over 0, at most 1440"),
    ("limit: 10,", "limit: got 10 minutes, expected at least 15, the last of thresholds, by default [5, 10, 15]"),
    ("direction: 'up',", "direction: got \"up\", expected one of to, from"),
    (
      "routeTypes: ['horse'],",
      "routeTypes: got [\"horse\"], expected a list of tram, metro, rail, bus, ferry, cableTram, "
        + "aerialLift, funicular, trolleybus, monorail"
    ),
  ])
  func invalidKeysAreNamed(key: String, message: String) throws {
    #expect { try scene("a", "b", key) } throws: { "\($0)".contains(message) }
  }

  /// The trip from a takes 71.998 s: more than a limit of 71 s, and less than one of 71.999 s.
  @Test func verifiesTripsWithinTheLimitsLastSecond() throws {
    let scene = try scene("ac", "b", "limit: 1.19999, thresholds: [1], verify: 10,")
    defer { scene.remove() }
    try scene.expect("SELECT value FROM job WHERE key = 'limit'", "71.999\n")
    try scene.expect("SELECT origin_id, station_id, status FROM access", "a|b|ok\nc|b|ok\n")
    try scene.expect("SELECT count(*) FROM verification", "0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_rows'", "2\n")
  }

  /// A comma in a name must not split a measure.
  @Test func reportsOnWeightsWithCommasInTheirNames() throws {
    let weights = ["origins.csv": map.list("a", ",\"jobs, total\"", ["a": ",10"]), "stations.csv": map.list("b")]
    let scene = try JobScene(map, weights, keys + "weights: ['jobs, total'],")
    defer { scene.remove() }
    try scene.expect(
      "SELECT DISTINCT measure, total FROM access_share ORDER BY measure", "jobs, total|10.0\norigins|1.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'measures'", "\"jobs, total\"\n")
  }
}
