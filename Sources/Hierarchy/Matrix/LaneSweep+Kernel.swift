// Lane RPHAST (D. Delling, A. V. Goldberg, A. Nowatzyk, R. F. Werneck 2011/2013). In one block, the upward searches
// from the lanes' points run together, state by state in ascending rank, through the union of their search spaces. The
// selected states that the searches reach get initial values; then the selection is swept downward, each state once.
// There is no queue, and distances are compared by vector minima only.
//
// Memory per swept arc: 12 bytes of arc, read sequentially, and the lanes of its head (64 or 128 bytes, L2 or L3).
// Expected work per arc and 16 lanes: load, add, min; per state: one store and one flag.

/// The values of selected states for a block of points, and the memory to compute them. Used by one thread.
final class LaneSweep<L: Lanes> {
  private let upward: UpwardArcs
  private let ranks: Column<UInt32>
  private var selection: Selection
  /// The values by position. A sweep writes all of them, so they need no clearing.
  private var lanes: HugeMemory<L>
  /// By position: 1 where `lanes` has a value from the upward search.
  private var isReached: UnsafeMutablePointer<UInt8>
  private var search: LaneUpwardSearch<L>
  private let tile: UnsafeMutablePointer<UInt32>

  /// - Parameter upward: The half to search from the lanes' points; the selection belongs to the other half.
  init(upward: UpwardArcs, over hierarchy: Hierarchy, sweeping selection: Selection) {
    self.upward = upward
    self.selection = selection
    ranks = hierarchy.ranks
    lanes = HugeMemory(count: selection.count)
    isReached = .allocate(capacity: max(1, selection.count))
    isReached.initialize(repeating: 0, count: max(1, selection.count))
    search = LaneUpwardSearch(stateCount: hierarchy.stateCount)
    tile = .allocate(capacity: 2 * 8 * L.count)
  }

  /// Returns the bytes for a selection of `count` states out of `stateCount`, without the selection.
  static func memory(of count: Int, stateCount: Int) -> Int {
    count * (MemoryLayout<L>.stride + 1) + LaneUpwardSearch<L>.memory(stateCount: stateCount)
  }

  deinit {
    lanes.deallocate()
    isReached.deallocate()
    search.deallocate()
    tile.deallocate()
  }

  /// Switches to another selection.
  func select(_ selection: Selection) {
    if selection.count > self.lanes.count {
      lanes.deallocate()
      lanes = HugeMemory(count: selection.count)
      isReached.deallocate()
      isReached = .allocate(capacity: selection.count)
      isReached.initialize(repeating: 0, count: selection.count)
    }
    self.selection = selection
  }

  /// Computes the values of all selected states for up to `L.count` points.
  func sweep(from points: ArraySlice<Int>, of table: SeedTable) {
    precondition(points.count <= L.count, "more points than lanes")
    // A local variable avoids the exclusivity check on every access to an object's field.
    var search = self.search
    search.run(points, of: table, in: upward, ranks: ranks.base)
    let positions = selection.positions?.base
    for slot in 0..<search.count {
      let rank = search.clear(slot)
      let position = positions.map { $0[Int(rank)] } ?? rank
      guard position != Selection.none else { continue }
      lanes.base[Int(position)] = search.lanes[slot]
      isReached[Int(position)] = 1
    }
    self.search = search
    LaneSweep.sweepDownward(
      selection.count, selection.first.base, selection.arcs.base, lanes: lanes.base, isReached: isReached)
  }

  private static func sweepDownward(
    _ count: Int, _ first: UnsafePointer<UInt32>, _ arcs: UnsafePointer<UpwardArc>, lanes: UnsafeMutablePointer<L>,
    isReached: UnsafeMutablePointer<UInt8>
  ) {
    var position = count
    while position > 0 {
      position &-= 1
      var best = isReached[position] == 0 ? L.infinity : lanes[position]
      isReached[position] = 0
      for index in Int(first[position])..<Int(first[position &+ 1]) {
        let arc = arcs[index]
        best.lower(to: lanes[Int(arc.head)], plus: arc)
      }
      lanes[position] = best
    }
  }

