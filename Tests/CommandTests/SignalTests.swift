import Foundation
import TestMaps
import Testing

/// The first SIGINT or SIGTERM ends any command at any point with exit code 130, and leaves no unfinished files.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct SignalTests {
  private func scene(_ keys: String, _ files: [String: String] = [:]) throws -> Scratch {
    let pairs = "id,o_lon,o_lat,d_lon,d_lat\n1,0,0,0.0018,0\n2,0,0,0.0009,-0.0018\n"
    return try Scratch(.block, ["pairs.csv": pairs].merging(files) { $1 }, job: keys)
  }

  @Test(arguments: ["open", "write", "sync", "rename"])
  func signalEndsTheBuildOfANetwork(call: String) throws {
    let scratch = try scene("kind: 'etas', pairs: 'pairs.csv'")
    defer { scratch.remove() }
    let words = ["network", "build", "map.opl", "--by", "walking", "--output", "my.network"]
    let fault = try Fault(.interrupt, at: 1, of: call, "my.network").environment(in: scratch.folder)
    let run = try Run(Project.binary, words, in: scratch.folder, environment: fault)
    #expect(run.status == 130 && run.error.hasSuffix("odometer: interrupted\n"), "\(run)")
    #expect(!scratch.files.contains { $0.hasSuffix(".part") }, "\(scratch.files)")
  }

  @Test func aRunEndedBeforeItsFirstRowHasMetricsAndIsFinishedByTheSameCommand() throws {
    let scratch = try scene("kind: 'etas', pairs: 'pairs.csv'")
    defer { scratch.remove() }
    let words = ["run", "job.json5", "--quiet", "--metrics", "m.prom"]
    let fault = try Fault(.interrupt, at: 1, "map.opl.").environment(in: scratch.folder)
    let run = try Run(Project.binary, words, in: scratch.folder, environment: fault)
    #expect(run.status == 130 && run.error == "odometer: interrupted; the same command resumes the run\n")
    #expect(scratch.text("m.prom").contains("odometer_job_exit_code{job=\"job\"} 130\n"))
    #expect(try Run(Project.binary, words, in: scratch.folder).status == 0)
    #expect(scratch.text("m.prom").contains("odometer_job_exit_code{job=\"job\"} 0\n"))
    #expect(try scratch.sql("SELECT count(*) FROM route WHERE status = 'ok'") == "2\n")
  }

  private func endlessView(_ scratch: Scratch, _ condition: String = "") throws {
    _ = try TestDatabase(scratch.path("zones.gpkg")).list(
      """
      CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT);
      CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INTEGER);
      CREATE TABLE gpkg_spatial_ref_sys (srs_id INTEGER, organization TEXT, organization_coordsys_id INTEGER);
      INSERT INTO gpkg_spatial_ref_sys VALUES (1, 'epsg', 4326);
      CREATE VIEW zones AS WITH RECURSIVE numbers(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM numbers)
        SELECT id, x'4750' AS geom FROM numbers \(condition);
      INSERT INTO gpkg_contents VALUES ('zones', 'features');
      INSERT INTO gpkg_geometry_columns VALUES ('zones', 'geom', 1);
      """)
  }

  /// Endless views: one with infinitely many rows, and one whose first row is never found.
  @Test(arguments: ["", "WHERE id < 0"], ["run", "run --dry-run"])
  func signalEndsReadingAnEndlessView(condition: String, command: String) throws {
    let scratch = try scene("kind: 'isochrones', origins: 'zones.gpkg', thresholds: [5]", ["zones.gpkg": ""])
    defer { scratch.remove() }
    try endlessView(scratch, condition)
    // The signal is sent once the program has opened the file.
    let script = """
      "$0" "$@" & until ls -l /proc/$!/fd | grep -q zones.gpkg || ! kill -0 $!; do :; done; kill -TERM $!; wait $!
      """
    let words = command.split(separator: " ").map(String.init) + ["job.json5"]
    let run = try Run(
      "/usr/bin/timeout", ["60", "/bin/bash", "-c", script, Project.binary] + words, in: scratch.folder)
    #expect(run.status == 130 && run.error.contains("odometer: interrupted"), "\(run)")
  }

  /// The message also appears if the file has been renamed.
  @Test(arguments: ["echo >> my.network", "mv my.network a; echo >> a", "truncate -s 9000 my.network"])
  func writingToAMappedNetworkEndsARunWithAMessageAndMetrics(change: String) throws {
    let scratch = try scene("kind: 'isochrones', origins: 'zones.gpkg', thresholds: [5]", ["zones.gpkg": ""])
    defer { scratch.remove() }
    try endlessView(scratch)
    let words = ["network", "build", "map.opl", "--by", "walking", "--output", "my.network"]
    #expect(try Run(Project.binary, words, in: scratch.folder).status == 0)
    let job = scratch.text("job.json5").replacing("map.opl", with: "my.network")
    try scratch.write(job, to: "job.json5")
    let script = """
      "$0" run job.json5 --metrics m.prom & until ls -l /proc/$!/fd | grep -q zones.gpkg || ! kill -0 $!; do :; done
      \(change); wait $!
      """
    let run = try Run("/usr/bin/timeout", ["60", "/bin/bash", "-c", script, Project.binary], in: scratch.folder)
    #expect(run.status == 3 && run.error.contains("my.network: the file changed while it was being read"), "\(run)")
    #expect(scratch.text("m.prom").contains("odometer_job_exit_code{job=\"job\"} 3\n"))
  }

  /// A job for each key that names a file; the file is a pipe, or a folder that contains one.
  private static let keys = [
    "kind: 'etas', pairs: 'pipe'", "kind: 'etas', pairs: 'pairs.csv', sentinels: 'pipe'",
    "kind: 'etas', pairs: 'pairs.csv', coverage: 'pipe'", "kind: 'etas', pairs: 'pairs.csv', profile: 'pipe'",
    "kind: 'etas', pairs: 'pairs.csv', elevation: 'pipe'", "kind: 'etas', pairs: 'pairs.csv', elevation: 'folder'",
    "kind: 'etas', pairs: 'pairs.csv', departureDate: '2026-11-23T08:00:00Z', speeds: 'pipe'",
    "kind: 'etas', pairs: 'pairs.csv', departureDate: '2026-11-23T08:00:00Z', traffic: 'pipe'",
    "kind: 'matrix', origins: 'pipe', destinations: 'pipe'", "kind: 'isochrones', origins: 'pipe', thresholds: [5]",
    "kind: 'access', origins: 'places.csv', stations: 'pipe'", "kind: 'traces', traces: 'pipe'",
    "kind: 'traces', traces: 'folder'",
  ]

  @Test(arguments: keys) func refusesPipesInEveryKey(key: String) throws {
    let scratch = try scene(key, ["places.csv": "id,lon,lat\n1,0,0\n"])
    defer { scratch.remove() }
    try FileManager.default.createDirectory(atPath: scratch.path("folder"), withIntermediateDirectories: false)
    for name in ["pipe", "folder/a.gpx", "folder/N00E000.hgt"] { #expect(mkfifo(scratch.path(name), 0o600) == 0) }
    let run = try Run("/usr/bin/timeout", ["20", Project.binary, "run", "job.json5"], in: scratch.folder)
    #expect([2, 3].contains(run.status) && run.error.contains("pipe"), "\(run)")
  }

  @Test(arguments: [
    "run pipe", "run --again pipe", "merge pipe", "merge shard", "report pipe", "report folder", "verify folder",
    "compare pipe folder",
    "compare out --with pipe", "diagnose folder 1", "calibrate pipe --map map.opl", "match pipe --map map.opl",
    "coverage check pipe", "network check pipe", "network install pipe --cache cache",
  ])
  func refusesPipesInEveryOperand(words: String) throws {
    let scratch = try scene("kind: 'etas', pairs: 'pairs.csv'")
    defer { scratch.remove() }
    try Run(odometer: "run", "job.json5", in: scratch.folder)
    for folder in ["folder", "shard"] {
      try FileManager.default.createDirectory(atPath: scratch.path(folder), withIntermediateDirectories: false)
    }
    for name in ["pipe", "folder/results.sqlite", "shard/shard.journal"] {
      #expect(mkfifo(scratch.path(name), 0o600) == 0)
    }
    let run = try Run(
      "/usr/bin/timeout", ["20", Project.binary] + words.split(separator: " ").map(String.init), in: scratch.folder)
    #expect([2, 3].contains(run.status) && run.error.contains("pipe"), "\(run)")
  }
}
