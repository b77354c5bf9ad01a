import COsmium

/// What the map says of areas that are more than a closed way: relations, with holes.
struct SquareRelations {
  private(set) var relations: [SquareRelation] = []
  /// Nodes of the ways that bound them, as ranges of the references of all ways.
  private(set) var outlines: [Int64: Range<Int>] = [:]
  private var areas: Set<Int64> = []

  /// Notes a way that is an area by itself.
  mutating func add(_ way: COsmiumWay) { areas.insert(way.id) }

  /// Relations come after ways in a map.
  mutating func read(_ relation: COsmiumRelation, _ profile: Profile) {
    if let square = SquareRelation(relation, profile, isArea: areas.contains) { relations.append(square) }
  }

  /// Reads the ways that bound areas, which may be nothing but outlines; their nodes are added to `references`.
  mutating func readOutlines(_ source: OSMSource, _ references: inout [Int64]) throws {
    let ways = Set(relations.flatMap(\.ways))
    guard !ways.isEmpty else { return }
    try source.readWays(ways) { way in
      let start = references.count
      references.append(contentsOf: UnsafeBufferPointer(start: way.nodes, count: way.node_count))
      outlines[way.id] = start..<references.count
    }
  }
}
