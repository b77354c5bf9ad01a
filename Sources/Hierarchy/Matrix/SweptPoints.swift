/// The points on the swept side: their seeds as arcs to positions of the selection.
struct SweptPoints: Sendable {
  let first: Column<UInt32>
  let arcs: Column<UpwardArc>
  var count: Int { first.count - 1 }

  init(_ table: SeedTable, _ points: Range<Int>, in selection: Selection, of hierarchy: Hierarchy) {
    let start = table.first[points.lowerBound]
    first = Column(table.first[points.lowerBound...points.upperBound].map { $0 - start })
    arcs = Column(selection.arcs(to: table.seeds[Int(start)..<Int(table.first[points.upperBound])], hierarchy))
  }
}
