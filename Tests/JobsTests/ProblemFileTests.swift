import Foundation
import Jobs
import TestMaps
import Testing

/// The output of `run --dry-run --problems`.
struct ProblemFileTests {
  /// e–f is an island; d cannot be left.
  private let map = TestMap("a-b-c-d\n| |\ng-h\n\n      e-f").way("ab").way("bh").way("hg").way("ga").way("bc")
    .way("cd", ["oneway": "yes"]).way("ef")

  /// Returns one line per point, "reason id", sorted.
  private func problems(
    _ map: TestMap, _ files: [String: String], _ keys: String, by type: String = "automobile"
  ) throws -> [String] {
    let scene = try JobScene(map, files, keys, by: type)
    defer { scene.remove() }
    let path = scene.scratch.path("problems.geojson")
    let run = JobRun(try Job(path: scene.scratch.path("job.json5")), RunOptions())
    let plan = try run.dryRun(problems: path).plan
    let collection = try #require(
      JSONSerialization.jsonObject(with: scene.scratch.bytes("problems.geojson")) as? [String: Any])
    let features = try #require(collection["features"] as? [[String: Any]])
    #expect(plan.contains(features.isEmpty ? "problems: none" : "problems: \(features.count) point"), "\(plan)")
    return features.map { feature in
      let properties = feature["properties"] as? [String: Any] ?? [:]
      let distance = (properties["snap_distance"] as? Double).map { " \(Int($0.rounded()))" } ?? ""
      let weight = (properties["weight"] as? Double).map { ", weight \(Int($0))" } ?? ""
      let id = properties["id"].map { "\($0)" } ?? ""
      return
        "\(properties["reason"] ?? "") \(id == "<null>" ? "line \(properties["line"] ?? "")" : id)\(distance)\(weight)"
    }.sorted()
  }

  @Test func writesPlacesOffTheMapAndFarFromStreets() throws {
    let places = "id,lon,lat,weight\nfine,0,0,1\noff,3,3,20\nfar,0.0009,0.0013,30\n"
    #expect(
      try problems(map, ["p.csv": places], "kind: 'matrix', origins: 'p.csv', destinations: 'p.csv', snapLimit: 200")
        == ["far far 145, weight 30", "far far 145, weight 30", "off_map off, weight 20", "off_map off, weight 20"])
  }

  @Test func writesOneWayTraps() throws {
    #expect(
      try problems(map, ["pairs.csv": map.pairs([("a", "d")])], "kind: 'etas', pairs: 'pairs.csv'")
        == ["cannot be left 2 0"])
  }

  /// Trips that stay behind the private street have as many states as the others.
  @Test func twoPartsOfOneSizeAreNoTraps() throws {
    let map = TestMap("a-b---e-f\n| |   | |\nd-c   h-g").way("abcda").way("efghe").way("be", ["access": "private"])
    #expect(
      try problems(map, ["pairs.csv": map.pairs([("d", "g"), ("g", "d")])], "kind: 'etas', pairs: 'pairs.csv'") == [])
  }

  @Test func writesPlacesOnIslands() throws {
    let map = TestMap.grid
    let place = "id,lon,lat\nP,\(map["1"].longitude),\(map["1"].latitude)\n"
    #expect(
      try problems(
        map, ["p.csv": place + "Q,0,0\n"], "kind: 'access', origins: 'p.csv', stations: 'p.csv', snapLimit: 250"
      )
      .filter { $0.hasPrefix("island") } == ["island P 200", "island P 200"])
  }

  @Test func writesRejectedRowsThatHaveCoordinates() throws {
    let places = "id,lon,lat\na,0,0\na,0.0009,0\nb,here,0\n"
    let found = try problems(map, ["p.csv": places], "kind: 'isochrones', origins: 'p.csv', thresholds: [5]")
    #expect(found.count == 1 && found[0].hasSuffix("keeps all) a"), "\(found)")
  }

  @Test func writesBothEndsOfARejectedPair() throws {
    let pairs = map.pairs([("a", "b")]) + "1,0,0,0.0009,0\n"
    let found = try problems(map, ["pairs.csv": pairs], "kind: 'etas', pairs: 'pairs.csv'")
    #expect(found.count == 2 && found.allSatisfy { $0.hasSuffix("keeps all) 1") }, "\(found)")
  }

  @Test(arguments: ["0,0,0.0009,0,-1", "0,0,0.0009,0,abc", "0,0,0.0009,0,1,9"])
  func writesPairsWithOtherDefects(row: String) throws {
    let pairs = "id,fx,fy,tx,ty,weight\n1,0,0,0.0009,0,1\n2,\(row)\n"
    let found = try problems(map, ["pairs.csv": pairs], "kind: 'etas', pairs: 'pairs.csv'")
    #expect(found.count == 2 && found.allSatisfy { $0.hasSuffix(" 2") }, "\(found)")
  }

  @Test(arguments: ["2", "b"]) func idsAreAllNumbersOrAllText(id: String) throws {
    let places = "id,lon,lat\n1,3,3\n\(id),0,0,1\n"
    let scene = try JobScene(map, ["p.csv": places], "kind: 'isochrones', origins: 'p.csv', thresholds: [5]")
    defer { scene.remove() }
    let run = JobRun(try Job(path: scene.scratch.path("job.json5")), RunOptions())
    _ = try run.dryRun(problems: scene.scratch.path("problems.geojson"))
    let text = scene.scratch.text("problems.geojson")
    let ids = id == "2" ? ["1", "2"] : ["\"1\"", "\"b\""]
    #expect(ids.allSatisfy { text.contains("\"id\":\($0),") }, "\(text)")
  }

  @Test func writesAnEmptyCollectionWithoutProblems() throws {
    let map = TestMap("a-b").way("ab")
    #expect(try problems(map, ["pairs.csv": map.pairs([("a", "b")])], "kind: 'routes', pairs: 'pairs.csv'") == [])
  }
}
