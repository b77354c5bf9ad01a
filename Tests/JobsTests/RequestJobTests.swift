import Foundation
import Geography
import Jobs
import Settings
import Synchronization
import TestMaps
import Testing

/// Keys of a job other than `pairs`, and optional columns of its pairs, from a drawn map to the tables.
struct RequestJobTests {
  /// Three routes of nearly the same length from a to z; de is closed in the morning.
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

  private func run(
    _ keys: String, kind: String = "routes", pairs: String, name: String = "pairs.csv", workers: Int = 1,
    writesLinks: Bool = false
  ) throws -> JobScene {
    try JobScene(
      map, [name: pairs], "kind: '\(kind)', pairs: '\(name)', \(keys)", by: "automobile", workers: workers
    ) { $0.writesLinks = writesLinks }
  }

  private var fromAToZ: String {
    "o_lon,o_lat,d_lon,d_lat\n0,\(map["a"].latitude),\(map["z"].longitude),\(map["z"].latitude)\n"
  }

  @Test(arguments: [1, 3]) func writesAlternatesAsSeparateRows(workers: Int) throws {
    let scene = try run("requestsAlternateRoutes: true,", pairs: fromAToZ, workers: workers)
    defer { scene.remove() }
    try scene.expect(
      "SELECT pair_id, alternative, name FROM route",
      "1|0|via de and ez\n1|1|via ab and bc\n1|2|via fg and gz\n")
    #expect(try scene.sql("SELECT DISTINCT alternative FROM step") == "0\n1\n2\n")
    let features = try scene.unzipped("routes.geojson.gz")
    for (alternative, id) in ["1", "\"1/1\"", "\"1/2\""].enumerated() {
      #expect(features.contains("\"id\":\(id),\"properties\":{\"pair_id\":1,\"alternative\":\(alternative),"))
    }
    #expect(try scene.sql("SELECT count FROM statistic WHERE measure = 'distance'") == "1\n")
    #expect(try scene.sql("SELECT rows FROM chunk") == "1\n")
    #expect(try scene.unzipped("routes.geojson.gz").components(separatedBy: "\"Feature\"").count == 4)
  }

  /// Each pair has three rows.
  @Test func samplesOfPairsSkipAlternates() throws {
    let row = fromAToZ.split(separator: "\n")[1]
    let pairs = "o_lon,o_lat,d_lon,d_lat\n" + [String](repeating: "\(row)\n", count: 9).joined()
    let scene = try run("requestsAlternateRoutes: true,", pairs: pairs)
    defer { scene.remove() }
    let database = try ResultsDatabase(path: scene.scratch.path("out/results.sqlite"))
    let survey = try database.routeSurvey(listing: 6)
    let rows = Set(try database.listedPairs(of: survey).map(\.row))
    #expect(rows.count == 5 && rows.isSuperset(of: [10, 19]), "\(rows)")
    #expect(try database.drawnTrips(atMost: 3, of: survey).lines.count == 3)
  }

  @Test func trafficMayBeAStockTable() throws {
    let scene = try run("departureDate: '2026-11-23T08:30:00Z', traffic: 'porto',", kind: "etas", pairs: fromAToZ)
    defer { scene.remove() }
    try scene.expect("SELECT expected_travel_time > 1.2 * static_travel_time FROM route", "1\n")
    try scene.expect("SELECT value FROM job WHERE key = 'traffic'", "porto\n")
  }

  @Test(arguments: [
    ("walking", ["traffic: porto is the slowness of cars; the job applies it to walking"]), ("automobile", []),
  ])
  func carTrafficOfOtherMeansIsNoted(type: String, expected: [String]) throws {
    let scene = try JobScene(
      map, ["pairs.csv": fromAToZ],
      "kind: 'etas', pairs: 'pairs.csv', departureDate: '2026-11-23T08:30:00Z', traffic: 'porto'", by: type)
    defer { scene.remove() }
    try FileManager.default.removeItem(atPath: scene.scratch.path("out"))
    let notes = Mutex<[String]>([])
    try scene.run(workers: 1, note: { note in notes.withLock { $0.append(note) } })
    #expect(notes.withLock { $0.filter { $0.hasPrefix("traffic") } } == expected)
  }

  /// A pair's id may look like the id of another pair's alternate.
  @Test func featuresHaveUniqueIds() throws {
    let row = fromAToZ.split(separator: "\n")[1]
    let pairs = "id,o_lon,o_lat,d_lon,d_lat\n" + ["p", "p/1", "p/"].map { "\($0),\(row)\n" }.joined()
    let scene = try run("requestsAlternateRoutes: true,", pairs: pairs)
    defer { scene.remove() }
    let ids = try scene.unzipped("routes.geojson.gz").split(separator: "\n").compactMap { line in
      line.contains("\"Feature\"") ? String(line.prefix { $0 != "}" }.split(separator: ",")[1]) : nil
    }
    #expect(ids.count == 9 && Set(ids).count == 9, "\(ids)")
    #expect(ids.first == "\"id\":\"p\"")
  }

