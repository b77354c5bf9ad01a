// A climb visits about ten states with a few arcs each. Then each reached labelled state takes one vector addition and
// minimum per eight common ancestors of the two ends. All labels begin with these ancestors.

/// One of the two searches of a label query.
struct LabelSearch {
  private var search: UpwardSearch
  /// The first labelled states of the climbs: one, unless seeds are in different parts of the tree.
  private let entries: UnsafeMutablePointer<UInt32>
  private var entryCount = 0
  /// The reached states: states with labels are stored from the front, states without labels from the back.
  private let reached: UnsafeMutablePointer<UInt32>
  private let capacity: Int
  private var labelledCount = 0
  private var otherCount = 0
  /// The distances to the ancestors of an entry, as `Weight.signed`.
  private let distances: UnsafeMutablePointer<Int64>

  init(stateCount: Int, maximumDepth: UInt32) {
    search = UpwardSearch(stateCount: stateCount)
    capacity = max(1, stateCount)
    entries = .allocate(capacity: capacity)
    reached = .allocate(capacity: capacity)
    distances = .allocate(capacity: UpperLabels.paddedCount(maximumDepth))
  }

  func deallocate() {
    search.deallocate()
    entries.deallocate()
    reached.deallocate()
    distances.deallocate()
  }

  /// Climbs from `seeds` to the first labelled states.
  mutating func climb(from seeds: [Seed], _ labels: UpperLabels, _ half: UpwardArcs, _ front: inout ClimbFront) {
    search.start(seeds, ranks: labels.hierarchy.ranks.base, &front)
    let (half, parents, starts) = (UpwardSearch.Half(half), labels.parents.base, labels.starts.base)
    entryCount = 0
    while let rank = front.climb(parents) {
      guard starts[Int(rank)] == UpperLabels.none else {
        entries[entryCount] = rank
        entryCount &+= 1
        continue
      }
      search.relax(rank, half, below: Weight.infinity.packed)
    }
    (labelledCount, otherCount) = (0, 0)
    for index in 0..<search.touchedCount {
      let rank = search.touched[index]
      if starts[Int(rank)] == UpperLabels.none {
        otherCount &+= 1
        reached[capacity &- otherCount] = rank
      } else {
        reached[labelledCount] = rank
        labelledCount &+= 1
      }
    }
  }

  /// Returns the minimum weight of a path up in this search and down in the other.
  func minimumWeight(with other: LabelSearch, _ labels: UpperLabels) -> Weight {
    var minimum = Weight.infinity.packed
    for index in 1..<max(1, other.otherCount &+ 1) {
      let rank = Int(other.reached[other.capacity &- index])
      minimum = min(minimum, search.distances[rank] &+ other.search.distances[rank])
    }
    for entry in 0..<entryCount {
      for otherEntry in 0..<other.entryCount {
        minimum = min(minimum, self.minimumWeight(through: entries[entry], other, other.entries[otherEntry], labels))
      }
    }
    return Weight(packed: minimum)
  }

  /// Returns the minimum weight of a path via a common ancestor of two entries.
  private func minimumWeight(
    through entry: UInt32, _ other: LabelSearch, _ otherEntry: UInt32, _ labels: UpperLabels
  ) -> UInt64 {
    let (starts, depths) = (labels.starts.base, labels.depths.base)
    let own = UnsafeRawPointer(labels.ancestors.base + Int(starts[Int(entry)]))
    let others = UnsafeRawPointer(labels.ancestors.base + Int(starts[Int(otherEntry)]))
    let maximumCount = min(
      UpperLabels.paddedCount(depths[Int(entry)]), UpperLabels.paddedCount(depths[Int(otherEntry)]))
    func ranks(_ label: UnsafeRawPointer, _ offset: Int) -> SIMD8<UInt32> {
      (label + offset &* 4).loadUnaligned(as: SIMD8<UInt32>.self)
    }
    // Counts up to and including the first block in which the paths to the root differ.
    var count = 0
    while count < maximumCount {
      let areEqual = ranks(own, count) .== ranks(others, count)
      count &+= UpperLabels.blockSize
      if !all(areEqual) { break }
    }
    guard count > 0 else { return Weight.infinity.packed }
    fill(count, entry, labels.outgoing.base, labels)
    other.fill(count, otherEntry, labels.incoming.base, labels)
    let sign = SIMD8<Int64>(repeating: .min)
    var minimum = SIMD8<Int64>(repeating: Weight.infinity.signed)
    var offset = 0
    while offset < count {
      var sum =
        UnsafeRawPointer(distances + offset).loadUnaligned(as: SIMD8<Int64>.self)
        &+ (UnsafeRawPointer(other.distances + offset).loadUnaligned(as: SIMD8<Int64>.self) ^ sign)
      let differ = ranks(own, offset) .!= ranks(others, offset)
      if any(differ) {
        for lane in 0..<UpperLabels.blockSize where differ[lane] { sum[lane] = Weight.infinity.signed }
      }
      minimum.replace(with: sum, where: sum .< minimum)
      offset &+= UpperLabels.blockSize
    }
    return Weight(signed: minimum.min()).packed
  }

