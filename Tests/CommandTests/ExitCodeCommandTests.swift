import Foundation
import TestMaps
import Testing

/// Exit codes of jobs in cases that need several processes or a file system.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct ExitCodeCommandTests {
  private func scratch() throws -> Scratch {
    let map = TestMap("a-b-c").way("abc")
    let scratch = try Scratch()
    try scratch.write(map.opl, to: "map.opl")
    try scratch.write("id,o_lon,o_lat,d_lon,d_lat\n1,0,0,0.0018,0\n", to: "pairs.csv")
    try scratch.write(
      "{ kind: 'etas', map: 'map.opl', transportType: 'walking', pairs: 'pairs.csv', output: 'out' }", to: "job.json5")
    return scratch
  }

  @Test func unwritableMetricsAreAWarning() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let run = try Run(odometer: "run", "job.json5", "--metrics", "no/folder.prom", in: scratch.folder)
    #expect(run.status == 0 && run.output.hasSuffix("1 eta: 1 ok\n"))
    #expect(run.error.hasPrefix("odometer: warning: no/folder.prom: metrics cannot be written: "), "\(run.error)")
    #expect(run.error.split(separator: "\n").count == 1)
    // A failed run keeps its exit code.
    try scratch.write("id\n", to: "pairs.csv")
    let failed = try Run(odometer: "run", "job.json5", "--metrics", "no/folder.prom", in: scratch.folder)
    #expect(failed.status == 3 && failed.error.split(separator: "\n").count == 2, "\(failed.error)")
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: ["help", "--version", "init matrix", "eta 0,0 0.0018,0 --map map.opl", "run job.json5"])
  func unwritableStandardOutputExitsWithFour(line: String) throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let run = try Run("/bin/sh", ["-c", "exec '\(Project.binary)' \(line) > /dev/full"], in: scratch.folder)
    #expect(run.status == 4 && run.error == "odometer: standard output: No space left on device\n", "\(run.error)")
  }

  @Test func closedPipeIsQuiet() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    // The reader has exited before the program prints.
    let command = "exec 3> >(exit); wait $!; trap '' PIPE; exec '\(Project.binary)' help keys >&3"
    let run = try Run("/bin/bash", ["-c", command], in: scratch.folder)
    #expect(run.isKilled && run.status == SIGPIPE && run.error.isEmpty, "\(run)")
  }

  @Test func verifyRefusesAFolderInUse() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
    let held = try Run(
      "/usr/bin/env", ["flock", "out", Project.binary, "verify", "out"], in: scratch.folder)
    #expect(held.status == 4 && held.error.contains("out: another run is"), "\(held.status) \(held.error)")
    #expect(try Run(odometer: "verify", "out", in: scratch.folder).status == 0)
    // The database in the current folder, by its file name only.
    #expect(try Run(odometer: "verify", "results.sqlite", "--map", "../map.opl", in: scratch.path("out")).status == 0)
  }

  @Test func missingRouteExitsWithOne() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let far = try Run(odometer: "eta", "0,0", "10,10", "--map", "map.opl", in: scratch.folder)
    #expect(far.status == 1 && far.output.isEmpty && far.error.split(separator: "\n").count == 1, "\(far.error)")
    let route = try Run(odometer: "route", "0,0", "10,10", "--map", "map.opl", in: scratch.folder)
    #expect(route.status == 1 && route.error == far.error)
  }
}
