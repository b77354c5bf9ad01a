import Foundation
import TestMaps
import Testing

/// Resuming unfinished runs.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct ResumeTests {
  /// Creates a folder with a job of six chunks that was interrupted while the first chunk was being written.
  private func stopped() throws -> Scratch {
    let rows = (0..<3000).map { "\($0),0,0,0.0018,-0.0\(100_000 + $0 % 80_000)\n" }
    let scratch = try Scratch(
      .block, ["pairs.csv": "id,o_lon,o_lat,d_lon,d_lat\n" + rows.joined()], job: ResumeTests.keys)
    let run = try Run(
      odometer: "run", "job.json5", "--quiet", "--workers", "1", in: scratch.folder,
      with: Fault(.interrupt, at: 1, of: "sync", "out/routes.geojson.gz.part"))
    #expect(run.status == 130 && run.error.contains("the same command resumes"), "\(run.error)")
    return scratch
  }

  private static let keys = "kind: 'routes', pairs: 'pairs.csv'"

  /// An earlier build may have divided the rows differently.
  @Test func doesNotResumeWithDifferentChunks() throws {
    let scratch = try stopped()
    defer { scratch.remove() }
    let start = "UPDATE job SET value = '2026-01-31T23:00:00Z' WHERE key = 'started'"
    let change = "sqlite3 out/results.sqlite.part \"UPDATE chunk SET rows = rows - 24; \(start)\""
    #expect(try Run("/bin/sh", ["-c", change], in: scratch.folder).status == 0)
    let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(
      run.status == 3 && run.error.contains("divided its rows into different chunks"), "\(run.status) \(run.error)")
    let fresh = try Run(odometer: "run", "job.json5", "--resume-or-fresh", in: scratch.folder)
    #expect(fresh.status == 0 && fresh.output.contains("3000 routes"), "\(fresh.error) \(fresh.output)")
    #expect(try scratch.sql("SELECT value >= '2026-02' FROM job WHERE key = 'started'") == "1\n")
  }

  @Test func resumesWithTheSameCommand() throws {
    let scratch = try stopped()
    defer { scratch.remove() }
    let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(run.status == 0 && run.error.contains(" after 1024 of 3000 rows"), "\(run.error)")
    try Run(odometer: "run", "job.json5", "--output", "again", "--workers", "1", in: scratch.folder)
    #expect(scratch.bytes("out/routes.geojson.gz") == scratch.bytes("again/routes.geojson.gz"))
    let log = scratch.text("out/log.jsonl").split(separator: "\n")
    let events = log.compactMap { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["event"] as? String
    }.filter { $0 != "phase" }
    #expect(
      events == ["start", "forecast", "chunks", "interrupted", "start", "forecast", "chunks", "sealed", "finished"])
    // A finished job is not resumed: the next night starts from scratch, and so does its log.
    #expect(try Run(odometer: "run", "job.json5", in: scratch.folder).error.isEmpty)
    #expect(scratch.text("out/log.jsonl").split(separator: "\n").count { !$0.contains("\"phase\"") } == 5)
  }

  @Test func resumedRunKeepsItsStart() throws {
    let scratch = try stopped()
    defer { scratch.remove() }
    let start = "2026-01-31T23:00:00Z"
    let change = "sqlite3 out/results.sqlite.part \"UPDATE job SET value = '\(start)' WHERE key = 'started'\""
    #expect(try Run("/bin/sh", ["-c", change], in: scratch.folder).status == 0)
    try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
    #expect(try scratch.sql("SELECT value FROM job WHERE key = 'started'") == "\(start)\n")
  }

  @Test func resumesAJobWhoseFileWasRenamed() throws {
    let scratch = try stopped()
    defer { scratch.remove() }
    try FileManager.default.moveItem(atPath: scratch.path("job.json5"), toPath: scratch.path("night.json5"))
    let run = try Run(odometer: "run", "night.json5", in: scratch.folder)
    #expect(run.status == 0 && run.error.contains(" after 1024 of 3000 rows"), "\(run.error)")
  }

  @Test func doesNotTouchTheRunOfAnotherJob() throws {
    let scratch = try stopped()
    defer { scratch.remove() }
    let before = scratch.bytes("out/routes.geojson.gz.part")
    try scratch.writeJob("kind: 'etas', pairs: 'pairs.csv'")
    try FileManager.default.moveItem(atPath: scratch.path("job.json5"), toPath: scratch.path("day.json5"))
    let run = try Run(odometer: "run", "day.json5", in: scratch.folder)
    #expect(run.status == 4 && run.error.contains("an unfinished run of another job, job.json5"), "\(run.error)")
    #expect(scratch.bytes("out/routes.geojson.gz.part") == before)
  }

  @Test func refusesToResumeAfterAChange() throws {
    let scratch = try stopped()
    defer { scratch.remove() }
    let pairs = scratch.text("pairs.csv")
    func expectRefusal(_ sentence: String) throws {
      let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
      #expect(run.status == 3 && run.error.contains(sentence) && run.error.contains("--fresh"), "\(run.error)")
      #expect(run.error.split(separator: "\n").count == 1)
    }
    try scratch.writeJob(ResumeTests.keys + ", snapLimit: 200")
    try expectRefusal("snap_limit was 1000.0, now 200.0")
    try scratch.writeJob(ResumeTests.keys)
    try scratch.write(pairs + "x,0,0,0,0.001\n", to: "pairs.csv")
    try expectRefusal("content of pairs")
    try scratch.write(pairs, to: "pairs.csv")
    try scratch.write(TestMap.block.opl + "\n", to: "map.opl")
    try expectRefusal("content of map")
    try scratch.write(TestMap.block.opl, to: "map.opl")
    // Keys that do not affect results may change.
    try scratch.writeJob(ResumeTests.keys + ", language: 'en' /* tonight */")
    #expect(try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder).status == 0)
  }

  @Test func freshRestartsFromScratch() throws {
    let scratch = try stopped()
    defer { scratch.remove() }
    try scratch.writeJob(ResumeTests.keys + ", snapLimit: 999")
    let run = try Run(odometer: "run", "job.json5", "--fresh", in: scratch.folder)
    #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
    #expect(scratch.files(in: "out") == ["log.jsonl", "report.html", "results.sqlite", "routes.geojson.gz"])
  }

  @Test func refusesToResumeATruncatedFile() throws {
    let scratch = try stopped()
    defer { scratch.remove() }
    try scratch.write("", to: "out/routes.geojson.gz.part")
    let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(run.status == 3 && run.error.contains("0 bytes"), "\(run.error)")
    try scratch.write("no database at all, but long enough to be one", to: "out/results.sqlite.part")
    let other = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(other.status == 3 && other.error.contains("--fresh"), "\(other.error)")
  }

  @Test func refusesToResumeAChangedFile() throws {
    let scratch = try stopped()
    defer { scratch.remove() }
    var bytes = scratch.bytes("out/routes.geojson.gz.part")
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(filePath: scratch.path("out/routes.geojson.gz.part")))
    let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
    let sentence = "cannot resume the unfinished run: the run's file has changed; restart with --fresh"
    #expect(run.status == 3 && run.error.contains("routes.geojson.gz.part: " + sentence), "\(run.error)")
  }

  @Test func refusesASecondRunInTheSameFolder() throws {
    let scratch = try Scratch(
      .block, ["pairs.csv": "id,o_lon,o_lat,d_lon,d_lat\n1,0,0,0.0018,0\n"], job: ResumeTests.keys)
    defer { scratch.remove() }
    try FileManager.default.createDirectory(atPath: scratch.path("out"), withIntermediateDirectories: false)
    // Locked as by a run: the lock is released when its holder exits.
    let holder = open(scratch.path("out"), O_RDONLY | O_CLOEXEC)
    #expect(flock(holder, LOCK_EX) == 0)
    let refused = try Run(odometer: "run", "job.json5", in: scratch.folder)
    close(holder)
    #expect(refused.status == 4 && refused.error.contains("out: another run"), "\(refused.error)")
    let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(run.status == 0 && run.output.hasSuffix("1 route: 1 ok\n"), "\(run.error)")
  }
}
