import Foundation
import TestMaps
import Testing

/// The release binary: a command line in; stdout, stderr, exit code and files out.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct CommandTests {
  /// A scratch folder with a map of a few nodes, three pairs and a job.
  private func scratch(_ keys: String = "") throws -> Scratch {
    try Scratch(
      .block, ["pairs.csv": "id,o_lon,o_lat,d_lon,d_lat\n1,0,0,0.0018,0\n2,0,0,0.0009,-0.0018\n3,0,0,x,0\n"],
      job: "kind: 'routes', pairs: 'pairs.csv', \(keys)")
  }

  @Test func printsHelpAndExitsWithZero() throws {
    for words in [
      ["network", "--help"], ["coverage", "-h"],
      ["--help"], ["run", "--help"], ["route", "--help"], ["eta", "-h"], ["network", "build", "--help"],
      ["network", "info", "--help"],
    ] {
      let run = try Run(Project.binary, words, in: "/")
      #expect(run.status == 0 && run.output.contains("Usage: odometer") && run.error.isEmpty, "\(words)")
      #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 120 }, "\(words)")
    }
    #expect(try Run(odometer: "--version", in: "/").output.hasPrefix("odometer "))
  }

  private static let terminal = "/usr/bin/script"

  /// On a terminal, each phase is shown from its start.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: terminal), "script is not installed"))
  func phasesAreShownOnATerminal() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    func shown(_ options: String) throws -> String {
      try Run(
        CommandTests.terminal, ["-qec", "\(Project.binary) run job.json5 --fresh \(options)", "/dev/null"],
        in: scratch.folder, environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm", "NO_COLOR": ""]
      ).output
    }
    let plain = try shown("--color never")
    for phase in ["network", "input", "compute", "tables", "page"] {
      #expect(plain.contains("✓ \(phase) "), "\(plain)")
    }
    #expect(plain.contains("map.opl on foot") && plain.contains("2 trips on foot, typically "))
    #expect(try shown("--color always").contains("\u{1B}[32m✓\u{1B}[0m network"))
    #expect(try !shown("--quiet").contains("✓"))
  }

  @Test func jobWritesItsFilesAndAClosingLine() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(run.status == 0 && run.error.isEmpty)
    let lines = run.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("2 trips on foot, typically ") == true)
    #expect(lines.last == "2 routes: 2 ok; 1 row rejected")
    #expect(lines.contains("out/results.sqlite") && lines.contains("out/routes.geojson.gz"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path("out")).sorted() == [
        "log.jsonl", "report.html", "results.sqlite", "routes.geojson.gz",
      ])
    #expect(try Run(odometer: "run", "job.json5", "--strict", "--quiet", in: scratch.folder).status == 1)
  }

  /// The tables as last reviewed.
  @Test func goldenJobIsUnchanged() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    try Run(odometer: "run", "job.json5", "--workers", "2", in: scratch.folder)
    let dump = try Run(
      "/usr/bin/env",
      [
        "sqlite3", "out/results.sqlite",
        ".dump place route step_row phrase statistic histogram rejected chunk chunk_file",
      ],
      in: scratch.folder)
    let routes = try Run("/usr/bin/env", ["zcat", "out/routes.geojson.gz"], in: scratch.folder)
    let golden = Project.path("Tests/Fixtures/golden-routes.txt")
    let found = dump.output + routes.output
    if ProcessInfo.processInfo.environment["ODOMETER_GOLDEN"] == "write" {
      try Data(found.utf8).write(to: URL(fileURLWithPath: golden))
    }
    #expect(found == String(decoding: FileManager.default.contents(atPath: golden) ?? Data(), as: UTF8.self))
  }

  @Test func bytesDoNotDependOnTheNumberOfWorkers() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    try Run(odometer: "run", "job.json5", "--workers", "1", in: scratch.folder)
    let first = scratch.bytes("out/routes.geojson.gz")
    try Run(odometer: "run", "job.json5", "--workers", "2", "--output", "again", in: scratch.folder)
    #expect(!first.isEmpty && first == scratch.bytes("again/routes.geojson.gz"))
  }

  @Test func printsARouteAsTextJSONAndGeoJSON() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let words = ["route", "0,0", "-0.0018,0.0009", "--map", "map.opl"]
    let text = try Run(Project.binary, words, in: scratch.folder)
    #expect(text.output.contains("Head east on abc") && text.output.contains("Turn right onto bd"))
    let json = try Run(Project.binary, words + ["--format", "json"], in: scratch.folder)
    let route = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(
      (route?["steps"] as? [Any])?.count == 3 && (route?["distance"] as? Double).map { abs($0 - 300) < 1 } == true)
    let geoJSON = try Run(Project.binary, words + ["--format=geojson"], in: scratch.folder)
    let features = try JSONSerialization.jsonObject(with: Data(geoJSON.output.utf8)) as? [String: Any]
    #expect((features?["features"] as? [Any])?.count == 4)
    let eta = try Run(odometer: "eta", "0,0", "-0.0018,0.0009", "--map", "map.opl", in: scratch.folder)
    #expect(eta.output.split(separator: "\t").count == 2)
  }

  @Test func buildsAndDescribesANetwork() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let build = try Run(odometer: "network", "build", "map.opl", "--cache", "cache/deep", in: scratch.folder)
    #expect(build.status == 0 && build.output.hasPrefix("cache/deep/map.opl.walking."))
    let info = try Run(odometer: "network", "info", "map.opl", "--cache", "cache/deep", in: scratch.folder)
    #expect(info.status == 0 && info.output.contains("junctions") && info.output.contains("map sha-256"))
  }

  // MARK: Wrong usage

  @Test(arguments: [
    (["fly"], "unknown command fly"), (["run"], "run: got nothing, expected JOB"),
    (["run", "job.json5", "--wrokers", "2"], "unknown option --wrokers"),
    (["run", "job.json5", "--workers", "0"], "--workers: got 0, expected a whole number from 1 to 1024"),
    (["run", "job.json5", "--workers"], "--workers needs a value"),
    (["run", "none.json5"], "none.json5: no such file"),
    (["route", "0,0", "1", "--map", "map.opl"], "TO: got 1, expected latitude,longitude"),
    (["route", "0,0", "95,0", "--map", "map.opl"], "is outside latitude -90…90"),
    (["route", "0,0", "0,0"], "--map MAP is missing"),
    (["eta", "0,0", "0,1", "--map", "map.opl", "--by", "boat"], "--by: got boat"),
    (["route", "0,0", "0,0", "--map", "map.opl", "--format", "xml"], "expected one of text, json, geojson"),
    (["network"], "expected build, info, install, check, list or clean"),
  ])
  func invalidUsageExitsWithTwo(words: [String], sentence: String) throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let run = try Run(Project.binary, words, in: scratch.folder)
    #expect(run.status == 2 && run.error.contains(sentence), "\(run.error)")
    #expect(run.error.split(separator: "\n").count <= 1)
  }

  // MARK: Invalid input: a one-sentence message, its exit code, no file that looks complete

  @Test(
    arguments: [
      ("map.opl", nil, "none.osm.pbf", 3, "there is no such map"), ("map.opl", nil, ".", 3, "this is a folder"),
      ("bad.osm.pbf", "no pbf at all", "bad.osm.pbf", 3, "the map cannot be read"),
      ("empty.opl", "n1 v1 T x1 y1\n", "empty.opl", 3, "no way in this map is open to walking"),
    ] as [(String, String?, String, Int32, String)])
  func badMapsExitWithThree(file: String, content: String?, map: String, code: Int32, sentence: String) throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    if let content { try scratch.write(content, to: file) }
    let job = scratch.text("job.json5").replacingOccurrences(of: "map.opl", with: map)
    try expectFailure(scratch.write(job, to: "job.json5"), scratch, code, sentence)
  }

  /// The map's only way is too long for a street, so there is no street to start from.
  @Test(arguments: [["coverage", "make"], ["bench"]])
  func mapsWithoutStreetsExitWithThree(words: [String]) throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    try scratch.write("n1 v1 T x1 y1\nn2 v1 T x40 y40\nw1 v1 Thighway=footway Nn1,n2\n", to: "long.opl")
    let run = try Run(Project.binary, words + ["long.opl"], in: scratch.folder)
    #expect(run.status == 3 && !run.isKilled, "\(run.status)")
    #expect(
      run.error
        == "odometer: long.opl: no way in this map is open to walking: the open ways are too long for streets (1)\n",
      "\(run.error)")
  }

  @Test(arguments: [
    ("id,name\n1,x\n", "no columns for the origin's longitude"), ("", "the file is empty"),
    ("o_lon,o_lat,d_lon,d_lat\n0,91,0,0\n", "all rows of the file are rejected"),
    ("o_lon,o_lat,d_lon,d_lat\n", "the file has no rows"), ("{}", "got JSON without features"),
  ])
  func badPairsExitWithThree(pairs: String, sentence: String) throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    try scratch.write(pairs, to: "pairs.csv")
    try expectFailure("job.json5", scratch, 3, sentence)
  }

  @Test func consistentlySwappedCoordinatesExitWithThree() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write(
      "n1 v1 T x24.90 y60.10\nn2 v1 T x24.91 y60.10\nw1 v1 Thighway=footway Nn1,n2\nr1 v1 Ttype=site M\n", to: "map.opl"
    )
    try scratch.write("o_lon,o_lat,d_lon,d_lat\n60.1,24.9,60.1,24.91\n", to: "pairs.csv")
    try scratch.write(
      "{ kind: 'etas', map: 'map.opl', transportType: 'walking', pairs: 'pairs.csv', output: 'out' }", to: "job.json5")
    try expectFailure("job.json5", scratch, 3, "inside with longitude and latitude swapped")
  }

  @Test func unknownKeyExitsWithTwo() throws {
    let scratch = try scratch("zebra: 3")
    defer { scratch.remove() }
    try expectFailure("job.json5", scratch, 2, "job.json5:1: unknown key zebra, expected one of arrivalDate")
  }

  @Test func unitsOfMissingColumnsAreNoted() throws {
    let scratch = try Scratch(
      .block, ["places.csv": "id,lon,lat,population\n1,0,0,5\n2,0.0018,0,7\n"],
      job: "kind: 'access', origins: 'places.csv', stations: 'places.csv', unit: { popultion: 'people' }")
    defer { scratch.remove() }
    let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(
      run.status == 0
        && run.error.contains("places.csv: unit: got popultion, expected one of origins, population\n"), "\(run)")
  }

  @Test func outputThatCannotBeCreatedExitsWithFour() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    try scratch.write("a file", to: "out")
    let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(run.status == 4 && run.error.contains("there is a file of that name"))
    #expect(scratch.text("out") == "a file")
    let other = try Run(odometer: "run", "job.json5", "--output", "/proc/here", in: scratch.folder)
    #expect(other.status == 4 && other.error.contains("cannot be created"))
  }

  /// A file size limit simulates a full disk.
  @Test func fullDiskExitsWithFour() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    #expect(try Run(odometer: "network", "build", "map.opl", in: scratch.folder).status == 0)
    let run = try Run(
      "/bin/sh", ["-c", "ulimit -f 8; exec '\(Project.binary)' run job.json5"], in: scratch.folder)
    #expect(run.status == 4 && run.error.split(separator: "\n").count == 1, "\(run.status) \(run.error)")
    expectNoCompleteFiles(scratch)
  }

  @Test func interruptedJobSaysHowToResume() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let rows = (0..<3000).map { "\($0),0,0,0.0018,-0.0\(100_000 + $0 % 80_000)\n" }
    try scratch.write("id,o_lon,o_lat,d_lon,d_lat\n" + rows.joined(), to: "pairs.csv")
    // Interrupted while the first rows are being written.
    let run = try Run(
      odometer: "run", "job.json5", "--quiet", in: scratch.folder,
      with: Fault(.interrupt, at: 1, of: "sync", "out/routes.geojson.gz.part"))
    #expect(run.status == 130 && run.error.contains("interrupted after"), "\(run.status) \(run.error)")
    #expect(run.error.contains("the same command resumes"))
    expectNoCompleteFiles(scratch)
  }

  private func expectFailure(_ job: String, _ scratch: Scratch, _ code: Int32, _ sentence: String) throws {
    let run = try Run(odometer: "run", job, in: scratch.folder)
    #expect(run.status == code && run.error.contains(sentence), "\(run.status) \(run.error)")
    #expect(run.error.split(separator: "\n").count == 1 && run.error.hasPrefix("odometer: "), "\(run.error)")
    expectNoCompleteFiles(scratch)
  }

  private func expectNoCompleteFiles(_ scratch: Scratch) {
    for file in ["results.sqlite", "routes.geojson.gz"] {
      #expect(!FileManager.default.fileExists(atPath: scratch.path("out/\(file)")), "\(file) looks complete")
    }
  }
}

