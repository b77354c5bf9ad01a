import Foundation
import TestMaps
import Testing

/// The recipes of docs/cluster.md, run as they stand there.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct RecipeTests {
  private static let hasParallel = FileManager.default.isExecutableFile(atPath: "/usr/bin/parallel")

  /// The lines of a section that begin with one of some words.
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

  @Test(.enabled(if: hasSystemd, "systemd is not installed")) func theNightlyUnitIsExposedToLittle() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let unit = try String(contentsOfFile: Project.path("ops/odometer@.service"), encoding: .utf8)
    try scratch.write(unit, to: "odometer@night.service")
    let words = ["security", "--offline=true", "--threshold=20", scratch.path("odometer@night.service")]
    let run = try Run("/usr/bin/systemd-analyze", words, in: scratch.folder)
    #expect(run.status == 0, "\(run.output.suffix(200))\(run.error)")
  }

  @Test func theFirstExampleIsOneRun() throws {
    let lines = try recipe("# From", ["odometer"])
    #expect(lines.count == 5)
    try expectOneRun(lines, "kind: 'etas', pairs: 'pairs.csv'")
  }

  @Test(.enabled(if: hasParallel, "GNU parallel is not installed")) func fourProcessesOfGNUParallelAreOneRun() throws {
    let lines = try recipe("GNU parallel", ["parallel", "odometer"])
    #expect(lines.count == 2)
    try expectOneRun(lines, "kind: 'etas', pairs: 'pairs.csv', verify: 20")
  }
}
