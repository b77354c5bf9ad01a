import Foundation
import Jobs
import Synchronization
import Tables
import TestMaps
import Testing

/// A job that has been run on a drawn map, with files next to it.
///
///     let scene = try JobScene(map, ["origins.csv": map.list("ab")], "kind: 'access', …")
///     defer { scene.remove() }
///     try scene.expect("SELECT * FROM access", "…")
struct JobScene {
  let scratch: Scratch

  /// - Parameters:
  ///   - keys: The keys in addition to map, transportType, output and a snapLimit of 200 metres, which is omitted for
  ///     traces and if given; files have the names in `files`.
  ///   - feed: A timetable, written to feed.zip.
  ///   - change: Applies changes that the command line would make.
  init(
    _ map: TestMap, _ files: [String: String], _ keys: String, by type: String = "walking", feed: FeedScene? = nil,
    workers: Int = 1, _ change: (inout Job) -> Void = { _ in }
  ) throws {
    scratch = try Scratch()
    try scratch.write(map.opl, to: "map.opl")
    var keys = keys.replacing("'", with: "\"")
    if let feed {
      try feed.zip().write(to: URL(fileURLWithPath: scratch.path("feed.zip")))
      keys = keys.replacing("\"feed.zip\"", with: "\"\(scratch.path("feed.zip"))\"")
    }
    for (name, text) in files {
      try scratch.write(text, to: name)
      keys = keys.replacing("\"\(name)\"", with: "\"\(scratch.path(name))\"")
    }
    let hasLimit = keys.contains("snapLimit") || keys.contains("kind: \"traces\"")
    try scratch.write(
      """
      { map: "\(scratch.path("map.opl"))", transportType: "\(type)", output: "\(scratch.path("out"))",
        \(hasLimit ? "" : "snapLimit: 200,") \(keys) }
      """, to: "job.json5")
    #expect(try run(workers: workers, change).isFinished)
  }

  @discardableResult
  func run(
    workers: Int, shard: Shard? = nil, note: @escaping @Sendable (String) -> Void = { _ in },
    shouldStop: @escaping @Sendable () -> Bool = { false }, _ change: (inout Job) -> Void = { _ in }
  ) throws -> JobOutcome {
    var job = try Job(path: scratch.path("job.json5"))
    change(&job)
    var options = JobScene.options(workers: workers)
    options.shard = shard
    (options.shouldStop, options.note) = (shouldStop, note)
    return try JobRun(job, options).run()
  }

  private static func options(workers: Int) -> RunOptions {
    var options = RunOptions()
    options.workers = workers
    options.isQuiet = true
    return options
  }

  /// Computes `count` shards, each in a separate folder, and merges them into `output`.
  func merge(_ count: Int, workers: Int, into output: String) throws {
    let folders = (0..<count).map { "shards/\($0)-of-\(count)" }
    for (index, folder) in folders.enumerated() {
      let shard = Shard(index: index, count: count)
      let outcome = try run(workers: workers, shard: shard, shouldStop: { false }) { $0.output = scratch.path(folder) }
      #expect(outcome.isFinished)
    }
    let shards = try ShardSet(folders: folders.reversed().map(scratch.path))
    var job = try Job(of: shards)
    job.output = scratch.path(output)
    #expect(try JobRun(job, JobScene.options(workers: workers), merging: shards).run().isFinished)
  }

  /// Returns the results without the parts that differ between equal runs: the tables, and the files next to the
  /// database.
  func results(in folder: String) throws -> (tables: [String: Int], files: [String: Data]) {
    var tables = try TestDatabase(scratch.path("\(folder)/results.sqlite")).fingerprints()
    tables["job"] = nil
    let names = scratch.files(in: folder).filter { $0 != "results.sqlite" && $0 != "log.jsonl" }
    return (tables, Dictionary(uniqueKeysWithValues: names.map { ($0, scratch.bytes("\(folder)/\($0)")) }))
  }

  /// Runs the job and stops it after its first chunks are written.
  func runInPart() throws {
    let polls = Mutex(0)
    let stopped = try run(
      workers: 1,
      shouldStop: {
        polls.withLock {
          $0 += 1
          return $0 > 1
        }
      })
    #expect(!stopped.isFinished && stopped.rows > 0 && stopped.rows < stopped.totalRows)
  }

  func sql(_ statements: String) throws -> String { try scratch.sql(statements) }

  func bytes(_ name: String) -> Data { scratch.bytes("out/\(name)") }
  var files: [String] { scratch.files(in: "out") }

  /// Expects rows of the results, in the format of `TestDatabase`.
  func expect(_ statement: String, _ expected: String, _ location: SourceLocation = #_sourceLocation) throws {
    let rows = try sql(statement)
    #expect(rows == expected, sourceLocation: location)
  }

  /// Returns a compressed output as text.
  func unzipped(_ name: String) throws -> String {
    try Run("/usr/bin/env", ["zcat", "out/\(name)"], in: scratch.folder).output
  }

  func remove() { scratch.remove() }
}

extension TestMap {
  /// Returns a table of pairs of places, with ids from 1.
  func pairs(_ pairs: [(Character, Character)]) -> String {
    let rows = pairs.enumerated().map { index, pair in
      let (from, to) = (self[pair.0], self[pair.1])
      return "\(index + 1),\(from.longitude),\(from.latitude),\(to.longitude),\(to.latitude)\n"
    }
    return "id,o_lon,o_lat,d_lon,d_lat\n" + rows.joined()
  }

  /// Returns a table of places, named by their letters: "id,lon,lat" and additional columns from `more`.
  func list(_ letters: String, _ header: String = "", _ more: [Character: String] = [:]) -> String {
    "id,lon,lat\(header)\n"
      + letters.map { "\($0),\(self[$0].longitude),\(self[$0].latitude)\(more[$0] ?? "")\n" }.joined()
  }
}
