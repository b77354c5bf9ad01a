import COsmium
import Foundation
import Geography
import Hierarchy

/// All streets of an extract, including streets that the network does not use, to explain why a route is missing. Reads
/// the extract twice and takes as much memory as building the network.
package struct MapStreets {
  let network: StreetNetwork
  package let reach: MainReach
  let raw: RawWays
  /// The nodes of the ways, and their coordinates; nil for nodes missing from the file.
  private let nodeIndex: NodeIndex
  private let points: [FixedCoordinate?]
  /// The node index of each node reference of the ways.
  let nodes: [UInt32]
  /// The tags of nodes that restrict passage, by node index.
  private(set) var barriers: [UInt32: TagList] = [:]
  /// The nodes that no trip may pass.
  private(set) var blocked: Set<UInt32> = []
  /// The turn restrictions, each with the relation's id and its tag: `restriction=no_left_turn`.
  private(set) var restrictions: [(id: Int64, tag: String, turn: TurnRestriction)] = []
  /// The directions in which the network uses each way: 1 is forward, 2 backward, 3 both.
  let uses: [UInt8]

  /// *Throws*: `OdometerError`.
  package init(_ source: OSMSource, of network: StreetNetwork) throws {
    let profile = network.profile
    var raw = RawWays()
    var restrictions: [(id: Int64, tag: String, turn: TurnRestriction)] = []
    try source.readWays(having: profile.wayKeys) { object in
      switch object {
      case .way(let way):
        let tags = Tags(way.tags)
        guard way.node_count > 1, !profile.isOutline(way, tags), tags["highway"] != nil || profile.carriesPeople(tags)
        else { return }
        raw.append(way)
      case .relation(let relation):
        let tags = TagList(Tags(relation.tags))
        guard tags["type"]?.hasPrefix("restriction") == true else { return }
        let tag = tags.pairs.first { $0.key.hasPrefix("restriction") }.map { "\($0.key)=\($0.value)" } ?? "restriction"
        for case .restriction(let turn) in TurnRestriction.read(relation, profile.turns, for: profile.vehicle) {
          restrictions.append((relation.id, tag, turn))
        }
      }
    }
    let nodeIndex = NodeIndex(raw.references)
    var points = [FixedCoordinate?](repeating: nil, count: nodeIndex.count)
    var (barriers, blocked) = ([UInt32: TagList](), Set<UInt32>())
    try source.readNodes { node in
      guard let index = nodeIndex[node.id] else { return }
      points[index] = FixedCoordinate(longitude: node.longitude, latitude: node.latitude)
      let tags = Tags(node.tags)
      guard !tags.isEmpty, case let passage = profile.passage(tags).passage, passage != .open else { return }
      barriers[UInt32(index)] = TagList(tags)
      if passage == .closed || passage == .closedAcross { blocked.insert(UInt32(index)) }
    }
    reach = MainReach(network)
    nodes = raw.references.map { UInt32(nodeIndex[$0]!) }
    uses = MapStreets.uses(of: raw, network)
    (self.network, self.raw, self.nodeIndex, self.points) = (network, raw, nodeIndex, points)
    (self.barriers, self.blocked, self.restrictions) = (barriers, blocked, restrictions)
  }

  private static func uses(of raw: RawWays, _ network: StreetNetwork) -> [UInt8] {
    let indices = Dictionary(raw.ways.enumerated().map { ($1.id, $0) }) { first, _ in first }
    var uses = [UInt8](repeating: 0, count: raw.ways.count)
    for street in (0..<network.streetCount).map({ StreetID($0) }) {
      for part in network.parts(of: street) {
        guard let way = indices[part.way] else { continue }
        for isReversed in [false, true] where network.isOpen(DirectedStreet(street, isReversed: isReversed), nil) {
          uses[way] |= isReversed == part.isReversed ? 1 : 2
        }
      }
    }
    return uses
  }

  var nodeCount: Int { nodeIndex.count }

  func point(_ node: UInt32) -> FixedCoordinate? { points[Int(node)] }

  func id(ofNode node: UInt32) -> Int64 { nodeIndex.ids[Int(node)] }

  /// Returns the index of a node among the nodes of the ways.
  func index(ofNode id: Int64) -> UInt32? { nodeIndex[id].map { UInt32($0) } }

  func isUsed(_ way: Int, _ direction: Direction) -> Bool { uses[way] & (direction == .forward ? 1 : 2) != 0 }
}

extension Profile {
  /// Returns whether a way without `highway` carries people: a ferry, a car train, a pier.
  fileprivate func carriesPeople(_ tags: Tags) -> Bool { speeds.classify(tags) != nil || mayUse(tags) }
}

extension MapStreets {
  /// The origin or destination of a trip.
  package enum Endpoint: Sendable {
    /// On a street of the network.
    case snap(Snap)
    /// A place far from the network, on the nearest way of the map.
    case place(FixedCoordinate)
    /// Any street to which places are snapped.
    case main
  }

