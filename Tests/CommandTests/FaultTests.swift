import Foundation
import TestMaps
import Testing

/// A job that is killed, or whose disk fails, at any moment goes on when the same command is given again, and leaves what
/// an undisturbed one leaves.
///
/// How many moments are tried: as `FAULT_SHARE` says, all of them for 1, each tenth for 10 (`make torture` takes all).
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct FaultTests {
  enum Fault: String, CaseIterable { case enospc, eio, kill, torn, power }

  /// A job of every kind, with all that it can write.
  static let jobs = [
    "kind: 'routes', pairs: 'pairs.csv', requestsAlternateRoutes: true",
    "kind: 'etas', pairs: 'pairs.csv'",
    """
    kind: 'matrix', origins: 'places.csv', destinations: 'stations.csv', format: ['sqlite', 'npy', 'csv'],
    summary: ['nearest', 'mean', 'within:60']
    """,
    "kind: 'access', origins: 'places.csv', stations: 'stations.csv', routes: true",
    "kind: 'isochrones', origins: 'stations.csv', thresholds: [1, 2], streets: true",
  ]

  private static let share = ProcessInfo.processInfo.environment["FAULT_SHARE"].flatMap { Int($0) } ?? 12

  @Test(arguments: Fault.allCases, jobs)
  func aFaultAtAnyCallOfTheSystemIsMended(fault: Fault, job: String) throws {
    let scene = try FaultScene(job)
    defer { scene.remove() }
    let calls = try scene.run(nil, at: 0).calls
    let whole = try scene.results()
    #expect(calls > 40)
    var tried = 0
    for call in stride(from: 1 + fault.rawValue.utf8.count % FaultTests.share, through: calls, by: FaultTests.share) {
      scene.clear()
      let broken = try scene.run(fault, at: call)
      let isKilled = broken.status == 9
      // A torn write is one only where a write is.
      #expect(fault == .torn ? [0, 9].contains(broken.status) : isKilled || [0, 4].contains(broken.status), "\(call)")
      #expect(isKilled || broken.status == 0 || broken.sentences == 1, "\(call): \(broken.error)")
      if broken.status != 0 {
        try scene.checkDatabase("\(call)")
        try scene.expectWholeUnderFinalNames(whole, "\(call)")
      }
      let mended = try scene.run(nil, at: 0)
      #expect(mended.status == 0, "\(call): \(mended.error)")
      let results = try scene.results()
      #expect(results == whole, "after \(fault) at call \(call) of \(calls)")
      tried += 1
    }
    print("\(fault): \(tried) of \(calls) calls, \(job.prefix(14))")
    #expect(tried > 0)
  }

  @Test(arguments: jobs)
  func aRunKilledAgainAndAgainEndsAsOneThatWasNot(job: String) throws {
    let scene = try FaultScene(job)
    defer { scene.remove() }
    let start = ContinuousClock.now
    #expect(try scene.run(nil, at: 0).status == 0)
    let usual = (ContinuousClock.now - start) / .microseconds(1)
    let whole = try scene.results()
    var random = SeededGenerator(seed: UInt64(job.utf8.count))
    var kills = 0
    for round in 0..<max(2, 48 / FaultTests.share) {
      scene.clear()
      // However often a run is killed, the next one comes farther, or as far.
      for _ in 0..<6 where try scene.killed(after: Double.random(in: 0...usual, using: &random)) {
        kills += 1
        try scene.checkDatabase("round \(round)")
      }
      #expect(try scene.run(nil, at: 0).status == 0)
      let results = try scene.results()
      #expect(results == whole, "round \(round)")
    }
    print("\(kills) kills, \(job.prefix(14))")
    #expect(kills > 1)
  }
}

/// A folder with a map, places and a job, and what makes its files fail.
private struct FaultScene {
  let scratch: Scratch
  private let library: String

