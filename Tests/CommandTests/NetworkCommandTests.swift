import Foundation
import Synchronization
import TestMaps
import Testing

/// Commands on network files: using them as maps, installing, checking, listing and cleaning.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct NetworkCommandTests {
  private static let job = "kind: 'routes', pairs: 'pairs.csv', output: 'out'"

  /// Creates a scratch folder with a network file for walking, a table of pairs, and the map as text only.
  private func scratch(_ options: String...) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write(TestMap.block.opl, to: "map.opl")
    try scratch.write("id,o_lon,o_lat,d_lon,d_lat\n1,0,0,0.0018,0\n2,0,0,0.0009,-0.0018\n", to: "pairs.csv")
    let words = ["network", "build", "map.opl", "--output", "my.network"] + options
    let run = try Run(Project.binary, words, in: scratch.folder)
    #expect(run.status == 0 && run.output == "my.network\n" && scratch.files.count == 3, "\(run.error)")
    return scratch
  }

  @Test func jobsHaveTheSameResultsAsOnTheMap() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let keys = NetworkCommandTests.job.replacing("'out'", with: "'extract'")
    try scratch.write("{ map: 'map.opl', transportType: 'walking', \(keys) }", to: "extract.json5")
    try scratch.write("{ map: 'my.network', \(NetworkCommandTests.job) }", to: "file.json5")
    #expect(try Run(odometer: "run", "extract.json5", "--quiet", in: scratch.folder).status == 0)
    for file in scratch.files where file.hasPrefix("map.opl") { unlink(scratch.path(file)) }
    let run = try Run(odometer: "run", "file.json5", "--quiet", in: scratch.folder)
    #expect(run.status == 0, "\(run.error)")
    #expect(scratch.bytes("out/routes.geojson.gz") == scratch.bytes("extract/routes.geojson.gz"))
    let entries = "SELECT key, value FROM job WHERE key GLOB '*sha256' OR key IN ('map', 'transport_type', 'profile')"
    func rows(_ folder: String) throws -> String {
      try Run("/usr/bin/env", ["sqlite3", "\(folder)/results.sqlite", entries], in: scratch.folder).output
        .split(separator: "\n").filter { !$0.hasPrefix("job_file") }.joined(separator: "\n")
    }
    #expect(try rows("out") == rows("extract"))
    let compared = try Run(odometer: "compare", "extract", "out", "--fail-over", "max>0%", in: scratch.folder)
    #expect(compared.status == 0, "\(compared.error)")
    // If the extract is missing, its results can be verified on the network file.
    #expect(try Run(odometer: "verify", "out", in: scratch.folder).status == 0)
    #expect(try Run(odometer: "verify", "extract", "--map", "my.network", in: scratch.folder).status == 0)
  }

  @Test func aJobStartedOnTheMapIsResumedOnItsNetworkFile() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    try scratch.write("{ map: 'map.opl', transportType: 'walking', \(NetworkCommandTests.job) }", to: "job.json5")
    let killed = try Run(
      odometer: "run", "job.json5", in: scratch.folder, with: Fault(.kill, at: 1, of: "rename", "out"))
    #expect(killed.isKilled)
    try scratch.write("{ map: 'my.network', \(NetworkCommandTests.job) }", to: "job.json5")
    let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(run.status == 0 && run.output.hasSuffix("2 routes: 2 ok\n"), "\(run.error)")
  }

  @Test(arguments: [
    "route 0,0 -0.0018,0.0009 --map my.network", "eta 0,0 -0.0018,0.0009 --map my.network --by walking",
    "network info my.network", "network check my.network", "coverage make my.network",
    "bench my.network --repeat 1 --sizes 2x2 --nearest 1of2 --kinds build,p2p",
    "eta 0,0 -0.0018,0.0009 --map my.network --depart 2026-11-23T08:00:00Z --traffic t.json5",
  ])
  func commandsAcceptANetworkFileAsTheMap(line: String) throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    unlink(scratch.path("map.opl"))
    try scratch.write("{ classes: { street: { 'Mo-Fr 07:00-09:00': 2 } } }", to: "t.json5")
    let run = try Run(Project.binary, line.split(separator: " ").map(String.init), in: scratch.folder)
    #expect(run.status == 0 && !run.output.isEmpty, "\(run.error)")
  }

  @Test(
    arguments: [
      (
        "eta 0,0 0,0 --map my.network --by cycling", 2,
        "--by: got cycling, but my.network is a network file for walking"
      ),
      ("network build map.opl --output map.opl", 2, "--output: got map.opl, expected a name that ends in .network"),
      ("eta 0,0 0,0 --map my.network --avoid tolls", 3, "was built to avoid nothing, but the trips must avoid tolls"),
      ("network check no.network", 3, "no.network: there is no such network file"),
      (
        "network install map.opl --cache c", 3,
        "map.opl: it is not a network file; create one with odometer network build MAP"
      ),
      ("network install my.network --cache pairs.csv", 4, "pairs.csv/map.opl.walking."),
      ("network build map.opl --output none/my.network", 4, "; name another file with --output"),
      ("network list nowhere", 3, "nowhere: there is no such folder or map"),
    ] as [(String, Int32, String)])
  func explainsErrorsInOneLine(line: String, code: Int32, sentence: String) throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let run = try Run(Project.binary, line.split(separator: " ").map(String.init), in: scratch.folder)
    #expect(run.status == code && run.error.contains(sentence), "\(run.status) \(run.error)")
    #expect(run.error.split(separator: "\n").count == 1)
  }

  @Test(
    arguments: [
      (
        "transportType: 'cycling', kind: 'etas', pairs: 'pairs.csv'", 2,
        "job.json5:1: transportType: got cycling, but the map my.network is a network file for walking"
      ),
      (
        "tollPreference: 'avoid', kind: 'etas', pairs: 'pairs.csv'", 2,
        "tollPreference: the map my.network is a network file that avoids nothing, but the job avoids tolls; set map to"
      ),
      (
        "profile: 'mine.json5', kind: 'etas', pairs: 'pairs.csv'", 2,
        "job.json5: profile: the map my.network is a network file that was built with another profile, walking"
      ),
      (
        "kind: 'access', origins: 'places.csv', stations: 'osm:railway=station'", 3,
        "my.network: stations: osm:railway=station needs map objects, which a network file does not contain; set map to the extract"
      ),
    ] as [(String, Int32, String)])
  func jobsMustAgreeWithTheNetworkFile(keys: String, code: Int32, sentence: String) throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let profile = try String(contentsOfFile: Project.path("data/profiles/walking.json5"), encoding: .utf8)
    try scratch.write(profile + "\n// mine", to: "mine.json5")
    try scratch.write("id,lon,lat\n1,0,0\n", to: "places.csv")
    try scratch.write("{ map: 'my.network', output: 'out', \(keys) }", to: "job.json5")
    let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(run.status == code && run.error.contains(sentence), "\(run.status) \(run.error)")
  }

  @Test func networksWithAvoidancesServeJobsWithTheSame() throws {
    let scratch = try scratch("--avoid", "tolls")
    defer { scratch.remove() }
    try scratch.write("{ map: 'my.network', tollPreference: 'avoid', \(NetworkCommandTests.job) }", to: "job.json5")
    #expect(try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder).status == 0)
    #expect(try Run(odometer: "verify", "out", in: scratch.folder).status == 0)
  }

  // MARK: Installing

  @Test func eightRacingProcessesWriteOneCopy() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let calls = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let made = try? Fault.calls(
        below: "cache", of: ["network", "install", "my.network", "--cache", "cache"], in: scratch.folder)
      calls.withLock { $0 += made ?? ["failed"] }
    }
    let made = calls.withLock { $0 }
    #expect(made.count { $0.hasPrefix("rename") } == 1 && !made.contains("failed"), "\(made)")
    let copies = scratch.files(in: "cache")
    #expect(copies.count == 1 && copies[0].hasPrefix("map.opl.walking.") && copies[0].hasSuffix(".network"))
    #expect(scratch.bytes("cache/\(copies[0])") == scratch.bytes("my.network"))
    let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path("cache/\(copies[0])"))
    #expect(attributes[.posixPermissions] as? Int == 0o444)
    // The extract uses the installed network.
    let built = try Run(odometer: "network", "build", "map.opl", "--cache", "cache", in: scratch.folder)
    #expect(built.output == "cache/\(copies[0])\n" && scratch.files(in: "cache") == copies)
  }

  @Test func killedInstallationsAreRepeated() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let words = ["network", "install", "my.network", "--cache", "cache"]
    let calls = try Fault.calls(below: "cache", of: words, in: scratch.folder).count
    try FileManager.default.removeItem(atPath: scratch.path("cache"))
    for call in 1...calls {
      let killed = try Run(
        odometer: "network", "install", "my.network", "--cache", "cache", in: scratch.folder,
        with: Fault(.kill, at: call, "cache"))
      #expect(killed.isKilled)
    }
    let run = try Run(Project.binary, words, in: scratch.folder)
    #expect(run.status == 0 && scratch.files(in: "cache").count == 1, "\(scratch.files(in: "cache"))")
  }

  @Test func installAndCheckDetectAFlippedByte() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    var bytes = scratch.bytes("my.network")
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(fileURLWithPath: scratch.path("my.network")))
    for words in [["install", "my.network", "--cache", "cache"], ["check", "my.network"]] {
      let run = try Run(Project.binary, ["network"] + words, in: scratch.folder)
      #expect(
        run.status == 3
          && run.error == "odometer: my.network: the network file is corrupt or truncated; copy it again, or build it "
            + "again from its map\n",
        "\(run.error)")
    }
    #expect(scratch.files(in: "cache").isEmpty)
  }

  @Test func aCorruptCopyIsReplaced() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    func install() throws -> String {
      let run = try Run(odometer: "network", "install", "my.network", "--cache", "cache", in: scratch.folder)
      return String(run.output.dropLast())
    }
    let copy = try install()
    var bytes = scratch.bytes(copy)
    bytes[bytes.count - 1] ^= 1
    unlink(scratch.path(copy))
    try bytes.write(to: URL(fileURLWithPath: scratch.path(copy)))
    #expect(try install() == copy && scratch.bytes(copy) == scratch.bytes("my.network"))
  }

  @Test func listsAndRemovesUnusedFiles() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    try Run(odometer: "network", "build", "map.opl", in: scratch.folder)
    try scratch.write(TestMap.grid.opl, to: "map.opl")
    let list = try Run(odometer: "network", "list", in: scratch.folder)
    #expect(
      list.output.contains("in use: as a map") && list.output.contains("unused: the map next to it"))
    let plan = try Run(odometer: "network", "clean", "--dry-run", in: scratch.folder)
    #expect(plan.output.hasSuffix(" KiB, would be removed\n") && scratch.files.count == 4, "\(plan.output)")
    #expect(try Run(odometer: "network", "clean", in: scratch.folder).output.contains("\n1 file, "))
    #expect(scratch.files == ["map.opl", "my.network", "pairs.csv"])
  }
}
