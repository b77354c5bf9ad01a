import Foundation
import Geography
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Files in which one object breaks a rule of OpenStreetMap: the object is ignored and counted.
struct OddFileTests {
  /// Returns a map with two consecutive footways, and a third one whose far end is `end`.
  private static func xml(end: String = #"lat="0" lon="0.004""#, tag: String = "", role: String = "from") -> String {
    """
    <osm version="0.6">
    <node id="1" lat="0" lon="0.001"/><node id="2" lat="0" lon="0.002"/><node id="3" lat="0" lon="0.003"/>
    <node id="4" \(end)/>
    <way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="footway"/>\(tag)<tag k="name" v="x"/></way>
    <way id="2"><nd ref="2"/><nd ref="3"/><tag k="highway" v="footway"/></way>
    <way id="3"><nd ref="3"/><nd ref="4"/><tag k="highway" v="footway"/></way>
    <relation id="1"><member type="way" ref="1" role="\(role)"/><tag k="type" v="restriction"/></relation>
    </osm>
    """
  }

  private static func network(_ data: Data, _ name: String) throws -> StreetNetwork {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try data.write(to: URL(filePath: scratch.path(name)))
    return try StreetNetwork(.file(scratch.path(name)), profile: .stock("walking"), at: scratch.path("network"))
  }

  /// Returns the route along the first two footways.
  private static func route(_ network: StreetNetwork) throws -> Route {
    let request = DirectionsRequest(
      source: Place(latitude: 0, longitude: 0.001), destination: Place(latitude: 0, longitude: 0.003))
    return try #require(Directions(network: network).calculateAndWait(request).first)
  }

  @Test(arguments: [
    "", #"lat="0""#, #"lat="" lon="""#, #"lat="north" lon="nan""#, #"lat="99" lon="0.004""#,
    #"lat="52999999999999" lon="0.004""#, #"lat="0,5" lon="0.004""#,
  ])
  func countsNodesWithoutAPosition(end: String) throws {
    let network = try Self.network(Data(Self.xml(end: end).utf8), "map.osm")
    #expect(network.counts.nodesWithoutPosition == 1 && network.counts.incompleteWays == 1)
    #expect(abs(try Self.route(network).distance - 222.4) < 0.1)
  }

  @Test(arguments: [1_025, 65_535, 65_536, 65_537, 1_000_000], [true, false])
  func omitsOverlongTags(length: Int, ofKey: Bool) throws {
    let text = String(repeating: "x", count: length)
    let tag = #"<tag k="\#(ofKey ? text : "note")" v="\#(ofKey ? "yes" : text)"/>"#
    let network = try Self.network(Data(Self.xml(tag: tag).utf8), "map.osm")
    #expect(network.counts.overlongTags == 1 && network.counts.ways == 3)
    #expect(try Self.route(network).steps.first?.instructions == "Head east on x")
    #expect(abs(try Self.route(network).distance - 222.4) < 0.1)
  }

