import COsmium
import Geography
import Hierarchy

/// The streets of a map as its extract has them, those that a network of it does not use, too: what tells why there is no
/// way. Reads the extract twice; takes as much memory as building the network does.
package struct MapStreets {
  let network: StreetNetwork
  package let reach: MainReach
  let raw: RawWays
  /// Nodes of the ways, ascending, and where they are; nil for those that the file lacks.
  private let nodeIDs: [Int64]
  private let points: [FixedCoordinate?]
  /// For each reference of the ways the index of its node.
  let nodes: [UInt32]
  /// What is tagged on nodes that not everybody passes, by index.
  private(set) var barriers: [UInt32: TagList] = [:]
  /// Those of them that no trip passes.
  private(set) var blocked: Set<UInt32> = []
  private(set) var restrictions: [Restriction] = []
  /// In which directions the network uses each way: bit 1 as it is drawn, 2 against.
  let uses: [UInt8]

  struct Restriction {
    var id: Int64
    /// As it is tagged: `restriction=no_left_turn`.
    var tag: String
    var turn: TurnRestriction
  }

  /// *Throws*: `MapError`.
  package init(_ source: OSMSource, of network: StreetNetwork) throws {
    let profile = network.profile
    var (raw, restrictions) = (RawWays(), [Restriction]())
    try source.readWays(having: profile.wayKeys) { object in
      switch object {
      case .way(let way):
        let tags = Tags(way.tags)
        guard way.node_count > 1, !profile.isOutline(way, tags), tags["highway"] != nil || profile.isMoving(tags)
        else { return }
        raw.append(way)
      case .relation(let relation):
        let tags = TagList(Tags(relation.tags))
        guard tags["type"]?.hasPrefix("restriction") == true else { return }
        let tag = tags.pairs.first { $0.key.hasPrefix("restriction") }.map { "\($0.key)=\($0.value)" } ?? "restriction"
        for case .restriction(let turn) in TurnRestriction.read(relation, profile.turns, for: profile.vehicle) {
          restrictions.append(Restriction(id: relation.id, tag: tag, turn: turn))
        }
      }
    }
    let nodeIDs = Array(Set(raw.references)).sorted()
    var points = [FixedCoordinate?](repeating: nil, count: nodeIDs.count)
    var (barriers, blocked) = ([UInt32: TagList](), Set<UInt32>())
    try source.readNodes { node in
      guard let index = MapStreets.index(of: node.id, in: nodeIDs) else { return }
      points[Int(index)] = FixedCoordinate(longitude: node.longitude, latitude: node.latitude)
      let tags = Tags(node.tags)
      guard !tags.isEmpty, case let passage = profile.passage(tags).passage, passage != .open else { return }
      barriers[index] = TagList(tags)
      if passage == .closed || passage == .closedAcross { blocked.insert(index) }
    }
    reach = MainReach(network)
    nodes = raw.references.map { MapStreets.index(of: $0, in: nodeIDs)! }
    uses = MapStreets.uses(of: raw, network)
    (self.network, self.raw, self.nodeIDs, self.points) = (network, raw, nodeIDs, points)
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

  var nodeCount: Int { nodeIDs.count }

  func point(_ node: UInt32) -> FixedCoordinate? { points[Int(node)] }

  func id(ofNode node: UInt32) -> Int64 { nodeIDs[Int(node)] }

  /// The index of a node among those of ways.
  func index(ofNode id: Int64) -> UInt32? { MapStreets.index(of: id, in: nodeIDs) }

  private static func index(of id: Int64, in ids: [Int64]) -> UInt32? {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < ids.count && ids[low] == id ? UInt32(low) : nil
  }

  /// Whether a way is used from the node at a position to the next one, or the one before.
  func isUsed(_ way: Int, _ direction: Direction) -> Bool { uses[way] & (direction == .forward ? 1 : 2) != 0 }
}

extension Profile {
  /// Whether a way without `highway` carries people: a ferry, a car train, a pier.
  fileprivate func isMoving(_ tags: Tags) -> Bool { speeds.classify(tags) != nil || mayUse(tags) }
}
