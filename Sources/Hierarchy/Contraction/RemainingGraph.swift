/// The graph that is left while states are contracted one after the other: for every state its arcs out and in,
/// and for every arc ever made the two parts it stands for.
///
/// Lists live in one pool, a list that is full moves to the pool's end with twice the capacity. What lists leave behind
/// is dead; before the pool becomes larger than it ever was, its lists close up if a quarter is. An arc is inserted, or
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

  /// 16 bytes. A continent has more slots than 32 bits count.
  struct List: BitwiseCopyable {
    var start: Int
    var count: UInt32
    var capacity: UInt32
  }

  let stateCount: Int
  let originalCount: Int
  let outgoing: UnsafeMutablePointer<List>
  let incoming: UnsafeMutablePointer<List>
  private var memory: ArcPool
  private let firstSlot: Int
  private var end: Int
  /// Slots before the end that no list uses.
  private var dead = 0
  /// Where the pool ends at most, until more is needed although little is dead.
  private var limit: Int

  var pool: UnsafeMutablePointer<Arc> { memory.slots }
  /// The slots in use, dead ones included.
  private var used: Range<Int> { firstSlot..<end }

  /// The parts of shortcut `originalCount + i`, by arc ID: the one that leads down, the one that leads up.
  private(set) var parts: [(down: UInt32, up: UInt32)] = []
  /// How many arcs of the graph each arc stands for, by arc id.
  private var hops: [UInt32]

  /// - Parameter firstSlot: Where the pool starts: tests let it start beyond 32 bits.
  init(_ graph: ArcGraph, without closed: ArcSet? = nil, firstSlot: Int = 0) {
    stateCount = graph.stateCount
    originalCount = graph.arcCount
    hops = Array(repeating: 1, count: graph.arcCount)
    hops.reserveCapacity(graph.arcCount * 2)
    parts.reserveCapacity(graph.arcCount)
    outgoing = .allocate(capacity: max(1, stateCount))
    incoming = .allocate(capacity: max(1, stateCount))
    let slots = (graph.arcCount + stateCount * 2) * 2
    (self.firstSlot, end, limit) = (firstSlot, firstSlot, firstSlot + slots)
    memory = ArcPool(capacity: firstSlot + slots * 2)
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
    memory.deallocate()
  }

  func arcs(_ list: List) -> UnsafeMutableBufferPointer<Arc> {
    UnsafeMutableBufferPointer(start: pool + list.start, count: Int(list.count))
  }

  /// Inserts a shortcut over a contracted state, unless there is already an arc that is no heavier.
  func insert(_ shortcut: Shortcut) {
    let id = UInt32(hops.count)
    if insert(from: shortcut.tail, to: shortcut.head, weight: shortcut.weight, id: id) {
      parts.append((shortcut.down, shortcut.up))
      hops.append(hops[Int(shortcut.down)] + hops[Int(shortcut.up)])
    }
  }

  /// Removes `state` from the lists of its neighbours and closes its own, and calls `body` with each neighbour once or
  /// twice.
  func detach(_ state: UInt32, body: (UInt32) -> Void) {
    for arc in arcs(outgoing[Int(state)]) {
      remove(state, from: &incoming[Int(arc.state)])
      body(arc.state)
    }
    for arc in arcs(incoming[Int(state)]) {
      remove(state, from: &outgoing[Int(arc.state)])
      body(arc.state)
    }
    close(&outgoing[Int(state)])
    close(&incoming[Int(state)])
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
      append(Arc(weight: weight, state: head, id: id), to: outgoing + Int(tail))
      append(Arc(weight: weight, state: tail, id: id), to: incoming + Int(head))
    }
    return true
  }

  private func arc(to state: UInt32, in list: List) -> UnsafeMutablePointer<Arc>? {
    let start = pool + list.start
    for position in 0..<Int(list.count) where start[position].state == state { return start + position }
    return nil
  }

  /// The list is named by its address: making room may move it.
  private func append(_ arc: Arc, to list: UnsafeMutablePointer<List>) {
    if list.pointee.count == list.pointee.capacity {
      makeRoom(for: Int(list.pointee.capacity) * 2)
      let full = list.pointee
      list.pointee = newList(capacity: full.capacity * 2)
      list.pointee.count = full.count
      (pool + list.pointee.start).update(from: pool + full.start, count: Int(full.count))
      dead += Int(full.capacity)
    }
    pool[list.pointee.start + Int(list.pointee.count)] = arc
    list.pointee.count += 1
  }

  private func remove(_ state: UInt32, from list: inout List) {
    guard let removed = arc(to: state, in: list) else { return }
    list.count -= 1
    removed.pointee = pool[list.start + Int(list.count)]
  }

  /// A contracted state's list never grows.
  private func close(_ list: inout List) {
    dead += Int(list.capacity - list.count)
    list.capacity = list.count
  }

  private func newList(capacity: UInt32) -> List {
    defer { end += Int(capacity) }
    return List(start: end, count: 0, capacity: capacity)
  }

  private func makeRoom(for slots: Int) {
    guard end + slots > limit else { return }
    if dead * 4 >= used.count { compact() }
    guard end + slots > limit else { return }
    limit += max(slots, used.count / 8)
    if limit > memory.capacity { memory.grow(keeping: used, atLeast: limit) }
  }

  /// Moves all lists towards the pool's start, in the order in which they lie: none is written over before it moves.
  private func compact() {
    let lists = [outgoing, incoming]
    var order = Array(0..<UInt32(stateCount * 2))
    func list(_ index: UInt32) -> UnsafeMutablePointer<List> { lists[Int(index & 1)] + Int(index >> 1) }
    // Lists without room start where others do, and nothing of theirs moves.
    order.sort { list($0).pointee.start < list($1).pointee.start }
    end = firstSlot
    for index in order {
      let list = list(index)
      (pool + end).update(from: pool + list.pointee.start, count: Int(list.pointee.count))
      list.pointee.start = end
      end += Int(list.pointee.capacity)
    }
    dead = 0
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
