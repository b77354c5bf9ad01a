extension DissectionCell {
  /// Whether its states are ordered by what taking each out would join, rather than by cuts: they are at most as many as a word
  /// has bits, or there is nothing to cut.
  var isSmall: Bool { states.count <= UInt64.bitWidth || junctionCount < 2 || heads.isEmpty }

  /// The states of a small cell, one after the other those for which the fewest arcs come for those that go. Ties go to the
  /// first; levels count, so that the hierarchy stays low.
  ///
  /// Source: W. F. Tinney, J. W. Walker 1967, by arcs as in R. Geisberger et al. 2012.
  func eliminated() -> [UInt32] {
    guard states.count <= UInt64.bitWidth else { return states }
    // A bit for each state that is a neighbour.
    var outgoing = [UInt64](repeating: 0, count: states.count)
    var incoming = outgoing
    for state in states.indices {
      for arc in firstArc[state]..<firstArc[state + 1] {
        let head = Int(heads[Int(arc)])
        outgoing[state] |= 1 << UInt64(head)
        incoming[head] |= 1 << UInt64(state)
      }
    }
    var levels = [Int](repeating: 0, count: states.count)
    /// Thousandths of arcs that come per arc that goes, and of levels.
    func cost(_ state: Int) -> Int {
      var joined = 0
      forEachBit(incoming[state]) { tail in
        joined += (outgoing[state] & ~outgoing[tail] & ~(1 << UInt64(tail))).nonzeroBitCount
      }
      let gone = incoming[state].nonzeroBitCount + outgoing[state].nonzeroBitCount
      return 1000 * joined / max(1, gone) + 300 * levels[state]
    }
    var order: [UInt32] = []
    var left = Array(states.indices)
    var costs = left.map(cost)
    while let index = left.indices.min(by: { costs[left[$0]] < costs[left[$1]] }) {
      let state = left.remove(at: index)
      order.append(states[state])
      let bit = UInt64(1) << UInt64(state)
      let (tails, heads) = (incoming[state], outgoing[state])
      forEachBit(tails) { outgoing[$0] = (outgoing[$0] | heads) & ~(bit | 1 << UInt64($0)) }
      forEachBit(heads) { incoming[$0] = (incoming[$0] | tails) & ~(bit | 1 << UInt64($0)) }
      forEachBit(tails | heads) { neighbour in
        levels[neighbour] = max(levels[neighbour], levels[state] + 1)
        costs[neighbour] = cost(neighbour)
      }
    }
    return order
  }
}

private func forEachBit(_ bits: UInt64, _ body: (Int) -> Void) {
  var bits = bits
  while bits != 0 {
    body(bits.trailingZeroBitCount)
    bits &= bits &- 1
  }
}
