import Foundation
import Geography
import Jobs
import Synchronization
import Tables
import TestMaps
import Testing

/// Routes by public transport: steps, rides and shapes. Walking a kilometre takes 12 minutes.
struct TransitRouteJobTests {
  private let map = TestMap("a-b-c-d-e-f-g", spacing: 1000).way("abcdefg", ["name": "Rua"])
  /// Vehicles go from b to d, and from e to g; riders walk from d to e.
  private var feed: FeedScene {
    FeedScene(
      on: map, "bdeg", "t,b,1,7:20:00", "t,d,2,7:25:00", "u,e,1,7:45:00", "u,g,2,7:52:00",
      files: [
        "routes.txt": "route_id,route_short_name,route_type,route_color\nr,5,0,0067B1",
        "trips.txt": "trip_id,route_id,service_id,trip_headsign\nt,r,s,Delta\nu,r,s,",
      ])
  }
  private static let day = "date: '2026-11-23', timeZone: 'Etc/UTC', gtfs: 'feed.zip', verify: 100"

  private func run(
    _ pairs: [(Character, Character)] = [("a", "g")], _ keys: String = "departures: ['07:00']", feed: FeedScene? = nil,
    kind: String = "routes"
  ) throws -> JobScene {
    try JobScene(
      map, ["pairs.csv": map.pairs(pairs)], "kind: '\(kind)', pairs: 'pairs.csv', \(keys), \(Self.day)", by: "transit",
      feed: feed ?? self.feed)
  }