  @Test func aRouteWithoutLengthHasNoLine() throws {
    let (a, z) = (map["a"], map["z"])
    let pairs = fromAToZ + "\(a.longitude),\(a.latitude),\(a.longitude),\(a.latitude)\n"
    let scene = try run("", pairs: pairs)
    defer { scene.remove() }
    let text = try scene.unzipped("routes.geojson.gz")
    #expect(text.components(separatedBy: "\"geometry\":null}").count == 2)
    #expect(text.components(separatedBy: "[\(z.longitude), ").count <= 2)
    try scene.expect("SELECT status, distance, geom IS NULL FROM route WHERE pair_id = 2", "ok|0.0|1\n")
  }

  /// A time in a row is equivalent to the same time in the job, and is used by verification.
  @Test func rowsMayHaveArrivalTimes() throws {
    let row = fromAToZ.split(separator: "\n")[1]
    let times = ["2026-11-20T08:00:00+01:00", "2026-11-20T12:00:00+01:00"]
    let header = "o_lon,o_lat,d_lon,d_lat,arrival_time,departure_time\n"
    let table = "\(header)\(row),\(times[0]),\n\(row),\(times[1]),\n\(row),,\(times[1])\n\(row),,\n"
    let scene = try run("arrivalDate: '\(times[0])', verify: 10,", kind: "etas", pairs: table)
    defer { scene.remove() }
    let columns = "departure_date, expected_arrival_date, arrival_time, round(distance)"
    let rows = try scene.sql("SELECT \(columns) FROM route ORDER BY rowid").split(separator: "\n")
    for (index, time) in times.enumerated() {
      let whole = try run("arrivalDate: '\(time)',", kind: "etas", pairs: fromAToZ)
      defer { whole.remove() }
      try whole.expect("SELECT \(columns) FROM route", "\(rows[index])\n")
    }
    #expect(rows[3] == rows[0] && rows[2].hasPrefix(times[1]) && rows[2].contains("||"))
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func rowAvoidancesApply() throws {
    let row = fromAToZ.split(separator: "\n")[1]
    let scene = try run(
      "", kind: "etas", pairs: "o_lon,o_lat,d_lon,d_lat,avoid,transport_type\n\(row),tolls,\n\(row),,walking\n")
    defer { scene.remove() }
    try scene.expect("SELECT avoids, status FROM route", "tolls|ok\n")
    try scene.expect(
      "SELECT reason FROM rejected", "transport_type: got \"walking\", the job's transportType is automobile\n")
  }

  @Test func departureOfARowOverridesTheJobs() throws {
    let row = fromAToZ.split(separator: "\n")[1]
    let scene = try run(
      "departureDate: '2026-11-20T12:00:00+01:00',", kind: "etas",
      pairs: "o_lon,o_lat,d_lon,d_lat,departure_time\n\(row),\n\(row),2026-11-20T08:00:00+01:00\n\(row),8 o'clock\n")
    defer { scene.remove() }
    let rows = try scene.sql(
      "SELECT departure_date, expected_arrival_date, round(distance) FROM route ORDER BY rowid"
    )
    .split(separator: "\n").map { $0.split(separator: "|") }
    #expect(rows.map { $0[0] } == ["2026-11-20T12:00:00+01:00", "2026-11-20T08:00:00+01:00"])
    #expect(rows[0][1] > rows[0][0] && rows[0][2] < rows[1][2], "the morning's route is a detour")
    #expect(
      try scene.sql("SELECT line, reason FROM rejected").hasPrefix(
        "4|departure_time: got \"8 o'clock\", expected a date"))
  }

  @Test func usesTheHolidaysOfTheJob() throws {
    let map = TestMap("a-b-c-d\n  | |\n  e-f").way("ab").way("cd").way("be").way("ef").way("cf")
      .way("bc", ["motor_vehicle:conditional": "no @ (PH)"])
    let pairs = "o_lon,o_lat,d_lon,d_lat\n0,\(map["a"].latitude),\(map["d"].longitude),\(map["d"].latitude)\n"
    func metres(_ keys: String) throws -> String {
      let scene = try JobScene(
        map, ["pairs.csv": pairs],
        "kind: 'etas', pairs: 'pairs.csv', departureDate: '2026-12-25T12:00:00Z', verify: 1, \(keys)", by: "automobile")
      defer { scene.remove() }
      #expect(try scene.sql("SELECT value FROM job WHERE key = 'verified_differences'") == "0\n")
      return try scene.sql("SELECT round(distance) FROM route")
    }
    #expect(try metres("") == "300.0\n")
    #expect(try metres("holidays: ['2026-12-26'],") == "300.0\n")
    #expect(try metres("holidays: ['2026-12-26', '2026-12-25'],") == "700.0\n")
    #expect(throws: OdometerError.self) { try metres("holidays: ['2026-02-30'],") }
    #expect(throws: OdometerError.self) { try metres("holidays: ['25.12.2026'],") }
  }