  /// Computes the distances to the first `count` ancestors of an entry via the reached states on its path to the root.
  private func fill(_ count: Int, _ entry: UInt32, _ distances: UnsafePointer<Int64>, _ labels: UpperLabels) {
    let (starts, depths) = (labels.starts.base, labels.depths.base)
    let ancestors = labels.ancestors.base + Int(starts[Int(entry)])
    let depth = depths[Int(entry)]
    self.distances.update(repeating: Weight.infinity.signed, count: count)
    for index in 0..<labelledCount {
      let rank = Int(reached[index])
      guard depths[rank] <= depth, ancestors[Int(depths[rank])] == UInt32(truncatingIfNeeded: rank) else { continue }
      UpperLabels.lower(
        self.distances, to: distances + Int(starts[rank]), plus: search.distances[rank],
        count: min(count, UpperLabels.paddedCount(depths[rank])))
    }
  }
}

// Labels are built from the top down: a label is the minimum, over the arcs of its state, of the arc's weight plus the
// head's label. Heads are ancestors, whose labels begin with the same path from the root, so entries are added index by
// index, in whole vectors. Entries after the end of a label stay infinite.

extension UpperLabels {
  /// Returns the ancestors of each labelled rank by depth, ending with the rank itself.
  static func ancestors(of parents: Column<UInt32>, starts: [UInt32], depths: [UInt32], count: Int) -> Column<UInt32> {
    Column(count: count) { base in
      base.initialize(repeating: none, count: count)
      for rank in starts.indices.reversed() where starts[rank] != none {
        let (own, depth) = (base + Int(starts[rank]), Int(depths[rank]))
        if depth > 0 { own.update(from: base + Int(starts[Int(parents[rank])]), count: depth) }
        own[depth] = UInt32(rank)
      }
    }
  }

  /// Returns the distances in `half` between each labelled rank and its ancestors.
  static func distances(over half: UpwardArcs, starts: [UInt32], depths: [UInt32], count: Int) -> Column<Int64> {
    let (first, arcs) = (half.first.base, half.arcs.base)
    return Column(count: count) { base in
      base.initialize(repeating: Weight.infinity.signed, count: count)
      starts.withUnsafeBufferPointer { starts in
        for rank in starts.indices.reversed() where starts[rank] != none {
          let own = base + Int(starts[rank])
          for index in Int(first[rank])..<Int(first[rank &+ 1]) {
            let (head, weight) = (Int(arcs[index].head), arcs[index].packed)
            lower(own, to: base + Int(starts[head]), plus: weight, count: paddedCount(depths[head]))
          }
          own[Int(depths[rank])] = Weight.zero.signed
        }
      }
    }
  }

  /// Lowers `count` entries, a multiple of the block size, to `others` plus a weight where that is less.
  @inline(__always)
  static func lower(
    _ entries: UnsafeMutablePointer<Int64>, to others: UnsafePointer<Int64>, plus weight: UInt64, count: Int
  ) {
    let weight = SIMD8(repeating: Int64(bitPattern: weight))
    let (entries, others) = (UnsafeMutableRawPointer(entries), UnsafeRawPointer(others))
    var offset = 0
    while offset < count &* 8 {
      let sum = (others + offset).loadUnaligned(as: SIMD8<Int64>.self) &+ weight
      var minimum = (entries + offset).loadUnaligned(as: SIMD8<Int64>.self)
      minimum.replace(with: sum, where: sum .< minimum)
      (entries + offset).storeBytes(of: minimum, as: SIMD8<Int64>.self)
      offset &+= 64
    }
  }
}