  @Test func keepsShortTagsWithManyBytes() throws {
    let tags = (0..<20).map { #"<tag k="note:\#($0)" v="\#(String(repeating: "é", count: 255))"/>"# }.joined()
    let network = try Self.network(Data(Self.xml(tag: tags).utf8), "map.osm")
    #expect(network.counts.overlongTags == 0)
    #expect(try Self.route(network).steps.first?.instructions == "Head east on x")
  }

  @Test func toleratesOverlongRoles() throws {
    let role = String(repeating: "x", count: 70_000)
    let network = try Self.network(Data(Self.xml(role: role).utf8), "map.osm")
    #expect(abs(try Self.route(network).distance - 222.4) < 0.1)
  }

  @Test(arguments: ["xnowhere ynowhere", "x0.004 y", "x0.004", "", "x1e9 y0"])
  func countsNodesWithoutAPositionInText(position: String) throws {
    let opl = """
      n1 v1 T x0.001 y0
      n2 v1 T x0.003 y0
      n3 v1 Tnote=\(String(repeating: "x", count: 70_000)) \(position)
      w1 v1 Thighway=footway Nn1x0.001y0,n2xhereythere
      w2 v1 Thighway=footway Nn2,n3

      """
    let network = try Self.network(Data(opl.utf8), "map.opl")
    #expect(network.counts.nodesWithoutPosition == 1 && network.counts.incompleteWays == 1)
    #expect(abs(try Self.route(network).distance - 222.4) < 0.1)
  }

  @Test(arguments: [1_025, 65_535, 65_536, 70_000])
  func omitsOverlongTagsOfBlocks(length: Int) throws {
    let nodes = [(1, 10_000), (2, 20_000), (3, 30_000), (4, 1_800_000_001)].map { PBF.node($0, longitude: $1) }
    let ways = [(1, [1, 2]), (2, [2, 3]), (3, [3, 4])].map { PBF.way($0, nodes: $1, tags: [(1, 2), (3, 4)]) }
    let strings = ["", "highway", "footway", "note", String(repeating: "x", count: length)]
    let network = try Self.network(PBF.file(strings: strings, nodes + ways), "map.osm.pbf")
    #expect(network.counts.overlongTags == 3 && network.counts.nodesWithoutPosition == 1)
    #expect(abs(try Self.route(network).distance - 222.4) < 0.1)
  }

  /// Tags of the third way contain strings with a NUL.
  @Test(arguments: [
    [(1, 2), (3, 4), (5, 6)], [(3, 4), (1, 2)], [(1, 2), (3, 8), (7, 4)], [(1, 2), (4, 2)], [(3, 4)],
  ])
  func dropsAllTagsOfAWayWithANUL(tags: [(Int, Int)]) throws {
    let ways = [PBF.way(1, nodes: [1, 2], tags: [(1, 2)]), PBF.way(2, nodes: [2, 3], tags: [(1, 2), (7, 2)])]
    let objects = Self.nodes + ways + [PBF.way(3, nodes: [3, 4], tags: tags)]
    let network = try Self.network(PBF.file(strings: Self.strings, objects), "map.osm.pbf")
    #expect(network.counts.objectsWithNUL == 1 && network.counts.ways == 2)
    #expect(abs(try Self.route(network).distance - 222.4) < 0.1)
  }

  @Test(arguments: [true, false])
  func dropsAllTagsOfANodeWithANUL(isDense: Bool) throws {
    let nodes =
      isDense
      ? [PBF.denseNodes([(1, 10_000, []), (2, 20_000, [(9, 10), (5, 6), (3, 4)]), (3, 30_000, [])])]
      : [PBF.node(1, longitude: 10_000), PBF.node(2, longitude: 20_000, tags: [(9, 10), (5, 6), (3, 4)])]
        + [PBF.node(3, longitude: 30_000)]
    let ways = [PBF.way(1, nodes: [1, 2, 3], tags: [(1, 2)])]
    let network = try Self.network(PBF.file(strings: Self.strings, nodes + ways), "map.osm.pbf")
    #expect(network.counts.objectsWithNUL == 1 && network.counts.incompleteWays == 0)
    #expect(abs(try Self.route(network).distance - 222.4) < 0.1, "the gate at 2 is closed")
  }

  @Test(arguments: [(13, [(11, 12)]), (14, [(11, 12), (3, 4)])])
  func dropsARelationWithANUL(role: Int, tags: [(Int, Int)]) throws {
    let relation = PBF.relation(1, members: [(role, 1)], tags: tags)
    let ways = [PBF.way(1, nodes: [1, 2, 3], tags: [(1, 2)])]
    let network = try Self.network(PBF.file(strings: Self.strings, Self.nodes + ways + [relation]), "map.osm.pbf")
    #expect(network.counts.objectsWithNUL == 1 && network.counts.restrictions.broken == 0)
    #expect(network.facts.contains { $1.hasSuffix("all tags of 1 object with a NUL in one of them") })
  }

  private static let nodes = [(1, 10_000), (2, 20_000), (3, 30_000), (4, 40_000)].map { PBF.node($0, longitude: $1) }
  private static let strings = [
    "", "highway", "footway", "note", "a\0b", "access", "no", "name", String(repeating: "x", count: 1_100), "barrier",
    "gate", "type", "restriction", "from\0", "from",
  ]
}
