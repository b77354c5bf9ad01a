import Foundation
import Geography
import TestMaps
import Testing

/// Matrices by public transport on drawn maps. Walking a kilometre takes 12 minutes.
struct TransitMatrixJobTests {
  private let map = TestMap("a-b-c-d-e", spacing: 1000).way("abcde")
  /// Vehicles go from a to d at 7:10 and 7:30, in 5 minutes.
  private var feed: FeedScene {
    FeedScene(on: map, "ad", "t,a,1,7:10:00", "t,d,2,7:15:00", "u,a,1,7:30:00", "u,d,2,7:35:00")
  }
  private static let when = "date: '2026-11-23', timeZone: 'Etc/UTC', gtfs: 'feed.zip'"
  private static let departures = "departures: ['07:00', '07:05', '07:10'], \(when)"

  private func run(
    _ keys: String = departures, origins: String = "a", destinations: String = "de", feed: FeedScene? = nil,
    workers: Int = 1
  ) throws -> JobScene {
    try JobScene(
      map, ["origins.csv": map.list(origins), "destinations.csv": map.list(destinations)],
      "kind: 'matrix', origins: 'origins.csv', destinations: 'destinations.csv', \(keys)", by: "transit",
      feed: feed ?? self.feed, workers: workers)
  }

  @Test func cellsAreTimesFromTheDeparture() throws {
    let scene = try run()
    defer { scene.remove() }
    // A departure at 7:10 catches only the second vehicle; riders walk from d to e.
    try scene.expect(
      "SELECT departure, round(travel_times ->> 0), round(travel_times ->> 1) FROM matrix_row",
      "1|900.0|1620.0\n2|600.0|1320.0\n3|1500.0|2220.0\n")
  }

  @Test func boardingSlackDecidesWhichVehicleIsCaught() throws {
    let scene = try run("boardingSlack: 0, departures: ['07:10'], \(Self.when)")
    defer { scene.remove() }
    try scene.expect("SELECT travel_times ->> 0 FROM matrix_row", "300.0\n")
  }

  @Test func limitEndsTrips() throws {
    let scene = try run("limit: 10, \(Self.departures)")
    defer { scene.remove() }
    try scene.expect("SELECT travel_times FROM matrix_row", "[null,null]\n[600.000,null]\n[null,null]\n")
  }

