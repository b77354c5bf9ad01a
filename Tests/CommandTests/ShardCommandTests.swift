import Foundation
import Geography
import TestMaps
import Testing

/// `run --shard` and `merge`, as used to spread a job over several machines.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct ShardCommandTests {
  private static let keys = "kind: 'etas', pairs: 'pairs.csv'"

  /// Creates a folder with a job of three chunks.
  private func scratch(_ keys: String = ShardCommandTests.keys) throws -> Scratch {
    let rows = (0..<9000).map { "\($0),0,0,0.0018,-0.0\(100_000 + $0 % 80_000)\n" }
    return try Scratch(.block, ["pairs.csv": "id,o_lon,o_lat,d_lon,d_lat\n" + rows.joined()], job: keys)
  }

  @discardableResult
  private func shard(_ shard: String, _ more: String..., in scratch: Scratch) throws -> Run {
    try Run(Project.binary, ["run", "job.json5", "--quiet", "--shard", shard] + more, in: scratch.folder)
  }

  private func merge(_ words: String..., in scratch: Scratch) throws -> Run {
    try Run(Project.binary, ["merge", "--quiet"] + words, in: scratch.folder)
  }

  private func fingerprints(_ folder: String, _ scratch: Scratch) throws -> [String: Int] {
    var prints = try TestDatabase(scratch.path("\(folder)/results.sqlite")).fingerprints()
    prints["job"] = nil
    return prints
  }

  @Test func shardsHaveTheirOwnFoldersAndMergeIntoTheJobsFolder() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    try Run(odometer: "run", "job.json5", "--quiet", "--output", "whole", in: scratch.folder)
    for index in 0..<3 {
      let run = try shard("\(index)/3", in: scratch)
      #expect(run.status == 0 && run.output.isEmpty, "\(run)")
    }
    #expect(scratch.files(in: "out") == (0..<3).map { "shard-0000\($0)-of-00003" })
    let merged = try Run(
      odometer: "merge", "out/shard-00000-of-00003", "out/shard-00001-of-00003", "out/shard-00002-of-00003",
      in: scratch.folder)
    #expect(merged.status == 0 && merged.output.contains("9000 etas: "), "\(merged)")
    #expect(try fingerprints("out", scratch) == fingerprints("whole", scratch))
    #expect(scratch.files(in: "out").contains("report.html"))
    // A finished shard is not recomputed; a shard killed just before its final rename is renamed.
    let journal = "out/shard-00001-of-00003/shard.journal"
    let before = scratch.bytes(journal)
    try FileManager.default.moveItem(atPath: scratch.path(journal), toPath: scratch.path(journal + ".part"))
    #expect(try shard("1/3", in: scratch).status == 0)
    #expect(try shard("1/3", in: scratch).status == 0)
    #expect(scratch.bytes(journal) == before)
  }

  @Test func mergeUpdatesTheIndex() throws {
    let scratch = try scratch(ShardCommandTests.keys + ", index: true")
    defer { scratch.remove() }
    for index in 0..<2 { try shard("\(index)/2", "--output", "runs/out/s\(index)", in: scratch) }
    #expect(try merge("runs/out/s0", "runs/out/s1", "--output", "runs/out", in: scratch).status == 0)
    #expect(
      scratch.text("runs/index.json").contains("\"headline\":\"1 job, 1 run: the last run has results and no drift.\""))
    #expect(!scratch.text("runs/index.xml").contains("<entry>") && scratch.files(in: "runs").contains("index.html"))
  }

  @Test func rejectsShardsOfDifferentJobs() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    for (shard, folder) in [("0/3", "a"), ("1/3", "b"), ("2/3", "c"), ("1/3", "again"), ("1/2", "half")] {
      try self.shard(shard, "--output", folder, in: scratch)
    }
    func expect(_ words: [String], _ sentence: String, status: Int32 = 3) throws {
      let run = try Run(Project.binary, ["merge"] + words, in: scratch.folder)
      #expect(run.status == status && run.error.contains(sentence), "\(run)")
      #expect(run.error.split(separator: "\n").count == 1 && !scratch.files.contains("out"))
    }
    try expect(["a", "c"], "1 of 3 shards are missing: 1/3")
    try expect(["a", "b", "again", "c"], "again: duplicate of shard 1/3 in b")
    try expect(["a", "half", "c"], "half: shard 1/2 does not match shard 0/3 in a")
    try expect(["a", "b", "none"], "none: not a folder")
    try expect(["a", "b", "c", "--output", "b"], "b has a shard; name another folder", status: 2)
    try scratch.writeJob(ShardCommandTests.keys + ", snapLimit: 999")
    try shard("1/3", "--output", "foreign", in: scratch)
    try expect(
      ["a", "foreign", "c"],
      "foreign: its shard and the one in a are from different jobs: snap_limit was 1000.0, now 999.0")
    let results = try Run(odometer: "run", "job.json5", "--quiet", "--output", "whole", in: scratch.folder)
    #expect(results.status == 0)
    try expect(["a", "b", "whole"], "whole: it contains the results of a whole job")
    let into = try Run(odometer: "run", "job.json5", "--output", "a", in: scratch.folder)
    #expect(into.status == 4 && into.error.contains("a: a shard of a job is in this folder"), "\(into)")
    try scratch.write(scratch.text("pairs.csv") + "x,0,0,0,0.001\n", to: "pairs.csv")
    let changed = try merge("a", "b", "c", in: scratch)
    #expect(changed.status == 3 && changed.error.contains("the content of pairs changed"), "\(changed)")
  }

  @Test func mergeReportsDamagedShardsAndResumes() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    try Run(odometer: "run", "job.json5", "--quiet", "--output", "whole", in: scratch.folder)
    for (shard, folder) in [("0/2", "a"), ("1/2", "b")] { try self.shard(shard, "--output", folder, in: scratch) }
    var bytes = scratch.bytes("b/shard.journal")
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(fileURLWithPath: scratch.path("b/shard.journal")))
    let merged = try merge("a", "b", in: scratch)
    #expect(merged.status == 3 && merged.error.contains("b: its shard.journal is damaged"), "\(merged)")
    let again = try shard("1/2", "--output", "b", in: scratch)
    #expect(again.status == 3 && again.error.contains("run shard 1/2 again with --fresh"), "\(again)")
    bytes[bytes.count / 2] ^= 1
    try bytes.prefix(bytes.count - 20).write(to: URL(fileURLWithPath: scratch.path("b/shard.journal")))
    #expect(try merge("a", "b", in: scratch).error.contains("run shard 1/2 again with --fresh"))
    #expect(try shard("1/2", "--output", "b", "--fresh", in: scratch).status == 0)
    #expect(try merge("a", "b", in: scratch).status == 0)
    #expect(try fingerprints("out", scratch) == fingerprints("whole", scratch))
  }

  @Test func mergeWritesNothingIfTheEndOfAShardIsDamaged() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    for (shard, folder) in [("0/2", "a"), ("1/2", "b")] { try self.shard(shard, "--output", folder, in: scratch) }
    let bytes = scratch.bytes("b/shard.journal")
    var flipped = bytes
    flipped[bytes.count - 40] ^= 1
    for damaged in [flipped, bytes + [0], bytes + bytes.suffix(40)] {
      try damaged.write(to: URL(fileURLWithPath: scratch.path("b/shard.journal")))
      let merged = try merge("a", "b", in: scratch)
      #expect(merged.status == 3 && merged.error.contains("b: its shard.journal is damaged at byte"), "\(merged)")
      #expect(!scratch.files.contains("out"))
    }
  }

  @Test func refusesFilesThatAreNotShards() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    for text in ["3/3", "-1/3", "1", "a/b", "0/0", "1/2/3", "0/200000"] {
      let run = try Run(odometer: "run", "job.json5", "--shard=\(text)", in: scratch.folder)
      #expect(run.status == 2 && run.error.contains("--shard: got \(text), expected I/N"), "\(run)")
    }
    try shard("0/3", "--output", "a", in: scratch)
    let other = try shard("1/3", "--output", "a", in: scratch)
    #expect(other.status == 4 && other.error.contains("shard 0/3 is in this folder, not 1/3"), "\(other)")
    #expect(try shard("0/3", "--strict", in: scratch).status == 2)
  }

  @Test(arguments: [true, false]) func aChangedShardIsRestartedOnRequest(isFinished: Bool) throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let journal = "out/shard-00001-of-00003/shard.journal"
    #expect(try shard("1/3", in: scratch).status == 0)
    if !isFinished {
      try FileManager.default.moveItem(atPath: scratch.path(journal), toPath: scratch.path(journal + ".part"))
      try scratch.bytes(journal + ".part").dropLast(20).write(to: URL(fileURLWithPath: scratch.path(journal + ".part")))
    }
    try scratch.writeJob(ShardCommandTests.keys + ", snapLimit: 999")
    let refused = try shard("1/3", in: scratch)
    #expect(refused.status == 3 && refused.error.contains("snap_limit was 1000.0, now 999.0"), "\(refused)")
    let plan = try Run(
      odometer: "run", "job.json5", "--dry-run", "--shard", "1/3", "--resume-or-fresh", in: scratch.folder)
    #expect(plan.output.contains("(has shard 1/3, which is discarded: since it started, snap_limit was"), "\(plan)")
    let night = try Run(odometer: "run", "job.json5", "--shard", "1/3", "--resume-or-fresh", in: scratch.folder)
    #expect(night.status == 0 && night.error.contains("since shard 1/3 started, snap_limit was 1000.0"), "\(night)")
    let again = try Run(odometer: "run", "job.json5", "--shard", "1/3", "--resume-or-fresh", in: scratch.folder)
    #expect(again.status == 0 && again.error.contains("shard 1/3 is finished"), "\(again)")
  }

  /// Up to six runs of each command have a fault at a random call.
  @Test(arguments: [Fault.Kind.kill, .torn, .power, .eio, .interrupt])
  func shardsAndMergesWithFaultsGiveTheSameResults(kind: Fault.Kind) throws {
    let scratch = try scratch("kind: 'routes', pairs: 'few.csv'")
    defer { scratch.remove() }
    let rows = (0..<1600).map { "\($0),0,0,0.0018,-0.0\(100_000 + $0 * 40 % 80_000)\n" }
    try scratch.write("id,o_lon,o_lat,d_lon,d_lat\n" + rows.joined(), to: "few.csv")
    try Run(odometer: "run", "job.json5", "--quiet", "--output", "whole", in: scratch.folder)
    func disturb(_ words: [String], _ folder: String) throws {
      var random = SeededGenerator(seed: 5)
      for _ in 0..<6 {
        let fault = Fault(kind, at: .random(in: 1...60, using: &random), folder)
        let run = try Run(
          Project.binary, words, in: scratch.folder, environment: fault.environment(in: scratch.folder))
        #expect(run.isKilled || [0, 4, 130].contains(run.status), "\(run)")
        if run.status == 0 { break }
      }
      let run = try Run(Project.binary, words, in: scratch.folder)
      #expect(run.status == 0, "\(run)")
    }
    for index in 0..<3 {
      try disturb(["run", "job.json5", "--shard", "\(index)/3", "--output", "s\(index)"], "s\(index)")
    }
    try disturb(["merge", "s0", "s1", "s2"], "out")
    #expect(try fingerprints("out", scratch) == fingerprints("whole", scratch))
    #expect(scratch.bytes("out/routes.geojson.gz") == scratch.bytes("whole/routes.geojson.gz"))
  }
}
