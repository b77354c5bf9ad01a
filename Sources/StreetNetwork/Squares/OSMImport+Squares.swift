import Geography

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
