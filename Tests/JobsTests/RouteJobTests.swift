import Foundation
import TestMaps
import Testing

/// Small jobs of pairs, from a drawn map to the tables.
struct RouteJobTests {
  /// 1 and 2 are near streets; 3 is far from all of them.
  private let map = TestMap(
    """
    a-b-c   e-f
     1|
      d-g  2       3
    """
  ).way("abc").way("bd").way("dg").way("ef", ["name": ""])

  private func run(
    _ kind: String, pairs: [(Character, Character)], _ keys: String = "", workers: Int = 1
  ) throws -> JobScene {
    try JobScene(
      map, ["pairs.csv": map.pairs(pairs)], "kind: '\(kind)', pairs: 'pairs.csv', \(keys)", workers: workers)
  }

  @Test func writesAStatusForEveryRow() throws {
    let scene = try run("routes", pairs: [("a", "g"), ("a", "3"), ("a", "e"), ("1", "1")], "snapLimit: 150,")
    defer { scene.remove() }
    #expect(
      try scene.sql("SELECT pair_id, status, round(distance), round(expected_travel_time), step_count, name FROM route")
        == "1|ok|400.0|288.0|4|via abc and bd\n2|placemark_not_found||||\n3|directions_not_found||||\n4|ok|0.0|0.0|1|bd\n"
    )
    #expect(
      try scene.sql("SELECT role, status, street FROM place")
        == "origin|ok|abc\ndestination|ok|dg\ndestination|placemark_not_found|\ndestination|ok|unnamed road\norigin|ok|bd\ndestination|ok|bd\n"
    )
  }

  /// Place 1 is on an island, but was snapped to a connected street.
  @Test func reportsTheComponentSizeOfAPlace() throws {
    let map = TestMap.grid
    let scene = try JobScene(
      map, ["pairs.csv": map.pairs([("2", "1"), ("A", "x")])], "kind: 'etas', pairs: 'pairs.csv', snapLimit: 250",
      by: "automobile")
    defer { scene.remove() }
    try scene.expect(
      "SELECT status, round(snap_distance), component_size, passed_component_size FROM place",
      "ok|100.0|49|\nok|200.0|49|2\nok|0.0|49|\nok|200.0|49|2\n")
  }

  /// Only the island is within the limit.
  @Test func reportsThePassedIslandOfUnsnappedPlaces() throws {
    let map = TestMap.grid
    let scene = try JobScene(
      map, ["pairs.csv": map.pairs([("2", "1")])], "kind: 'etas', pairs: 'pairs.csv', snapLimit: 150", by: "automobile")
    defer { scene.remove() }
    try scene.expect(
      "SELECT status, component_size, passed_component_size FROM place", "ok|49|\nplacemark_not_found||2\n")
  }

  @Test func writesTheStepsOfEachRoute() throws {
    let scene = try run("routes", pairs: [("a", "g"), ("a", "b")])
    defer { scene.remove() }
    #expect(
      try scene.sql("SELECT pair_id, step, instructions, maneuver, street, round(distance) FROM step") == """
        1|0|Head east on abc|depart|abc|100.0
        1|1|Turn right onto bd|turn_right|bd|200.0
        1|2|Turn left onto dg|turn_left|dg|100.0
        1|3|Arrive at the destination|arrive|dg|0.0
        2|0|Head east on abc|depart|abc|100.0
        2|1|Arrive at the destination|arrive|abc|0.0

        """)
  }

  @Test func summarizesOnlyRowsWithARoute() throws {
    let scene = try run("routes", pairs: [("a", "g"), ("a", "b"), ("a", "3")], "snapLimit: 150,")
    defer { scene.remove() }
    #expect(
      try scene.sql(
        "SELECT measure, count, round(min), round(median), round(mean), round(max) FROM statistic WHERE measure IN ('distance','step_length')"
      )
        == "distance|2|100.0|250.0|250.0|400.0\nstep_length|6|0.0|100.0|83.0|200.0\n")
  }

  @Test func writesNeitherStepsNorShapesOfETAs() throws {
    let scene = try run("etas", pairs: [("a", "g")])
    defer { scene.remove() }
    #expect(
      try scene.sql("SELECT round(distance), step_count, (SELECT count(*) FROM step) FROM route") == "400.0||0\n")
    #expect(scene.files == ["log.jsonl", "results.sqlite"])
  }

  @Test func writesOneFeaturePerLine() throws {
    let scene = try run("routes", pairs: [("a", "3"), ("a", "b"), ("1", "1"), ("b", "a")], "snapLimit: 150,")
    defer { scene.remove() }
    let text = try scene.unzipped("routes.geojson.gz")
    let lines = text.split(separator: "\n")
    #expect(lines.count == 5)
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let features = try #require(parsed?["features"] as? [[String: Any]])
    #expect(features.map { $0["id"] as? Int } == [2, 3, 4])
    // A trip of zero length has no line.
    #expect(features[1]["geometry"] is NSNull)
    for feature in [features[0], features[2]] {
      let geometry = try #require(feature["geometry"] as? [String: Any])
      #expect(geometry["type"] as? String == "LineString")
      #expect((geometry["coordinates"] as? [[Double]])!.count >= 2)
    }
    let properties = try #require(features[0]["properties"] as? [String: Any])
    #expect(
      (properties["distance"] as? Double).map { isClose($0, 100) } == true && properties["step_count"] as? Int == 2)
  }

  @Test func writesValidGeoJSONWithoutAnyRoute() throws {
    let scene = try run("routes", pairs: [("a", "3")], "snapLimit: 150,")
    defer { scene.remove() }
    let text = try scene.unzipped("routes.geojson.gz")
    #expect(
      ((try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])?["features"] as? [Any])?.isEmpty
        == true)
  }

  @Test func equalPairsHaveEqualAnswers() throws {
    let scene = try run("routes", pairs: [("a", "g"), ("1", "d"), ("a", "g")])
    defer { scene.remove() }
    #expect(try scene.sql("SELECT count(DISTINCT distance), count(*) FROM route WHERE pair_id IN (1, 3)") == "1|2\n")
    #expect(try scene.sql("SELECT count(*) FROM step WHERE pair_id = 3") == "4\n")
  }

  @Test func countsSnapLegsAlikeInRoutesAndETAs() throws {
    for keys in ["snapLegs: true,", "snapLegs: false,"] {
      let (routes, etas) = (try run("routes", pairs: [("1", "2")], keys), try run("etas", pairs: [("1", "2")], keys))
      defer {
        routes.remove()
        etas.remove()
      }
      let columns = "SELECT distance, expected_travel_time FROM route"
      #expect(try routes.sql(columns) == etas.sql(columns))
    }
  }

  @Test func writesTheSameWithAnyNumberOfWorkers() throws {
    var random = SeededGenerator(seed: 8)
    let places: [Character] = ["a", "b", "c", "d", "e", "f", "g", "1", "2", "3"]
    let pairs = (0..<3000).map { _ in (places.randomElement(using: &random)!, places.randomElement(using: &random)!) }
    let (one, two) = (try run("routes", pairs: pairs, workers: 1), try run("routes", pairs: pairs, workers: 2))
    defer {
      one.remove()
      two.remove()
    }
    #expect(one.bytes("routes.geojson.gz") == two.bytes("routes.geojson.gz"))
    let dump =
      "SELECT * FROM place; SELECT * FROM route; SELECT * FROM step; SELECT * FROM statistic; SELECT * FROM chunk;"
    #expect(try one.sql(dump) == two.sql(dump))
    #expect(
      try one.sql(
        "PRAGMA integrity_check; SELECT count(*), sum(rows), max(end) > 0 FROM chunk JOIN chunk_file USING (chunk_id)")
        == "ok\n6|3000|1\n")
  }

  @Test func stoppedRunsLeaveNoFileWithItsFinalName() throws {
    let scene = try run("routes", pairs: [("a", "g")])
    defer { scene.remove() }
    let outcome = try scene.run(workers: 1, shouldStop: { true }) { $0.output = scene.scratch.path("stopped") }
    #expect(!outcome.isFinished && outcome.rows == 0 && outcome.totalRows == 1)
    let files = scene.scratch.files(in: "stopped")
    #expect(!files.isEmpty && files.allSatisfy { $0.contains(".part") || $0 == "log.jsonl" }, "\(files)")
  }
}
