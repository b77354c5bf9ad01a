import COsmium

/// The cost of building a network, from a census of the map: linear in its states.
package struct BuildForecast: Sendable {
  /// Usable ways, and their node references.
  package let ways: Int
  package let references: Int
  package let junctions: Int
  package let states: Int
  /// Peak memory in bytes.
  package let memory: Int
  /// Seconds of processor time.
  package let seconds: Double
  /// Bytes of the network file.
  package let fileSize: Int

  /// - Parameter mostNodes: Up to this number nodes are counted exactly, beyond it by a sample.
  /// - Throws: `MapError` if the map cannot be read.
  package init(of source: OSMSource, profile: Profile, mostNodes: Int = 1 << 20) throws {
    let census = try MapCensus(source, profile, mostNodes: mostNodes)
    // If turns are free, the ends at a junction are one state.
    let isTurningFree = profile.turns.milliseconds(angle: 90, isUTurn: false, drivesOnLeft: false) == 0
    let factors = isTurningFree ? Factors.ofJunctions : .ofTurns
    (ways, references, junctions) = (census.ways, census.references, census.junctions)
    let counted = Double(isTurningFree ? census.junctions : census.arrivals)
    let states = (factors.states * counted + factors.endsOnlyStates * Double(census.endsOnlyArrivals)).rounded()
    self.states = Int(states)
    memory = BuildForecast.program + Int(states * factors.stateMemory)
    seconds = states * factors.stateSeconds
    fileSize = Int(states * factors.stateFile)
  }

  /// The maximum for a map of this size, whatever its content.
  package static func mostMemory(mapSize: Int) -> Int { program + mapSize * 400 }

  /// Bytes for the program and for reading.
  private static let program = 45_000_000

  /// Measured on greater Porto, four copies of it, and Heidelberg, on foot, by car and by bicycle, with one worker: 23
  /// to 28 µs of CPU per state if turns are free, else 12 to 18.
  private struct Factors {
    /// States per junction, or per street end at a junction; and additional ones per end of a street for a trip's ends.
    var states: Double
    var endsOnlyStates: Double
    /// Bytes and seconds per state.
    var stateMemory: Double
    var stateSeconds: Double
    var stateFile: Double

    static let ofJunctions = Factors(
      states: 1.09, endsOnlyStates: 1.6, stateMemory: 1_600, stateSeconds: 26e-6, stateFile: 530)
    static let ofTurns = Factors(
      states: 1.01, endsOnlyStates: 1.94, stateMemory: 900, stateSeconds: 15e-6, stateFile: 310)
  }
}

/// Counts the part of a map that a profile uses, in one pass over its ways.
///
/// Junctions are counted exactly on small maps, and in a sample of the nodes on large ones, so that memory stays small:
/// first nodes whose hash ends in one zero bit, then in two, and so on.
struct MapCensus {
  /// Usable ways, and their node references.
  private(set) var ways = 0
  private(set) var references = 0
  /// The keys of a sample are hashes, so that each has the same chance.
  private var nodes: [UInt64: Node] = [:]
  /// The sampling ratio: one node of `nodesPerSample`.
  private(set) var nodesPerSample = 1
  private let mostNodes: Int

  private struct Node {
    var ends: UInt32 = 0
    /// Street ends.
    var arrivals: UInt32 = 0
    /// Of these, ends of streets for a trip's ends only.
    var endsOnlyArrivals: UInt32 = 0
    /// Nodes with two ends, where a street continues.
    var isJunction: Bool { ends != 2 }

    mutating func add(ends: UInt32, _ arrivals: UInt32, isEndsOnly: Bool) {
      self.ends += ends
      self.arrivals += arrivals
      if isEndsOnly { endsOnlyArrivals += arrivals }
    }
  }

  /// *Throws*: `MapError`.
  init(_ source: OSMSource, _ profile: Profile, mostNodes: Int) throws {
    self.mostNodes = mostNodes
    let anywhere = Locality()
    try source.readWays(having: profile.wayKeys) { object in
      guard case .way(let way) = object, way.node_count > 1 else { return }
      let tags = Tags(way.tags)
      guard !profile.isOutline(way, tags), let rules = profile.usableWay(tags, in: anywhere) else { return }
      count(UnsafeBufferPointer(start: way.nodes, count: way.node_count), rules)
    }
  }

  private mutating func count(_ references: UnsafeBufferPointer<Int64>, _ rules: UsableWay) {
    ways += 1
    self.references += references.count
    let (forward, backward): (UInt32, UInt32) = (rules.forward == nil ? 0 : 1, rules.backward == nil ? 0 : 1)
    for (index, id) in references.enumerated() {
      let hash = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
      guard isSampled(hash) else { continue }
      let (isFirst, isLast) = (index == 0, index == references.count - 1)
      let arrivals = (isFirst ? 0 : forward) + (isLast ? 0 : backward)
      nodes[hash, default: Node()].add(ends: isFirst || isLast ? 1 : 2, arrivals, isEndsOnly: rules.isEndsOnly)
    }
    while nodes.count > mostNodes {
      nodesPerSample *= 2
      nodes = nodes.filter { isSampled($0.key) }
    }
  }

  /// By the upper half, since the lower bits of a product are those of the node's ID.
  private func isSampled(_ hash: UInt64) -> Bool { (hash >> 32) & UInt64(nodesPerSample - 1) == 0 }

  /// Nodes where streets meet or end.
  var junctions: Int { nodes.values.count(where: \.isJunction) * nodesPerSample }
  /// Street ends at junctions.
  var arrivals: Int { sum(\.arrivals) }
  /// Of these, ends of streets for a trip's ends only.
  var endsOnlyArrivals: Int { sum(\.endsOnlyArrivals) }

  private func sum(_ count: KeyPath<Node, UInt32>) -> Int {
    nodes.values.reduce(0) { $0 + ($1.isJunction ? Int($1[keyPath: count]) : 0) } * nodesPerSample
  }
}
