import Hierarchy

/// Runs the example in the documentation, and returns the lines that it would print.
func hierarchyExample() -> [String] {
  var printed: [String] = []
  func print(_ line: String) { printed.append(line) }
  // BEGIN
  func arc(_ tail: Int, _ head: Int, seconds: UInt32, metres: UInt32) -> ArcGraph.Arc {
    .init(
      from: StateID(tail), to: StateID(head),
      weight: Weight(milliseconds: seconds * 1000, centimetres: metres * 100))
  }
  // From 0 to 2: directly via 1, or faster via 3.
  let graph = ArcGraph(
    stateCount: 4,
    arcs: [
      arc(0, 1, seconds: 60, metres: 500), arc(1, 2, seconds: 60, metres: 500),
      arc(0, 3, seconds: 30, metres: 700), arc(3, 2, seconds: 40, metres: 800),
    ])
  let query = PathQuery(Hierarchy(contracting: graph))
  if let path = query.path(from: StateID(0), to: StateID(2)) {
    let states = path.arcs.map { graph.head(of: $0).index }
    print("\(path.weight.milliseconds / 1000) s, \(path.weight.centimetres / 100) m over states \(states)")
  }
  // END
  return printed
}
