import Foundation
import Jobs
import Tables
import TestMaps
import Testing

/// The output of `odometer diagnose` for a row.
struct RowDiagnosisTests {
  private func story(_ scene: JobScene, _ id: String) throws -> String {
    try RowDiagnosis(
      of: id, in: scene.scratch.path("out/results.sqlite"), at: LocatedFiles(), cache: nil, workers: 1
    ) { _ in }.text
  }

  private func story(_ map: TestMap, _ from: Character, _ to: Character, _ keys: String = "") throws -> String {
    let scene = try JobScene(
      map, ["pairs.csv": map.pairs([(from, to)])], "kind: 'etas', pairs: 'pairs.csv', \(keys)", by: "automobile")
    defer { scene.remove() }
    return try story(scene, "1")
  }

  private func contains(_ text: String, _ parts: String..., at location: SourceLocation = #_sourceLocation) {
    for part in parts { #expect(text.contains(part), "\(part) is not in:\n\(text)", sourceLocation: location) }
  }

  @Test func aPrivateStreetIsNamedByItsTag() throws {
    let map = TestMap("a-b-c-d").way("ab").way("bc", ["access": "no"]).way("cd")
    contains(
      try story(map, "a", "d"), "route: pair_id 1,",
      "status directions_not_found, reason destination: island of 2 junctions",
      "1 object would have to be open for a route from origin to destination, 300 m long:\n  way/2  access=no  bc  0.0,",
      "way/2  highway=residential  bc  not used: access=no")
  }

  @Test func aGateIsNamedByItsNode() throws {
    let map = TestMap("a-b-c").way("abc").node("b", ["barrier": "gate", "access": "no"])
    contains(try story(map, "a", "c"), "  node/2  barrier=gate, access=no  –  ")
  }

  @Test func aOneWayStreetIsNamed() throws {
    let map = TestMap("a-b-c-d").way("ab").way("bc", ["oneway": "yes"]).way("cd")
    contains(try story(map, "d", "a"), "  way/2  oneway=yes  bc")
  }

  @Test func aTurnRestrictionIsNamedByItsRelation() throws {
    let map = TestMap("a-b-c\n  |\n  d").way("ab").way("bc").way("bd", ["oneway": "yes"])
      .restriction("no_right_turn", from: "ab", via: "b", to: "bd")
      .restriction("no_left_turn", from: "bc", via: "b", to: "bd")
      .restriction("no_u_turn", from: "bc", via: "b", to: "bc").restriction("no_u_turn", from: "ab", via: "b", to: "ab")
    contains(try story(map, "a", "d"), "  relation/1  restriction=no_right_turn")
  }

  /// The toll road is the only one open from b; the turn into the free one is forbidden.
  @Test func avoidedRoadsAreNamedInsteadOfTimes() throws {
    let map = TestMap("a-b-c-d\n  | |\n  e-f").way("ab").way("bc", ["toll": "yes"]).way("cd").way("be").way("ef")
      .way("fc").restriction("only_straight_on", from: "ab", via: "b", to: "bc")
    let pairs = map.pairs([("a", "d")]).split(separator: "\n").map(String.init)
    for (keys, ignored) in [
      ("", ""), ("departureDate: '2026-11-20T12:00:00Z'", "a departure or arrival time and without "),
    ] {
      let scene = try JobScene(
        map, ["pairs.csv": "\(pairs[0]),avoid\n\(pairs[1]),tolls\n"], "kind: 'etas', pairs: 'pairs.csv', \(keys)",
        by: "automobile")
      defer { scene.remove() }
      contains(try story(scene, "1"), "\n\nwithout \(ignored)avoiding tolls, a route exists: 300 m, ")
    }
  }

  @Test func anUnconnectedIslandIsReported() throws {
    let map = TestMap("a-b  c-d").way("ab").way("cd")
    contains(try story(map, "a", "d"), "no street of the map leads from origin to destination, not even a closed one")
  }

  /// Diagnoses a trip with a vehicle from b to c at 7:10; walking a kilometre takes 12 minutes.
  private func transitStory(
    _ from: Character, _ to: Character, _ keys: String, id: String = "1",
    hours: String = "departures: ['07:00', '09:00']", times: [String] = ["t,b,1,7:10:00", "t,c,2,7:12:00"],
    files: [String: String] = [:]
  ) throws -> String {
    let map = TestMap("a-b-c-d", spacing: 1000).way("abcd")
    let scene = try JobScene(
      map, ["pairs.csv": map.pairs([(from, to)])],
      "kind: 'etas', pairs: 'pairs.csv', \(hours), date: '2026-11-23', timeZone: 'Etc/UTC', gtfs: 'feed.zip', \(keys)",
      by: "transit",
      feed: FeedScene(on: map, "bcd", files: files.merging(["stop_times.txt": FeedScene.times(times)]) { $1 }))
    defer { scene.remove() }
    return try story(scene, id)
  }

  @Test func withoutAStopNearbyTheNearestIsNamed() throws {
    contains(
      try transitStory("a", "c", "walkLimit: 5, limit: 20"),
      "no stop is within the walkLimit of 5.0 min from the origin: the nearest is b (b), 12.0 min on foot",
      "1 stop is within")
    contains(
      try transitStory("b", "d", "walkLimit: 5, limit: 20"),
      "no stop is within the walkLimit of 5.0 min to the destination: the nearest is c (c), 12.0 min on foot")
  }

  @Test func withoutAVehicleTheWindowIsNamed() throws {
    let text = try transitStory("b", "c", "walkLimit: 5, limit: 5")
    contains(text, "no vehicle leaves from the origin's stops at 2026-11-23T07:00:00")
    contains(text, "no vehicle leaves from the origin's stops at 2026-11-23T09:00:00")
  }

  @Test func tripsBeyondTheLimitAreReported() throws {
    contains(
      try transitStory("b", "c", "walkLimit: 5, limit: 11"),
      "the fastest trip at 2026-11-23T07:00:00", "takes 12.0 min, more than the limit of 11.0 min")
  }

  @Test func arrivalsAreExplainedByTheirTime() throws {
    let text = try transitStory("b", "c", "walkLimit: 5, limit: 5", hours: "arrivals: ['07:11', '07:20']")
    contains(text, "no vehicle reaches the destination's stops by 2026-11-23T07:11:00")
    contains(
      try transitStory("b", "c", "walkLimit: 5, limit: 9", hours: "arrivals: ['07:20']"),
      "the fastest trip by 2026-11-23T07:20:00", "takes 11.0 min, more than the limit of 9.0 min")
  }

  /// Vehicles go from b to c, and from c to d.
  @Test func rulesThatForbidATripAreNamed() throws {
    let times = ["t,b,1,7:10:00", "t,c,2,7:12:00", "u,c,1,7:20:00", "u,d,2,7:22:00"]
    func story(_ keys: String, _ files: [String: String] = [:]) throws -> String {
      try transitStory("b", "d", "limit: 23, " + keys, hours: "departures: ['07:00']", times: times, files: files)
    }
    contains(
      try story("walkLimit: 5, maximumRides: 1"),
      "with more vehicles than maximumRides (1), a trip takes 22.0 min")
    contains(
      try story("walkLimit: 5", ["transfers.txt": "from_stop_id,to_stop_id,transfer_type\nc,c,3"]),
      "with a transfer that transfers.txt forbids (transfer_type 3), a trip takes 22.0 min")
    contains(
      try story("walkLimit: 5, wheelchairBoarding: 'known'"),
      "no stop that wheelchairBoarding allows can be reached on foot",
      "with stops, vehicles and stairs that wheelchairBoarding (known) excludes, a trip takes 22.0 min")
  }

  /// Stairs of a minute lead from the platform at d to the entrance n of its station.
  @Test func stairsThatForbidATripAreNamed() throws {
    let map = TestMap("a-b-c-d", spacing: 1000)
    let rows = [("b", "b", ",0,"), ("s", "d", ",1,"), ("n", "d", ",2,s"), ("d", "d", ",0,s")].map { id, at, rest in
      "\(id),\(id),\(map[Character(at)].latitude),\(map[Character(at)].longitude)\(rest)"
    }
    let files = [
      "stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n" + rows.joined(separator: "\n"),
      "pathways.txt": "from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time\nn,d,2,1,60",
    ]
    contains(
      try transitStory(
        "b", "d", "limit: 20, walkLimit: 5, wheelchairBoarding: 'possible'", hours: "departures: ['07:00']",
        times: ["t,b,1,7:10:00", "t,d,2,7:12:00"], files: files),
      "with stops, vehicles and stairs that wheelchairBoarding (possible) excludes, a trip takes 13.0 min")
  }

  @Test func placesByTransitListTheirStops() throws {
    contains(
      try transitStory("a", "d", "walkLimit: 15", id: "2"),
      "1 stop is within the walkLimit of 15.0 min to destination 2, the nearest c")
  }

  @Test func placesOffTheMapAreReported() throws {
    let map = TestMap("a-b\n\n\n\n\n\n1").way("ab")
    let text = try story(map, "1", "a")
    contains(
      text, "outside the map, no street within the snap limit of 200 m", "  600 m  way/1  highway=residential  ab  used"
    )
  }

  @Test func routesHaveShortDescriptions() throws {
    let text = try story(TestMap("a-b-c").way("ab").way("bc"), "a", "c")
    contains(text, "status ok", "distance 200", "origin 1 at 0.0,0.0: snapped to ab, 0 m away")
    #expect(!text.contains("would have to be open"))
  }

  @Test func allRowsWithTheIdArePrinted() throws {
    let map = TestMap("a-b").way("ab")
    let scene = try JobScene(map, ["places.csv": map.list("ab")], "kind: 'matrix', origins: 'places.csv'")
    defer { scene.remove() }
    contains(try story(scene, "a"), "place: place_id a, role origin", "place: place_id a, role destination")
  }

  @Test func islandsNameTheirObstacles() throws {
    let map = TestMap.grid.way("wx", ["access": "no"])
    let scene = try JobScene(
      map, ["places.csv": "id,lon,lat\nP,\(map["1"].longitude),\(map["1"].latitude)\n"],
      "kind: 'matrix', origins: 'places.csv', snapLimit: 90", by: "automobile")
    defer { scene.remove() }
    contains(
      try story(scene, "P"), "open for a route away from the place", "open for a route to the place",
      "  way/16  access=no  wx")
  }

  @Test func aRejectedRowIsFoundByItsId() throws {
    let map = TestMap("a-b").way("ab")
    let scene = try JobScene(
      map, ["places.csv": map.list("ab") + "bad,here,there\n"], "kind: 'matrix', origins: 'places.csv'")
    defer { scene.remove() }
    contains(try story(scene, "bad"), "places.csv, line 4: ", "bad,here,there")
  }

  @Test func leadingZerosMakeADifferentId() throws {
    let map = TestMap("a-b").way("ab")
    let scene = try JobScene(
      map, ["places.csv": "id,lon,lat\n7,0,0\n8,0.0009,0\n"], "kind: 'matrix', origins: 'places.csv'")
    defer { scene.remove() }
    contains(try story(scene, "7"), "place_id 7,")
    #expect(throws: ResultsError.self) { try story(scene, "007") }
  }

  @Test func rejectedRowsAreFoundByTheirIdInAnyColumn() throws {
    let map = TestMap("a-b").way("ab")
    let places = "lon,lat,id\n0,0,a\n0.0009,0,b\na,0,far away\n"
    let scene = try JobScene(map, ["places.csv": places], "kind: 'matrix', origins: 'places.csv'")
    defer { scene.remove() }
    contains(try story(scene, "far away"), "places.csv, line 4: ", "a,0,far away")
    #expect(try !story(scene, "a").contains("line 4"))
  }

  @Test func otherFieldsOfRejectedRowsAreNotTheirIds() throws {
    let map = TestMap("a-b").way("ab")
    let scene = try JobScene(
      map, ["places.csv": map.list("ab") + "bad,a,there\na,0,0\n"], "kind: 'matrix', origins: 'places.csv'")
    defer { scene.remove() }
    let text = try story(scene, "a")
    #expect(text.contains("places.csv, line 5: ") && !text.contains("places.csv, line 4: "), "\(text)")
  }

  @Test func suggestsASimilarIdForAnUnknownOne() throws {
    let map = TestMap("a-b").way("ab")
    let scene = try JobScene(
      map, ["places.csv": "id,lon,lat\nschool,0,0\nhome,0.0009,0\n"], "kind: 'matrix', origins: 'places.csv'")
    defer { scene.remove() }
    let error = #expect(throws: ResultsError.self) { try story(scene, "scool") }
    #expect(error?.problem.contains("has the id scool; known ids: school, home; did you mean school?") == true)
  }

  @Test func aDifferentMapIsReportedAndNotUsed() throws {
    let map = TestMap("a-b").way("ab")
    let scene = try JobScene(map, ["places.csv": map.list("ab")], "kind: 'matrix', origins: 'places.csv'")
    defer { scene.remove() }
    try scene.scratch.write(map.way("ba").opl, to: "map.opl")
    let text = try story(scene, "a")
    contains(text, "place: place_id a", "no further details: ", "its content has changed")
    #expect(!text.contains("snapped to"))
  }

  @Test func unfinishedRunsAreReported() throws {
    let map = TestMap.grid
    let ends = Array(repeating: (Character("A"), Character("k")), count: 9_000)
    let scene = try JobScene(map, ["pairs.csv": map.pairs(ends)], "kind: 'etas', pairs: 'pairs.csv'")
    defer { scene.remove() }
    try FileManager.default.removeItem(atPath: scene.scratch.path("out"))
    try scene.runInPart()
    let text = try RowDiagnosis(
      of: "1", in: scene.scratch.path("out/results.sqlite.part"), at: LocatedFiles(), cache: nil, workers: 1
    ) { _ in }.text
    contains(text, "the run has not finished", "route: pair_id 1,")
  }
}
