import Geography
import Jobs
import Settings
import StreetNetwork
import Tables
import TestMaps
import Testing

/// Stock profiles by name, and paces: in results, in verification, and in the diagnosis of a row.
///
///     a-b-1-c-d      bc as tagged, ef the detour
///       |   |
///       e---f
struct ProfileKeyTests {
  private func scene(_ tags: [String: String], _ keys: String, by type: String = "walking") throws -> JobScene {
    let map = TestMap("a-b-1-c-d\n  |   |\n  e---f").way("ab").way("be").way("ef").way("fc").way("cd").way("bc", tags)
    return try JobScene(
      map, ["pairs.csv": map.pairs([("a", "d"), ("a", "1")])],
      "kind: 'etas', pairs: 'pairs.csv', snapLegs: false, verify: 2, \(keys)", by: type)
  }

  private func expectVerifies(_ scene: JobScene) throws {
    let path = scene.scratch.path("out/results.sqlite")
    let network = try Verification.network(of: path, at: LocatedFiles(), cache: nil, workers: 1) { _ in }
    #expect(try scene.sql("SELECT value FROM job WHERE key = 'profile_sha256'") == network.fingerprints.profile + "\n")
    #expect(try Verification(of: path, on: network, workers: 1).run(sample: 2, seed: 1).differences.isEmpty)
  }

  @Test(arguments: ["map", "profile"], [true, false])
  func buildsNoNetworkForAnotherMapOrProfile(_ other: String, isVerified: Bool) throws {
    let scene = try scene([:], "")
    defer { scene.remove() }
    let map = try scene.scratch.write(TestMap("a-b").way("ab").opl, to: "other.opl")
    let files = other == "map" ? LocatedFiles(map: map) : LocatedFiles(profile: "wheelchair")
    let path = scene.scratch.path("out/results.sqlite")
    let report: @Sendable (NetworkEvent) -> Void = { Issue.record("\($0)") }
    if isVerified {
      #expect(throws: ResultsError.self) {
        try Verification.network(of: path, at: files, cache: nil, workers: 1, report: report)
      }
    } else {
      let text = try RowDiagnosis(of: "1", in: path, at: files, cache: nil, workers: 1, report: report).text
      #expect(text.contains(other == "map" ? "this is not the run's map" : "differs from the one"), "\(text)")
    }
  }

  @Test func resultsNameTheStockProfile() throws {
    let scene = try scene(["highway": "steps"], "profile: 'wheelchair',")
    defer { scene.remove() }
    try scene.expect("SELECT round(distance) FROM route ORDER BY fid LIMIT 1", "800.0\n")
    try scene.expect(
      "SELECT key, value FROM job WHERE key IN ('profile', 'profile_file', 'transport_type') ORDER BY key",
      "profile|wheelchair\nprofile_file|wheelchair\ntransport_type|walking\n")
    try expectVerifies(scene)
  }

  @Test func aPaceIsPartOfTheJob() throws {
    let (usual, slow) = (try scene([:], ""), try scene([:], "pace: 2.5,"))
    defer {
      usual.remove()
      slow.remove()
    }
    let seconds = "SELECT round(expected_travel_time) FROM route ORDER BY fid LIMIT 1"
    try usual.expect(seconds, "288.0\n")
    try slow.expect(seconds, "576.0\n")
    try slow.expect("SELECT value FROM job WHERE key = 'pace'", "2.5\n")
    try expectVerifies(slow)
  }

  @Test func namesTheTagThatClosesAWayToALorry() throws {
    let map = TestMap("a-b-c-d").way("ab").way("bc", ["maxheight": "3.5"]).way("cd")
    let scene = try JobScene(
      map, ["pairs.csv": map.pairs([("a", "d")])], "kind: 'etas', pairs: 'pairs.csv', profile: 'truck',",
      by: "automobile")
    defer { scene.remove() }
    let story = try RowDiagnosis(
      of: "1", in: scene.scratch.path("out/results.sqlite"), at: LocatedFiles(), cache: nil, workers: 1
    ) { _ in }.text
    #expect(story.contains("maxheight=3.5"), "\(story)")
  }

  @Test func routesReportTheirAscent() throws {
    let map = TestMap("a-b-c-d\n    |\n    e", at: Coordinate(latitude: 0.5, longitude: 0.5)).way("abcd").way("ce")
    let scratch = try Scratch()
    defer { scratch.remove() }
    try HeightTile.write(to: scratch) { column, row in Int16(column * 5 + row * 2) }
    func scene(_ keys: String) throws -> JobScene {
      try JobScene(
        map, ["pairs.csv": map.pairs([("a", "e"), ("e", "a")])],
        "kind: 'routes', pairs: 'pairs.csv', snapLegs: false, verify: 2, \(keys)", by: "walking")
    }
    let (level, hilly) = (try scene(""), try scene("elevation: '\(scratch.path("N00E000.hgt"))',"))
    defer {
      level.remove()
      hilly.remove()
    }
    try level.expect("SELECT count(*) FROM pragma_table_info('route') WHERE name = 'ascent'", "0\n")
    try hilly.expect("SELECT pair_id, round(ascent), round(descent) FROM route", "1|15.0|0.0\n2|0.0|15.0\n")
    try hilly.expect(
      "SELECT abs(sum(step.ascent) - route.ascent) < 0.001 FROM route JOIN step USING (pair_id) GROUP BY route.fid",
      "1\n1\n")
    try hilly.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
    try expectVerifies(hilly)
    try hilly.expect("SELECT heights FROM route WHERE pair_id = 1", "[4200,4205.4,4210.8,4215.1]\n")
    #expect(try hilly.sql("SELECT length(value) FROM job WHERE key = 'elevation_sha256'") == "64\n")
  }

  @Test(arguments: [
    ("automobile", "pace: 4,", "pace: profile automobile has no usualPace"),
    ("walking", "pace: 0,", "pace: got 0, expected a number of km/h, from 0.5 to 20"),
    ("walking", "profile: 'truck',", "profile: truck is for transportType automobile, but the job's is walking"),
    ("walking", "profile: 'wheelchairs',", "profile wheelchairs: no such stock profile or file, expected automobile"),
    ("walking", "profile: 'mine.json5',", "mine.json5: no such file"),
    ("walking", "elevation: 'none.tif',", "none.tif: elevation: there is no such file or folder"),
  ])
  func refusesIncompatibleKeys(type: String, keys: String, sentence: String) {
    let error = #expect(throws: (any Error).self) { try scene([:], keys, by: type) }
    #expect("\(error!)".contains(sentence), "\(error!)")
  }
}