  /// Returns the closed objects in the way of a trip between two endpoints without a time, in order of travel, and the
  /// trip's length. The trip has as few closed objects as possible and, among such trips, is the shortest; a way of an
  /// excluded class (such as a footway, for a car) counts as a kilometre longer. Nil if there is no trip; the list is
  /// empty if there is a route.
  package func obstacles(from origin: Endpoint, to destination: Endpoint) -> (list: [Obstacle], metres: Double)? {
    var search = ObstacleSearch(self, to: destination)
    return search.run(from: origin)
  }

  /// Returns the ways nearest to a place, each once: at most `count` of them within `limit` metres. If the network uses
  /// none of these, the two nearest ways that the network uses within the limit are appended.
  package func near(_ place: FixedCoordinate, count: Int, within limit: Double) -> [NearStreet] {
    let all = segments(near: place, within: limit)
    let includesUsedWay = all.prefix(count).contains { uses[$0.way] != 0 }
    let nearest =
      all.prefix(count) + (includesUsedWay ? [] : all.dropFirst(count).filter { uses[$0.way] != 0 }.prefix(2))
    guard !nearest.isEmpty else { return [] }
    let streets = streets(on: nearest.map { segment in (raw.ways[segment.way].id, segment) })
    return nearest.enumerated().map { index, segment in
      let way = raw.ways[segment.way]
      let tags = raw.tagList(of: way)
      return NearStreet(
        way: way.id, classTag: network.profile.classTag(of: tags), name: tags["name"] ?? tags["ref"] ?? "",
        distance: segment.distance, use: streets[index].map { use($0) } ?? .closed(cause(closing: tags)))
    }
  }

  private func use(_ street: StreetID) -> NearStreet.Use {
    .used(
      junctions: network.componentSize(of: street), reach.oneWayAccess(street),
      isSnapped: network.street(street).flags.contains(.snappable))
  }

  private func cause(closing tags: TagList) -> String { network.profile.cause(closing: tags, nil) }

  /// A segment of a way, from the node at `position` in the references of all ways to the next one, and its distance
  /// from a place in metres.
  struct NearSegment {
    var way: Int
    var position: Int
    var distance: Double
  }

  /// Returns the nearest segment of each way, sorted by distance.
  func segments(near place: FixedCoordinate, within limit: Double) -> [NearSegment] {
    let xScale = max(1e-6, cos(place.coordinate.latitude * .pi / 180))
    func offset(_ node: UInt32) -> SIMD2<Double>? {
      point(node).map {
        SIMD2(
          Double(Int64($0.longitude) - Int64(place.longitude)) * xScale,
          Double(Int64($0.latitude) - Int64(place.latitude)))
      }
    }
    let metres = Coordinate.metresPerDegree / 1e7
    var found: [NearSegment] = []
    for (index, way) in raw.ways.enumerated() {
      var best: NearSegment?
      var last = offset(nodes[way.nodes.lowerBound])
      for position in way.nodes.dropFirst() {
        let next = offset(nodes[position])
        defer { last = next }
        guard let last, let next else { continue }
        let distance = last.nearest(along: next - last).square.squareRoot() * metres
        if distance <= limit, distance < best?.distance ?? .infinity {
          best = NearSegment(way: index, position: position - 1, distance: distance)
        }
      }
      if let best { found.append(best) }
    }
    return found.sorted { ($0.distance, $0.way) < ($1.distance, $1.way) }
  }

  /// Returns the street of the network that contains each segment; nil if there is none.
  private func streets(on segments: [(way: Int64, segment: NearSegment)]) -> [StreetID?] {
    var found = [StreetID?](repeating: nil, count: segments.count)
    let ways = Set(segments.map(\.way))
    for street in (0..<network.streetCount).map({ StreetID($0) }) {
      for part in network.parts(of: street) where ways.contains(part.way) {
        for (index, item) in segments.enumerated() where item.way == part.way && found[index] == nil {
          let ends = (id(ofNode: nodes[item.segment.position]), id(ofNode: nodes[item.segment.position + 1]))
          let nodes = part.points.map { network.pointNodes[$0] }
          let containsSegment = zip(nodes, nodes.dropFirst()).contains { $0 == ends || ($0.1, $0.0) == ends }
          if containsSegment { found[index] = street }
        }
      }
    }
    return found
  }
}

/// A way of the map near a place, used by the network or not.
package struct NearStreet: Sendable {
  package var way: Int64
  /// The tag of its class: `highway=footway`.
  package var classTag: String
  package var name: String
  /// Metres from the place.
  package var distance: Double
  package var use: Use

  package enum Use: Sendable, Hashable {
    /// Used by the network; with the size of its component, its one-way access, and whether places are snapped to it.
    case used(junctions: Int, MainReach.OneWayAccess?, isSnapped: Bool)
    /// Not used, because of a tag.
    case closed(String)
  }
}
