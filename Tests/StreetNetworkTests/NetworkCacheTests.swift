import Foundation
import Geography
import StreetNetwork
import TestMaps
import Testing

struct NetworkCacheTests {
  private let map = TestMap("a-b-c\n  |\n  d").way("abc").way("bd")

  /// Creates a scratch folder with the map as a file.
  private func scratch() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write(map.opl, to: "map.opl")
    return scratch
  }

  private func open(_ scratch: Scratch, profile: Profile? = nil) throws -> (network: StreetNetwork, reports: [String]) {
    var reports: [String] = []
    let network = try StreetNetwork(map: scratch.path("map.opl"), profile: profile ?? .stock("walking")) {
      if case .replacing = $0 { reports.append("\($0)") }
    }
    return (network, reports)
  }

  private func networkFile(_ scratch: Scratch) throws -> String {
    try StreetNetwork.path(map: scratch.path("map.opl"), profile: .stock("walking"))
  }

  @Test func buildsANetworkOnceAndKeepsItNextToTheMap() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let first = try open(scratch)
    let file = try networkFile(scratch)
    let made = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
    let second = try open(scratch)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int == made)
    #expect(first.network.fingerprints == second.network.fingerprints)
    #expect(scratch.files.count == 2 && second.reports.isEmpty)
  }

  @Test func writesTheSameFileForTheSameMap() throws {
    let (a, b) = (try scratch(), try scratch())
    defer {
      a.remove()
      b.remove()
    }
    _ = try StreetNetwork(map: a.path("map.opl"), profile: .stock("walking"), workers: 1)
    _ = try StreetNetwork(map: b.path("map.opl"), profile: .stock("walking"), workers: 3)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: networkFile(a)))
        == Data(contentsOf: URL(fileURLWithPath: networkFile(b))))
  }

  @Test func rebuildsForAnEditedMapOrProfile() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let first = try open(scratch).network
    let text = String(
      decoding: FileManager.default.contents(atPath: Project.path("data/profiles/walking.json5"))!, as: UTF8.self)
    try scratch.write(text.replacingOccurrences(of: "residential: 5,", with: "residential: 4,"), to: "slow.json5")
    let slow = try open(scratch, profile: Profile(path: scratch.path("slow.json5"))).network
    try scratch.write(map.way("ad").opl, to: "map.opl")
    let edited = try open(scratch).network
    #expect(Set([first, slow, edited].map(\.fingerprints.network)).count == 3)
    #expect(edited.streetCount == first.streetCount + 1)
  }

  @Test(arguments: [0, 9, 20, 80, 140, 300, 900, -1])
  func detectsAFlippedBitAnywhere(at position: Int) throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let sound = try open(scratch).network.fingerprints
    let file = URL(fileURLWithPath: try networkFile(scratch))
    var bytes = try Data(contentsOf: file)
    bytes[position < 0 ? bytes.count - 1 : position] ^= 4
    try bytes.write(to: file)
    let (network, reports) = try open(scratch)
    #expect(reports.count == 1 && reports[0].contains("rebuilding it"))
    #expect(network.fingerprints == sound)
    #expect(try open(scratch).reports.isEmpty)
  }

  @Test func saysWhyANetworkFileCannotBeRead() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    _ = try open(scratch)
    let path = try networkFile(scratch)
    unlink(path)
    #expect(symlink(path, path) == 0)
    let reports = try open(scratch).reports
    #expect(
      reports == ["\(path): the network file cannot be read: Too many levels of symbolic links; rebuilding it"])
  }

  @Test(arguments: ["", "x", "ODOMETER", "some other file of somebody else's, long enough to have a header"])
  func replacesAForeignFile(text: String) throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    try Data(text.utf8).write(to: URL(fileURLWithPath: networkFile(scratch)))
    #expect(try open(scratch).reports.count == 1)
  }

  @Test func detectsATruncatedFile() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    _ = try open(scratch)
    let file = URL(fileURLWithPath: try networkFile(scratch))
    try Data(contentsOf: file).dropLast(64).write(to: file)
    #expect(try open(scratch).reports.count == 1)
  }

  @Test func reportsUnreadableMaps() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write("", to: "empty.osm.pbf")
    try scratch.write("no map at all", to: "text.osm.pbf")
    try scratch.write("<osm version='0.6'><way id='1'><nd ref='1'/>", to: "cut.osm")
    for (name, words) in [
      ("none.osm.pbf", "no such map"), (".", "folder"), ("empty.osm.pbf", "empty"), ("text.osm.pbf", "cannot be read"),
      ("cut.osm", "cannot be read"),
    ] {
      let error = #expect(throws: OdometerError.self) {
        try StreetNetwork(map: scratch.path(name), profile: .stock("walking"))
      }
      #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }
  }

  @Test func readsPlainAndCompressedXML() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write(
      """
      <osm version="0.6">
        <way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="footway"/></way>
        <node id="2" lat="0" lon="0.001"/><node id="1" lat="0" lon="0"/>
      </osm>
      """, to: "map.osm")
    #expect(try StreetNetwork(map: scratch.path("map.osm"), profile: .stock("walking")).streetCount == 1)
    try Run("/usr/bin/env", ["gzip", "-k", "map.osm"], in: scratch.folder)
    try Run("/usr/bin/env", ["bzip2", "-k", "map.osm"], in: scratch.folder)
    #expect(try StreetNetwork(map: scratch.path("map.osm.gz"), profile: .stock("walking")).streetCount == 1)
    #expect(try StreetNetwork(map: scratch.path("map.osm.bz2"), profile: .stock("walking")).streetCount == 1)
  }
}
