// A state has a distance (8 bytes, compared constantly) and a parent (8 bytes, read once, for unpacking) in separate
// columns; an upward arc has 12 bytes. A search mostly stays in the second-level cache.

/// One of the two searches of a query: distances and parents for every rank.
struct UpwardSearch {
  static let seed = UInt32.max

  let distances: UnsafeMutablePointer<UInt64>
  /// The predecessor of each rank: rank `from` via `arc` (an index in the search's half) or, with `arc` == `seed`, the
  /// seed `from`.
  let parents: UnsafeMutablePointer<(arc: UInt32, from: UInt32)>
  /// The ranks whose distances must be cleared before the next search.
  private(set) var touched: UnsafeMutablePointer<UInt32>
  private(set) var touchedCount = 0
  private var touchedCapacity = 1024

  init(stateCount: Int) {
    distances = .allocate(capacity: max(1, stateCount))
    distances.initialize(repeating: Weight.infinity.packed, count: max(1, stateCount))
    parents = .allocate(capacity: max(1, stateCount))
    touched = .allocate(capacity: touchedCapacity)
  }

  /// Returns the bytes for `stateCount` states.
  static func memory(stateCount: Int) -> Int {
    stateCount * (MemoryLayout<UInt64>.stride + MemoryLayout<(UInt32, UInt32)>.stride)
  }

  func deallocate() {
    distances.deallocate()
    parents.deallocate()
    touched.deallocate()
  }

  mutating func start(_ seeds: [Seed], ranks: UnsafePointer<UInt32>, _ front: inout ClimbFront) {
    for index in 0..<touchedCount { distances[Int(touched[index])] = Weight.infinity.packed }
    touchedCount = 0
    for (index, seed) in seeds.enumerated() {
      let rank = ranks[Int(seed.state.index)]
      reach(rank, seed.weight.packed, over: UpwardSearch.seed, from: UInt32(index), below: Weight.infinity.packed)
      front.insert(rank)
    }
  }

  /// Records a path to `rank` if it is the shortest so far, and shorter than `limit`.
  @inline(__always)
  private mutating func reach(_ rank: UInt32, _ distance: UInt64, over arc: UInt32, from: UInt32, below limit: UInt64) {
    let known = distances[Int(rank)]
    guard distance < min(known, limit) else { return }
    if known == Weight.infinity.packed {
      if touchedCount == touchedCapacity { touched.grow(count: touchedCount, capacity: &touchedCapacity) }
      touched[touchedCount] = rank
      touchedCount &+= 1
    }
    distances[Int(rank)] = distance
    parents[Int(rank)] = (arc, from)
  }

  /// Relaxes the arcs of `rank` with paths shorter than `limit`; none if the rank itself is that far away.
  @inline(__always)
  mutating func relax(_ rank: UInt32, _ half: Half, below limit: UInt64) {
    let distance = distances[Int(rank)]
    guard distance < limit else { return }
    for index in Int(half.first[Int(rank)])..<Int(half.first[Int(rank) &+ 1]) {
      let arc = half.arcs[index]
      reach(arc.head, distance &+ arc.packed, over: UInt32(truncatingIfNeeded: index), from: rank, below: limit)
    }
  }

  /// Pointers to the arrays of one half of the hierarchy.
  struct Half {
    let first: UnsafePointer<UInt32>
    let arcs: UnsafePointer<UpwardArc>

    init(_ half: UpwardArcs) {
      first = half.first.base
      arcs = half.arcs.base
    }
  }
}

/// The ranks from which a climb continues, without duplicates, in descending order. The climb starts at the ranks of
/// the seeds; their paths meet at common ancestors.
struct ClimbFront {
  private var ranks: UnsafeMutablePointer<UInt32>
  private var count = 0
  private var capacity = 16

  init() { ranks = .allocate(capacity: capacity) }

  func deallocate() { ranks.deallocate() }

  mutating func insert(_ rank: UInt32) {
    var index = count
    while index > 0 && ranks[index &- 1] < rank { index &-= 1 }
    guard index == 0 || ranks[index &- 1] != rank else { return }
    if count == capacity { ranks.grow(count: count, capacity: &capacity) }
    var moved = count
    while moved > index {
      ranks[moved] = ranks[moved &- 1]
      moved &-= 1
    }
    ranks[index] = rank
    count &+= 1
  }

  /// Removes and returns the lowest rank, and inserts its parent, if it has one.
  @inline(__always)
  mutating func climb(_ parents: UnsafePointer<UInt32>) -> UInt32? {
    guard count > 0 else { return nil }
    let rank = ranks[count &- 1]
    let parent = parents[Int(rank)]
    if count == 1 && parent != rank {
      ranks[0] = parent
    } else {
      count &-= 1
      if parent != rank { insert(parent) }
    }
    return rank
  }
}
