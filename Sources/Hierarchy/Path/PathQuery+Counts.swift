// The work of a question, as what it left behind: nothing is counted while it is answered.

extension PathQuery {
  /// States that the last question's two searches reached.
  package var reachedStates: Int { forward.touchedCount + backward.touchedCount }

  /// Upward arcs of those states: as many are read, but for states that are too far.
  package var reachedArcs: Int {
    [(forward, hierarchy.outgoing), (backward, hierarchy.incoming)].reduce(0) { sum, side in
      (0..<side.0.touchedCount).reduce(sum) { $0 + side.1[Rank(side.0.touched[$1])].count }
    }
  }
}
