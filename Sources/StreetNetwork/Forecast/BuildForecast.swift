import COsmium

/// The estimated cost of building a network, from a census of the map: linear in the number of states.
package struct BuildForecast: Sendable {
  /// The number of usable ways, and of their node references.
  package let ways: Int
  package let references: Int
  package let junctions: Int
  package let states: Int
  /// Peak memory in bytes.
  package let memory: Int
  /// Seconds of CPU time.
  package let seconds: Double
  /// The size of the network file in bytes.
  package let fileSize: Int

  /// - Parameter maximumNodes: The number of nodes up to which junctions are counted exactly; beyond it, they are
  ///   estimated from a sample.
  /// - Throws: `OdometerError` if the map cannot be read.
  package init(of source: OSMSource, profile: Profile, maximumNodes: Int = 1 << 20) throws {
    let census = try MapCensus(source, profile, maximumNodes: maximumNodes)
    // If turns are free, all ends at a junction share one state.
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

  /// Returns the maximum memory in bytes for a map of this size, regardless of its content.
  package static func maximumMemory(mapSize: Int) -> Int { program + mapSize * 400 }

  /// Bytes for the program and for read buffers.
  private static let program = 45_000_000

  /// Measured on greater Porto, four copies of it, and Heidelberg, on foot, by car and by bicycle, with one worker: 23
  /// to 28 µs of CPU time per state if turns are free, otherwise 12 to 18.
  private struct Factors {
    /// States per junction, or per street end at a junction; and additional ones per end of an access-restricted
    /// street.
    var states: Double
    var endsOnlyStates: Double
    /// Bytes of memory, seconds, and bytes of the network file per state.
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
/// Junctions are counted exactly on small maps. On large ones, only a sample of the nodes is counted to limit memory: a
/// hash of the ID selects one node in two, then one in four, and so on.
struct MapCensus {
  /// The number of usable ways, and of their node references.
  private(set) var ways = 0
  private(set) var references = 0
  /// The sampled nodes by hash of their ID: the hash makes all nodes equally likely to be sampled.
  private var nodes: [UInt64: Node] = [:]
  /// One in `nodesPerSample` nodes is sampled.
  private(set) var nodesPerSample = 1
  private let maximumNodes: Int

  private struct Node {
    var ends: UInt32 = 0
    /// Directed street ends that arrive here.
    var arrivals: UInt32 = 0
    /// The arrivals over access-restricted streets.
    var endsOnlyArrivals: UInt32 = 0
    /// False for nodes with two ends, where a street continues.
    var isJunction: Bool { ends != 2 }

    mutating func add(ends: UInt32, _ arrivals: UInt32, isEndsOnly: Bool) {
      self.ends += ends
      self.arrivals += arrivals
      if isEndsOnly { endsOnlyArrivals += arrivals }
    }
  }

  /// *Throws*: `OdometerError`.
  init(_ source: OSMSource, _ profile: Profile, maximumNodes: Int) throws {
    self.maximumNodes = maximumNodes
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
    while nodes.count > maximumNodes {
      nodesPerSample *= 2
      nodes = nodes.filter { isSampled($0.key) }
    }
  }

  /// Uses the upper half of the hash, since the lower bits of a product depend only on the lower bits of the node's ID.
  private func isSampled(_ hash: UInt64) -> Bool { (hash >> 32) & UInt64(nodesPerSample - 1) == 0 }

  /// The number of nodes where streets meet or end.
  var junctions: Int { nodes.values.count(where: \.isJunction) * nodesPerSample }
  /// The number of street ends that arrive at junctions.
  var arrivals: Int { sum(\.arrivals) }
  /// The number of arrivals over access-restricted streets.
  var endsOnlyArrivals: Int { sum(\.endsOnlyArrivals) }

  private func sum(_ count: KeyPath<Node, UInt32>) -> Int {
    nodes.values.reduce(0) { $0 + ($1.isJunction ? Int($1[keyPath: count]) : 0) } * nodesPerSample
  }
}
