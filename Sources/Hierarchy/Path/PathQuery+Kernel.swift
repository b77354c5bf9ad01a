// The loops of PathQuery. A label is 16 bytes, an upward arc 12. A climb settles some 60–150 states on a city's map,
// each with two or three arcs; what it touches stays in the second-level cache. Unpacking reads 8 bytes an arc of
// the way, in an order of its own: most of its cost is waiting for memory.

/// One of the two climbs: labels for every rank, and the queue.
struct Climb {
  /// How a rank was reached: over the arc at `place` (in the climb's own half) from rank `from`,
  /// or, with `place` == `seed`, from the seed `from`.
  struct Label: BitwiseCopyable {
    var distance: UInt64
    var place: UInt32
    var from: UInt32
  }

  static let seed = UInt32.max

  let labels: UnsafeMutablePointer<Label>
  /// The ranks whose labels must be cleared before the next climb.
  let touched: UnsafeMutablePointer<UInt32>
  var touchedCount = 0
  var heap = SearchHeap()

  init(stateCount: Int) {
    labels = .allocate(capacity: max(1, stateCount))
    labels.initialize(
      repeating: Label(distance: Weight.infinity.packed, place: 0, from: 0), count: max(1, stateCount))
    touched = .allocate(capacity: max(1, stateCount))
  }

  func deallocate() {
    labels.deallocate()
    touched.deallocate()
    heap.deallocate()
  }

  mutating func start(_ seeds: [Seed], ranks: UnsafePointer<UInt32>) {
    for index in 0..<touchedCount { labels[Int(touched[index])].distance = Weight.infinity.packed }
    touchedCount = 0
    heap.removeAll()
    for (index, seed) in seeds.enumerated() {
      let rank = ranks[Int(seed.state.index)]
      reach(rank, seed.weight.packed, over: Climb.seed, from: UInt32(index))
    }
  }

  @inline(__always)
  mutating func reach(_ rank: UInt32, _ distance: UInt64, over place: UInt32, from: UInt32) {
    let known = labels[Int(rank)].distance
    guard distance < known else { return }
    if known == Weight.infinity.packed {
      touched[touchedCount] = rank
      touchedCount &+= 1
    }
    labels[Int(rank)] = Label(distance: distance, place: place, from: from)
    heap.push(key: distance, state: rank)
  }

  /// Settles the nearest rank: returns it unless it was settled before, and climbs on from it unless a way
  /// down from a higher rank proves that no shortest way climbs there.
  @inline(__always)
  mutating func settle(
    up firstUp: UnsafePointer<UInt32>, _ up: UnsafePointer<UpwardArc>,
    down firstDown: UnsafePointer<UInt32>, _ down: UnsafePointer<UpwardArc>
  ) -> (rank: UInt32, distance: UInt64)? {
    guard let (distance, rank) = heap.popMin(), distance == labels[Int(rank)].distance else { return nil }
    for place in Int(firstDown[Int(rank)])..<Int(firstDown[Int(rank) + 1])
    where labels[Int(down[place].head)].distance &+ down[place].packed < distance {
      return (rank, distance)
    }
    for place in Int(firstUp[Int(rank)])..<Int(firstUp[Int(rank) + 1]) {
      reach(up[place].head, distance &+ up[place].packed, over: UInt32(place), from: rank)
    }
    return (rank, distance)
  }
}

extension Climb {
  /// Climbs on to every rank within `limit`.
  mutating func explore(_ half: UpwardArcs, within limit: UInt64) {
    let (first, arcs) = (half.first.base, half.arcs.base)
    while let (distance, rank) = heap.popMin(), distance <= limit {
      guard distance == labels[Int(rank)].distance else { continue }
      for place in Int(first[Int(rank)])..<Int(first[Int(rank) + 1]) {
        reach(arcs[place].head, distance &+ arcs[place].packed, over: UInt32(place), from: rank)
      }
    }
  }
}

extension PathQuery {
  func meet(_ sources: [Seed], _ targets: [Seed]) -> Meeting? {
    let ranks = hierarchy.ranks.base
    let firstOut = hierarchy.outgoing.first.base
    let out = hierarchy.outgoing.arcs.base
    let firstIn = hierarchy.incoming.first.base
    let into = hierarchy.incoming.arcs.base
    // Local climbs: the compiler guards each access to a field of an object.
    var forward = self.forward
    var backward = self.backward
    defer { (self.forward, self.backward) = (forward, backward) }
    forward.start(sources, ranks: ranks)
    backward.start(targets, ranks: ranks)
    var best = Meeting(weight: Weight.infinity.packed, rank: 0)
    while true {
      let ahead = forward.heap.minKey
      let behind = backward.heap.minKey
      guard min(ahead, behind) < best.weight else { break }
      if ahead <= behind {
        guard let (rank, distance) = forward.settle(up: firstOut, out, down: firstIn, into) else { continue }
        let weight = distance &+ backward.labels[Int(rank)].distance
        if weight < best.weight { best = Meeting(weight: weight, rank: rank) }
      } else {
        guard let (rank, distance) = backward.settle(up: firstIn, into, down: firstOut, out) else { continue }
        let weight = distance &+ forward.labels[Int(rank)].distance
        if weight < best.weight { best = Meeting(weight: weight, rank: rank) }
      }
    }
    return best.weight < Weight.infinity.packed ? best : nil
  }

  /// Appends the arcs from the source seed up to `rank`, and returns the seed's index.
  func unpackClimb(to rank: UInt32, into unpacking: inout Unpacking) -> Int {
    var label = forward.labels[Int(rank)]
    while label.place != Climb.seed {
      unpacking.push(label.place << 1 | 1)
      label = forward.labels[Int(label.from)]
    }
    // Found from the top: the first arc of the way is on the stack's top already.
    unpacking.unpack(hierarchy)
    return Int(label.from)
  }

  /// Appends the arcs from `rank` down to the target seed, and returns the seed's index.
  func unpackDescent(from rank: UInt32, into unpacking: inout Unpacking) -> Int {
    var label = backward.labels[Int(rank)]
    while label.place != Climb.seed {
      unpacking.push(label.place << 1)
      unpacking.unpack(hierarchy)
      label = backward.labels[Int(label.from)]
    }
    return Int(label.from)
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
