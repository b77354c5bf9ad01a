import Foundation
import Geography
import StreetNetwork
import TestMaps
import Testing

struct StreetPartTests {
  @Test func aStreetOfOneWayIsOnePart() throws {
    let network = try TestMap("a-b-c\n  |\n  d").way("abc").way("bd").network()
    #expect(network.drawnParts == ["1 a b", "1 b c", "2 b d"])
  }

  @Test func aStreetOfTwoWaysHasAPartForEach() throws {
    let map = TestMap("a-b-c-d").way("abc", ["name": "x"]).way("cd", ["name": "x"])
    #expect(try map.network().drawnParts == ["1 a c, 2 c d"])
  }

  @Test func aPartAgainstItsWayIsReversed() throws {
    let map = TestMap("a-b-c-d").way("ab", ["name": "x"]).way("cb", ["name": "x"]).way("cd", ["name": "x"])
    #expect(try map.network().drawnParts == ["1 a b, -2 b c, 3 c d"])
  }

  /// Cars ignore the footway, so the street is not split where they meet.
  @Test func piecesOfOneWayAreOnePart() throws {
    let map = TestMap("a-b-c\n  |\n  d").way("abc").way("bd", ["highway": "footway"])
    #expect(try map.network(profile: .stock("automobile")).drawnParts == ["1 a c"])
  }

  @Test func closedWaysEndPartsAtTheirFirstNode() throws {
    let map = TestMap("a-b-e\n| |\nd-c").way("cdabc", ["name": "x"]).way("be", ["name": "y"])
    #expect(try map.network().drawnParts.contains { $0 == "1 b c, 1 c b" || $0 == "-1 b c, -1 c b" })
  }

  @Test func gatesHaveNoParts() throws {
    let map = TestMap("a-b-c").way("abc").node("b", ["barrier": "gate", "access": "private"])
    let network = try map.network()
    #expect(network.drawnParts.sorted() == ["", "", "1 a b", "1 b c"])
  }

  @Test func linesAcrossSquaresHaveNoWay() throws {
    let map = TestMap("a-b---c\n  |   |\n  e---d-f").way("ab").way("df")
      .way("bcdeb", ["highway": "pedestrian", "area": "yes"])
    #expect(try map.network().drawnParts == ["-3 b d", "0 b d", "1 a b", "2 d f", "3 b d"])
  }

  @Test func partLengthsAddUpToTheLengthOfTheStreet() throws {
    let map = TestMap("a-b-c-d", spacing: 33.333).way("ab", ["name": "x"]).way("cb", ["name": "x"])
      .way("cd", ["name": "x"])
    let network = try map.network()
    let shares = network.parts(of: StreetID(0)).map(\.centimetres)
    #expect(shares.count == 3 && shares.allSatisfy { abs(Int($0) - 3333) <= 1 })
    #expect(shares.reduce(0, +) == network.street(StreetID(0)).centimetres)
  }

  /// Every part of real maps, compared with an independent reader of the file.
  @Test(arguments: RealMapTests.maps.filter(FileManager.default.fileExists), ["walking", "automobile"])
  func partsAreRunsOfTheirWays(map: String, profile: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let network = try StreetNetwork(.file(map), profile: .stock(profile), at: scratch.path("map.network"))
    let streets = (0..<network.streetCount).map { StreetID($0) }
    let file = try MapFile(map, ways: Set(streets.flatMap { network.parts(of: $0).map(\.way) }))
    var wrong = 0
    for street in streets {
      let parts = network.parts(of: street)
      let shape = network.shape(of: street)
      let covers =
        parts.first?.points.lowerBound == shape.lowerBound && parts.last?.points.upperBound == shape.upperBound
        && zip(parts, parts.dropFirst()).allSatisfy {
          $0.headNode == $1.tailNode && $0.points.upperBound == $1.points.lowerBound + 1
        }
      let isGate = network.street(street).flags.contains(.gate)
      if isGate ? !parts.isEmpty : !covers || !parts.allSatisfy({ file.has($0, in: network) }) { wrong += 1 }
    }
    #expect(wrong == 0 && network.streetCount > 1000)
  }
}

/// The ways and nodes of a map, read without the importer.
private struct MapFile {
  var ways: [Int64: [Int64]] = [:]
  var nodes: [Int64: FixedCoordinate] = [:]

  init(_ path: String, ways used: Set<Int64>) throws {
    try OSMSource.file(path).readWays(used) {
      ways[$0.id] = Array(UnsafeBufferPointer(start: $0.nodes, count: $0.node_count))
    }
    try OSMSource.file(path).readNodes {
      nodes[$0.id] = FixedCoordinate(longitude: $0.longitude, latitude: $0.latitude)
    }
  }

  /// Returns whether a part's points are the nodes of its way, from its tail to its head, in order.
  func has(_ part: StreetPart, in network: StreetNetwork) -> Bool {
    let points = network.points[part.points]
    guard points.first == nodes[part.tailNode], points.last == nodes[part.headNode] else { return false }
    guard part.way != 0 else { return points.count == 2 }
    guard let way = ways[part.way] else { return false }
    let line = (part.isReversed ? way.reversed() : way).reduce(into: [Int64]()) { if $0.last != $1 { $0.append($1) } }
    return line.indices.contains { start in
      line[start] == part.tailNode && start + points.count <= line.count
        && line[start + points.count - 1] == part.headNode
        && zip(line[start...], points).allSatisfy { nodes[$0] == $1 }
    }
  }
}

extension StreetNetwork {
  /// The parts of each street by the letters of a drawn map: "-2 b c" is a part from b to c against way 2. Each street
  /// begins at the end with the earlier letter, and streets are sorted.
  fileprivate var drawnParts: [String] {
    func letter(_ node: Int64) -> String { String(UnicodeScalar(UInt8(96 + node))) }
    return (0..<streetCount).map { index in
      var parts = parts(of: StreetID(index)).map {
        (way: $0.isReversed ? -$0.way : $0.way, tail: letter($0.tailNode), head: letter($0.headNode))
      }
      if let first = parts.first, let last = parts.last, first.tail > last.head {
        parts = parts.reversed().map { (-$0.way, $0.head, $0.tail) }
      }
      return parts.map { "\($0.way) \($0.tail) \($0.head)" }.joined(separator: ", ")
    }.sorted()
  }
}
