import Foundation
import TestMaps
import Testing

import Jobs

/// What a job may ask for besides its pairs, from a drawn map to the tables.
struct RequestJobTests {
  /// Three ways of nearly one length from a to z; de is closed in the morning.
  private let map = TestMap(
    """
        b-------c
      /           \\
    a---d-------e---z         1
      \\           /
        f-------g
    """
  ).way("ab").way("bc").way("cz").way("ad").way("ez").way("af").way("fg").way("gz")
    .way("de", ["motor_vehicle:conditional": "no @ (07:00-09:00)"])

  private func run(_ keys: String, kind: String = "routes", pairs: String, name: String = "pairs.csv", workers: Int = 1)
    throws -> Scratch
  {
    let scratch = try Scratch()
    try scratch.write(map.opl, to: "map.opl")
    try scratch.write(pairs, to: name)
    let path = try scratch.write(
      """
      { kind: "\(kind)", map: "\(scratch.path("map.opl"))", transportType: "automobile", \(keys)
        pairs: "\(scratch.path(name))", output: "\(scratch.path("out"))" }
      """, to: "job.json5")
    var options = RunOptions()
    options.workers = workers
    options.isQuiet = true
    var job = try Job(path: path)
    job.writesLinks = keys.contains("// links")
    #expect(try JobRun(job, options).run().isFinished)
    return scratch
  }

  private func sql(_ scratch: Scratch, _ statement: String) throws -> String {
    try Run("/usr/bin/env", ["sqlite3", "out/results.sqlite", statement], in: scratch.folder).output
  }

  private var fromAToZ: String {
    "o_lon,o_lat,d_lon,d_lat\n0,\(map["a"].latitude),\(map["z"].longitude),\(map["z"].latitude)\n"
  }

