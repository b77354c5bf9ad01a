import COsmium

/// Ways of the map before their classification, which depends on their locality and therefore on the nodes.
struct RawWays {
  struct Way {
    var id: Int64
    var tags: Range<Int>
    /// The class of its tags: tags of one class differ only in names and numbers.
    var kind: UInt32
    /// Its range in the references of all ways.
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

  /// Calls `body` with some of the ways and their tags.
  func forEach(_ ways: ArraySlice<Way>, _ body: (Way, Tags) -> Void) {
    tags.withTags { tags in
      for way in ways { body(way, tags(way.tags)) }
    }
  }

  /// Returns the tags of a way as a list.
  func tagList(of way: Way) -> TagList {
    var list: TagList?
    tags.withTags { list = TagList($0(way.tags)) }
    return list!
  }

  /// Returns the nodes of a way; nil if the way is not among these.
  func nodes(of id: Int64) -> [Int64]? { ways.first { $0.id == id }.map { Array(references[$0.nodes]) } }

  /// Moves the references out, since they are no longer needed once each node has an index.
  mutating func takeReferences() -> [Int64] {
    defer { references = [] }
    return references
  }
}
