// Selecting: two passes over the selected ranks in ascending order. The first marks heads (a bit a rank), the second
// copies arcs with their heads renumbered. Arcs are read in the order of memory; what is random is one bit, later four
// bytes, an arc.

extension Selection {
  /// The ranks that can be climbed to in `half` from `seeds`, ascending.
  static func ranks(above seeds: some Collection<Seed>, in half: UpwardArcs, of hierarchy: Hierarchy) -> [UInt32] {
    var waiting = RankSet(rankCount: hierarchy.stateCount)
    defer { waiting.deallocate() }
    let (first, arcs, ranks) = (half.first.base, half.arcs.base, hierarchy.ranks.base)
    for seed in seeds { waiting.insert(ranks[Int(seed.state.index)]) }
    var found: [UInt32] = []
    found.reserveCapacity(min(hierarchy.stateCount, seeds.count * 8))
    while let rank = waiting.popMin() {
      found.append(rank)
      for place in Int(first[Int(rank)])..<Int(first[Int(rank) + 1]) { waiting.insert(arcs[place].head) }
    }
    return found
  }

  /// Selects `ranks`: ascending, and closed under the arcs of `half`.
  init(_ ranks: [UInt32], in half: UpwardArcs, stateCount: Int) {
    var positions = [UInt32](repeating: Selection.none, count: stateCount)
    var first = [UInt32](repeating: 0, count: ranks.count + 1)
    positions.withUnsafeMutableBufferPointer { positions in
      for (position, rank) in ranks.enumerated() {
        positions[Int(rank)] = UInt32(truncatingIfNeeded: position)
        first[position + 1] = first[position] + half.first.base[Int(rank) + 1] - half.first.base[Int(rank)]
      }
    }
    let arcCount = Int(first[ranks.count])
    let arcs = [UpwardArc](unsafeUninitializedCapacity: arcCount) { copies, copied in
      let (firsts, originals) = (half.first.base, half.arcs.base)
      positions.withUnsafeBufferPointer { positions in
        var copy = 0
        for rank in ranks {
          for place in Int(firsts[Int(rank)])..<Int(firsts[Int(rank) + 1]) {
            var arc = originals[place]
            arc.head = positions[Int(arc.head)]
            copies[copy] = arc
            copy &+= 1
          }
        }
      }
      copied = arcCount
    }
    self.init(first: Column(first), arcs: Column(arcs), positions: Column(positions))
  }
}
