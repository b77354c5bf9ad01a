/// A part of a map to be cut in two: its states, grouped by junction, and the arcs between them.
struct DissectionCell {
  /// The graph indices of the states, grouped by junction.
  private(set) var states: [UInt32] = []
  /// The offset in `states` of each junction's first state, plus the end offset.
  private(set) var firstState: [UInt32] = [0]
  /// The first arc of each state, plus the end offset.
  private(set) var firstArc: [UInt32] = [0]
  /// The head of each arc: an index into `states`.
  private(set) var heads: [UInt32] = []
  /// The junction of each state.
  private(set) var junctions: [UInt32] = []
  /// The junctions in order along both axes and both diagonals of the map.
  private(set) var orders: [[UInt32]]

  var junctionCount: Int { firstState.count - 1 }

  private init(orders: [[UInt32]]) { self.orders = orders }

  /// The cell of all states that remain after an elimination.
  init(_ elimination: Elimination, at points: [SIMD2<Int32>]) {
    self.init(orders: [])
    let remaining = points.indices.filter { !elimination.isRemoved[$0] }
    let byPoint = remaining.sorted { (points[$0].x, points[$0].y, $0) < (points[$1].x, points[$1].y, $1) }
    var first = [Int](repeating: 0, count: points.count)
    for (position, state) in byPoint.enumerated() {
      let isNew = position == 0 || points[byPoint[position - 1]] != points[state]
      first[state] = isNew ? state : first[byPoint[position - 1]]
    }
    // Junctions are numbered in the order of their first states.
    let order = remaining.sorted { (first[$0], $0) < (first[$1], $1) }
    var local = [UInt32](repeating: 0, count: points.count)
    var junctionPoints: [SIMD2<Int32>] = []
    for state in order {
      if first[state] == state {
        if !states.isEmpty { firstState.append(UInt32(states.count)) }
        junctionPoints.append(points[state])
      }
      local[state] = UInt32(states.count)
      junctions.append(UInt32(junctionPoints.count - 1))
      states.append(UInt32(state))
    }
    if !states.isEmpty { firstState.append(UInt32(states.count)) }
    for state in states {
      for head in elimination.outgoing[state] { heads.append(local[Int(head)]) }
      firstArc.append(UInt32(heads.count))
    }
    orders = [SIMD2(1, 0), SIMD2(0, 1), SIMD2(1, 1), SIMD2(1, -1)].map { (direction: SIMD2<Int64>) in
      let along = junctionPoints.map { (SIMD2<Int64>(truncatingIfNeeded: $0) &* direction).wrappedSum() }
      return (0..<UInt32(junctionPoints.count)).sorted { (along[Int($0)], $0) < (along[Int($1)], $1) }
    }
  }

  /// Returns the halves of a cut by the side of each junction, and the separator: the heads of the cut's arcs or, if
  /// there are fewer, the ends of these arcs on one side.
  func split(into sides: [Bool]) -> (halves: [DissectionCell], separator: [UInt32]) {
    var (heads, front, back): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
    for (state, junction) in junctions.enumerated() {
      for arc in firstArc[state]..<firstArc[state + 1] {
        let (head, side) = (Int(self.heads[Int(arc)]), sides[Int(junction)])
        guard sides[Int(junctions[head])] != side else { continue }
        heads.insert(head)
        front.insert(side ? state : head)
        back.insert(side ? head : state)
      }
    }
    let separator = [heads, front, back].min { $0.count < $1.count }!
    var isCut = [Bool](repeating: false, count: states.count)
    for state in separator { isCut[state] = true }
    let halves = [false, true].map { side in part { sides[Int(junctions[$0])] == side && !isCut[$0] } }
    return (halves, separator.map { states[$0] }.sorted())
  }

  /// Returns the sub-cell of the states that `isPart` selects.
  private func part(of isPart: (Int) -> Bool) -> DissectionCell {
    var part = DissectionCell(orders: [])
    var newStates = [UInt32](repeating: .max, count: states.count)
    var newJunctions = [UInt32](repeating: .max, count: junctionCount)
    var kept: [Int] = []
    kept.reserveCapacity(states.count)
    part.states.reserveCapacity(states.count)
    part.junctions.reserveCapacity(states.count)
    for state in states.indices where isPart(state) {
      let junction = Int(junctions[state])
      if newJunctions[junction] == .max {
        newJunctions[junction] = UInt32(part.firstState.count - 1)
        part.firstState.append(0)
      }
      newStates[state] = UInt32(kept.count)
      part.junctions.append(newJunctions[junction])
      part.states.append(states[state])
      kept.append(state)
      part.firstState[part.firstState.count - 1] = UInt32(kept.count)
    }
    for state in kept {
      for arc in firstArc[state]..<firstArc[state + 1] {
        let head = newStates[Int(heads[Int(arc)])]
        if head != .max { part.heads.append(head) }
      }
      part.firstArc.append(UInt32(part.heads.count))
    }
    let junctionCount = part.junctionCount
    part.orders = orders.map { order in
      var kept: [UInt32] = []
      kept.reserveCapacity(junctionCount)
      for junction in order where newJunctions[Int(junction)] != .max { kept.append(newJunctions[Int(junction)]) }
      return kept
    }
    return part
  }
}

extension DissectionCell {
  /// Whether the cell is not cut further: one bit per state fits into a word, or there is nothing to cut.
  var isSmall: Bool { states.count <= UInt64.bitWidth || junctionCount < 2 || heads.isEmpty }

  /// Returns the states of a small cell in greedy order: the state with the fewest new arcs per removed arc comes
  /// first. Ties are broken by index; levels add to the cost to keep the hierarchy shallow. States that do not fit into
  /// a word keep their order.
  ///
  /// Source: W. F. Tinney, J. W. Walker 1967, counting arcs as in R. Geisberger et al. 2012.
  func eliminated() -> [UInt32] {
    guard states.count <= UInt64.bitWidth else { return states }
    // One bit per neighbouring state.
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
    /// Returns the new arcs per removed arc, in thousandths, plus 300 per level.
    func cost(_ state: Int) -> Int {
      var added = 0
      forEachBit(incoming[state]) { tail in
        added += (outgoing[state] & ~outgoing[tail] & ~(1 << UInt64(tail))).nonzeroBitCount
      }
      let removed = incoming[state].nonzeroBitCount + outgoing[state].nonzeroBitCount
      return 1000 * added / max(1, removed) + 300 * levels[state]
    }
    var order: [UInt32] = []
    var remaining = Array(states.indices)
    var costs = remaining.map(cost)
    while let index = remaining.indices.min(by: { costs[remaining[$0]] < costs[remaining[$1]] }) {
      let state = remaining.remove(at: index)
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
