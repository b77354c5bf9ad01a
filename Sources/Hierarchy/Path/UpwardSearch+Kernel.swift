// A state has a distance (8 bytes, compared all the time) and a parent (8 bytes, read once, when a path is unpacked),
// in columns of their own; an upward arc has 12 bytes. A search settles some 60–190 states on a city's map; what it
// touches mostly stays in the second-level cache.

/// One of the two searches of a query: distances and parents for every rank.
struct UpwardSearch {
  /// How a rank was reached: over `arc` (an index in the search's own half) from rank `from`,
  /// or, with `arc` == `seed`, from the seed `from`.
  struct Parent: BitwiseCopyable {
    var arc: UInt32
    var from: UInt32
  }

  static let seed = UInt32.max

  let distances: UnsafeMutablePointer<UInt64>
  let parents: UnsafeMutablePointer<Parent>
  /// The ranks whose distances must be cleared before the next search.
  let touched: UnsafeMutablePointer<UInt32>
  var touchedCount = 0

  init(stateCount: Int) {
    distances = .allocate(capacity: max(1, stateCount))
    distances.initialize(repeating: Weight.infinity.packed, count: max(1, stateCount))
    parents = .allocate(capacity: max(1, stateCount))
    touched = .allocate(capacity: max(1, stateCount))
  }

  func deallocate() {
    distances.deallocate()
    parents.deallocate()
    touched.deallocate()
  }

  mutating func start(_ seeds: [Seed], ranks: UnsafePointer<UInt32>, _ waiting: inout RankSet) {
    for index in 0..<touchedCount { distances[Int(touched[index])] = Weight.infinity.packed }
    touchedCount = 0
    for (index, seed) in seeds.enumerated() {
      let rank = ranks[Int(seed.state.index)]
      reach(
        rank, seed.weight.packed, over: UpwardSearch.seed, from: UInt32(index), below: Weight.infinity.packed, &waiting)
    }
  }

  /// Records a path to `rank` if it is the shortest so far, and shorter than `limit`.
  @inline(__always)
  private mutating func reach(
    _ rank: UInt32, _ distance: UInt64, over arc: UInt32, from: UInt32, below limit: UInt64, _ waiting: inout RankSet
  ) {
    let known = distances[Int(rank)]
    guard distance < min(known, limit) else { return }
    if known == Weight.infinity.packed {
      touched[touchedCount] = rank
      touchedCount &+= 1
      waiting.insert(rank)
    }
    distances[Int(rank)] = distance
    parents[Int(rank)] = Parent(arc: arc, from: from)
  }

  /// Relaxes the arcs of `rank`, to where the path is shorter than `limit`; unless an arc down from a higher rank
  /// proves that no shortest path goes up here (stall-on-demand).
  @inline(__always)
  mutating func relaxUnlessStalled(
    _ rank: UInt32, _ half: Half, stallingOver down: Half, below limit: UInt64, _ waiting: inout RankSet
  ) {
    let distance = distances[Int(rank)]
    for index in Int(down.first[Int(rank)])..<Int(down.first[Int(rank) + 1])
    where distances[Int(down.arcs[index].head)] &+ down.arcs[index].packed < distance { return }
    relax(rank, half, below: limit, &waiting)
  }

  @inline(__always)
  mutating func relax(_ rank: UInt32, _ half: Half, below limit: UInt64, _ waiting: inout RankSet) {
    let distance = distances[Int(rank)]
    for index in Int(half.first[Int(rank)])..<Int(half.first[Int(rank) + 1]) {
      let arc = half.arcs[index]
      reach(
        arc.head, distance &+ arc.packed, over: UInt32(truncatingIfNeeded: index), from: rank, below: limit, &waiting)
    }
  }

  /// A half of the hierarchy by its addresses.
  struct Half {
    let first: UnsafePointer<UInt32>
    let arcs: UnsafePointer<UpwardArc>

    init(_ half: UpwardArcs) {
      first = half.first.base
      arcs = half.arcs.base
    }
  }
}