  // MARK: Cells

  /// Returns the value of a swept point: the minimum over its seeds.
  @inline(__always)
  private func value(of point: Int, _ points: SweptPoints) -> L {
    var best = L.infinity
    for index in Int(points.first.base[point])..<Int(points.first.base[point &+ 1]) {
      let arc = points.arcs.base[index]
      best.lower(to: lanes.base[Int(arc.head)], plus: arc)
    }
    return best
  }

  /// Writes the values of `points` as columns: lane i is row `rows[i]`.
  func writeColumns(_ points: SweptPoints, rows: [Int], to block: MatrixBlock) {
    var times: [UnsafeMutablePointer<UInt32>] = rows.map(block.milliseconds(row:))
    var lengths: [UnsafeMutablePointer<UInt32>] = L.hasLengths ? rows.map(block.centimetres(row:)) : []
    while times.count < L.count { times.append(block.scratch) }
    while L.hasLengths && lengths.count < L.count { lengths.append(block.scratch) }
    let (timeTile, lengthTile) = (tile, tile + 8 * L.count)
    times.withUnsafeBufferPointer { times in
      lengths.withUnsafeBufferPointer { lengths in
        for column in stride(from: 0, to: points.count, by: 8) {
          for index in 0..<8 {
            let value = column &+ index < points.count ? self.value(of: column &+ index, points) : L.infinity
            value.write(milliseconds: timeTile + index &* L.count, centimetres: lengthTile + index &* L.count)
          }
          for lane in stride(from: 0, to: L.count, by: 8) {
            transpose8x8(from: timeTile + lane, stride: L.count) { times[lane &+ $0] + column }
            if L.hasLengths { transpose8x8(from: lengthTile + lane, stride: L.count) { lengths[lane &+ $0] + column } }
          }
        }
      }
    }
  }

  /// Writes the values of `points` as rows, from row 0: lane i is column `column` + i.
  func writeRows(_ points: SweptPoints, column: Int, to block: MatrixBlock) {
    for row in 0..<points.count {
      value(of: row, points).write(
        milliseconds: block.milliseconds(row: row) + column,
        centimetres: L.hasLengths ? block.centimetres(row: row) + column : block.scratch)
    }
  }
}

extension LaneSweep where L == WeightLanes16 {
  func weight(position: Int, lane: Int) -> Weight {
    precondition(position >= 0 && position < selection.count && lane >= 0 && lane < L.count, "no such lane")
    return UnsafeRawPointer(lanes.base + position).withMemoryRebound(to: L.Value.self, capacity: L.count) {
      Weight(signed: $0[lane])
    }
  }
}

// Ranks are settled in ascending order, so a rank's lanes are final before it is settled. Reached values are stored in
// adjacent slots, since a block's searches reach only a thousandth of all states. Memory per arc: 12 bytes of arc, 4
// bytes to find the slot, and the slot's lanes, which stay in the first-level cache.

/// The upward searches of a block of points: the union of the states they reach, with a value per lane.
struct LaneUpwardSearch<L: Lanes> {
  /// The values by slot.
  private(set) var lanes: UnsafeMutablePointer<L>
  private var ranks: UnsafeMutablePointer<UInt32>
  private(set) var count = 0
  private var capacity = 1024
  /// The slot of each rank; `none` for most.
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

  /// Returns the bytes for `stateCount` states, without the values of reached states.
  static func memory(stateCount: Int) -> Int { stateCount * MemoryLayout<UInt32>.stride + stateCount / 8 }

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

  /// Clears a slot and returns its rank.
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
    var rankCapacity = capacity
    ranks.grow(count: count, capacity: &rankCapacity)
    lanes.grow(count: count, capacity: &capacity)
  }
}
