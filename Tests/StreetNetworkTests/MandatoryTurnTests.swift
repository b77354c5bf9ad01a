import COsmium
import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Every mandatory turn of real maps: found independently in the map, by the points of its ways, and compared with
/// trips from its first street to all streets at its last junction.
@Suite(.enabled(if: Project.hasHelsinki, "the sample map is missing: make sample"))
struct MandatoryTurnTests {
  @Test(arguments: RealMapTests.maps, ["automobile", "cycling"])
  func mandatoryTurnsAreTheOnlyOnes(map: String, profile: String) throws {
    let network = try StreetNetwork(map: map, profile: .stock(profile))
    let streets = DrawnJunctions(network)
    let trips = Dijkstra(network.states.arcs)
    var checked = 0
    for turn in try MandatoryTurns(map, by: profile).turns {
      guard let way = streets.sequence(turn), let to = streets.leaving(turn.via.last!, towards: turn.to) else {
        continue
      }
      // Pedestrians who push a bicycle may turn.
      guard !way.contains(where: { network.street($0.street).isPushed(isReversed: $0.isReversed) }) else { continue }
      checked += 1
      let from = try #require(network.states.start(of: way[0]))
      let exits = streets.leaving(turn.via.last!).filter { $0 != way.last!.opposite }
      for exit in exits {
        let end = Snap(justOn: exit, of: network)
        guard let path = trips.path(from: [Seed(StateID(from))], to: network.targets(end).seeds) else {
          #expect(exit != to, "relation \(turn.id) of \(map) leads nowhere by \(profile)")
          continue
        }
        let last = network.targets(end).streets[path.target]
        let travelled = [way[0]] + path.arcs.map { network.states.streets[Int($0.index)] } + [last]
        let isDirect = travelled.starts(with: way + [exit])
        #expect(isDirect == (exit == to), "relation \(turn.id) of \(map) by \(profile)")
      }
    }
    #expect(checked > 0 || map != Project.helsinki || profile != "automobile")
  }
}

/// A mandatory turn, given by the coordinates of nodes.
private struct MandatoryTurn {
  var id: Int64
  /// The last node before the first junction.
  var from: FixedCoordinate
  /// The junction, or the nodes of the via ways from the first junction to the last.
  var via: [FixedCoordinate]
  /// The first node after the last junction.
  var to: FixedCoordinate
}

/// The mandatory turns of a map that always apply, between ways that end at the junction, so that no part of a way
/// needs to be chosen.
private struct MandatoryTurns {
  private(set) var turns: [MandatoryTurn] = []

  private struct Relation {
    var id: Int64
    var from: Int64
    var via: [(isNode: Bool, id: Int64)]
    var to: Int64
  }

  init(_ map: String, by profile: String) throws {
    var ways: [Int64: [Int64]] = [:]
    var relations: [Relation] = []
    let exempt: Set<Substring> =
      profile == "cycling" ? ["vehicle", "bicycle"] : ["vehicle", "motor_vehicle", "motorcar"]
    try OSMSource.file(map).readWays(having: ["highway"]) { object in
      switch object {
      case .way(let way):
        ways[way.id] = Array(UnsafeBufferPointer(start: way.nodes, count: way.node_count))
      case .relation(let relation):
        let tags = tags(of: relation)
        guard tags["type"] == "restriction", tags["restriction"]?.hasPrefix("only_") == true,
          tags["restriction"]?.hasSuffix("_on_red") == false,
          !tags.keys.contains(where: { $0.hasPrefix("restriction:") || $0.hasPrefix("day_") || $0.hasPrefix("hour_") }),
          exempt.isDisjoint(with: tags["except"]?.replacing(" ", with: "").split(separator: ";") ?? [])
        else { return }
        let members = UnsafeBufferPointer(start: relation.members, count: relation.member_count).map {
          (isNode: $0.type == CChar(UInt8(ascii: "n")), id: $0.ref, role: String(cString: $0.role))
        }
        let (from, to) = (members.filter { $0.role == "from" }, members.filter { $0.role == "to" })
        let via = members.filter { $0.role == "via" }.map { ($0.isNode, $0.id) }
        guard from.count == 1, to.count == 1, via.count == 1 || !via.contains(where: \.0) else { return }
        relations.append(Relation(id: relation.id, from: from[0].id, via: via, to: to[0].id))
      }
    }
    var points: [Int64: FixedCoordinate] = [:]
    let wanted = Set(relations.flatMap { [$0.from, $0.to] + $0.via.map(\.id) }.flatMap { ways[$0] ?? [] })
    try OSMSource.file(map).readNodes { node in
      guard wanted.contains(node.id) else { return }
      points[node.id] = FixedCoordinate(longitude: node.longitude, latitude: node.latitude)
    }
    for relation in relations {
      guard let from = ways[relation.from], let to = ways[relation.to] else { continue }
      var via: [Int64]
      if relation.via[0].isNode {
        via = [relation.via[0].id]
      } else {
        // The via ways are joined end to end, in the order of the members.
        var at = [from.first!, from.last!]
        via = []
        for way in relation.via.compactMap({ ways[$0.id] }) {
          guard at.contains(way.first!) || at.contains(way.last!) else { break }
          let drawn = at.contains(way.first!) ? way : way.reversed()
          via += via.isEmpty ? drawn[...] : drawn.dropFirst()
          at = [drawn.last!]
        }
      }
      guard let first = via.first, let last = via.last, from.first != from.last, to.first != to.last,
        let before = MandatoryTurns.node(of: from, nextTo: first),
        let behind = MandatoryTurns.node(of: to, nextTo: last)
      else { continue }
      let nodes = ([before] + via + [behind]).compactMap { points[$0] }
      guard nodes.count == via.count + 2 else { continue }
      turns.append(
        MandatoryTurn(
          id: relation.id, from: nodes[0], via: Array(nodes.dropFirst().dropLast()), to: nodes[nodes.count - 1]))
    }
  }