  @Test(arguments: [1, 3]) func alternatesAreRowsOfTheirOwn(workers: Int) throws {
    let scratch = try run("requestsAlternateRoutes: true,", pairs: fromAToZ, workers: workers)
    defer { scratch.remove() }
    #expect(
      try sql(scratch, "SELECT pair_id, alternative, name FROM route")
        == "1|0|via de and ad\n1|1|via bc and cz\n1|2|via fg and gz\n"
        || sql(scratch, "SELECT alternative FROM route") == "0\n1\n2\n")
    #expect(try sql(scratch, "SELECT DISTINCT alternative FROM step") == "0\n1\n2\n")
    #expect(try sql(scratch, "SELECT count FROM statistic WHERE measure = 'distance'") == "1\n")
    #expect(try sql(scratch, "SELECT rows FROM chunk") == "1\n")
    let features = try Run(
      "/usr/bin/env", ["sh", "-c", "gzip -dc out/routes.geojson.gz | grep -c Feature\\\""], in: scratch.folder)
    #expect(features.output == "3\n")
  }

  @Test func theDepartureOfARowGoesBeforeThatOfTheJob() throws {
    let row = fromAToZ.split(separator: "\n")[1]
    let scratch = try run(
      "departureDate: '2026-11-20T12:00:00+01:00',", kind: "etas",
      pairs: "o_lon,o_lat,d_lon,d_lat,departure_time\n\(row),\n\(row),2026-11-20T08:00:00+01:00\n\(row),8 o'clock\n")
    defer { scratch.remove() }
    let rows = try sql(
      scratch, "SELECT departure_date, expected_arrival_date, round(distance) FROM route ORDER BY rowid"
    )
    .split(separator: "\n").map { $0.split(separator: "|") }
    #expect(rows.map { $0[0] } == ["2026-11-20T12:00:00+01:00", "2026-11-20T08:00:00+01:00"])
    #expect(rows[0][1] > rows[0][0] && rows[0][2] < rows[1][2], "the morning's way goes round")
    #expect(
      try sql(scratch, "SELECT line, reason FROM rejected").hasPrefix(
        "4|departure_time: got \"8 o'clock\", expected a date"))
  }

  @Test func anArrivalIsCountedBack() throws {
    let scratch = try run("arrivalDate: '2026-11-20T12:00:00Z',", kind: "etas", pairs: fromAToZ)
    defer { scratch.remove() }
    #expect(
      try sql(scratch, "SELECT expected_arrival_date, departure_date < expected_arrival_date FROM route")
        == "2026-11-20T12:00:00Z|1\n")
  }

  @Test func pairsOutsideTheCoverageAreNotComputed() throws {
    let (west, east) = (-0.001, map["e"].longitude + 0.0001)
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write(
      "{\"type\": \"MultiPolygon\", \"coordinates\": [[[[\(west),-0.01],[\(east),-0.01],[\(east),0.01],[\(west),0.01],[\(west),-0.01]]]]}",
      to: "c.geojson")
    let row = fromAToZ.split(separator: "\n")[1]
    let inside = "0,\(map["a"].latitude),\(map["d"].longitude),\(map["d"].latitude)"
    let results = try run(
      "coverage: '\(scratch.path("c.geojson"))',", kind: "etas", pairs: "o_lon,o_lat,d_lon,d_lat\n\(row)\n\(inside)\n")
    defer { results.remove() }
    #expect(
      try sql(results, "SELECT status, distance IS NULL FROM route ORDER BY rowid") == "outside_coverage|1\nok|0\n")
    #expect(
      try sql(results, "SELECT role, status FROM place") == "origin|ok\ndestination|outside_coverage\ndestination|ok\n")
  }

  @Test func linksArePairs() throws {
    let (a, z) = (map["a"], map["z"])
    let good = "maps://?saddr=\(a.latitude),\(a.longitude)&daddr=\(z.latitude),\(z.longitude)&dirflg=d"
    let scratch = try run("// links\n", pairs: "\(good)\n\nmaps://?saddr=Here&daddr=0,0\n", name: "links.txt")
    defer { scratch.remove() }
    #expect(try sql(scratch, "SELECT status FROM route") == "ok\n")
    #expect(
      try sql(scratch, "SELECT line, reason FROM rejected").hasPrefix(
        "3|the link's source is \"Here\", expected latitude,longitude"))
    #expect(try sql(scratch, "SELECT link FROM route").hasPrefix("https://maps.apple.com/?saddr="))
    let column = try run("", pairs: "id,link,group\n7,\"\(good)\",x\n", name: "links.csv")
    defer { column.remove() }
    #expect(try sql(column, "SELECT pair_id, status, pair_group, link IS NULL FROM route") == "7|ok|x|1\n")
  }

  @Test func aPreferenceIsANetworkOfItsOwn() throws {
    let scratch = try run("tollPreference: 'avoid', highwayPreference: 'avoid', language: 'pt',", pairs: fromAToZ)
    defer { scratch.remove() }
    #expect(try sql(scratch, "SELECT instructions FROM step WHERE step = 0").hasPrefix("Siga para"))
    #expect(try sql(scratch, "SELECT value FROM job WHERE key = 'toll_preference'") == "avoid\n")
  }

  @Test(arguments: [
    ("departureDate: 'noon',", "departureDate: got \"noon\", expected a date with time and zone"),
    ("departureDate: '2026-11-20T12:00:00Z', arrivalDate: '2026-11-20T13:00:00Z',", "not both"),
    ("tollPreference: 'never',", "tollPreference: got \"never\", expected any, avoid"),
    ("language: 'xx',", "language: got \"xx\", expected en, pt"),
    ("coverage: 'none.geojson',", "none.geojson: there is no such file"),
    (
      "profile: '\(Project.path("data/profiles/walking.json5"))',",
      "walking is for transportType walking, the job's is automobile"
    ),
  ])
  func wrongValuesAreNamed(keys: String, sentence: String) throws {
    let error = #expect(throws: (any Error).self) { try run(keys, pairs: fromAToZ) }
    #expect("\(error!)".contains(sentence), "\(error!)")
  }
}
