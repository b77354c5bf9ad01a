/// An order of states in which few shortcuts are needed, whatever arcs cost: simple states first (`Elimination`), then the
/// map is cut in two where few streets cross, the states at the cut rank highest, and so on within both halves, down to
/// cells of a few dozen states.
///
/// States at one point are one junction. A cut is a set of arcs; the heads of the arcs that cross it are what separates
/// the halves, so that a street that is cut costs one or two states, not all of a junction's. The same order on every
/// machine and for any number of workers: points are whole numbers, and ties are broken by index.
///
/// Source: A. George 1973; cuts by inertial flow, A. Schild and C. Sommer 2015.
struct NestedDissection {
  /// The rank of each state.
  private(set) var ranks: [UInt32]

  /// Orders the states of `graph`, each of which is at a point of a plane.
  init(_ graph: ArcGraph, at points: [SIMD2<Int32>], workers: Int = 1) {
    precondition(points.count == graph.stateCount, "a point per state")
    ranks = Array(repeating: 0, count: graph.stateCount)
    var elimination = Elimination(graph)
    elimination.removeSimpleStates()
    setRanks(of: elimination.order, from: 0)
    var cells = [(cell: DissectionCell(elimination, at: points), firstRank: elimination.order.count)]
    // Cells are cut side by side until there are enough for all workers, then each of them is ordered by one.
    while workers > 1 && !cells.isEmpty && cells.count < workers * 4 {
      let cuts: [(halves: [DissectionCell], separator: [UInt32])?]
      if cells.count < workers {
        // Too few for all: each is cut in several directions at once.
        cuts = cells.map(\.cell).map { cell in
          cell.isSmall ? nil : cell.split(into: InertialCut.sides(of: cell, workers: workers))
        }
      } else {
        cuts = inParallel(cells, workers: workers) { $0.cell.isSmall ? nil : $0.cell.split(by: InertialCut($0.cell)) }
      }
      let wholes = cells
      cells = []
      for (whole, cut) in zip(wholes, cuts) {
        guard let (halves, separator) = cut else {
          setRanks(of: whole.cell.eliminated(), from: whole.firstRank)
          continue
        }
        let middle = whole.firstRank + halves[0].states.count
        cells += [(halves[0], whole.firstRank), (halves[1], middle)]
        setRanks(of: separator, from: middle + halves[1].states.count)
      }
    }
    let orders = inParallel(cells, workers: workers) { $0.cell.ordered(by: InertialCut($0.cell)) }
    for (cell, order) in zip(cells, orders) { setRanks(of: order, from: cell.firstRank) }
  }

  private mutating func setRanks(of states: [UInt32], from first: Int) {
    for (index, state) in states.enumerated() { ranks[Int(state)] = UInt32(first + index) }
  }
}

extension DissectionCell {
  /// The states in their order: those of both halves, then what separates them.
  fileprivate func ordered(by cuts: InertialCut) -> [UInt32] {
    guard !isSmall else { return eliminated() }
    let (halves, separator) = split(by: cuts)
    return halves.flatMap { $0.ordered(by: cuts) } + separator
  }
}