  @Test func stepsAreWalksWaitsAndRides() throws {
    let scene = try run()
    defer { scene.remove() }
    try scene.expect(
      "SELECT instructions, notice, round(expected_travel_time / 60), transport_type, maneuver FROM step",
      """
      Head east on Rua||12.0|walking|depart
      Wait at b||8.0|walking|wait
      Take tram 5 towards Delta from b at 07:20, 1 stop|Get off at d at 07:25|5.0|transit|board
      Head east on Rua||12.0|walking|depart
      Wait at e||8.0|walking|wait
      Take tram 5 from e at 07:45, 1 stop|Get off at g at 07:52|7.0|transit|board
      Arrive at the destination||0.0|walking|arrive

      """)
    try scene.expect(
      "SELECT name, rides, step_count, round(distance / 100), transport_type FROM route", "via 5|2|7|60.0|transit\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func transfersInAStationAreAsLongAsTheirPathways() throws {
    var feed = feed
    let rows = "bdeg".map { "\($0),\($0),\(map[$0].latitude),\(map[$0].longitude),\("de".contains($0) ? "0,s" : "0,")" }
    let station = "s,S,\(map["d"].latitude),\(map["d"].longitude),1,"
    feed.files["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
      + (rows + [station]).joined(separator: "\n")
    feed.files["pathways.txt"] =
      "from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time,length\nd,e,1,1,100,300"
    let scene = try run(feed: feed)
    defer { scene.remove() }
    try scene.expect(
      "SELECT instructions, round(expected_travel_time), round(distance) FROM step WHERE maneuver = 'transfer'",
      "Walk to e|100.0|300.0\n")
    try scene.expect("SELECT round(distance / 100) FROM route", "53.0\n")
  }

  /// Returns the feed with d and e as platforms at one point, each five minutes from the entrance of their station.
  ///
  /// - Parameter entrance: The entrance's `wheelchair_boarding`; wheelchairs can use the other stops and the vehicles.
  private func feed(entrance: String) -> FeedScene {
    func row(_ id: String, at letter: Character, _ part: String) -> String {
      "\(id),,\(map[letter].latitude),\(map[letter].longitude),\(part)"
    }
    let rows = [
      "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding",
      row("b", at: "b", "0,,1"), row("g", at: "g", "0,,1"), row("s", at: "d", "1,,"),
      row("n", at: "d", "2,s,\(entrance)"), row("d", at: "d", "0,s,1"), row("e", at: "d", "0,s,1"),
    ]
    var feed = feed
    feed.files["stops.txt"] = rows.joined(separator: "\n")
    feed.files["trips.txt"] = "trip_id,route_id,service_id,wheelchair_accessible\nt,r,s,1\nu,r,s,1"
    feed.files["pathways.txt"] =
      "from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time\nn,d,1,1,300\nn,e,1,1,300"
    return feed
  }

  @Test func platformsAtOnePointAreAsFarApartAsTheirPathways() throws {
    let scene = try run(feed: feed(entrance: "1"))
    defer { scene.remove() }
    try scene.expect("SELECT rides, transfer_time FROM route", "2|600.0\n")
  }

  @Test(arguments: [
    ("any", "2", "2\n1"), ("possible", "2", "0\n0"), ("possible", "", "2\n1"), ("known", "", "0\n0"),
    ("known", "1", "2\n1"),
  ])
  func wheelchairsAvoidClosedEntrances(which: String, entrance: String, rides: String) throws {
    let keys = "departures: ['07:00'], wheelchairBoarding: '\(which)'"
    let scene = try run([("a", "g"), ("a", "d")], keys, feed: feed(entrance: entrance))
    defer { scene.remove() }
    try scene.expect("SELECT rides FROM route ORDER BY pair_id", "\(rides)\n")
  }

  @Test(arguments: [
    ("trip_id = 'u'", "pair 1, ride 1: stops of trip u of line 5 from b to d is 1.0, expected none"),
    ("line = '6'", "pair 1, ride 1: stops of trip t of line 6 from b to d is 1.0, expected none"),
    ("to_stop_id = 'c'", "pair 1, ride 1: stops of trip t of line 5 from b to c is 1.0, expected none"),
    ("stops = 2", "pair 1, ride 1: stops of trip t of line 5 from b to d is 2.0, expected 1.0"),
    ("distance = distance + 1", "pair 1: distance of rides is "),
    ("arrival_date = '2026-11-23T07:26:00Z'", "pair 1: riding_time is 720.0, expected 780.0"),
  ])
  func verifyFindsWrongRides(change: String, difference: String) throws {
    let scene = try run()
    defer { scene.remove() }
    let path = scene.scratch.path("out/results.sqlite")
    let database = try SQLite(path: path, .writing)
    // The triggers of a GeoPackage need functions that plain SQLite lacks.
    let triggers = try database.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
      try $0["name"] as String
    }
    for trigger in triggers { try database.execute("DROP TRIGGER \"\(trigger)\"") }
    try database.execute("UPDATE ride SET \(change) WHERE ride = 1")
    try database.close()
    let network = try Verification.network(of: path, at: LocatedFiles(), cache: nil, workers: 1) { _ in }
    let found = try Verification(of: path, on: network, workers: 1).run(sample: 9, seed: 1).differences
    #expect(found.count == 1 && found[0].description.hasPrefix(difference), "\(found)")
  }

  @Test func stepsAreTranslatedToPortuguese() throws {
    let scene = try run([("a", "g")], "departures: ['07:00'], language: 'pt'")
    defer { scene.remove() }
    try scene.expect(
      "SELECT instructions, notice FROM step WHERE maneuver = 'board' LIMIT 1",
      "Apanhe o elétrico 5 para Delta em b às 07:20, 1 paragem|Saia em d às 07:25\n")
  }

  @Test func ridesHaveRows() throws {
    let scene = try run()
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT pair_id, departure, ride, line, route_type, route_color, headsign, feed, trip_id, from_stop_id, to_stop_id,
        departure_date, arrival_date, stops, stays_seated, round(distance / 100) FROM ride
      """,
      """
      1|1|1|5|0|#0067B1|Delta|1|t|b|d|2026-11-23T07:20:00Z|2026-11-23T07:25:00Z|1|0|20.0
      1|1|2|5|0|#0067B1||1|u|e|g|2026-11-23T07:45:00Z|2026-11-23T07:52:00Z|1|0|20.0

      """)
  }

  @Test(arguments: ["", "bus", "70000"]) func linesOfUnknownTypeKeepTheirName(type: String) throws {
    var feed = feed
    feed.files["routes.txt"] = "route_id,route_short_name,route_type,route_color\nr,5,\(type),0067B1"
    let scene = try run(feed: feed)
    defer { scene.remove() }
    try scene.expect(
      "SELECT line, route_type, route_color FROM ride WHERE ride = 1 AND route_type IS NULL", "5||#0067B1\n")
    try scene.expect("SELECT count(*) FROM rejected", "0\n")
  }

  @Test func inSeatTransfersAreARowButNotARide() throws {
    var feed = FeedScene(on: map, "bdg", "t,b,1,7:20:00", "t,d,2,7:25:00", "u,d,1,7:27:00", "u,g,2,7:35:00")
    feed.files["trips.txt"] = "trip_id,route_id,service_id,block_id\nt,r,s,1\nu,r,s,1"
    let scene = try run(feed: feed)
    defer { scene.remove() }
    try scene.expect("SELECT rides, riding_time FROM route", "1|900.0\n")
    try scene.expect("SELECT ride, trip_id, stays_seated FROM ride", "1|t|0\n2|u|1\n")
    try scene.expect(
      "SELECT instructions, expected_travel_time FROM step WHERE maneuver = 'stay_seated'",
      "Stay seated, on bus 5 at 07:27, 1 stop|600.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func headsignsOfStopsOverrideThoseOfTrips() throws {
    var feed = feed
    feed.files["stop_times.txt"] = """
      trip_id,stop_id,stop_sequence,arrival_time,departure_time,stop_headsign
      t,b,1,7:20:00,7:20:00,Center
      t,d,2,7:25:00,7:25:00,
      u,e,1,7:45:00,7:45:00,
      u,g,2,7:52:00,7:52:00,Depot
      """
    let scene = try run(feed: feed)
    defer { scene.remove() }
    try scene.expect("SELECT headsign FROM ride", "Center\n\n")
  }

  @Test(arguments: [("any", "2\n1"), ("possible", "0\n1"), ("known", "0\n0")])
  func wheelchairsBoardOnlyWhereVehiclesAndStopsAllow(which: String, rides: String) throws {
    var feed = feed
    feed.files["trips.txt"] = "trip_id,route_id,service_id,wheelchair_accessible\nt,r,s,2\nu,r,s,"
    let keys = "departures: ['07:00', '07:30'], wheelchairBoarding: '\(which)'"
    let scene = try run([("a", "g"), ("d", "g")], keys, feed: feed)
    defer { scene.remove() }
    // From a, both vehicles are needed; from d, only the second.
    try scene.expect("SELECT rides FROM route WHERE departure = pair_id ORDER BY pair_id", "\(rides)\n")
  }

  @Test(arguments: [
    ("any", ""), ("known", "wheelchairBoarding: known allows 3 of 4 stops and 0 of 2 trips of the timetable"),
  ])
  func notesCountWhatWheelchairsMayUse(which: String, note: String) throws {
    var feed = feed(entrance: "1")
    feed.files["stops.txt"]!.replace("0,,1", with: "0,,", maxReplacements: 1)
    feed.files["trips.txt"] = "trip_id,route_id,service_id\nt,r,s\nu,r,s"
    let scene = try run([("a", "g")], "departures: ['07:00'], wheelchairBoarding: '\(which)'", feed: feed)
    defer { scene.remove() }
    let notes = Mutex<[String]>([])
    try FileManager.default.removeItem(atPath: scene.scratch.path("out"))
    try scene.run(workers: 1, note: { note in notes.withLock { $0.append(note) } })
    #expect(notes.withLock { $0.filter { $0.contains("wheelchairBoarding") } } == (note.isEmpty ? [] : [note]))
  }

  @Test func arrivalsWaitAtTheDestination() throws {
    let scene = try run([("a", "g"), ("a", "b")], "arrivals: ['08:00']")
    defer { scene.remove() }
    // The trip to g leaves at 7:07 to be at b at 7:19.
    try scene.expect(
      "SELECT pair_id, rides, round(expected_travel_time / 60), departure_date, expected_arrival_date FROM route",
      """
      1|2|53.0|2026-11-23T07:07:00Z|2026-11-23T08:00:00Z
      2|0|12.0|2026-11-23T07:48:00Z|2026-11-23T08:00:00Z

      """)
    try scene.expect(
      "SELECT instructions, round(expected_travel_time / 60) FROM step WHERE pair_id = 1 AND maneuver = 'wait'",
      "Wait at b|1.0\nWait at e|8.0\nWait at the destination|8.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test(arguments: [
    "departures: ['07:00', '07:10']", "arrivals: ['08:00', '08:10']", "departures: ['07:00'], maximumRides: 1",
  ])
  func timesEqualMatrixCells(when: String) throws {
    let letters = "abcdefg"
    let pairs = letters.flatMap { from in letters.map { (from, $0) } }
    let scene = try run(pairs, when)
    defer { scene.remove() }
    let matrix = try JobScene(
      map, ["places.csv": map.list(letters)], "kind: 'matrix', origins: 'places.csv', \(when), \(Self.day)",
      by: "transit", feed: feed)
    defer { matrix.remove() }
    let times = "SELECT round(expected_travel_time * 1000) FROM"
    let cells = try matrix.sql("\(times) matrix ORDER BY departure, origin_id, destination_id")
    #expect(try scene.sql("\(times) route ORDER BY departure, fid") == cells)
    for results in [scene, matrix] {
      try results.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
    }
    let etas = try run(pairs, when, kind: "etas")
    defer { etas.remove() }
    let parts = "SELECT expected_travel_time, rides, access_time, waiting_time, riding_time FROM route ORDER BY fid"
    #expect(try etas.sql(parts) == scene.sql(parts))
  }

  /// The vehicle's shape leaves the street at b and returns to it at d.
  @Test func vehiclesFollowTheirShape() throws {
    var feed = feed
    let points: [(Double, Double)] = [
      (map["a"].latitude, map["a"].longitude), (map["b"].latitude, map["b"].longitude),
      (map["b"].latitude + 0.01, map["b"].longitude), (map["d"].latitude + 0.01, map["d"].longitude),
      (map["d"].latitude, map["d"].longitude),
    ]
    let rows = points.enumerated().map { "x,\($1.0),\($1.1),\($0)" }
    feed.files["shapes.txt"] =
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n" + rows.reversed().joined(separator: "\n")
    feed.files["trips.txt"] = "trip_id,route_id,service_id,trip_headsign,shape_id\nt,r,s,Delta,x\nu,r,s,,y"
    let scene = try run(feed: feed)
    defer { scene.remove() }
    // 2 km, and 1.1 km away from the street and back.
    try scene.expect("SELECT round(distance / 100) FROM ride", "42.0\n20.0\n")
    try scene.expect("SELECT round(distance / 100) FROM route", "82.0\n")
  }

  /// Returns a feed in which a vehicle goes along a shape of these points, from b via d to g: 2 km and 3 km.
  private func feed(along points: [Coordinate]) -> FeedScene {
    let rows = points.enumerated().map { "x,\($1.latitude),\($1.longitude),\($0)" }
    return FeedScene(
      on: map, "bdg", "t,b,1,7:20:00", "t,d,2,7:22:00", "t,g,3,7:30:00",
      files: [
        "trips.txt": "trip_id,route_id,service_id,shape_id\nt,r,s,x",
        "shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n" + rows.joined(separator: "\n"),
      ])
  }

  private func point(_ letter: Character, north: Double = 0) -> Coordinate {
    Coordinate(latitude: map[letter].latitude + north, longitude: map[letter].longitude)
  }

  /// A degree is 111 km.
  @Test func strayPointsOfShapesAreLeftOut() throws {
    let stray = [point("b"), point("c"), point("c", north: 30), point("d"), point("e", north: 0.01), point("g")]
    let scene = try run([("b", "d"), ("b", "g")], feed: feed(along: stray))
    defer { scene.remove() }
    // From d on, the shape is followed.
    try scene.expect("SELECT round(distance / 100) FROM ride", "20.0\n58.0\n")
  }

  /// The shape passes d, turns around in the north, in a loop or at one point, and passes d again; d is 6 and g is 9
  /// from b. Distances in another unit, and those that decrease, are ignored.
  @Test(
    arguments: [("6", "9", "62.0\n30.0\n"), ("0.6", "0.9", "20.0\n72.0\n"), ("6", "5", "20.0\n72.0\n")], [false, true])
  func distancesDistinguishPassesOfAStop(_ call: (toD: String, toG: String, rides: String), isLoop: Bool) throws {
    let loop = [point("d", north: 0.01), point("e", north: 0.01), point("e")]
    let line = [point("b"), point("d")] + (isLoop ? loop : [point("d", north: 0.019)]) + [point("d"), point("g")]
    var feed = feed(along: line)
    let rows = zip(line, isLoop ? [0, 2, 3, 4, 5, 6, 9] : [0, 2, 4, 6, 9]).enumerated().map {
      "x,\($1.0.latitude),\($1.0.longitude),\($0),\($1.1)"
    }
    feed.files["shapes.txt"] =
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n" + rows.joined(separator: "\n")
    feed.files["stop_times.txt"] = """
      trip_id,stop_id,stop_sequence,arrival_time,departure_time,shape_dist_traveled
      t,b,1,7:20:00,7:20:00,
      t,d,2,7:22:00,7:22:00,\(call.toD)
      t,g,3,7:30:00,7:30:00,\(call.toG)
      """
    let scene = try run([("b", "d"), ("d", "g")], feed: feed)
    defer { scene.remove() }
    try scene.expect("SELECT round(distance / 100) FROM ride", call.rides)
    try scene.expect("SELECT round(distance / 100) FROM step WHERE maneuver = 'board'", call.rides)
  }

  @Test(arguments: [(0.008, "68.0"), (0.05, "50.0")]) func shapesFarFromStopsAreNotFollowed(
    north: Double, distance: String
  ) throws {
    let scene = try run([("b", "g")], feed: feed(along: [point("b", north: north), point("g", north: north)]))
    defer { scene.remove() }
    try scene.expect("SELECT round(distance / 100) FROM ride", "\(distance)\n")
  }

  @Test func aStopWithoutPositionIsNotDrawn() throws {
    let map = TestMap("a-b-c-d", spacing: 1000, at: Coordinate(latitude: 41, longitude: -8)).way("abcd")
    var feed = FeedScene(on: map, "ad", "t,a,1,7:20:00", "t,z,2,7:22:00", "t,d,3,7:25:00")
    feed.files["stops.txt"]! += "\nz,Z,0,0"
    let scene = try JobScene(
      map, ["pairs.csv": map.pairs([("a", "d")])],
      "kind: 'routes', pairs: 'pairs.csv', departures: ['07:00'], \(Self.day)", by: "transit", feed: feed)
    defer { scene.remove() }
    try scene.expect("SELECT stops, round(distance / 100) FROM ride", "2|30.0\n")
  }

  @Test func resultsAreIdenticalForAnyNumberOfWorkersAndShards() throws {
    let letters = "abcdefg"
    let scene = try run((0..<30).flatMap { _ in letters.flatMap { from in letters.map { (from, $0) } } })
    defer { scene.remove() }
    let expected = try scene.results(in: "out")
    try scene.run(workers: 7, shouldStop: { false }) {
      $0.output = scene.scratch.path("out7")
      $0.verify = nil
    }
    try scene.merge(3, workers: 2, into: "merged")
    for folder in ["out7", "merged"] {
      let results = try scene.results(in: folder)
      for table in ["route", "ride", "step_row", "phrase"] {
        #expect(results.tables[table] == expected.tables[table], "\(folder), \(table)")
      }
      #expect(results.files["routes.geojson.gz"] == expected.files["routes.geojson.gz"])
    }
  }
}
