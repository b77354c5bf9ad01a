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

/// An area that a relation describes: the ways that its outlines are made of, and what it is.
struct SquareRelation {
  var id: Int64
  /// What it is; nil where the way around it says so.
  var rules: UsableWay?
  var outer: [Int64] = []
  var inner: [Int64] = []

  var ways: [Int64] { outer + inner }

  /// Nil if the relation is no area, or not one that is crossed under the profile. `isArea` tells of ways whether they
  /// are areas by themselves.
  init?(_ relation: COsmiumRelation, _ profile: Profile, isArea: (Int64) -> Bool) {
    let tags = Tags(relation.tags)
    guard profile.squares != nil, tags["type"] == "multipolygon" else { return nil }
    id = relation.id
    // The outline of a car park or a rest area is no street, whether a way draws it or a relation.
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
