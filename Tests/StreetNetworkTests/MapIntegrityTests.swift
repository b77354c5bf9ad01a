import Foundation
import Geography
import StreetNetwork
import TestMaps
import Testing

/// Maps that look intact but are not.
struct MapIntegrityTests {
  private static let strings = ["", "highway", "footway"]
  private static let blocks = PBF.file(
    strings: strings,
    [PBF.node(1, longitude: 0), PBF.node(2, longitude: 10_000), PBF.way(1, nodes: [1, 2], tags: [(1, 2)])])

  private static func xml(_ remark: String = "") -> Data {
    Data(
      """
      <osm version="0.6"><node id="1" lat="0" lon="0"/><node id="2" lat="0" lon="0.001"/>
      <way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="footway"/></way>\(remark)</osm>

      """.utf8)
  }

  /// Returns the same map, compressed by the tool for a file type.
  private static func compressed(_ map: Data, _ type: String) throws -> Data {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try map.write(to: URL(filePath: scratch.path("map")))
    try Run("/usr/bin/env", [type == "gz" ? "gzip" : "bzip2", "map"], in: scratch.folder)
    return scratch.bytes("map.\(type)")
  }

  /// Returns the problem that is reported for a map; empty if the network has the map's only street.
  private static func problem(_ map: Data, _ type: String) throws -> String {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = scratch.path("map.osm.\(type)")
    try map.write(to: URL(filePath: path))
    do {
      return try StreetNetwork(map: path, profile: .stock("walking")).streetCount == 1 ? "" : "another map"
    } catch let error as OdometerError {
      return error.problem
    }
  }

  @Test(
    arguments: [3, 4, 4096], [PBF.packed(PBF.block(strings: MapIntegrityTests.strings, [])), Data("ab".utf8), Data()])
  func aBlockOfLengthZeroIsNotTheEnd(zeros: Int, rest: Data) throws {
    #expect(try Self.problem(Self.blocks, "pbf") == "")
    let problem = try Self.problem(Self.blocks + Data(count: zeros) + rest, "pbf")
    #expect(problem.hasSuffix("; is the download complete?"))
  }

  @Test(arguments: [Data("no map".utf8), Data(blocks.prefix(40)), blocks + Data(count: 3)])
  func corruptMapsAreClosed(map: Data) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = scratch.path("map.osm.pbf")
    try map.write(to: URL(filePath: path))
    #expect(throws: OdometerError.self) { try StreetNetwork(map: path, profile: .stock("walking")) }
    let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let open = files.map { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
    #expect(!open.contains(path))
  }

  @Test(arguments: [
    (#"<way id="1"><nd ref="2"/><nd ref="1"/><tag k="highway" v="path"/></way>"#, "way 1 has several versions"),
    (#"<way id="2" visible="false"><nd ref="1"/></way>"#, "way 2 is deleted"),
  ])
  func historiesAreRefused(more: String, problem: String) throws {
    #expect(try Self.problem(Self.xml(more), "xml").contains("\(problem); expected an extract for one date"))
  }

  @Test(arguments: [
    (
      #"<way id="9"><nd ref="1"/><nd ref="2"/><tag k="highway" v="path"/></way>"#
        + #"<way id="1"><nd ref="2"/><nd ref="1"/><tag k="highway" v="path"/></way>"#,
      "way 1 occurs several times in the map; expected each object once"
    ),
    (
      #"<way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="footway"/></way>"#,
      "way 1 occurs several times in the map"
    ),
    (#"<node id="9" lat="0" lon="0"/><node id="1" lat="5" lon="5"/>"#, "node 1 occurs several times in the map"),
    (#"<way id="9" action="delete"><nd ref="1"/></way>"#, "way 9 is deleted (action="),
  ])
  func repeatedAndDeletedObjectsAreRefused(more: String, problem: String) throws {
    let found = try Self.problem(Self.xml(more), "xml")
    #expect(found.contains(problem), "\(found)")
  }

  @Test func waysEndAtTheAntimeridian() throws {
    let longitudes = ["179.99", "179.995", "-179.995", "-179.99"]
    let nodes = longitudes.enumerated().map { #"<node id="\#($0 + 1)" lat="0" lon="\#($1)"/>"# }.joined()
    let way = (1...4).map { #"<nd ref="\#($0)"/>"# }.joined() + #"<tag k="highway" v="footway"/>"#
    let scratch = try Scratch()
    defer { scratch.remove() }
    let map = try scratch.write(#"<osm version="0.6">\#(nodes)<way id="1">\#(way)</way></osm>"#, to: "map.osm")
    let network = try StreetNetwork(map: map, profile: .stock("walking"))
    // Five thousandths of a degree on each side.
    #expect((0..<network.streetCount).map { network.street(StreetID($0)).centimetres / 10_000 } == [5, 5])
  }

  @Test(arguments: ["", "gz", "bz2"])
  func refusesMapsAbortedByOverpass(type: String) throws {
    func problem(_ words: String) throws -> String {
      let xml = Self.xml("<remark> \(words) </remark>")
      return try type.isEmpty ? Self.problem(xml, "xml") : Self.problem(Self.compressed(xml, type), type)
    }
    #expect(try problem("runtime remark: all is well") == "")
    let words = #"runtime error: Query timed out in "query" at line 3 after 2 seconds."#
    #expect(try problem(words).contains(#"Overpass gave up before its end: "\#(words)"; ask it"#))
  }

  @Test(arguments: ["gz", "bz2"])
  func refusesBytesAfterCompressedMapsExceptMembersAndZeros(type: String) throws {
    let (start, end) = (Self.xml().prefix(50), Self.xml().dropFirst(50))
    let members = try Self.compressed(Data(start), type) + Self.compressed(Data(end), type)
    #expect(try Self.problem(members, type) == "")
    #expect(try Self.problem(members + Data(count: 1000), type) == "")
    for rest in [Data("x".utf8), Data(count: 10) + Data("x".utf8), Data(count: 10) + members] {
      #expect(try Self.problem(members + rest, type).contains("other bytes follow the end of the compressed data"))
    }
    #expect(try Self.problem(members.dropLast(5), type).hasSuffix("; is the download complete?"))
  }

  @Test func mapsWithoutRelationsAreReported() throws {
    let relation = #"<relation id="1"><member type="way" ref="1" role=""/><tag k="type" v="site"/></relation>"#
    for (more, events) in [("", 1), (relation, 0)] {
      let scratch = try Scratch()
      defer { scratch.remove() }
      try Self.xml(more).write(to: URL(filePath: scratch.path("map.osm")))
      var reports: [String] = []
      let network = try StreetNetwork(map: scratch.path("map.osm"), profile: .stock("walking")) {
        if case .lacksRelations = $0 { reports.append("\($0)") }
      }
      #expect(reports.count == events && reports.allSatisfy { $0.contains("has ways but no relations: turn") })
      #expect(network.facts.count { $0.0 == "relations" } == events)
    }
  }
}