  @Test func rejectsSumsBeyondTheLimit() {
    #expect { try run("limit: 10, summary: ['within:300,900'], \(Self.departures)") } throws: {
      "\($0)".contains("summary: got within:900, expected at most 600, the limit in seconds")
    }
  }

  @Test func walksDoNotExceedTheWalkLimit() throws {
    let scene = try run("walkLimit: 10, limit: 30, \(Self.departures)")
    defer { scene.remove() }
    try scene.expect("SELECT travel_times FROM matrix_row", "[900.000,null]\n[600.000,null]\n[1500.000,null]\n")
  }

  @Test func walkingAllTheWayIsUsedIfFaster() throws {
    let scene = try run(destinations: "b")
    defer { scene.remove() }
    try scene.expect("SELECT DISTINCT round(travel_times ->> 0 / 60) FROM matrix_row", "12.0\n")
  }

  @Test func departureDateIsASingleDeparture() throws {
    let scene = try run("departureDate: '2026-11-23T07:05:00Z', timeZone: 'Etc/UTC', gtfs: 'feed.zip'")
    defer { scene.remove() }
    try scene.expect("SELECT departure, travel_times ->> 0 FROM matrix_row", "1|600.0\n")
  }

  /// Trips take up to two hours.
  @Test(arguments: [
    ("departures: ['03:00', '04:00']", 1), ("departures: ['03:00']", 1), ("departures: ['06:00']", 0),
    ("departures: ['07:00', '08:00']", 0), ("arrivals: ['07:00']", 1), ("arrivals: ['09:15']", 0),
    ("arrivals: ['09:40']", 1),
  ])
  func namesFeedsWithoutVehiclesInTheJobsHours(times: String, isNamed: Int) throws {
    let scene = try run("\(times), \(Self.when)")
    defer { scene.remove() }
    try scene.expect(
      "SELECT value LIKE '%no vehicle of feed.zip leaves during the job''s hours%' FROM job WHERE key = 'missing'",
      "\(isNamed)\n")
  }

  @Test func departureDatesAreUnambiguousWhenClocksAreTurnedBack() throws {
    // Times count from noon minus 12 h: 2:10 is when clocks show this time for the second time.
    let feed = FeedScene(
      on: map, "ad", "t,a,1,2:10:00", "t,d,2,2:15:00",
      files: ["agency.txt": "agency_name,agency_timezone\nA,Europe/Berlin"])
    for (offset, time) in [("+02:00", "null"), ("+01:00", "900.0")] {
      let scene = try run(
        "limit: 30, departureDate: '2026-10-25T02:00:00\(offset)', timeZone: 'Europe/Berlin', gtfs: 'feed.zip'",
        feed: feed)
      defer { scene.remove() }
      try scene.expect("SELECT coalesce(travel_times ->> 0, 'null') FROM matrix_row", "\(time)\n")
      try scene.expect("SELECT departure_date FROM departure", "2026-10-25T02:00:00\(offset)\n")
    }
  }

  @Test func dayOf25HoursHas25ServiceRows() throws {
    let feed = FeedScene(
      on: map, "ad", "t,a,1,23:30:00", "t,d,2,23:40:00",
      files: ["agency.txt": "agency_name,agency_timezone\nA,Europe/Berlin"])
    let scene = try run(
      "departures: ['07:00'], date: '2026-10-25', timeZone: 'Europe/Berlin', gtfs: 'feed.zip'", feed: feed)
    defer { scene.remove() }
    try scene.expect("SELECT count(*), max(hour) FILTER (WHERE departures = 1) FROM service_hour", "25|24\n")
  }

  @Test func percentilesReplaceDeparturesAsRows() throws {
    let scene = try run("percentiles: [0, 50, 100], format: ['sqlite', 'csv', 'npy'], verify: 10, \(Self.departures)")
    defer { scene.remove() }
    try scene.expect(
      "SELECT percentile, travel_times FROM matrix_row",
      "0|[600.000,1320.000]\n50|[900.000,1620.000]\n100|[1500.000,2220.000]\n")
    try scene.expect("SELECT from_id, to_id, travel_time_p50 FROM od WHERE to_id = 'd'", "a|d|15.0\n")
    try scene.expect("SELECT percentile FROM matrix WHERE destination_id = 'd'", "0\n50\n100\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
    #expect(scene.scratch.text("out/npy_percentiles.csv") == "percentile\n0\n50\n100\n")
    #expect(try scene.unzipped("matrix.csv.gz").hasPrefix("origin_id,destination_id,percentile,expected_travel_time\n"))
  }

  @Test func carsHavePercentiles() throws {
    let city = "{ periods: '60min', classes: { residential: { 'Mo 07:00-08:00': 2 } } }".replacing("'", with: "\"")
    let scene = try JobScene(
      map, ["origins.csv": map.list("ae"), "city.json5": city],
      "kind: 'matrix', origins: 'origins.csv', traffic: 'city.json5', departures: ['06:00', '07:00', '12:00'], "
        + "week: ['Mo'], percentiles: [50, 100], verify: 10", by: "automobile")
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT round(slow.expected_travel_time / usual.expected_travel_time, 1) FROM matrix AS slow, matrix AS usual
      WHERE slow.origin_id = 'a' AND slow.destination_id = 'e' AND usual.origin_id = 'a' AND usual.destination_id = 'e'
        AND slow.percentile = 100 AND usual.percentile = 50
      """, "2.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func verificationRecomputesCells() throws {
    let scene = try run("verify: 100, \(Self.departures)", origins: "abcde", destinations: "abcde")
    defer { scene.remove() }
    try scene.expect(
      "SELECT value FROM job WHERE key IN ('verified_differences', 'verified_rows') ORDER BY key", "0\n75\n")
  }

  @Test func feedsAndTheirServiceHaveTables() throws {
    let scene = try run()
    defer { scene.remove() }
    try scene.expect(
      "SELECT feed, stops_used, stops_unsnapped, trips, trips_that_run, usual_trips, departures FROM feed",
      "1|2|0|3|2|2|2\n")
    try scene.expect("SELECT hour, departures FROM service_hour WHERE departures > 0", "7|2\n")
  }

  @Test func stopsOffTheMapAreRejected() throws {
    var feed = feed
    feed.files["stops.txt"]! += "\nx,X,3,3"
    feed.files["stop_times.txt"]! += "\nv,a,1,7:12:00,\nv,x,2,7:13:00,"
    let scene = try run(feed: feed)
    defer { scene.remove() }
    try scene.expect(
      "SELECT substr(file, -18), line, text, reason FROM rejected",
      "feed.zip/stops.txt|4|x (X)|no street is within 200 m; it can only be used for transfers\n")
  }

  /// One vehicle goes from a to stop x off the map, another from there, or from y in the same station, to e.
  @Test(arguments: [("x", "600.0"), ("y", "600.0"), ("z", "2880.0")])
  func ridersTransferAtStopsOffTheMap(stop: String, seconds: String) throws {
    var feed = FeedScene(
      on: map, "ae", "t,a,1,7:02:00", "t,x,2,7:03:00", "u,\(stop),1,7:06:00", "u,e,2,7:10:00")
    feed.files["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
      + "ae".map { "\($0),\($0),\(map[$0].latitude),\(map[$0].longitude),,\n" }.joined()
      + "s,S,3,3,1,\nx,X,3,3,,s\ny,Y,3,3,,s\nz,Z,3,3,,"
    for times in ["departures: ['07:00']", "arrivals: ['07:10']"] {
      let scene = try run(
        "\(times), verify: 100, \(Self.when)", destinations: "e", feed: feed)
      defer { scene.remove() }
      let best = seconds == "600.0" && times.hasPrefix("arrivals") ? "540.0" : seconds
      try scene.expect("SELECT round(travel_times ->> 0) FROM matrix_row", "\(best)\n")
      try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
    }
  }

  /// The coordinates of stop b are swapped, the entrance of platform c is far away, and platform z is at 0°, 0°.
  @Test func reasonsWhyStopsAreOffTheMapAreNamed() throws {
    let map = TestMap("a-b-c", spacing: 100, at: Coordinate(latitude: 10, longitude: 50)).way("abc")
    let stops = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
      a,A,10,50,,
      b,B,50,10,,
      s,S,10,50,1,
      n,N,3,3,2,s
      c,C,\(map["c"].latitude),\(map["c"].longitude),,s
      t,T,10,50,1,
      m,M,10,50,2,t
      z,Z,0,0,,t
      """
    let feed = FeedScene(
      on: map, "", "t,a,1,7:10:00", "t,b,2,7:11:00", "u,a,1,7:10:00", "u,c,2,7:11:00", "u,z,3,7:12:00",
      files: ["stops.txt": stops])
    let scene = try JobScene(
      map, ["places.csv": map.list("ac")], "kind: 'matrix', origins: 'places.csv', \(Self.departures)", by: "transit",
      feed: feed)
    defer { scene.remove() }
    try scene.expect(
      "SELECT line, reason FROM rejected ORDER BY line",
      """
      3|no street is within 200 m: it lies outside the map, but inside with longitude and latitude swapped; it can only be used for transfers
      5|no street is within 200 m; no walk leads through this entrance
      6|no street is within 200 m of its station's entrances; it can only be used for transfers
      9|no entrance of its station is within walkLimit; it can only be used for transfers

      """)
  }

  @Test func entrancesLeadToPlatforms() throws {
    // Platform p stands 500 m, or six minutes, north of the street; its entrance is at a, and e is 2 km away.
    let map = TestMap("p\n \n \n \n \na\(String(repeating: "-", count: 39))e", spacing: 100).way("ae")
    let stops = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
      s,S,\(map["a"].latitude),0,1,
      n,N,\(map["a"].latitude),0,2,s
      p,P,\(map["p"].latitude),0,0,s
      e,E,\(map["e"].latitude),\(map["e"].longitude),0,
      """
    let feed = FeedScene(
      on: map, "ae", "t,p,1,7:10:00", "t,e,2,7:10:30", files: ["stops.txt": stops])
    let scene = try JobScene(
      map, ["origins.csv": map.list("a"), "destinations.csv": map.list("e")],
      "kind: 'matrix', origins: 'origins.csv', destinations: 'destinations.csv', limit: 11, "
        + "boardingSlack: 0, departures: ['07:00', '07:06'], \(Self.when)", by: "transit", feed: feed)
    defer { scene.remove() }
    // The second departure reaches the platform at 7:12. Walking all the way would take longer than the limit.
    try scene.expect("SELECT travel_times FROM matrix_row", "[630.000]\n[null]\n")
    try scene.expect("SELECT count(*) FROM rejected", "0\n")
  }

  /// - Parameter access: The platform's `stop_access`.
  @Test(arguments: [("", 660), ("0", 660), ("1", 360)])
  func placesAtAPlatformWalkThroughItsEntrancesUnlessItsAccessIsDirect(access: String, seconds: Int) throws {
    // Platform c has its entrance at a: 400 m along the street and 400 m straight back take 9.6 minutes.
    let map = TestMap("a-b-c-d------------------e", spacing: 200).way("abcde")
    let stops = """
      stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,stop_access
      s,S,0,\(map["c"].longitude),1,,
      n,N,0,\(map["a"].longitude),2,s,
      c,C,0,\(map["c"].longitude),0,s,\(access)
      e,E,0,\(map["e"].longitude),0,,
      """
    let feed = FeedScene(
      on: map, "", "t,c,1,7:05:00", "t,e,2,7:06:00", "u,c,1,7:10:00", "u,e,2,7:11:00", files: ["stops.txt": stops])
    let scene = try JobScene(
      map, ["origins.csv": map.list("c"), "destinations.csv": map.list("e")],
      "kind: 'matrix', origins: 'origins.csv', destinations: 'destinations.csv', boardingSlack: 0, verify: 100, "
        + "departures: ['07:00'], \(Self.when)", by: "transit", feed: feed)
    defer { scene.remove() }
    try scene.expect("SELECT round(travel_times ->> 0) FROM matrix_row", "\(seconds).0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  /// Runs a job of three blocks: each origin has 36,000 cells, one for each of 1440 departures to 25 destinations.
  private func manyBlocks() throws -> JobScene {
    try run(
      "duplicates: 'number', format: ['npy'], summary: ['nearest', 'within:600,1200'], limit: 30, "
        + "departures: { from: '00:00', to: '23:59', every: '1min' }, \(Self.when)",
      origins: String(repeating: "abcde", count: 14), destinations: String(repeating: "abcde", count: 5))
  }

  @Test func resultsAreIdenticalForAnyNumberOfWorkersAndShards() throws {
    let scene = try manyBlocks()
    defer { scene.remove() }
    let expected = try scene.results(in: "out")
    for workers in [2, 7] {
      try scene.run(workers: workers, shouldStop: { false }) { $0.output = scene.scratch.path("out\(workers)") }
      let results = try scene.results(in: "out\(workers)")
      #expect(results.tables == expected.tables && results.files == expected.files)
    }
    try scene.merge(3, workers: 2, into: "merged")
    let merged = try scene.results(in: "merged")
    #expect(merged.tables == expected.tables && merged.files == expected.files)
  }

  @Test func resumedRunsHaveTheSameResults() throws {
    let scene = try manyBlocks()
    defer { scene.remove() }
    let expected = try scene.results(in: "out")
    try FileManager.default.removeItem(atPath: scene.scratch.path("out"))
    try scene.runInPart()
    try scene.run(workers: 1)
    let results = try scene.results(in: "out")
    #expect(results.tables == expected.tables && results.files == expected.files)
  }
}