  /// Returns the node next to an end of a way; nil if `end` is not one of its ends.
  private static func node(of way: [Int64], nextTo end: Int64) -> Int64? {
    if way.first == end { return way[1] }
    return way.last == end ? way[way.count - 2] : nil
  }
}

private func tags(of relation: COsmiumRelation) -> [String: String] {
  guard let bytes = relation.tags.bytes else { return [:] }
  let texts = UnsafeBufferPointer(start: bytes, count: relation.tags.size).split(
    separator: 0, omittingEmptySubsequences: false
  ).map { String(decoding: $0.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
  return Dictionary(stride(from: 0, to: texts.count - 1, by: 2).map { (texts[$0], texts[$0 + 1]) }) { $1 }
}

/// The open streets of a network by their first point, each with its second point.
private struct DrawnJunctions {
  private let network: StreetNetwork
  private var starting: [FixedCoordinate: [(next: FixedCoordinate, street: DirectedStreet)]] = [:]

  init(_ network: StreetNetwork) {
    self.network = network
    for number in 0..<network.streetCount {
      let shape = network.points[network.shape(of: StreetID(number))]
      for isReversed in [false, true] where network.street(StreetID(number)).isOpen(isReversed: isReversed) {
        let drawn = isReversed ? Array(shape.reversed()) : Array(shape)
        starting[drawn[0], default: []].append(
          (drawn[1], DirectedStreet(StreetID(number), isReversed: isReversed)))
      }
    }
  }

  func leaving(_ point: FixedCoordinate) -> [DirectedStreet] { (starting[point] ?? []).map(\.street) }

  /// Returns the only street from a point toward another; nil if there is none or several.
  func leaving(_ point: FixedCoordinate, towards next: FixedCoordinate) -> DirectedStreet? {
    let streets = (starting[point] ?? []).filter { $0.next == next }
    return streets.count == 1 ? streets[0].street : nil
  }

  /// Returns the streets of a turn, except the last; nil if one is closed.
  func sequence(_ turn: MandatoryTurn) -> [DirectedStreet]? {
    let arriving = starting.values.joined().map(\.street).filter { street in
      let shape = network.points[network.shape(of: street.street)]
      let drawn = street.isReversed ? Array(shape.reversed()) : Array(shape)
      return drawn[drawn.count - 1] == turn.via[0] && drawn[drawn.count - 2] == turn.from
    }
    guard arriving.count == 1 else { return nil }
    var streets = arriving
    var at = 0
    while at < turn.via.count - 1 {
      guard let street = leaving(turn.via[at], towards: turn.via[at + 1]) else { return nil }
      let shape = network.points[network.shape(of: street.street)]
      at += shape.count - 1
      guard at < turn.via.count, (street.isReversed ? shape.first : shape.last) == turn.via[at] else { return nil }
      streets.append(street)
    }
    return streets
  }
}

extension Snap {
  /// Creates a point just after the start of a street.
  fileprivate init(justOn street: DirectedStreet, of network: StreetNetwork) {
    self.init(
      position: StreetPosition(street: street.street, fraction: street.isReversed ? 0.9 : 0.1, segment: 0),
      point: network.points[0], distance: 0)
  }
}
