/// Which states are contracted next: priorities, and rounds of independent states.
///
/// The priority of a state is the weighted sum of its level and of what its contraction would add and remove
/// (R. Geisberger et al. 2012, with RoutingKit's weights). A round takes every state whose priority is the
/// least among all states at most two arcs away (C. Vetter 2009): two states of a round share no neighbour,
/// so their shortcuts can be found at the same time, and the result does not depend on the number of workers.
struct ContractionOrder {
  /// Priority in the upper half, a scrambled state in the lower: no two alike.
  private(set) var keys: [UInt64]
  private var leastAround: [UInt64]
  /// One more than the level of the highest neighbour contracted so far.
  private(set) var levels: [UInt32]
  /// States not yet contracted, ascending.
  private(set) var remaining: [UInt32]

  init(stateCount: Int) {
    keys = Array(repeating: 0, count: stateCount)
    leastAround = keys
    levels = Array(repeating: 0, count: stateCount)
    remaining = Array(0..<UInt32(stateCount))
  }

  mutating func setPriority(of state: UInt32, _ estimate: WitnessSearch.Estimate) {
    let arcs = thousandths(of: estimate.addedArcs, in: estimate.removedArcs)
    let hops = thousandths(of: estimate.addedHops, in: estimate.removedHops)
    let priority = min(1000 * UInt64(levels[Int(state)]) + arcs + hops, UInt64(UInt32.max))
    // Multiplying by an odd number permutes the 32-bit words: ties are broken evenly over the map.
    keys[Int(state)] = priority << 32 | UInt64(state &* 0x9E37_79B1)
  }

  private func thousandths(of part: UInt64, in whole: UInt64) -> UInt64 {
    whole > 0 ? 1000 * part / whole : 0
  }

  mutating func raise(_ state: UInt32, above contracted: UInt32) {
    levels[Int(state)] = max(levels[Int(state)], levels[Int(contracted)] + 1)
  }

  /// Removes the next round from `remaining` and returns it, ascending.
  mutating func nextRound(in graph: RemainingGraph) -> [UInt32] {
    for state in remaining { leastAround[Int(state)] = least(around: state, of: keys, in: graph) }
    var round: [UInt32] = []
    var rest: [UInt32] = []
    rest.reserveCapacity(remaining.count)
    for state in remaining {
      if least(around: state, of: leastAround, in: graph) == keys[Int(state)] {
        round.append(state)
      } else {
        rest.append(state)
      }
    }
    remaining = rest
    return round
  }

  private func least(around state: UInt32, of values: [UInt64], in graph: RemainingGraph) -> UInt64 {
    var least = values[Int(state)]
    for arc in graph.arcs(graph.outgoing[Int(state)]) { least = min(least, values[Int(arc.state)]) }
    for arc in graph.arcs(graph.incoming[Int(state)]) { least = min(least, values[Int(arc.state)]) }
    return least
  }
}
