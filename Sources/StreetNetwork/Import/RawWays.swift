import COsmium
import Geography
import Hierarchy

/// Ways of the map before their classification, which depends on their locality and therefore on the nodes.
struct RawWays {
  struct Way {
    var id: Int64
    var tags: Range<Int>
    /// The class of its tags: tags of one class differ only in names and numbers.
    var kind: UInt32
    /// The range of the way's nodes in the references of all ways.
    var nodes: Range<Int>
  }

  private(set) var ways: [Way] = []
  /// The nodes of the ways, way by way.
  private(set) var references: [Int64] = []
  private var tags: TagStore

  /// - Parameter hasClassPerObject: Whether each way gets a separate class.
  init(hasClassPerObject: Bool = false) { tags = TagStore(hasClassPerObject: hasClassPerObject) }

  /// Appends a way if `isWanted` returns true for the class of its tags and the number of classes known before.
  mutating func append(_ way: COsmiumWay, where isWanted: (_ kind: UInt32, _ known: Int) -> Bool = { _, _ in true }) {
    let known = tags.classCount
    let (range, kind) = tags.append(Tags(way.tags))
    guard isWanted(kind, known) else { return tags.removeLast(range) }
    let start = references.count
    references.append(contentsOf: UnsafeBufferPointer(start: way.nodes, count: way.node_count))
    ways.append(Way(id: way.id, tags: range, kind: kind, nodes: start..<references.count))
  }

  /// Calls `body` with each way and its tags, in the order of the map.
  func forEach(_ body: (Way, Tags) -> Void) { forEach(ways[...], body) }

  func forEach(_ ways: ArraySlice<Way>, _ body: (Way, Tags) -> Void) {
    tags.withTags { tags in
      for way in ways { body(way, tags(way.tags)) }
    }
  }

  func tagList(of way: Way) -> TagList {
    var list: TagList?
    tags.withTags { list = TagList($0(way.tags)) }
    return list!
  }

  /// Returns the nodes of a way; nil for a way that was not appended.
  func nodes(of id: Int64) -> [Int64]? { ways.first { $0.id == id }.map { Array(references[$0.nodes]) } }

  /// Moves the references out, since they are no longer needed once each node has an index.
  mutating func takeReferences() -> [Int64] {
    defer { references = [] }
    return references
  }
}

/// Sorted, distinct node IDs, and the index of each.
///
/// The upper bits of an ID select a range in a table; the binary search within it usually covers only a few IDs.
package struct NodeIndex: Sendable {
  package let ids: [Int64]
  private var first: [UInt32] = []
  private var shift: UInt64 = 0

  /// - Parameter lists: IDs in any order, possibly repeated.
  package init(_ lists: [Int64]...) {
    // Flipping the sign bit yields unsigned numbers in the same order.
    let sign: UInt64 = 1 << 63
    var keys: [UInt64] = []
    keys.reserveCapacity(lists.reduce(0) { $0 + $1.count })
    for ids in lists {
      for id in ids { keys.append(UInt64(bitPattern: id) ^ sign) }
    }
    keys.radixSort()
    var distinct: [Int64] = []
    var last: UInt64?
    for key in keys where key != last {
      distinct.append(Int64(bitPattern: key ^ sign))
      last = key
    }
    self.ids = distinct
    let (ids, count) = (distinct, distinct.count)
    guard let smallest = ids.first, let largest = ids.last else { return }
    let range = UInt64(bitPattern: largest) &- UInt64(bitPattern: smallest)
    // Four IDs per table entry, on average.
    while range >> shift > UInt64(count / 4) { shift += 1 }
    first = Array(repeating: 0, count: Int(range >> shift) + 2)
    for id in ids { first[slot(id) + 1] += 1 }
    for slot in 1..<first.count { first[slot] += first[slot - 1] }
  }

  package var count: Int { ids.count }

  private func slot(_ id: Int64) -> Int { Int((UInt64(bitPattern: id) &- UInt64(bitPattern: ids[0])) >> shift) }

  /// The index of an ID; nil if it is missing.
  package subscript(id: Int64) -> Int? {
    guard !ids.isEmpty, id >= ids[0], id <= ids[ids.count - 1] else { return nil }
    let slot = slot(id)
    let index = (Int(first[slot])..<Int(first[slot + 1])).partitionPoint { ids[$0] >= id }
    return index < ids.count && ids[index] == id ? index : nil
  }
}

/// The runs of consecutive nodes of each way that are present in the file, with at least two different nodes per run.
/// Ways are cut at the antimeridian, whose two sides are at opposite ends of a flat map.
struct WayRuns {
  /// The nodes of all runs, run by run, without immediate repetitions.
  private(set) var nodes: [UInt32] = []
  private(set) var bounds: [Range<Int>] = []
  /// The index of each way's first run, with a final entry for the end.
  private var first: [UInt32] = [0]

  init(_ map: OSMImport) {
    // Leaves room for the nodes of zero-length pieces, which `PieceList` appends.
    nodes.reserveCapacity(map.wayNodes.count + map.wayNodes.count / 32)
    first.reserveCapacity(map.ways.count + 1)
    for way in map.ways {
      var start = nodes.count
      for node in map.wayNodes[way.nodes] {
        if map.points[Int(node)] == nil {
          endRun(from: &start)
        } else if nodes.count == start || nodes[nodes.count - 1] != node {
          if nodes.count > start, map.crossesAntimeridian(nodes[nodes.count - 1], node) { endRun(from: &start) }
          nodes.append(node)
        }
      }
      endRun(from: &start)
      first.append(UInt32(bounds.count))
    }
  }

  private mutating func endRun(from start: inout Int) {
    if nodes.count - start > 1 { bounds.append(start..<nodes.count) } else { nodes.removeSubrange(start...) }
    start = nodes.count
  }

  func bounds(ofWay way: Int) -> ArraySlice<Range<Int>> { bounds[Int(first[way])..<Int(first[way + 1])] }

  func nodes(ofWay way: Int) -> some Sequence<UInt32> { bounds(ofWay: way).lazy.map { nodes[$0] }.joined() }
}
