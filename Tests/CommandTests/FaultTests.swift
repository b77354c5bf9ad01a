import Foundation
import TestMaps
import Testing

/// A job that is killed or interrupted, or whose disk fails, resumes when the same command is run again, and produces
/// the same results as an undisturbed one.
///
/// CI tests the first call of each type (function and file) with the kinds of faults that differ between jobs; `make
/// test-faults` tests every call with every kind.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct FaultTests {
  /// Jobs of all kinds, with all their outputs.
  static let jobs = [
    "kind: 'routes', pairs: 'pairs.csv', requestsAlternateRoutes: true",
    "kind: 'etas', pairs: 'pairs.csv'",
    """
    kind: 'matrix', origins: 'places.csv', destinations: 'stations.csv', format: ['sqlite', 'npy', 'csv'],
    summary: ['nearest', 'mean', 'within:60']
    """,
    "kind: 'access', origins: 'places.csv', stations: 'stations.csv', routes: true",
    "kind: 'isochrones', origins: 'stations.csv', thresholds: [1, 2], streets: true",
    "kind: 'traces', traces: 'traces.csv', fixes: 'csv'",
  ]

  private static let takesAll = ProcessInfo.processInfo.environment["FAULT_SHARE"] == "1"

  private static let faults = Fault.Kind.allCases.flatMap { kind in jobs.map { (kind, $0) } }.filter { kind, job in
    switch kind {
    case .change: false  // tested separately
    case .eio, .power, .torn, .interrupt: true
    // A full disk and a lost folder are handled like any other error; kills are tested separately.
    case .enospc, .lost: takesAll || job == jobs[0]
    case .kill: takesAll
    }
  }

  @Test(arguments: faults)
  func resumesAfterAFaultInAnyCall(kind: Fault.Kind, job: String) throws {
    let scene = try FaultScene(job)
    defer { scene.remove() }
    let calls = try scene.calls()
    let whole = try scene.results()
    let chosen = FaultTests.calls(of: calls, for: kind)
    #expect(calls.count > 40 && chosen.count >= 3)
    for call in chosen {
      scene.clear()
      let moment = "\(kind) at call \(call) of \(calls.count), \(calls[call - 1])"
      let broken = try scene.run(Fault(kind, at: call, "out"))
      // The exit code is zero if nothing depends on the call: unlinking a missing file, or an interruption after the
      // last row.
      let expected = kind == .interrupt ? 130 : [.eio, .enospc, .lost].contains(kind) ? 4 : SIGKILL
      #expect([expected, 0].contains(broken.status), "\(moment): \(broken.status) \(broken.error)")
      #expect(broken.isKilled || broken.status == 0 || broken.error.split(separator: "\n").count == 1, "\(moment)")
      if broken.status != 0 {
        try scene.checkDatabase(moment)
        try scene.expectFinalNamesOnlyWhenComplete(whole, moment)
      }
      let resumed = try scene.run()
      #expect(resumed.status == 0, "\(moment): \(resumed.error)")
      let results = try scene.results()
      #expect(results == whole, "\(moment)")
    }
    print("\(kind): \(chosen.count) of \(calls.count) calls, \(job.prefix(14))")
  }

  /// Returns the numbers of the calls to test, counted from 1.
  private static func calls(of all: [String], for kind: Fault.Kind) -> [Int] {
    var seen: Set<String> = []
    // Only a write can be torn.
    let tried = all.indices.filter { kind != .torn || all[$0].hasPrefix("write ") }
    if takesAll { return tried.map { $0 + 1 } }
    if kind == .interrupt { return [1, all.count / 2, all.count - 1] }
    return tried.filter { seen.insert(all[$0]).inserted }.map { $0 + 1 }
  }

  /// A change after the last row has no effect.
  @Test(.enabled(if: FaultTests.takesAll, "make test-faults"), arguments: jobs)
  func refusesAFileThatChangesAtAnyMoment(job: String) throws {
    let scene = try FaultScene(job)
    defer { scene.remove() }
    let calls = try scene.calls()
    let whole = try scene.results()
    var refused = 0
    for (round, call) in FaultTests.calls(of: calls, for: .change).enumerated() {
      let inputs = scene.inputs
      let input = inputs[round % inputs.count]
      let change = Fault.Change.allCases[round / inputs.count % Fault.Change.allCases.count]
      let bytes = scene.scratch.bytes(input)
      scene.clear()
      let moment = "\(change) of \(input) at call \(call) of \(calls.count), \(calls[call - 1])"
      let run = try scene.run(Fault(.change, at: call, "out", changing: input, by: change))
      if run.status == 0 {
        let results = try scene.results()
        #expect(results == whole, "\(moment)")
      } else {
        refused += 1
        #expect(run.status == 3 && run.error.contains("\(input): the file changed"), "\(moment): \(run.error)")
        // Results that were renamed before the change was detected were computed from the original files.
        if scene.scratch.files(in: "out").contains("results.sqlite") {
          let results = try scene.results()
          #expect(results == whole, "\(moment)")
        }
      }
      try bytes.write(to: URL(fileURLWithPath: scene.scratch.path(input)))
    }
    #expect(refused > 3)
  }

  @Test(arguments: jobs)
  func finishesDespiteRepeatedKills(job: String) throws {
    let scene = try FaultScene(job)
    defer { scene.remove() }
    let calls = try scene.calls().count
    let whole = try scene.results()
    var random = SeededGenerator(seed: UInt64(job.utf8.count))
    var kills = 0
    for round in 0..<(FaultTests.takesAll ? 200 : 2) {
      scene.clear()
      // A run resumes where the previous one was killed, so it makes fewer calls than that one, and finally succeeds.
      for _ in 0..<6 {
        guard try scene.run(Fault(.kill, at: .random(in: 1...calls, using: &random), "out")).isKilled else { break }
        kills += 1
        try scene.checkDatabase("round \(round)")
      }
      #expect(try scene.run().status == 0)
      let results = try scene.results()
      #expect(results == whole, "round \(round)")
    }
    #expect(kills > 1)
  }
}

