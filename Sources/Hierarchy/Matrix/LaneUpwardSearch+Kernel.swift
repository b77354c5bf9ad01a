// Ranks are settled in ascending order: a rank's lanes are final when its turn comes. What is reached is kept in
// adjacent slots, since the union of a block's searches is a thousandth of all states. Per arc: 12 bytes of arc, 4
// bytes to find the slot, and the lanes of the slot, which stay in the first-level cache.

/// The upward searches of a block of points: the union of the states they reach, with a value per lane.
struct LaneUpwardSearch<L: Lanes> {
  /// By slot.
  private(set) var lanes: UnsafeMutablePointer<L>
  private var ranks: UnsafeMutablePointer<UInt32>
  private(set) var count = 0
  private var capacity = 1024
  /// The slot of each rank, `none` for most.
  private let slots: UnsafeMutablePointer<UInt32>
  private var waiting: RankSet

  private static var none: UInt32 { .max }

  init(stateCount: Int) {
    lanes = .allocate(capacity: capacity)
    ranks = .allocate(capacity: capacity)
    slots = .allocate(capacity: max(1, stateCount))
    slots.initialize(repeating: LaneUpwardSearch.none, count: max(1, stateCount))
    waiting = RankSet(rankCount: stateCount)
  }

  func deallocate() {
    lanes.deallocate()
    ranks.deallocate()
    slots.deallocate()
    waiting.deallocate()
  }

  /// Searches upward from `points` of `table` in `half`. The slots must have been cleared.
  mutating func run(
    _ points: ArraySlice<Int>, of table: SeedTable, in half: UpwardArcs, ranks rankOfState: UnsafePointer<UInt32>
  ) {
    count = 0
    waiting.restart()
    for (lane, point) in points.enumerated() {
      for seed in table[point] {
        let slot = self.slot(of: rankOfState[Int(seed.state.index)])
        let value = L.value(of: seed.weight)
        UnsafeMutableRawPointer(lanes + slot).withMemoryRebound(to: L.Value.self, capacity: L.count) {
          $0[lane] = min($0[lane], value)
        }
      }
    }
    let (first, arcs) = (half.first.base, half.arcs.base)
    while let rank = waiting.popMin() {
      let from = Int(slots[Int(rank)])
      for index in Int(first[Int(rank)])..<Int(first[Int(rank) &+ 1]) {
        let slot = self.slot(of: arcs[index].head)
        lanes[slot].lower(to: lanes[from], plus: arcs[index])
      }
    }
  }

  /// Clears a slot, and returns its rank.
  func clear(_ slot: Int) -> UInt32 {
    slots[Int(ranks[slot])] = LaneUpwardSearch.none
    return ranks[slot]
  }

  @inline(__always)
  private mutating func slot(of rank: UInt32) -> Int {
    let known = slots[Int(rank)]
    guard known == LaneUpwardSearch.none else { return Int(known) }
    let slot = count
    if slot == capacity { grow() }
    lanes[slot] = L.infinity
    ranks[slot] = rank
    slots[Int(rank)] = UInt32(truncatingIfNeeded: slot)
    count &+= 1
    waiting.insert(rank)
    return slot
  }

  private mutating func grow() {
    let (moreLanes, moreRanks) = (
      UnsafeMutablePointer<L>.allocate(capacity: capacity * 2),
      UnsafeMutablePointer<UInt32>.allocate(capacity: capacity * 2)
    )
    moreLanes.update(from: lanes, count: capacity)
    moreRanks.update(from: ranks, count: capacity)
    lanes.deallocate()
    ranks.deallocate()
    (lanes, ranks) = (moreLanes, moreRanks)
    capacity *= 2
  }
}
