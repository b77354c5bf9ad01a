import COsmium
import Geography

/// Reads a map under a profile: the ways that may be used, cut at junctions and joined to streets.
///
///     map ──ways──> usable ways ──nodes──> pieces between junctions ──joined──> streets
///
/// Two passes over the file: ways first, so that only the nodes on them are kept. Memory: about 30 bytes a node on
/// a usable way, whatever else the file holds.
struct OSMImport {
  private(set) var ways: [Way] = []
  private(set) var names = NameTable()
  private var attributes: [StreetAttributes: UInt32] = [:]
  private(set) var attributeRows: [StreetAttributes] = []
  /// Nodes on usable ways, ascending; all that follows uses their places here.
  private var nodeIDs: [Int64] = []
  private(set) var points: [FixedCoordinate?] = []
  /// Points that nobody gets past.
  private(set) var isImpassable: [Bool] = []
  /// Nodes of the ways, one after the other.
  private(set) var wayNodes: [UInt32] = []
  /// Ways that lack a node in the file: extracts cut them off there.
  private(set) var incompleteWays = 0

  struct Way {
    var rules: UsableWay
    var nodes: Range<Int>
  }

  init(_ source: OSMSource, profile: Profile) throws {
    var references: [Int64] = []
    try source.readWays(having: profile.wayKeys) { way in
      guard way.node_count > 1, let rules = profile.usableWay(Tags(way.tags)) else { return }
      let start = references.count
      references.append(contentsOf: UnsafeBufferPointer(start: way.nodes, count: way.node_count))
      ways.append(Way(rules: rules, nodes: start..<references.count))
    }
    guard !ways.isEmpty else {
      throw MapError(map: source.name, problem: "the map has no street that profile \(profile.name) may use")
    }
    nodeIDs = sortedUnique(references)
    wayNodes = references.map { UInt32(place(of: $0)!) }
    references = []
    points = Array(repeating: nil, count: nodeIDs.count)
    isImpassable = Array(repeating: false, count: nodeIDs.count)
    var next = 0
    try source.readNodes { node in
      // Nodes come sorted in nearly every file: the next one wanted is at `next`, or else looked up.
      if next < nodeIDs.count && nodeIDs[next] < node.id { next = firstPlace(notBefore: node.id, from: next) }
      let place = next < nodeIDs.count && nodeIDs[next] == node.id ? next : self.place(of: node.id)
      guard let place else { return }
      points[place] = FixedCoordinate(longitude: node.longitude, latitude: node.latitude)
      let tags = Tags(node.tags)
      isImpassable[place] = !tags.isEmpty && profile.isImpassable(tags)
    }
    incompleteWays = ways.count { way in wayNodes[way.nodes].contains { points[Int($0)] == nil } }
  }

  /// The row for what a way is; alike ways share it.
  mutating func attributes(of way: UsableWay, metresPerSecond: Double) -> UInt32 {
    let row = StreetAttributes(
      name: names.number(of: way.name), ref: names.number(of: way.ref),
      metresPerSecond: Float(metresPerSecond), kind: way.kind, surface: way.isUnpaved ? .unpaved : .paved,
      snapPenalty: UInt16(min(way.snapPenalty.rounded(), 60_000)))
    if let known = attributes[row] { return known }
    let number = UInt32(attributeRows.count)
    attributes[row] = number
    attributeRows.append(row)
    return number
  }

  private func place(of node: Int64) -> Int? {
    let place = firstPlace(notBefore: node, from: 0)
    return place < nodeIDs.count && nodeIDs[place] == node ? place : nil
  }

  private func firstPlace(notBefore node: Int64, from start: Int) -> Int {
    // Steps that double, then halving: cheap when the answer is near, as it is when nodes come sorted.
    var low = start
    var step = 1
    while low + step < nodeIDs.count && nodeIDs[low + step] < node {
      low += step
      step *= 2
    }
    var high = min(low + step, nodeIDs.count)
    while low < high {
      let middle = (low + high) / 2
      if nodeIDs[middle] < node { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

private func sortedUnique(_ values: [Int64]) -> [Int64] {
  var sorted = values.sorted()
  var count = 0
  for value in sorted where count == 0 || sorted[count - 1] != value {
    sorted[count] = value
    count += 1
  }
  sorted.removeSubrange(count...)
  return sorted
}

/// Names by number; 0 is the empty name.
struct NameTable {
  private(set) var names: [String] = [""]
  private var numbers: [String: UInt32] = ["": 0]

  mutating func number(of name: String) -> UInt32 {
    if let known = numbers[name] { return known }
    let number = UInt32(names.count)
    numbers[name] = number
    names.append(name)
    return number
  }
}