  @Test func computesTheDepartureFromAnArrival() throws {
    let scene = try run("arrivalDate: '2026-11-20T12:00:00Z',", kind: "etas", pairs: fromAToZ)
    defer { scene.remove() }
    #expect(
      try scene.sql("SELECT expected_arrival_date, departure_date < expected_arrival_date FROM route")
        == "2026-11-20T12:00:00Z|1\n")
  }

  @Test func skipsPairsOutsideTheCoverage() throws {
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
      try results.sql("SELECT status, distance IS NULL FROM route ORDER BY rowid") == "outside_coverage|1\nok|0\n")
    #expect(
      try results.sql("SELECT role, status FROM place") == "origin|ok\ndestination|outside_coverage\ndestination|ok\n")
  }

  @Test func readsLinksAsPairs() throws {
    let (a, z) = (map["a"], map["z"])
    let good = "maps://?saddr=\(a.latitude),\(a.longitude)&daddr=\(z.latitude),\(z.longitude)&dirflg=d"
    let scene = try run(
      "", pairs: "\(good)\n\nmaps://?saddr=Here&daddr=0,0\n", name: "links.txt", writesLinks: true)
    defer { scene.remove() }
    #expect(try scene.sql("SELECT status FROM route") == "ok\n")
    #expect(
      try scene.sql("SELECT line, reason FROM rejected")
        .hasPrefix("3|the link's source is \"Here\", expected latitude,longitude"))
    #expect(try scene.sql("SELECT link FROM route").hasPrefix("https://maps.apple.com/?saddr="))
    let column = try run("", pairs: "id,link,group\n7,\"\(good)\",x\n", name: "links.csv")
    defer { column.remove() }
    #expect(try column.sql("SELECT pair_id, status, pair_group, link IS NULL FROM route") == "7|ok|x|1\n")
  }

  @Test func linksWithoutASourceStartAtTheCurrentLocation() throws {
    let (a, z) = (map["a"], map["z"])
    let link = "maps://?daddr=\(z.latitude),\(z.longitude)&dirflg=d\n"
    let scene = try run(
      "currentLocation: '\(a.latitude),\(a.longitude)',", pairs: link, name: "links.txt")
    defer { scene.remove() }
    let whole = try run("", pairs: fromAToZ)
    defer { whole.remove() }
    #expect(try scene.sql("SELECT distance FROM route") == whole.sql("SELECT distance FROM route"))
    try scene.expect("SELECT value FROM job WHERE key = 'current_location'", "\(a.latitude),\(a.longitude)\n")
    let error = #expect(throws: (any Error).self) {
      try run("currentLocation: 'here',", pairs: link, name: "links.txt")
    }
    #expect("\(error!)".contains("currentLocation: got \"here\", expected latitude,longitude in degrees"), "\(error!)")
  }

  @Test func recordsPreferencesAndAppliesTheLanguage() throws {
    let scene = try run("tollPreference: 'avoid', highwayPreference: 'avoid', language: 'pt',", pairs: fromAToZ)
    defer { scene.remove() }
    #expect(try scene.sql("SELECT instructions FROM step WHERE step = 0").hasPrefix("Siga para"))
    #expect(try scene.sql("SELECT value FROM job WHERE key = 'toll_preference'") == "avoid\n")
  }

  @Test(arguments: [
    ("departureDate: 'noon',", "departureDate: got \"noon\", expected a date with time and zone"),
    ("departureDate: '2026-11-20T12:00:00Z', arrivalDate: '2026-11-20T13:00:00Z',", "not both"),
    ("tollPreference: 'never',", "tollPreference: got \"never\", expected one of any, avoid"),
    ("language: 'xx',", "language: got \"xx\", expected one of en, pt"),
    ("coverage: 'none.geojson',", "none.geojson: there is no such file"),
    (
      "profile: '\(Project.path("data/profiles/walking.json5"))',",
      "walking is for transportType walking, but the job's is automobile"
    ),
  ])
  func namesInvalidValues(keys: String, sentence: String) throws {
    let error = #expect(throws: (any Error).self) { try run(keys, pairs: fromAToZ) }
    #expect("\(error!)".contains(sentence), "\(error!)")
  }
}
