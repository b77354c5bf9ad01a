import COsmium

/// Ways as the map has them: what they are depends on where they lie, which is known once nodes are read.
struct RawWays {
  struct Way {
    var id: Int64
    var tags: Range<Int>
    /// The class of its tags: they are the same but for names and numbers.
    var kind: UInt32
    /// Into the references of all ways.
    var nodes: Range<Int>
  }

  private(set) var ways: [Way] = []
  /// The nodes of the ways, one after the other.
  private(set) var references: [Int64] = []
  private var tags: TagStore

  /// - Parameter isEachItsOwn: Whether no two ways are to be of one class.
  init(isEachItsOwn: Bool = false) { tags = TagStore(isEachItsOwn: isEachItsOwn) }

  /// Appends a way if `isWanted` by the class of its tags, and the number of classes before.
  mutating func append(_ way: COsmiumWay, where isWanted: (_ kind: UInt32, _ known: Int) -> Bool = { _, _ in true }) {
    let known = tags.classCount
    let (range, kind) = tags.append(Tags(way.tags))
    guard isWanted(kind, known) else { return tags.removeLast(range) }
    let start = references.count
    references.append(contentsOf: UnsafeBufferPointer(start: way.nodes, count: way.node_count))
    ways.append(Way(id: way.id, tags: range, kind: kind, nodes: start..<references.count))
  }

  /// Hands each way and its tags to `body`, in the order of the map.
  func forEach(_ body: (Way, Tags) -> Void) { forEach(ways[...], body) }

  /// The same of some of its ways.
  func forEach(_ ways: ArraySlice<Way>, _ body: (Way, Tags) -> Void) {
    tags.withTags { tags in
      for way in ways { body(way, tags(way.tags)) }
    }
  }

  /// The tags of a way, one by one.
  func tagList(of way: Way) -> TagList {
    var list: TagList?
    tags.withTags { list = TagList($0(way.tags)) }
    return list!
  }

  /// The nodes of a way; nil where it is not among these.
  func nodes(of id: Int64) -> [Int64]? { ways.first { $0.id == id }.map { Array(references[$0.nodes]) } }

  /// Gives the references away: they are needed no more once each node has an index.
  mutating func takeReferences() -> [Int64] {
    defer { references = [] }
    return references
  }
}
