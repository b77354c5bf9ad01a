import COsmium
import Geography

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

extension OSMImport {
  /// Returns the areas of the map that are walked across, the ways that already form their outlines, and the outlines
  /// that are not yet streets.
  func squares(_ mapped: SquareRelations) -> (
    squares: [Squares.Square], outlineWays: Set<Int>, newOutlines: [(square: Int, way: Int64, nodes: Range<Int>)]
  ) {
    let (relations, outlines) = (mapped.relations, mapped.outlines)
    let outer = Set(relations.flatMap(\.outer))
    let members = Set(relations.flatMap(\.ways))
    var squares: [Squares.Square] = []
    var outlineWays: Set<Int> = []
    var newOutlines: [(square: Int, way: Int64, nodes: Range<Int>)] = []
    var streets: [Int64: Int] = [:]
    for (index, way) in ways.enumerated() {
      if members.contains(way.id) {
        streets[way.id] = index
        outlineWays.insert(index)
      }
      // A way around a relation's area must not become a second area without holes.
      guard way.rules.traits.contains(.square), !outer.contains(way.id) else { continue }
      squares.append(.init(origin: .way(index), ways: [way.id], outline: [Array(wayNodes[way.nodes])]))
      outlineWays.insert(index)
    }
    for relation in relations {
      let around = relation.outer.lazy.compactMap { streets[$0] }.first { ways[$0].rules.traits.contains(.square) }
      guard let origin = relation.rules.map(Squares.Origin.relation) ?? around.map(Squares.Origin.way) else { continue }
      for way in relation.ways where streets[way] == nil {
        if let nodes = outlines[way] { newOutlines.append((squares.count, way, nodes)) }
      }
      // A way that is missing from the file leaves a gap.
      let outline = relation.ways.map { outlines[$0].map { Array(wayNodes[$0]) } ?? [] }
      squares.append(.init(origin: origin, ways: Set(relation.ways), outline: outline))
    }
    return (squares, outlineWays, newOutlines)
  }
}
