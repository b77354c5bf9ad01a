import COsmium

/// How much of a map a profile uses, in one pass over its ways.
///
/// Junctions are counted among all nodes on small maps, and among a sample of them on large ones, so that memory stays
/// small: first those whose hash ends in one zero bit, then in two, and so on.
struct MapCensus {
  /// Ways that may be used, and the nodes that they list.
  private(set) var ways = 0
  private(set) var references = 0
  /// The keys of a sample are hashes: each has the same chance.
  private var nodes: [UInt64: Node] = [:]
  /// Of as many nodes one is in the sample.
  private(set) var nodesPerSample = 1
  private let mostNodes: Int

  private struct Node {
    var ends: UInt32 = 0
    /// Ends that streets arrive at.
    var arrivals: UInt32 = 0
    /// Those of them on streets for a trip's ends alone.
    var endsOnlyArrivals: UInt32 = 0
    /// Where two ends meet a street goes on.
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

  /// Nodes that streets meet or end at.
  var junctions: Int { nodes.values.count(where: \.isJunction) * nodesPerSample }
  /// Ways of coming to a junction.
  var arrivals: Int { sum(\.arrivals) }
  /// Of them those on streets for a trip's ends alone.
  var endsOnlyArrivals: Int { sum(\.endsOnlyArrivals) }

  private func sum(_ count: KeyPath<Node, UInt32>) -> Int {
    nodes.values.reduce(0) { $0 + ($1.isJunction ? Int($1[keyPath: count]) : 0) } * nodesPerSample
  }
}
