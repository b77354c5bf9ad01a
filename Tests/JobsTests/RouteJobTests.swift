import Foundation
import Results
import TestMaps
import Testing

import Jobs

/// Small jobs from a drawn map to the tables, looked at with the sqlite3 of the field.
struct RouteJobTests {
  /// 1 and 2 on the map, 3 far from it.
  private let map = TestMap(
    """
    a-b-c   e-f
     1|
      d-g  2       3
    """
  ).way("abc").way("bd").way("dg").way("ef", ["name": ""])

  private func run(_ kind: String, pairs: [(Character, Character)], _ keys: String = "", workers: Int = 1) throws
    -> Scratch
  {
    let scratch = try Scratch()
    try scratch.write(map.opl, to: "map.opl")
    let rows = pairs.enumerated().map { index, pair in
      let (from, to) = (map[pair.0], map[pair.1])
      return "\(index + 1),\(from.longitude),\(from.latitude),\(to.longitude),\(to.latitude)\n"
    }
    try scratch.write("id,o_lon,o_lat,d_lon,d_lat\n" + rows.joined(), to: "pairs.csv")
    let path = try scratch.write(
      """
      { kind: "\(kind)", map: "\(scratch.path("map.opl"))", transportType: "walking", \(keys)
        pairs: "\(scratch.path("pairs.csv"))", output: "\(scratch.path("out"))" }
      """, to: "job.json5")
    var options = RunOptions()
    options.workers = workers
    options.isQuiet = true
    #expect(try JobRun(Job(path: path), options).run().isFinished)
    return scratch
  }

  private func sql(_ scratch: Scratch, _ statement: String) throws -> String {
    try Run("/usr/bin/env", ["sqlite3", "out/results.sqlite", statement], in: scratch.folder).output
  }

