// The loops of PathQuery. A state has a distance (8 bytes, compared all the time) and a parent (8 bytes, read once by
// who unpacks), in columns of their own; an upward arc has 12 bytes. A climb settles some 60–190 states on a city's map;
// what it touches mostly stays in the second-level cache. Unpacking reads 8 bytes an arc of the way, in an order of its
// own: most of its cost is waiting for memory.
//
// Both climbs go up together, rank by rank: every arc climbs, so a rank's distance is final when it is its turn, and no
// queue has to keep distances in order. Beside a queue by distance this settles a tenth less and takes a third less time.

/// One of the two climbs: distances and parents for every rank.
struct Climb {
  /// How a rank was reached: over the arc at `place` (in the climb's own half) from rank `from`,
  /// or, with `place` == `seed`, from the seed `from`.
  struct Parent: BitwiseCopyable {
    var place: UInt32
    var from: UInt32
  }

  static let seed = UInt32.max

  let distances: UnsafeMutablePointer<UInt64>
  let parents: UnsafeMutablePointer<Parent>
  /// The ranks whose distances must be cleared before the next climb.
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
        rank, seed.weight.packed, over: Climb.seed, from: UInt32(index), below: Weight.infinity.packed, &waiting)
    }
  }

  /// Notes a way to `rank` if it is the best so far, and shorter than `limit`.
  @inline(__always)
  private mutating func reach(
    _ rank: UInt32, _ distance: UInt64, over place: UInt32, from: UInt32, below limit: UInt64, _ waiting: inout RankSet
  ) {
    let known = distances[Int(rank)]
    guard distance < min(known, limit) else { return }
    if known == Weight.infinity.packed {
      touched[touchedCount] = rank
      touchedCount &+= 1
      waiting.insert(rank)
    }
    distances[Int(rank)] = distance
    parents[Int(rank)] = Parent(place: place, from: from)
  }

  /// Climbs on from `rank`, to where it is shorter than `limit`; unless a way down from a higher rank proves that no
  /// shortest way climbs here.
  @inline(__always)
  mutating func climb(
    from rank: UInt32, _ half: Half, stallingOver down: Half, below limit: UInt64, _ waiting: inout RankSet
  ) {
    let distance = distances[Int(rank)]
    for place in Int(down.first[Int(rank)])..<Int(down.first[Int(rank) + 1])
    where distances[Int(down.arcs[place].head)] &+ down.arcs[place].packed < distance { return }
    climbEverywhere(from: rank, half, below: limit, &waiting)
  }

  @inline(__always)
  mutating func climbEverywhere(from rank: UInt32, _ half: Half, below limit: UInt64, _ waiting: inout RankSet) {
    let distance = distances[Int(rank)]
    for place in Int(half.first[Int(rank)])..<Int(half.first[Int(rank) + 1]) {
      let arc = half.arcs[place]
      reach(
        arc.head, distance &+ arc.packed, over: UInt32(truncatingIfNeeded: place), from: rank, below: limit, &waiting)
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

extension PathQuery {
  func meet(_ sources: [Seed], _ targets: [Seed]) -> Meeting? {
    let (out, into) = (Climb.Half(hierarchy.outgoing), Climb.Half(hierarchy.incoming))
    var best = Meeting(weight: Weight.infinity.packed, rank: 0)
    climb(from: sources, to: targets) { rank, forward, backward, waiting in
      let (ahead, behind) = (forward.distances[Int(rank)], backward.distances[Int(rank)])
      if ahead &+ behind < best.weight { best = Meeting(weight: ahead &+ behind, rank: rank) }
      if ahead < best.weight {
        forward.climb(from: rank, out, stallingOver: into, below: best.weight, &waiting)
      }
      if behind < best.weight {
        backward.climb(from: rank, into, stallingOver: out, below: best.weight, &waiting)
      }
    }
    return best.weight < Weight.infinity.packed ? best : nil
  }

  /// Both climbs to every rank within `limit`, over states that a shortest way would not use, too.
  func explore(from sources: [Seed], to targets: [Seed], within limit: UInt64) {
    let (out, into) = (Climb.Half(hierarchy.outgoing), Climb.Half(hierarchy.incoming))
    climb(from: sources, to: targets) { rank, forward, backward, waiting in
      if forward.distances[Int(rank)] < limit { forward.climbEverywhere(from: rank, out, below: limit, &waiting) }
      if backward.distances[Int(rank)] < limit { backward.climbEverywhere(from: rank, into, below: limit, &waiting) }
    }
  }

  /// Starts both climbs and calls `visit` with every rank that one of them reaches, ascending.
  @inline(__always)
  private func climb(
    from sources: [Seed], to targets: [Seed], _ visit: (UInt32, inout Climb, inout Climb, inout RankSet) -> Void
  ) {
    // Locals: the compiler guards each access to a field of an object.
    var (forward, backward, waiting) = (self.forward, self.backward, self.waiting)
    defer { (self.forward, self.backward, self.waiting) = (forward, backward, waiting) }
    waiting.restart()
    forward.start(sources, ranks: hierarchy.ranks.base, &waiting)
    backward.start(targets, ranks: hierarchy.ranks.base, &waiting)
    while let rank = waiting.popMin() { visit(rank, &forward, &backward, &waiting) }
  }

  /// Appends the arcs from the source seed up to `rank`, and returns the seed's index.
  func unpackClimb(to rank: UInt32, into unpacking: inout Unpacking) -> Int {
    var parent = forward.parents[Int(rank)]
    while parent.place != Climb.seed {
      unpacking.push(parent.place << 1 | 1)
      parent = forward.parents[Int(parent.from)]
    }
    // Found from the top: the first arc of the way is on the stack's top already.
    unpacking.unpack(hierarchy)
    return Int(parent.from)
  }

  /// Appends the arcs from `rank` down to the target seed, and returns the seed's index.
  func unpackDescent(from rank: UInt32, into unpacking: inout Unpacking) -> Int {
    var parent = backward.parents[Int(rank)]
    while parent.place != Climb.seed {
      unpacking.push(parent.place << 1)
      unpacking.unpack(hierarchy)
      parent = backward.parents[Int(parent.from)]
    }
    return Int(parent.from)
  }
}

/// Room for unpacking: a stack of a hierarchy's arcs (their place times two, plus one for `outgoing`), and the arcs of
/// the graph found so far.
struct Unpacking {
  private var stack: UnsafeMutablePointer<UInt32>
  private var stackCount = 0
  private var stackCapacity = 1024
  private var arcs: UnsafeMutablePointer<ArcID>
  private(set) var arcCount = 0
  private var arcCapacity = 4096

  init() {
    stack = .allocate(capacity: stackCapacity)
    arcs = .allocate(capacity: arcCapacity)
  }

  func deallocate() {
    stack.deallocate()
    arcs.deallocate()
  }

  mutating func removeAll() { arcCount = 0 }

  var result: [ArcID] { Array(UnsafeBufferPointer(start: arcs, count: arcCount)) }

  mutating func push(_ piece: UInt32) {
    if stackCount + 2 > stackCapacity { Unpacking.grow(&stack, count: stackCount, capacity: &stackCapacity) }
    stack[stackCount] = piece
    stackCount &+= 1
  }

  mutating func unpack(_ hierarchy: Hierarchy) {
    let outgoing = hierarchy.outgoing.parts.base
    let incoming = hierarchy.incoming.parts.base
    while stackCount > 0 {
      stackCount &-= 1
      let piece = stack[stackCount]
      let parts = piece & 1 == 1 ? outgoing[Int(piece >> 1)] : incoming[Int(piece >> 1)]
      if parts.isOriginal {
        if arcCount == arcCapacity { Unpacking.grow(&arcs, count: arcCount, capacity: &arcCapacity) }
        arcs[arcCount] = ArcID(parts.up)
        arcCount &+= 1
      } else {
        push(parts.up << 1 | 1)
        push(parts.down << 1)
      }
    }
  }

  private static func grow<T>(_ memory: inout UnsafeMutablePointer<T>, count: Int, capacity: inout Int) {
    capacity *= 2
    let larger = UnsafeMutablePointer<T>.allocate(capacity: capacity)
    larger.update(from: memory, count: count)
    memory.deallocate()
    memory = larger
  }
}
