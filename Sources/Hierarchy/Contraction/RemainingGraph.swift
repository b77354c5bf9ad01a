/// The graph that is left while states are contracted one after the other: for every state its arcs out and in,
/// and for every arc ever made the two parts it stands for.
///
/// Lists live in one pool, a list that is full moves to the pool's end with twice the capacity. An arc is inserted, or
/// lowers the one that is there already: never two from one state to another. A contracted state keeps its lists:
/// they are its upward arcs. Reading from several threads is safe while nobody changes it; searches do, in
/// `WitnessSearch+Kernel.swift`.
final class RemainingGraph: @unchecked Sendable {
  /// 16 bytes. `state` is the head in a list of arcs out, the tail in a list of arcs in.
  struct Arc: BitwiseCopyable {
    var weight: UInt64
    var state: UInt32
    /// An `ArcID` of the graph below `originalCount`, a shortcut from there on.
    var id: UInt32
  }

  struct List: BitwiseCopyable {
    var start: UInt32
    var count: UInt32
    var capacity: UInt32
  }

  let stateCount: Int
  let originalCount: Int
  private(set) var outgoing: UnsafeMutablePointer<List>
  private(set) var incoming: UnsafeMutablePointer<List>
  private(set) var pool: UnsafeMutablePointer<Arc>
  private var poolCount = 0
  private var poolCapacity: Int

  /// The parts of shortcut `originalCount + i`, by arc ID: the one that leads down, the one that leads up.
  private(set) var parts: [(down: UInt32, up: UInt32)] = []
  /// How many arcs of the graph each arc stands for, by arc id.
  private var hops: [UInt32]

  init(_ graph: ArcGraph, without closed: ArcSet? = nil) {
    stateCount = graph.stateCount
    originalCount = graph.arcCount
    hops = Array(repeating: 1, count: graph.arcCount)
    hops.reserveCapacity(graph.arcCount * 2)
    parts.reserveCapacity(graph.arcCount)
    outgoing = .allocate(capacity: max(1, stateCount))
    incoming = .allocate(capacity: max(1, stateCount))
    poolCapacity = graph.arcCount * 4 + stateCount * 4 + 16
    pool = .allocate(capacity: poolCapacity)
    var entering = [UInt32](repeating: 0, count: stateCount)
    for head in graph.heads { entering[Int(head)] += 1 }
    for state in 0..<stateCount {
      outgoing[state] = newList(capacity: UInt32(graph.arcs(from: StateID(state)).count) + 2)
      incoming[state] = newList(capacity: entering[state] + 2)
    }
    for tail in 0..<stateCount {
      for arc in graph.arcs(from: StateID(tail)) {
        let head = graph.heads[arc]
        // A loop is never on a shortest path.
        guard head != tail, closed?.contains(ArcID(arc)) != true else { continue }
        insert(from: UInt32(tail), to: head, weight: graph.weights[arc].packed, id: UInt32(arc))
      }
    }
  }

  deinit {
    outgoing.deallocate()
    incoming.deallocate()
    pool.deallocate()
  }

  func arcs(_ list: List) -> UnsafeMutableBufferPointer<Arc> {
    UnsafeMutableBufferPointer(start: pool + Int(list.start), count: Int(list.count))
  }

  /// Inserts a shortcut over a contracted state, unless there is already an arc that is no heavier.
  func insert(_ shortcut: Shortcut) {
    let id = UInt32(hops.count)
    if insert(from: shortcut.tail, to: shortcut.head, weight: shortcut.weight, id: id) {
      parts.append((shortcut.down, shortcut.up))
      hops.append(hops[Int(shortcut.down)] + hops[Int(shortcut.up)])
    }
  }

  /// Removes `state` from the lists of its neighbours, and calls `body` with each neighbour once or twice.
  func detach(_ state: UInt32, body: (UInt32) -> Void) {
    for arc in arcs(outgoing[Int(state)]) {
      remove(state, from: &incoming[Int(arc.state)])
      body(arc.state)
    }
    for arc in arcs(incoming[Int(state)]) {
      remove(state, from: &outgoing[Int(arc.state)])
      body(arc.state)
    }
  }

  func hops(of arc: Arc) -> UInt32 { hops[Int(arc.id)] }

  @discardableResult
  private func insert(from tail: UInt32, to head: UInt32, weight: UInt64, id: UInt32) -> Bool {
    if let known = arc(to: head, in: outgoing[Int(tail)]) {
      guard weight < known.pointee.weight else { return false }
      known.pointee.weight = weight
      known.pointee.id = id
      let twin = arc(to: tail, in: incoming[Int(head)])!
      twin.pointee.weight = weight
      twin.pointee.id = id
    } else {
      append(Arc(weight: weight, state: head, id: id), to: &outgoing[Int(tail)])
      append(Arc(weight: weight, state: tail, id: id), to: &incoming[Int(head)])
    }
    return true
  }

  private func arc(to state: UInt32, in list: List) -> UnsafeMutablePointer<Arc>? {
    let start = pool + Int(list.start)
    for position in 0..<Int(list.count) where start[position].state == state { return start + position }
    return nil
  }

  private func append(_ arc: Arc, to list: inout List) {
    if list.count == list.capacity {
      var larger = newList(capacity: list.capacity * 2)
      (pool + Int(larger.start)).update(from: pool + Int(list.start), count: Int(list.count))
      larger.count = list.count
      list = larger
    }
    pool[Int(list.start) + Int(list.count)] = arc
    list.count += 1
  }

  private func remove(_ state: UInt32, from list: inout List) {
    guard let removed = arc(to: state, in: list) else { return }
    list.count -= 1
    removed.pointee = pool[Int(list.start) + Int(list.count)]
  }

  private func newList(capacity: UInt32) -> List {
    if poolCount + Int(capacity) > poolCapacity {
      poolCapacity = poolCapacity * 3 / 2 + Int(capacity)
      let larger = UnsafeMutablePointer<Arc>.allocate(capacity: poolCapacity)
      larger.update(from: pool, count: poolCount)
      pool.deallocate()
      pool = larger
    }
    defer { poolCount += Int(capacity) }
    return List(start: UInt32(poolCount), count: 0, capacity: capacity)
  }
}

/// An arc over a contracted state.
struct Shortcut: BitwiseCopyable {
  var tail: UInt32
  var head: UInt32
  var weight: UInt64
  /// Arc ids of the part that enters the contracted state and of the part that leaves it.
  var down: UInt32
  var up: UInt32
}
