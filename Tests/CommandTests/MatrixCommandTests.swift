import Foundation
import TestMaps
import Testing

/// Matrices and benchmarks on the command line.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct MatrixCommandTests {
  private func scratch(_ keys: String = "") throws -> Scratch {
    try Scratch(
      .block, ["places.csv": "id,lon,lat\nA,0,0\nB,0.0018,0\nC,0.0018,-0.0018\nD,x,0\n"],
      job: "kind: 'matrix', origins: 'places.csv', \(keys)")
  }

  @Test func matrixWritesItsFilesAndAClosingLine() throws {
    let scratch = try scratch("format: ['sqlite', 'npy', 'csv'],")
    defer { scratch.remove() }
    let run = try Run(odometer: "run", "job.json5", "--explain", in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.error.hasPrefix("odometer: engine: ") && run.error.contains("on one core"))
    #expect(run.output.split(separator: "\n").last == "9 cells: 9 ok; 1 row rejected")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path("out")).sorted()
        == [
          "distances.npy", "log.jsonl", "matrix.csv.gz", "npy_destinations.csv", "npy_origins.csv", "report.html",
          "results.sqlite",
          "travel_times.npy",
        ])
    #expect(try Run(odometer: "run", "job.json5", "--strict", "--quiet", in: scratch.folder).status == 1)
    // Files that the next job does not write are removed.
    try scratch.write(scratch.text("job.json5").replacing("'npy', 'csv'", with: ""), to: "job.json5")
    try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path("out")).sorted()
        == ["log.jsonl", "report.html", "results.sqlite"])
  }

  @Test func cellsEqualETAs() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
    let points = ["A": "0,0", "B": "0.0018,0", "C": "0.0018,-0.0018"]
    let pairs = points.keys.sorted().flatMap { from in
      points.keys.sorted().map { "\(from),\(points[from]!),\($0),\(points[$0]!)\n" }
    }
    try scratch.write("origin_id,o_lon,o_lat,destination_id,d_lon,d_lat\n" + pairs.joined(), to: "pairs.csv")
    try scratch.write(
      "{ kind: 'etas', map: 'map.opl', transportType: 'walking', pairs: 'pairs.csv', output: 'etas' }", to: "etas.json5"
    )
    try Run(odometer: "run", "etas.json5", "--quiet", in: scratch.folder)
    func rows(_ folder: String, _ table: String) throws -> String {
      try Run(
        "/usr/bin/env",
        [
          "sqlite3", "\(folder)/results.sqlite",
          "SELECT origin_id, destination_id, expected_travel_time, distance FROM \(table) ORDER BY 1, 2",
        ], in: scratch.folder
      ).output
    }
    let cells = try rows("out", "matrix")
    #expect(try cells == rows("etas", "route") && cells.split(separator: "\n").count == 9)
  }

  @Test func dryRunPrintsThePlan() throws {
    let scratch = try scratch("summary: ['nearest'],")
    defer { scratch.remove() }
    let run = try Run(odometer: "run", "job.json5", "--dry-run", in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.output.contains("places.csv: 3 origins (id: id; weight: none)\n"))
    #expect(run.output.contains("9 cells to compute, 1 row to be rejected\nwritten as: summary nearest\n"))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("out")))
  }

  @Test(arguments: [
    (
      "{ kind: 'matrix', map: 'map.opl', transportType: 'walking', output: 'out' }", 2,
      "the key origins is missing; expected a path (not empty, no ~)"
    ),
    (
      "{ kind: 'matrix', map: 'map.opl', transportType: 'walking', output: 'out', origins: 'no.csv' }", 3,
      "no.csv: no such file"
    ),
    (
      "{ kind: 'matrix', map: 'map.opl', transportType: 'walking', output: 'out', origins: 'map.opl' }", 3,
      "the header has no column for the longitude"
    ),
    (
      "{ kind: 'matrix', map: 'map.opl', transportType: 'walking', output: 'out', origins: 'places.csv', pairs: 'p' }",
      2,
      "unknown key pairs; it belongs to kinds routes, etas"
    ),
  ])
  func namesTheInvalidKeyOrFile(job: String, status: Int32, words: String) throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    try scratch.write(job, to: "job.json5")
    let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(run.status == status && run.error.contains(words), "\(run.error)")
    // The output folder, if it exists already, contains only the log of the failure.
    #expect(scratch.files(in: "out") == (status == 3 ? ["log.jsonl"] : []))
    #expect(scratch.text("out/log.jsonl").contains(words) == (status == 3))
  }

  @Test func benchmarkChecksItsResults() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let run = try Run(
      odometer: "bench", "map.opl", "--sizes", "20x10,1x1", "--nearest", "2of3", "--repeat", "1", "--check", "50",
      "--json",
      in: scratch.folder)
    #expect(run.status == 0 && run.error.isEmpty)
    let results = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
    let scenes = Set(results.compactMap { $0["scene"] as? String })
    #expect(
      scenes.isSuperset(of: [
        "build", "p2p", "paths", "matrix 20x10", "matrix 20x10 with distances", "matrix 1x1", "nearest 2 of 3",
        "routes",
      ]))
    // Reference rows are not compared with themselves.
    for result in results where !["build", "hours one by one"].contains(result["scene"] as? String) {
      #expect((result["checked"] as? Int ?? 0) > 0, "\(result)")
    }
    let table = try Run(odometer: "bench", "map.opl", "--kinds", "nearest", "--nearest", "1of2", in: scratch.folder)
    #expect(table.output.contains("map.opl by walking: ") && table.output.contains("nearest 1 of 2"))
  }

  @Test(arguments: [
    (["--sizes", "10"], "--sizes: got 10, expected ROWSxCOLUMNS, e.g. 1000x1000"),
    (
      ["--kinds", "speed"],
      "--kinds: got speed, expected one of build, p2p, paths, matrix, hours, nearest, routes, traces"
    ),
    (["--nearest", "3in200"], "--nearest: got 3in200, expected KofM, e.g. 3of200"),
    (["--tiles", "2"], "--tiles: only a RoutingKit graph can be tiled, got map.opl"),
  ])
  func rejectsWrongBenchmarkOptions(words: [String], message: String) throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let run = try Run(Project.binary, ["bench", "map.opl"] + words, in: scratch.folder)
    #expect(run.status == 2 && run.error == "odometer: \(message)\n")
  }

  /// A graph of two junctions in RoutingKit's vector format, plain and tiled.
  @Test func benchmarksAGraphGivenAsVectors() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    func write<Number>(_ name: String, _ numbers: [Number]) throws {
      try numbers.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: scratch.path("g_" + name)))
    }
    try write("first_out", [0, 1, 2] as [UInt32])
    try write("head", [1, 0] as [UInt32])
    try write("travel_time", [1000, 1000] as [UInt32])
    try write("geo_distance", [10, 10] as [UInt32])
    try write("latitude", [49.5, 49.6] as [Float])
    try write("longitude", [6.1, 6.2] as [Float])
    let run = try Run(
      odometer: "bench", "g_", "--tiles", "3", "--kinds", "p2p,matrix", "--sizes", "9x9", "--check", "20", "--repeat",
      "1",
      in: scratch.folder)
    #expect(run.status == 0 && run.output.hasPrefix("g tiled 3x3: 18 states, "), "\(run.error)")
  }
}
