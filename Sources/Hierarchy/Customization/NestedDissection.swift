/// An order of states in which few shortcuts are needed, whatever arcs cost: the map is cut in two where few streets
/// cross, the states at the cut rank highest, and so on within both halves.
///
/// States at one point are one junction. A cut is a set of arcs; the heads of the arcs that cross it are what separates
/// the halves, so that a street that is cut costs one or two states, not all of a junction's. The same order on every
/// machine: points are whole numbers, and ties are broken by index.
///
/// Source: A. George 1973; cuts by inertial flow, A. Schild and C. Sommer 2015.
struct NestedDissection {
  /// The rank of each state.
  private(set) var ranks: [UInt32]
  private let cuts: InertialCut
  private var next: UInt32 = 0

  /// Orders the states of `graph`, each of which is at a point of a plane.
  init(_ graph: ArcGraph, at points: [SIMD2<Int32>]) {
    precondition(points.count == graph.stateCount, "a point per state")
    ranks = Array(repeating: 0, count: graph.stateCount)
    let root = DissectionCell(graph, at: points)
    cuts = InertialCut(junctionCount: root.junctionCount, arcCount: root.heads.count)
    order(root)
  }

  private mutating func order(_ cell: DissectionCell) {
    guard cell.junctionCount > 1, !cell.heads.isEmpty else { return append(cell.states) }
    let (halves, separator) = cell.split(by: cuts.sides(of: cell))
    for half in halves { order(half) }
    append(separator)
  }

  private mutating func append(_ states: [UInt32]) {
    for state in states {
      ranks[Int(state)] = next
      next += 1
    }
  }
}
