// Each state has k entries, sorted by (weight, target): weights in one column, targets in another, by rank. A sweep
// over all states reads each arc once, and for most arcs one weight of the head: an arc is done as soon as the head's
// next entry is no better than the state's worst. This is exact: a target that is not among a state's best k is not
// among the best k of any state beyond it, since the same k are better there. Only the best target of each group is
// kept, so the k targets come from k different groups.

/// The best few targets of every state. Filled once, then read-only.
final class NearestEntries: @unchecked Sendable {
  private let count: Int
  private let limit: UInt64
  private let weights: HugeMemory<UInt64>
  private let targets: HugeMemory<UInt32>
  /// The group of each target.
  private let groups: Column<UInt32>

  private static let none = UInt32.max

  init(stateCount: Int, count: Int, limit: UInt32, groups: Column<UInt32>) {
    self.count = count
    self.groups = groups
    // The largest weight within the limit.
    self.limit = min(UInt64(limit) << 32 | 0xFFFF_FFFF, Weight.infinity.packed - 1)
    weights = HugeMemory(count: stateCount * count)
    targets = HugeMemory(count: stateCount * count)
    weights.base.initialize(repeating: Weight.infinity.packed, count: stateCount * count)
    targets.base.initialize(repeating: NearestEntries.none, count: stateCount * count)
  }

  deinit {
    weights.deallocate()
    targets.deallocate()
  }

  func fill(from table: SeedTable, ranks: Column<UInt32>, upward: UpwardArcs, downward: UpwardArcs) {
    var waiting = RankSet(rankCount: ranks.count)
    defer { waiting.deallocate() }
    for target in 0..<table.count {
      for seed in table[target] {
        let rank = ranks.base[Int(seed.state.index)]
        insert(seed.weight.packed, UInt32(target), at: Int(rank) * count)
        waiting.insert(rank)
      }
    }
    while let rank = waiting.popMin() {
      for index in Int(upward.first.base[Int(rank)])..<Int(upward.first.base[Int(rank) + 1]) {
        let arc = upward.arcs.base[index]
        merge(Int(rank) * count, plus: arc.packed, into: Int(arc.head) * count)
        waiting.insert(arc.head)
      }
    }
    var rank = ranks.count
    while rank > 0 {
      rank &-= 1
      for index in Int(downward.first.base[rank])..<Int(downward.first.base[rank &+ 1]) {
        let arc = downward.arcs.base[index]
        merge(Int(arc.head) &* count, plus: arc.packed, into: rank &* count)
      }
    }
  }

  func append(to found: inout [NearestTable.Found], rank: UInt32, _ weight: Weight) {
    for index in 0..<count {
      guard var entry = self.found(rank: rank, index: index) else { return }
      entry.weight = entry.weight + weight
      found.append(entry)
    }
  }

  func found(rank: UInt32, index: Int) -> NearestTable.Found? {
    let entry = Int(rank) * count + index
    guard targets.base[entry] != NearestEntries.none else { return nil }
    return NearestTable.Found(weight: Weight(packed: weights.base[entry]), target: Int(targets.base[entry]))
  }

  /// Merges the entries at `from`, plus `weight`, into the entries at `into`.
  @inline(__always)
  private func merge(_ from: Int, plus weight: UInt64, into: Int) {
    let worst = into &+ count &- 1
    for entry in from..<from &+ count {
      let sum = weights.base[entry] &+ weight
      guard sum <= weights.base[worst], insert(sum, targets.base[entry], at: into) else { return }
    }
  }

  /// Inserts an entry in order if it is better than both the worst entry and any entry of its group. Returns false if
  /// neither this entry nor any farther one fits.
  @discardableResult
  private func insert(_ weight: UInt64, _ target: UInt32, at list: Int) -> Bool {
    func isBetter(than entry: Int) -> Bool {
      weight != weights.base[entry] ? weight < weights.base[entry] : target < targets.base[entry]
    }
    let worst = list &+ count &- 1
    guard weight <= limit, isBetter(than: worst) else { return false }
    // The entry to replace: the one of the same group, or the worst.
    let group = groups.base[Int(target)]
    func isOfGroup(_ entry: Int) -> Bool {
      let other = targets.base[entry]
      return other != NearestEntries.none && groups.base[Int(other)] == group
    }
    var gap = worst
    for entry in list..<worst where isOfGroup(entry) { gap = entry }
    if isOfGroup(gap) && !isBetter(than: gap) { return true }
    while gap > list && isBetter(than: gap &- 1) {
      weights.base[gap] = weights.base[gap &- 1]
      targets.base[gap] = targets.base[gap &- 1]
      gap &-= 1
    }
    weights.base[gap] = weight
    targets.base[gap] = target
    return true
  }
}
