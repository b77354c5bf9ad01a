import Foundation
import TestMaps
import Testing

/// A run never overwrites its inputs or files written by others, even through links, and every disk failure has a
/// message.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct OutputTests {
  private static let pairs = "id,o_lon,o_lat,d_lon,d_lat\n1,0,0,0.0018,0\n2,0,0,0.0009,-0.0018\n"

  private func scene(_ keys: String = "kind: 'routes', pairs: 'pairs.csv'") throws -> Scratch {
    try Scratch(
      .block,
      [
        "pairs.csv": OutputTests.pairs, "mine.html": "<!DOCTYPE html>\n<p>mine", "mine.network": "mine",
        "mine.geojson":
          "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":\"Feature\",\"properties\":{\"id\":1}}]}",
      ], job: keys)
  }

  private func run(_ words: String, in scratch: Scratch) throws -> Run {
    try Run(Project.binary, words.split(separator: " ").map(String.init), in: scratch.folder)
  }

  @Test(arguments: [
    "network build map.opl --output mine.network", "network build map.opl --output hard.network",
    "network build map.opl --output soft.network", "report out --output mine.html",
    "run job.json5 --dry-run --problems mine.geojson", "run job.json5 --metrics hard.network",
    "run job.json5 --metrics pipe", "report out --output pipe", "coverage make map.opl --output pipe",
    "compare out out --output mine",
  ])
  func outputsReplaceOnlyFilesOfTheirKind(words: String) throws {
    let scratch = try scene()
    defer { scratch.remove() }
    #expect(try run("run job.json5", in: scratch).status == 0)
    #expect(link(scratch.path("map.opl"), scratch.path("hard.network")) == 0)
    #expect(symlink("map.opl", scratch.path("soft.network")) == 0 && mkfifo(scratch.path("pipe"), 0o600) == 0)
    try FileManager.default.createDirectory(atPath: scratch.path("mine"), withIntermediateDirectories: false)
    try scratch.write("mine", to: "mine/compare.sqlite")
    let names = ["map.opl", "mine.network", "mine.html", "mine.geojson", "mine/compare.sqlite", "hard.network"]
    let before = names.map(scratch.bytes)
    let refused = try run(words, in: scratch)
    #expect(refused.status == 4, "\(refused)")
    #expect(names.map(scratch.bytes) == before && scratch.files(in: "mine") == ["compare.sqlite"])
    #expect(FileManager.default.irregular(scratch.path("pipe")))
  }

  @Test(arguments: ["report out --output", "coverage make map.opl --output", "run job.json5 --metrics"])
  func danglingLinksAreNotReplaced(words: String) throws {
    let scratch = try scene()
    defer { scratch.remove() }
    #expect(try run("run job.json5", in: scratch).status == 0)
    #expect(symlink("gone", scratch.path("link")) == 0)
    let refused = try run(words + " link", in: scratch)
    #expect(refused.status == 4 && refused.error.contains("link: this is a dangling symbolic link"), "\(refused)")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("link")) == "gone")
  }

  @Test(arguments: [
    "run job.json5 --metrics m", "report out --output m", "coverage make map.opl --output m",
    "run job.json5 --dry-run --problems m",
    "network build map.opl --output m.network",
  ])
  func outputsReplaceOlderOnesOfTheSameKind(words: String) throws {
    let scratch = try scene()
    defer { scratch.remove() }
    #expect(try run("run job.json5", in: scratch).status == 0)
    try scratch.write("mine", to: "m.part")
    for _ in 1...2 { #expect(try run(words, in: scratch).status == 0) }
    #expect(scratch.text("m.part") == "mine")
  }

  /// Links with the names of a run's outputs.
  @Test(
    arguments: ["results.sqlite.part", "routes.geojson.gz.part", "report.html.part", "report.html"], [true, false])
  func runsDoNotWriteThroughLinks(name: String, isHard: Bool) throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try FileManager.default.createDirectory(atPath: scratch.path("out"), withIntermediateDirectories: false)
    let (file, other) = (scratch.path("out/\(name)"), scratch.path("pairs.csv"))
    #expect((isHard ? link(other, file) : symlink(other, file)) == 0)
    let refused = try run("run job.json5", in: scratch)
    #expect(refused.status == 4 && scratch.text("pairs.csv") == OutputTests.pairs, "\(refused)")
  }

  @Test func pathsTooLongForSQLiteAreRefusedBeforeFoldersAreCreated() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    let output = Array(repeating: String(repeating: "x", count: 100), count: 6).joined(separator: "/")
    for words in ["run job.json5 --output \(output)", "run job.json5 --dry-run --output \(output)"] {
      let refused = try run(words, in: scratch)
      #expect(refused.status == 4 && refused.error.contains(" bytes, expected at most 504, the limit of SQLite; "))
    }
    #expect(!scratch.files.contains { $0.hasPrefix("xxx") })
  }

  @Test func resultsAreNotWrittenIntoTheFolderOfTraces() throws {
    let scratch = try scene("kind: 'traces', traces: 'out'")
    defer { scratch.remove() }
    try FileManager.default.createDirectory(atPath: scratch.path("out"), withIntermediateDirectories: false)
    try scratch.write("id,lon,lat\n1,0,0\n1,0.0009,0\n", to: "out/a.csv")
    for words in ["run job.json5", "run job.json5 --dry-run"] {
      let refused = try run(words, in: scratch)
      let sentence = "results here would replace out/observed_speeds.csv.gz, which the job reads"
      #expect(refused.status == 4 && refused.error.contains(sentence), "\(refused)")
    }
    #expect(scratch.files(in: "out") == ["a.csv"])
  }

  @Test func runsDoNotReplaceForeignFiles() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try FileManager.default.createDirectory(atPath: scratch.path("out"), withIntermediateDirectories: false)
    try scratch.write("mine", to: "out/report.html")
    for words in ["run job.json5", "run job.json5 --dry-run"] {
      let refused = try run(words, in: scratch)
      #expect(refused.status == 4 && refused.error.contains("out/report.html: results here would replace this file"))
    }
    #expect(scratch.text("out/report.html") == "mine")
    #expect(try run("run job.json5 --fresh", in: scratch).status == 0)
  }

  @Test(arguments: ["soft", "hard", "pipe", "mine", "folder"]) func logIsNeverWrittenIntoAnotherFile(what: String)
    throws
  {
    let scratch = try scene()
    defer { scratch.remove() }
    let log = scratch.path("out/log.jsonl")
    try FileManager.default.createDirectory(
      atPath: what == "folder" ? log : scratch.path("out"), withIntermediateDirectories: true)
    let mine = what == "hard" ? "{\"time\":\"2026-11-22T01:00:00Z\"}\n" : "mine"
    try scratch.write(mine, to: "other")
    if what == "hard" { #expect(link(scratch.path("other"), log) == 0) }
    if what == "soft" { #expect(symlink("../other", log) == 0) }
    if what == "pipe" { #expect(mkfifo(log, 0o600) == 0) }
    if what == "mine" { try scratch.write("mine", to: "out/log.jsonl") }
    let run = try run("run job.json5", in: scratch)
    #expect(run.status == 0 && run.error.contains("warning: out/log.jsonl: no log is written: "), "\(run)")
    #expect(scratch.text("other") == mine && (what != "mine" || scratch.text("out/log.jsonl") == "mine"))
  }

  // MARK: Messages

  @Test func reportsAFolderThatWasMoved() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    let run = try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder, with: Fault(.lost, at: 9, "out"))
    #expect(run.status == 4, "\(run)")
    #expect(
      run.error
        == "odometer: out: the output folder was removed or replaced during the run; run the job again\n")
  }

  @Test(arguments: [
    "run job.json5 --output new", "network build map.opl --output new.network", "report out",
    "init etas --output new.json5",
    "coverage make map.opl --output new", "run job.json5 --dry-run --problems new",
  ])
  func fileSizeLimitHasAMessage(words: String) throws {
    let scratch = try scene()
    defer { scratch.remove() }
    #expect(try run("run job.json5", in: scratch).status == 0)
    let run = try Run(
      "/bin/bash", ["-c", "(ulimit -f 0; exec \(Project.binary) \(words) 2>&1) | cat; exit ${PIPESTATUS[0]}"],
      in: scratch.folder)
    #expect(run.status == 4 && run.output.contains("File too large"), "\(run)")
  }

  private static let canMount =
    (try? Run("/usr/bin/unshare", ["--mount", "/bin/mount", "-t", "tmpfs", "none", "/mnt"], in: "/"))?.status == 0

  @Test(
    .enabled(if: canMount, "needs unshare --mount"),
    arguments: [
      "run job.json5 --output disk/out", "network build map.opl --output disk/a.network", "init etas --output disk/a",
      "report out --output disk/a", "coverage make map.opl --output disk/a",
      "network install a.network --cache disk/cache",
    ])
  func readOnlyDiskHasAMessage(words: String) throws {
    let scratch = try scene()
    defer { scratch.remove() }
    try FileManager.default.createDirectory(atPath: scratch.path("disk"), withIntermediateDirectories: false)
    #expect(try run("run job.json5", in: scratch).status == 0)
    #expect(try run("network build map.opl --by walking --output a.network", in: scratch).status == 0)
    let run = try Run(
      "/usr/bin/unshare",
      ["--mount", "/bin/sh", "-c", "mount -t tmpfs -o ro none disk && exec \(Project.binary) \(words)"],
      in: scratch.folder)
    #expect(run.status == 4 && run.error.contains("Read-only file system"), "\(run)")
  }
}

extension FileManager {
  fileprivate func irregular(_ path: String) -> Bool {
    (try? attributesOfItem(atPath: path)[.type] as? FileAttributeType) != .typeRegular
  }
}
