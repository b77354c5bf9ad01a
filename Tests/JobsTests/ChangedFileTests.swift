import Foundation
import Geography
import Input
import Jobs
import StreetNetwork
import Synchronization
import TestMaps
import Testing

/// Files that change while they are being read.
struct ChangedFileTests {
  private let map = TestMap("a-b-c-d").way("abcd")
  private let other = TestMap("a-b   c-d").way("ab").way("cd")

  /// Creates a matrix of 5,000 rows, whose chunks are written one after another.
  private func scene() throws -> JobScene {
    let rows = (0..<5_000).map { "p\($0),\(map["a"].longitude),\(map["a"].latitude)\n" }.joined()
    return try JobScene(
      map, ["origins.csv": "id,lon,lat\n" + rows, "destinations.csv": map.list("bcd")],
      "kind: 'matrix', origins: 'origins.csv', destinations: 'destinations.csv'")
  }

  /// Runs the job again from scratch, and changes a file before a chunk (by default, the second) is assigned to a
  /// worker.
  private func run(
    _ scene: JobScene, before chunk: Int = 2, _ change: @escaping @Sendable () -> Void
  ) throws -> JobOutcome {
    var options = RunOptions()
    (options.isFresh, options.isQuiet) = (true, true)
    let polls = Mutex(0)
    options.shouldStop = {
      let isNow = polls.withLock { polls in
        polls += 1
        return polls == chunk
      }
      if isNow { change() }
      return false
    }
    return try JobRun(Job(path: scene.scratch.path("job.json5")), options).run()
  }

  private func removeResults(of scene: JobScene) throws {
    try FileManager.default.removeItem(atPath: scene.scratch.path("out"))
  }

  private func append(_ bytes: String, to path: String) {
    let file = FileHandle(forWritingAtPath: path)!
    _ = try? file.seekToEnd()
    try? file.write(contentsOf: Data(bytes.utf8))
    try? file.close()
  }

  @Test func refusesAMapThatIsReplacedWhileItsNetworkIsBuilt() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try scratch.write(map.opl, to: "map.opl")
    let error = #expect(throws: OdometerError.self) {
      try StreetNetwork(map: path, profile: .stock(.walking)) { _ in try scratch.write(other.opl, to: "map.opl") }
    }
    #expect(error?.file == path && error?.problem.hasPrefix("the file changed while it was being read") == true)
    #expect(scratch.files == ["map.opl"])
  }

  @Test func acceptsAMapWhosePermissionsChangeWhileItsNetworkIsBuilt() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try scratch.write(map.opl, to: "map.opl")
    let network = try StreetNetwork(map: path, profile: .stock(.walking)) { _ in #expect(chmod(path, 0o400) == 0) }
    #expect(network.streetCount == 1)
  }

  @Test func refusesATableThatIsReplacedBeforeItIsRead() throws {
    let scene = try scene()
    defer { scene.remove() }
    try removeResults(of: scene)
    let (scratch, list) = (scene.scratch, map.list("bc"))
    var options = RunOptions()
    (options.isFresh, options.isQuiet, options.cache) = (true, true, scratch.path("other"))
    options.networkEvent = { _ in _ = try? scratch.write(list, to: "destinations.csv") }
    let job = try Job(path: scratch.path("job.json5"))
    let error = #expect(throws: OdometerError.self) { try JobRun(job, options).run() }
    #expect(error?.file == scratch.path("destinations.csv"))
    #expect(!scene.files.contains("results.sqlite"))
  }

  @Test(arguments: ["network", "origins.csv"])
  func refusesToStoreRowsOfAModifiedFile(_ ending: String) throws {
    let scene = try scene()
    defer { scene.remove() }
    try removeResults(of: scene)
    let path = scene.scratch.path(scene.scratch.files.first { $0.hasSuffix(ending) }!)
    let error = #expect(throws: OdometerError.self) { try run(scene) { append("x", to: path) } }
    #expect(error?.file == path)
    #expect(!scene.files.contains("results.sqlite"))
  }

  @Test(arguments: ["map.opl", "origins.csv", "destinations.csv"])
  func touchingAnInputAfterReadingDoesNotEndTheRun(_ name: String) throws {
    let scene = try scene()
    defer { scene.remove() }
    let path = scene.scratch.path(name)
    let outcome = try run(scene) { #expect(utimes(path, nil) == 0) }
    #expect(outcome.isFinished)
  }

  @Test func replacingATableAfterReadingDoesNotEndTheRun() throws {
    let scene = try scene()
    defer { scene.remove() }
    let before = try scene.sql("SELECT count(*), sum(distance) FROM matrix")
    let scratch = scene.scratch
    try scratch.write("id,lon,lat\n", to: "new.csv")
    let outcome = try run(scene) { rename(scratch.path("new.csv"), scratch.path("origins.csv")) }
    #expect(outcome.isFinished)
    try scene.expect("SELECT count(*), sum(distance) FROM matrix", before)
  }

  @Test(arguments: ["map.opl", "traces.csv"])
  func replacingTracesEndsTheRunAndReplacingTheirMapDoesNot(_ renamed: String) throws {
    let traces = map.traces([map.fixes("t", along: "abcd")])
    let scene = try JobScene(map, ["traces.csv": traces], "kind: 'traces', traces: 'traces.csv'")
    defer { scene.remove() }
    let (scratch, bytes) = (scene.scratch, scene.scratch.text(renamed) + "\n")
    let outcome = Result {
      try run(scene, before: 1) {
        _ = try? scratch.write(bytes, to: "new")
        rename(scratch.path("new"), scratch.path(renamed))
      }
    }
    if renamed == "map.opl" {
      #expect(try outcome.get().isFinished)
    } else {
      #expect(throws: OdometerError.self) { try outcome.get() }
    }
  }
}
