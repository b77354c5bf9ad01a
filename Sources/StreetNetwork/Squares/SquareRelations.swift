import COsmium

/// Multipolygon relations of areas, which may have holes.
struct SquareRelations {
  private(set) var relations: [SquareRelation] = []
  /// The nodes of their boundary ways, as ranges in the references of all ways.
  private(set) var outlines: [Int64: Range<Int>] = [:]
  private var areas: Set<Int64> = []

  /// Records a way that is itself an area.
  mutating func add(_ way: COsmiumWay) { areas.insert(way.id) }

  /// Records a relation of an area. Relations follow ways in a map.
  mutating func read(_ relation: COsmiumRelation, _ profile: Profile) {
    if let square = SquareRelation(relation, profile, isArea: areas.contains) { relations.append(square) }
  }

  /// Reads the boundary ways of areas, including those used only as outlines, and adds their nodes to `references`.
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

/// The area of a relation: the ways of its outlines, and its properties.
struct SquareRelation {
  var id: Int64
  /// The area's properties; nil if the way around it has them.
  var rules: UsableWay?
  var outer: [Int64] = []
  var inner: [Int64] = []

  var ways: [Int64] { outer + inner }

  /// Returns nil if the relation is not an area that the profile can cross. `isArea` returns whether a way is itself an
  /// area.
  init?(_ relation: COsmiumRelation, _ profile: Profile, isArea: (Int64) -> Bool) {
    let tags = Tags(relation.tags)
    guard profile.squares != nil, tags["type"] == "multipolygon" else { return nil }
    id = relation.id
    // The outline of a car park or a rest area is not a street, whether it is mapped as a way or a relation.
    rules = profile.outlines.matches(tags) ? nil : profile.usableWay(tags, in: Locality())
    rules?.traits.insert(.square)
    var known: Set<Int64> = []
    for member in UnsafeBufferPointer(start: relation.members, count: relation.member_count)
    where member.type == CChar(bitPattern: UInt8(ascii: "w")) && known.insert(member.ref).inserted {
      if member.role.map({ String(cString: $0) }) == "inner" {
        inner.append(member.ref)
      } else {
        outer.append(member.ref)
      }
    }
    guard rules != nil || outer.contains(where: isArea) else { return nil }
  }
}
