import Foundation
import TestMaps
import Testing

/// Compares every byte that the program writes with the last reviewed digests in Tests/Fixtures/golden. Run by `make
/// golden`; `ODOMETER_GOLDEN=write make golden` replaces the digests. A commit that changes a digest must say why.
@Suite(.enabled(if: Project.hasBinary && Project.hasHelsinki, "not built, or without the sample: make build sample"))
struct GoldenTests {
  private static let samples =
    (try? FileManager.default.contentsOfDirectory(atPath: Project.path("jobs")).sorted()) ?? []

  @Test(arguments: GoldenScene.drawn) func drawnScenesMatchTheReviewedDigests(scene: GoldenScene) throws {
    try expectGolden(scene.name, GoldenRun.lines(of: scene))
  }

  @Test(arguments: samples) func sampleJobsMatchTheReviewedDigests(job: String) throws {
    try expectGolden(job, GoldenRun.lines(ofSample: job))
  }

  @Test func comparisonOfTwoNightsMatchesTheReviewedDigests() throws {
    try expectGolden("two nights", GoldenRun.linesOfTwoNights())
  }

  private func expectGolden(_ name: String, _ lines: [String]) throws {
    let file = Project.path("Tests/Fixtures/golden/\(name).txt")
    let text = lines.map { "\($0)\n" }.joined()
    if ProcessInfo.processInfo.environment["ODOMETER_GOLDEN"] == "write" {
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
  }
}

/// Runs the program in a scratch folder. Each output is reduced to a line: its name and the start of its SHA-256
/// digest.
struct GoldenRun {
  let scratch: Scratch
  private struct Failure: Error, CustomStringConvertible { let description: String }

  /// Runs the program and returns its output, without the parts that differ between runs.
  @discardableResult
  private func run(_ words: String..., fault: Fault? = nil, in folder: String? = nil, mayEnd statuses: Set<Int32> = [0])
    throws -> String
  {
    let run = try Run(
      Project.binary, words, in: folder ?? scratch.folder, environment: fault?.environment(in: scratch.folder) ?? [:])
    guard statuses.contains(run.status) else { throw Failure(description: "\(words): \(run.status), \(run.error)") }
    let text = (run.output + run.error).replacing(scratch.folder, with: "")
    return text.split(separator: "\n").filter { !$0.contains(/^(time|memory|disk|network|available):/) }
      .joined(separator: "\n")
  }

  private func line(_ name: String, _ text: String) throws -> String {
    try scratch.write(text, to: "text")
    return "\(name) " + (try shell("sha256sum text | cut -c -16")[0])
  }

  /// Returns a line for each file in a folder. Gzipped files have two lines: for their bytes and for their content.
  /// Databases are dumped as SQL, without the keys that record when and where they were written.
  private func lines(ofFolder folder: String) throws -> [String] {
    try shell(
      """
      cd \(folder); sum() { sha256sum | cut -c -16; }
      for file in *; do case "$file" in
        log.jsonl|*.verified) ;;
        *.sqlite) cp "$file" ../copy.sqlite
          run=job_file,job_file_sha256,job_text,working_folder,started,finished,seconds,rate,workers,state,verification_seed
          sql="DELETE FROM job WHERE instr(',$run,old_finished,new_finished,', ',' || key || ',')"
          echo "$file $(sqlite3 ../copy.sqlite "$sql" .dump | sum)" ;;
        compare.html) echo "$file $(sed -E 's/20[0-9-]{8}T[0-9:]{8}Z//g' "$file" | sum)" ;;
        *.gz) echo "$file $(sum < "$file")"; echo "$file, unpacked $(gzip -dc "$file" | sum)" ;;
        *) echo "$file $(sum < "$file")" ;;
      esac; done
      """)
  }

  @discardableResult
  private func shell(_ script: String) throws -> [String] {
    let run = try Run("/bin/bash", ["-c", script], in: scratch.folder)
    guard run.status == 0, run.error.isEmpty else { throw Failure(description: run.error) }
    return run.output.split(separator: "\n").map(String.init)
  }

  /// Returns the lines of a drawn scene: its networks, its results with one worker, and the output of commands
  /// on them. The results must be the same with two workers, when merged from three shards, and when interrupted and
  /// resumed.
  static func lines(of scene: GoldenScene) throws -> [String] {
    let golden = GoldenRun(scratch: try scene.scratch())
    defer { golden.scratch.remove() }
    let dry = try golden.line("dry run", golden.run("run", "job.json5", "--dry-run"))
    try golden.run("run", "job.json5", "--quiet", "--workers", "1")
    let whole = try golden.lines(ofFolder: "out")
    try golden.run("run", "job.json5", "--quiet", "--workers", "2", "--output", "two")
    for shard in 0..<3 {
      try golden.run("run", "job.json5", "--quiet", "--shard", "\(shard)/3", "--output", "shard\(shard)")
    }
    try golden.run("merge", "--quiet", "shard0", "shard1", "shard2", "--output", "merged")
    let interrupted = Fault(.interrupt, at: 12, "twice")
    try golden.run("run", "job.json5", "--quiet", "--output", "twice", fault: interrupted, mayEnd: [0, 130])
    try golden.run("run", "job.json5", "--quiet", "--output", "twice")
    for folder in ["two", "merged", "twice"] where try golden.lines(ofFolder: folder) != whole {
      throw Failure(description: "\(folder) differs from the results of one worker: \(golden.scratch.folder)")
    }
    let commands =
      try [golden.line("verify", golden.run("verify", "out", "--sample", "50", "--seed", "1"))]
      + scene.ids.map { try golden.line("diagnose \($0)", golden.run("diagnose", "out", $0, mayEnd: [0, 1])) }
    try golden.shell("mkdir networks; mv *.network *.speeds networks 2>/dev/null; true")
    return try [dry] + whole + commands + golden.lines(ofFolder: "networks")
  }

  /// Returns the lines of a sample job, with a separate cache.
  static func lines(ofSample job: String) throws -> [String] {
    let golden = GoldenRun(scratch: try Scratch())
    defer { golden.scratch.remove() }
    let (results, cache) = (golden.scratch.path("out"), golden.scratch.path("cache"))
    try golden.run("run", "jobs/\(job)", "--quiet", "--output", results, "--cache", cache, in: Project.root)
    return try golden.lines(ofFolder: "out") + golden.lines(ofFolder: "cache")
  }

  /// Returns the lines of a comparison of two nights' matrices. Between them one street is closed and one is built.
  static func linesOfTwoNights() throws -> [String] {
    let map = TestMap(
      """
      a-b-c
      |   |
      d-e-f
      """
    ).way("abc").way("def").way("ad").way("cf")
    let places = "acdf".map { "\($0),\(map[$0].longitude),\(map[$0].latitude)\n" }
    let keys = "kind: 'matrix', origins: 'places.csv'"
    let golden = GoldenRun(
      scratch: try Scratch(map, ["places.csv": "id,lon,lat\n" + places.joined()], job: keys))
    defer { golden.scratch.remove() }
    try golden.run("run", "job.json5", "--quiet", "--output", "old")
    try golden.scratch.write(map.way("be").way("ab", ["access": "no"]).opl, to: "map.opl")
    try golden.run("run", "job.json5", "--quiet", "--output", "new")
    return try [golden.line("terminal", golden.run("compare", "old", "new", "--output", "between"))]
      + golden.lines(ofFolder: "between")
  }
}