  @Test func everyRowHasAStatus() throws {
    let scratch = try run("routes", pairs: [("a", "g"), ("a", "3"), ("a", "e"), ("1", "1")], "snapLimit: 150,")
    defer { scratch.remove() }
    #expect(
      try sql(
        scratch, "SELECT pair_id, status, round(distance), round(expected_travel_time), step_count, name FROM route")
        == "1|ok|400.0|288.0|4|via abc and bd\n2|placemark_not_found||||\n3|directions_not_found||||\n4|ok|0.0|0.0|1|bd\n"
    )
    #expect(
      try sql(scratch, "SELECT role, status, street FROM place")
        == "origin|ok|abc\ndestination|ok|dg\ndestination|placemark_not_found|\ndestination|ok|road\norigin|ok|bd\ndestination|ok|bd\n"
    )
  }

  @Test func stepsAreThoseOfTheRoute() throws {
    let scratch = try run("routes", pairs: [("a", "g"), ("a", "b")])
    defer { scratch.remove() }
    #expect(
      try sql(scratch, "SELECT pair_id, step, instructions, maneuver, street, round(distance) FROM step") == """
        1|0|Head east on abc|depart|abc|100.0
        1|1|Turn right onto bd|turn_right|bd|200.0
        1|2|Turn left onto dg|turn_left|dg|100.0
        1|3|Arrive at the destination|arrive|dg|0.0
        2|0|Head east on abc|depart|abc|100.0
        2|1|Arrive at the destination|arrive|abc|0.0

        """)
  }

  @Test func statisticsCountOnlyRowsWithARoute() throws {
    let scratch = try run("routes", pairs: [("a", "g"), ("a", "b"), ("a", "3")], "snapLimit: 150,")
    defer { scratch.remove() }
    #expect(
      try sql(
        scratch,
        "SELECT measure, count, round(min), round(median), round(mean), round(max) FROM statistic WHERE measure IN ('distance','step_length')"
      )
        == "distance|2|100.0|250.0|250.0|400.0\nstep_length|6|0.0|100.0|83.0|200.0\n")
  }

  @Test func etasHaveNeitherStepsNorShapes() throws {
    let scratch = try run("etas", pairs: [("a", "g")])
    defer { scratch.remove() }
    #expect(
      try sql(scratch, "SELECT round(distance), step_count, (SELECT count(*) FROM step) FROM route") == "400.0||0\n")
    let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path("out")).sorted()
    #expect(files == ["log.jsonl", "results.sqlite"])
  }

  @Test func geoJSONIsAFeatureALine() throws {
    let scratch = try run("routes", pairs: [("a", "3"), ("a", "b"), ("1", "1"), ("b", "a")], "snapLimit: 150,")
    defer { scratch.remove() }
    let text = try Run("/usr/bin/env", ["zcat", "out/routes.geojson.gz"], in: scratch.folder).output
    let lines = text.split(separator: "\n")
    #expect(lines.count == 5)
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let features = try #require(parsed?["features"] as? [[String: Any]])
    #expect(features.map { $0["id"] as? Int } == [2, 3, 4])
    for feature in features {
      let geometry = try #require(feature["geometry"] as? [String: Any])
      #expect(geometry["type"] as? String == "LineString")
      #expect((geometry["coordinates"] as? [[Double]])!.count >= 2)
    }
    let properties = try #require(features[0]["properties"] as? [String: Any])
    #expect(
      (properties["distance"] as? Double).map { isClose($0, 100) } == true && properties["step_count"] as? Int == 2)
  }

  @Test func noRouteAtAllIsStillGeoJSON() throws {
    let scratch = try run("routes", pairs: [("a", "3")], "snapLimit: 150,")
    defer { scratch.remove() }
    let text = try Run("/usr/bin/env", ["zcat", "out/routes.geojson.gz"], in: scratch.folder).output
    #expect(
      ((try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])?["features"] as? [Any])?.isEmpty
        == true)
  }

  @Test func equalPairsHaveEqualAnswers() throws {
    let scratch = try run("routes", pairs: [("a", "g"), ("1", "d"), ("a", "g")])
    defer { scratch.remove() }
    #expect(try sql(scratch, "SELECT count(DISTINCT distance), count(*) FROM route WHERE pair_id IN (1, 3)") == "1|2\n")
    #expect(try sql(scratch, "SELECT count(*) FROM step WHERE pair_id = 3") == "4\n")
  }

  @Test func snapLegsCountAlikeInEveryKind() throws {
    for keys in ["snapLegs: true,", "snapLegs: false,"] {
      let (routes, etas) = (try run("routes", pairs: [("1", "2")], keys), try run("etas", pairs: [("1", "2")], keys))
      defer {
        routes.remove()
        etas.remove()
      }
      let columns = "SELECT distance, expected_travel_time FROM route"
      #expect(try sql(routes, columns) == sql(etas, columns))
    }
  }

  @Test func theNumberOfWorkersDoesNotShow() throws {
    var random = SeededGenerator(seed: 8)
    let places: [Character] = ["a", "b", "c", "d", "e", "f", "g", "1", "2", "3"]
    let pairs = (0..<3000).map { _ in (places.randomElement(using: &random)!, places.randomElement(using: &random)!) }
    let (one, two) = (try run("routes", pairs: pairs, workers: 1), try run("routes", pairs: pairs, workers: 2))
    defer {
      one.remove()
      two.remove()
    }
    #expect(one.bytes("out/routes.geojson.gz") == two.bytes("out/routes.geojson.gz"))
    let dump =
      "SELECT * FROM place; SELECT * FROM route; SELECT * FROM step; SELECT * FROM statistic; SELECT * FROM chunk;"
    #expect(try sql(one, dump) == sql(two, dump))
    #expect(
      try sql(
        one,
        "PRAGMA integrity_check; SELECT count(*), sum(rows), max(end) > 0 FROM chunk JOIN chunk_file USING (chunk_id)")
        == "ok\n6|3000|1\n")
  }

  @Test func afterAStopNothingLooksWhole() throws {
    let scratch = try run("routes", pairs: [("a", "g")])
    defer { scratch.remove() }
    var options = RunOptions()
    options.isQuiet = true
    options.shouldStop = { true }
    var job = try Job(path: scratch.path("job.json5"))
    job.output = scratch.path("stopped")
    let outcome = try JobRun(job, options).run()
    #expect(!outcome.isFinished && outcome.rows == 0 && outcome.totalRows == 1)
    let files = try FileManager.default.contentsOfDirectory(atPath: job.output)
    #expect(!files.isEmpty && files.allSatisfy { $0.contains(".part") || $0 == "log.jsonl" }, "\(files)")
  }
}