/// The sample jobs on the sample map.
@Suite(.enabled(if: Project.hasBinary && Project.hasHelsinki, "needs make build and make sample"))
struct SampleJobTests {
  @Test func sampleJobFindsEveryRoute() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    for job in ["helsinki-walks", "helsinki-etas"] {
      let run = try Run(
        odometer: "run", "jobs/\(job).json5", "--output", scratch.path(job), "--strict", in: Project.root)
      #expect(run.status == 0 && run.output.contains("480 ok"), "\(run.error) \(run.output)")
    }
    let compare = """
      ATTACH '\(scratch.path("helsinki-etas"))/results.sqlite' AS etas;
      SELECT count(*) FROM route JOIN etas.route AS e USING (pair_id)
      WHERE route.distance = e.distance AND route.expected_travel_time = e.expected_travel_time;
      SELECT count(*) FROM (SELECT pair_id, sum(expected_travel_time) t FROM step GROUP BY pair_id) JOIN route USING (pair_id)
      WHERE abs(t - expected_travel_time) < 0.0001;
      """
    let rows = try Run("/usr/bin/env", ["sqlite3", "helsinki-walks/results.sqlite", compare], in: scratch.folder)
    #expect(rows.output == "480\n480\n")
  }

  @Test func rejectsATruncatedMap() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let whole = FileManager.default.contents(atPath: Project.helsinki)!
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: scratch.path("cut.osm.pbf")))
    let run = try Run(odometer: "network", "build", "cut.osm.pbf", in: scratch.folder)
    #expect(run.status == 3 && run.error.contains("is the download complete?"))
    #expect(scratch.files == ["cut.osm.pbf"])
  }
}