/// A scratch folder with a map, places and a job.
private struct FaultScene {
  let scratch: Scratch

  /// The files of every scene, including the street network, created once.
  private static let files = Result {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let map = TestMap(
      """
      a-b-c-d
      | | | |
      e-f-g-h
      |   | |
      i-j-k-l
      """
    ).way("abcd").way("efgh").way("ijkl").way("aei").way("bf").way("cgk").way(
      "dhl", ["highway": "residential", "oneway": "yes"])
    try scratch.write(map.opl, to: "map.opl")
    let letters = Array("abcdefghijkl")
    func place(_ index: Int) -> String {
      let node = map[letters[index % letters.count]]
      return "\(node.longitude + Double(index % 97) * 1e-6),\(node.latitude)"
    }
    let pairs = (0..<1300).map { "\($0),\(place($0 * 5)),\(place($0 * 7 + $0 / 12))\n" }
    try scratch.write("id,o_lon,o_lat,d_lon,d_lat\n" + pairs.joined(), to: "pairs.csv")
    let places = (0..<1200).map { "p\($0),\(place($0))\n" }
    try scratch.write("id,lon,lat\n" + places.joined() + "bad,x,0\n", to: "places.csv")
    try scratch.write("id,lon,lat\n" + places.prefix(40).joined(), to: "stations.csv")
    let traces = (0..<150).map { index in
      map.fixes("t\(index)", along: ["abcd", "aei", "lhd", "efgh"][index % 4], at: TestMap.monday + Double(index))
    }
    try scratch.write(map.traces(traces), to: "traces.csv")
    try Run(odometer: "network", "build", "map.opl", in: scratch.folder)
    return scratch.files.map { (name: $0, bytes: scratch.bytes($0)) }
  }

  init(_ job: String) throws {
    scratch = try Scratch()
    for (name, bytes) in try FaultScene.files.get() {
      try bytes.write(to: URL(fileURLWithPath: scratch.path(name)))
    }
    try scratch.write(
      "{ map: 'map.opl', transportType: 'walking', output: 'out', "
        + "\(job.contains("'traces'") ? "" : "snapLimit: 200,") \(job) }", to: "job.json5")
  }

  func remove() { scratch.remove() }

  /// The files read by the job.
  var inputs: [String] {
    scratch.files.filter { $0.hasSuffix(".network") || scratch.text("job.json5").contains("'\($0)'") }
      .filter { $0 != "map.opl" && $0 != "out" }
  }

  func clear() {
    for folder in ["out", "out.lost"] { try? FileManager.default.removeItem(atPath: scratch.path(folder)) }
  }

  private static let arguments = ["run", "job.json5", "--quiet", "--workers", "2"]

  /// Runs the job undisturbed and returns the list of calls that change the results.
  func calls() throws -> [String] {
    try Fault.calls(below: "out", of: FaultScene.arguments, in: scratch.folder)
  }

  func run(_ fault: Fault? = nil) throws -> Run {
    try Run(
      Project.binary, FaultScene.arguments, in: scratch.folder,
      environment: fault?.environment(in: scratch.folder) ?? [:])
  }

  /// Returns a fingerprint of each file except the log, and of each database table except `job`.
  func results() throws -> [String: Int] {
    var results = files()
    for (table, print) in try TestDatabase(scratch.path("out/results.sqlite")).fingerprints() where table != "job" {
      results["table \(table)"] = print
    }
    return results
  }

  private func files() -> [String: Int] {
    let names = scratch.files(in: "out").filter { $0 != "log.jsonl" && !$0.hasPrefix("results.sqlite") }
    return Dictionary(uniqueKeysWithValues: names.map { ($0, scratch.bytes("out/\($0)").hashValue) })
  }

  /// Expects that a copy of the unfinished database can be opened and is intact.
  func checkDatabase(_ moment: String) throws {
    let copy = try Scratch()
    defer { copy.remove() }
    for name in scratch.files(in: "out") where name.hasPrefix("results.sqlite.part") {
      try scratch.bytes("out/\(name)").write(to: URL(fileURLWithPath: copy.path(name)))
    }
    guard !copy.bytes("results.sqlite.part").isEmpty else { return }
    let answer = try copy.sql("PRAGMA integrity_check", in: "results.sqlite.part")
    #expect(answer == "ok\n", "\(moment)")
  }

  func expectFinalNamesOnlyWhenComplete(_ whole: [String: Int], _ moment: String) throws {
    // The next run removes SQLite's temporary files.
    for (name, print) in files() where !name.hasSuffix(".part") && !name.hasPrefix("etilqs_") {
      #expect(print == whole[name], "\(moment): \(name)")
    }
  }
}
