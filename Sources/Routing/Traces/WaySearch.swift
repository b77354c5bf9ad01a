/// What finds the best ways between the candidates of two observations: `StepSearch`, and the textbook for comparison.
protocol WaySearch: AnyObject {
  /// The labels of the candidates of `observation`, reached from the lattice's last layer; nil where none is reached.
  /// Arcs of ways are appended to the lattice.
  ///
  /// A candidate farther than the beam behind the best, or dearer than the limit, is unreachable: nothing else depends on
  /// how far a search goes.
  func labels(
    of candidates: inout [Candidate], _ observation: Observation, after lattice: inout Lattice, _ cost: StepCost
  ) -> [Lattice.Label]?
}
