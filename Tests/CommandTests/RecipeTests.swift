import Foundation
import TestMaps
import Testing

/// The recipes of docs/cluster.md, run as printed, and the systemd units in `ops`.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct RecipeTests {
  private static let hasParallel = FileManager.default.isExecutableFile(atPath: "/usr/bin/parallel")

  /// Returns the lines of a section that begin with one of the words.
  private func recipe(_ section: String, _ words: [String]) throws -> [String] {
    let text = try String(contentsOfFile: Project.path("docs/cluster.md"), encoding: .utf8)
    let part = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix(section) })
    return part.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { line in words.contains { line.hasPrefix($0 + " ") } }
  }

  private func expectOneRun(_ lines: [String], _ job: String) throws {
    let rows = (0..<13_000).map { "\($0),0,0,0.0018,-0.0\(100_000 + $0 % 80_000)\n" }
    let scratch = try Scratch(.block, ["pairs.csv": "id,o_lon,o_lat,d_lon,d_lat\n" + rows.joined()], job: job)
    defer { scratch.remove() }
    try FileManager.default.moveItem(atPath: scratch.path("job.json5"), toPath: scratch.path("nightly.json5"))
    let path = ["PATH": "\(Project.path(".build/release")):/usr/bin:/bin"]
    try Run(odometer: "run", "nightly.json5", "--quiet", "--output", "whole", in: scratch.folder)
    for line in lines {
      let run = try Run("/bin/bash", ["-c", line], in: scratch.folder, environment: path)
      #expect(run.status == 0, "\(line): \(run.error)")
    }
    var (merged, whole) = (
      try TestDatabase(scratch.path("out/results.sqlite")).fingerprints(),
      try TestDatabase(scratch.path("whole/results.sqlite")).fingerprints()
    )
    (merged["job"], whole["job"]) = (nil, nil)
    #expect(merged == whole && whole.count > 5)
    #expect(scratch.files(in: "out").filter { $0.hasPrefix("shard-") }.count == 4)
  }

  private static let hasSystemd = FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")

  @Test(.enabled(if: hasSystemd, "systemd is not installed")) func nightlyUnitHasALowExposureScore() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let unit = try String(contentsOfFile: Project.path("ops/odometer@.service"), encoding: .utf8)
    try scratch.write(unit, to: "odometer@night.service")
    let words = ["security", "--offline=true", "--threshold=20", scratch.path("odometer@night.service")]
    let run = try Run("/usr/bin/systemd-analyze", words, in: scratch.folder)
    #expect(run.status == 0, "\(run.output.suffix(200))\(run.error)")
  }

  @Test(.enabled(if: hasSystemd, "systemd is not installed")) func systemdAcceptsEveryLineOfTheUnits() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    for kind in ["service", "timer"] {
      let unit = try String(contentsOfFile: Project.path("ops/odometer@.\(kind)"), encoding: .utf8)
      try scratch.write(unit.replacing("/usr/local/bin/odometer", with: "/bin/true"), to: "odometer@night.\(kind)")
    }
    let files = ["service", "timer"].map { scratch.path("odometer@night.\($0)") }
    let run = try Run("/usr/bin/systemd-analyze", ["verify"] + files, in: scratch.folder)
    #expect(run.status == 0 && run.output + run.error == "", "\(run)")
  }

  private static let canConfine =
    hasSystemd && FileManager.default.fileExists(atPath: "/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    && (try? Run("/usr/bin/unshare", ["--mount", "--net", "/bin/mount", "-t", "tmpfs", "none", "/mnt"], in: "/"))?
      .status
      == 0

  /// Tests the unit's restrictions that a process can impose on itself, so that systemd need not be running.
  @Test(.enabled(if: canConfine, "needs root and systemd-analyze"), arguments: [true, false])
  func nightlyExampleRunsUnderItsUnitsRestrictions(isOdometer: Bool) throws {
    let pairs = "id,o_lon,o_lat,d_lon,d_lat\n1,0,0,0.0018,0\n"
    let scratch = try Scratch(.block, ["pairs.csv": pairs], job: "kind: 'routes', pairs: 'pairs.csv', verify: 1")
    defer { scratch.remove() }
    try FileManager.default.moveItem(atPath: scratch.path("job.json5"), toPath: scratch.path("night.json5"))
    let probe =
      "#!/bin/bash\ntouch probed\ntouch /etc/probed && touch out\n(exec 3<>/dev/tcp/127.0.0.1/9) 2>&1 "
      + "| grep -q permitted || touch out\nunshare --user true && touch out\nexit 0\n"
    try scratch.write(probe, to: "probe")
    try Run("/bin/sh", ["-c", "chmod 755 probe; chown -R nobody ."], in: scratch.folder)
    let run = try Run(
      "/usr/bin/unshare",
      ["--mount", "--net", "/usr/bin/python3", Project.path("Tests/CommandTests/as_unit.py")]
        + [Project.path("ops/odometer@.service"), "night"]
        + [isOdometer ? Project.binary : scratch.path("probe"), scratch.folder], in: "/")
    #expect(run.status == 0, "\(run)")
    #expect(scratch.files.contains(isOdometer ? "out" : "probed") && (isOdometer || !scratch.files.contains("out")))
    #expect(!isOdometer || scratch.files(in: "out").contains("results.sqlite"))
  }

  @Test func firstExampleMatchesASingleRun() throws {
    let lines = try recipe("# From", ["odometer"])
    #expect(lines.count == 5)
    try expectOneRun(lines, "kind: 'etas', pairs: 'pairs.csv'")
  }

  @Test(.enabled(if: hasParallel, "GNU parallel is not installed")) func fourGNUParallelProcessesMatchASingleRun()
    throws
  {
    let lines = try recipe("GNU parallel", ["parallel", "odometer"])
    #expect(lines.count == 2)
    try expectOneRun(lines, "kind: 'etas', pairs: 'pairs.csv', verify: 20")
  }
}