  init(_ job: String) throws {
    scratch = try Scratch()
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
    func place(_ number: Int) -> String {
      let node = map[letters[number % letters.count]]
      return "\(node.longitude + Double(number % 97) * 1e-6),\(node.latitude)"
    }
    let pairs = (0..<1300).map { "\($0),\(place($0 * 5)),\(place($0 * 7 + $0 / 12))\n" }
    try scratch.write("id,o_lon,o_lat,d_lon,d_lat\n" + pairs.joined(), to: "pairs.csv")
    let places = (0..<1200).map { "p\($0),\(place($0))\n" }
    try scratch.write("id,lon,lat\n" + places.joined() + "bad,x,0\n", to: "places.csv")
    try scratch.write("id,lon,lat\n" + places.prefix(40).joined(), to: "stations.csv")
    try scratch.write(
      "{ map: 'map.opl', transportType: 'walking', output: 'out', snapLimit: 200, \(job) }", to: "job.json5")
    library = scratch.path("faults.so")
    let compiled = try Run(
      "/usr/bin/env",
      ["clang", "-shared", "-fPIC", "-O1", "-o", library, Project.path("Tests/Faults/faults.c"), "-ldl"],
      in: scratch.folder)
    #expect(compiled.status == 0, "\(compiled.error)")
    try Run(odometer: "network", "build", "map.opl", in: scratch.folder)
  }

  func remove() { scratch.remove() }
  func clear() { try? FileManager.default.removeItem(atPath: scratch.path("out")) }

  /// Runs the job; the numbered call that changes a file of its results goes wrong. The status is 9 if it was killed.
  func run(_ fault: FaultTests.Fault?, at call: Int) throws -> (
    status: Int32, error: String, sentences: Int, calls: Int
  ) {
    let script = """
      FAULT_FOLDER='\(scratch.path("out"))' FAULT_KIND=\(fault?.rawValue ?? "none") FAULT_AT=\(call) \
      FAULT_SEED=\(call) FAULT_COUNT='\(scratch.path("calls"))' LD_PRELOAD='\(library)' \
      '\(Project.binary)' run job.json5 --quiet --workers 2
      """
    let run = try Run("/bin/sh", ["-c", "exec env \(script)"], in: scratch.folder)
    let calls = Int(scratch.text("calls").filter { !$0.isWhitespace }) ?? 0
    return (run.status, run.error, run.error.split(separator: "\n").count, calls)
  }

  /// Kills the job after so many microseconds; whether it was still running.
  func killed(after microseconds: Double) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Project.binary)
    process.arguments = ["run", "job.json5", "--quiet", "--workers", "2"]
    process.currentDirectoryURL = URL(fileURLWithPath: scratch.folder)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    usleep(UInt32(microseconds))
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
  }

  /// Checksums of the files but for the log, and of the database as a dump but for table `job`.
  func results() throws -> String {
    let script = """
      cd out && sqlite3 results.sqlite .dump | grep -v '^INSERT INTO job ' | md5sum
      md5sum $(ls | grep -v -e log.jsonl -e results.sqlite)
      """
    let run = try Run("/bin/sh", ["-c", script], in: scratch.folder)
    #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
    return run.output
  }

  /// A copy of what is there opens, and is in order.
  func checkDatabase(_ moment: String) throws {
    let script = """
      rm -rf look; cp -r out look; cd look
      if [ -s results.sqlite.part ]; then sqlite3 results.sqlite.part 'PRAGMA integrity_check'; else echo ok; fi
      """
    let run = try Run("/bin/sh", ["-c", script], in: scratch.folder)
    #expect(run.output == "ok\n", "\(moment): \(run.output)\(run.error)")
  }

  /// What has its final name has its final content.
  func expectWholeUnderFinalNames(_ whole: String, _ moment: String) throws {
    let run = try Run(
      "/bin/sh", ["-c", "cd out 2>/dev/null && md5sum *.html *.gz *.npy 2>/dev/null"], in: scratch.folder)
    for line in run.output.split(separator: "\n") { #expect(whole.contains(line), "\(moment): \(line)") }
  }
}
