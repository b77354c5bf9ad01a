/// The elimination of simple states from a graph, such as dead ends and states along a street: their neighbours are
/// joined, and a smaller graph with the same connections remains.
///
/// No two states removed in the same round are neighbours: each round halves chains, and the hierarchy stays shallow.
struct Elimination {
  /// The heads of the arcs from each state (`outgoing`), and the tails of the arcs to it (`incoming`).
  private(set) var outgoing: NeighbourLists
  private(set) var incoming: NeighbourLists
  /// The removed states, in order.
  private(set) var order: [UInt32] = []
  private(set) var isRemoved: [Bool]

  /// The maximum number of arcs of a simple state in each direction.
  private static let maximumDegree = 3

  /// Removes states with few arcs whose removal adds at most half as many arcs as it removes. States whose removal adds
  /// none come first, but only for a few rounds: otherwise a long dead-end street would shrink from its end instead of
  /// being halved.
  init(_ graph: ArcGraph) {
    let count = graph.stateCount
    isRemoved = Array(repeating: false, count: count)
    var entering = [UInt32](repeating: 1, count: count)
    for head in graph.heads.buffer { entering[Int(head)] += 1 }
    outgoing = NeighbourLists(capacities: (0..<count).map { UInt32(graph.arcs(from: StateID($0)).count) + 1 })
    incoming = NeighbourLists(capacities: entering)
    for tail in 0..<UInt32(count) {
      for arc in graph.arcs(from: StateID(tail)) { join(tail, graph.heads.buffer[arc]) }
    }
    removeStates(rounds: 4) { added, _ in added == 0 }
    removeStates { added, removed in added * 2 <= removed }
  }

  /// Removes states while `isSimple` accepts any, given the numbers of added and removed arcs.
  private mutating func removeStates(rounds: UInt32 = .max, where isSimple: (_ added: Int, _ removed: Int) -> Bool) {
    var queue = (0..<UInt32(isRemoved.count)).filter { !isRemoved[Int($0)] }
    /// The last round in which a neighbour of each state was removed, so that the state must wait for the next round.
    var touched = [UInt32](repeating: 0, count: isRemoved.count)
    var round: UInt32 = 0
    while !queue.isEmpty && round < rounds {
      round += 1
      var next: [UInt32] = []
      for state in queue where touched[Int(state)] < round {
        guard let counts = arcCounts(state), isSimple(counts.added, counts.removed) else { continue }
        for neighbour in remove(state) where touched[Int(neighbour)] < round {
          touched[Int(neighbour)] = round
          next.append(neighbour)
        }
      }
      queue = next
    }
  }

  /// Returns the numbers of arcs that removing a state adds and removes; nil if the state has too many arcs, or if two
  /// neighbours would not be joined in either direction, since no cut would then show that both are ancestors of the
  /// state.
  private func arcCounts(_ state: UInt32) -> (added: Int, removed: Int)? {
    let (tails, heads) = (incoming[state], outgoing[state])
    guard tails.count <= Elimination.maximumDegree, heads.count <= Elimination.maximumDegree else { return nil }
    for (ends, others) in [(tails, heads), (heads, tails)] {
      for end in ends where !others.contains(end) {
        for other in ends where other > end && !others.contains(other) {
          guard outgoing.contains(other, of: end) || outgoing.contains(end, of: other) else { return nil }
        }
      }
    }
    var count = 0
    for tail in tails {
      for head in heads where head != tail && !outgoing.contains(head, of: tail) { count += 1 }
    }
    return (count, tails.count + heads.count)
  }

  /// Removes a state and returns its neighbours, possibly with duplicates.
  private mutating func remove(_ state: UInt32) -> [UInt32] {
    let (tails, heads) = (Array(incoming[state]), Array(outgoing[state]))
    for tail in tails { outgoing.remove(state, from: tail) }
    for head in heads { incoming.remove(state, from: head) }
    for tail in tails {
      for head in heads { join(tail, head) }
    }
    isRemoved[Int(state)] = true
    order.append(state)
    return tails + heads
  }

  private mutating func join(_ tail: UInt32, _ head: UInt32) {
    guard tail != head, !outgoing.contains(head, of: tail) else { return }
    outgoing.append(head, to: tail)
    incoming.append(tail, to: head)
  }
}

/// The distinct neighbours of each state, unordered. A full list is moved to the end of the pool, with twice the
/// capacity.
struct NeighbourLists {
  private var pool: [UInt32] = []
  private var lists: [List] = []

  private struct List {
    var start: Int
    var count: Int32
    var capacity: Int32
  }

  /// Creates empty lists with the given capacities.
  init(capacities: [UInt32]) {
    lists.reserveCapacity(capacities.count)
    var end = 0
    for capacity in capacities {
      lists.append(List(start: end, count: 0, capacity: Int32(capacity)))
      end += Int(capacity)
    }
    pool.reserveCapacity(end + end / 4)
    pool.append(contentsOf: repeatElement(0, count: end))
  }

  subscript(state: UInt32) -> ArraySlice<UInt32> {
    let list = lists[Int(state)]
    return pool[list.start..<list.start + Int(list.count)]
  }

  func contains(_ neighbour: UInt32, of state: UInt32) -> Bool { position(of: neighbour, in: lists[Int(state)]) != nil }

  /// Appends a new neighbour.
  mutating func append(_ neighbour: UInt32, to state: UInt32) {
    var list = lists[Int(state)]
    if list.count == list.capacity {
      let start = pool.count
      for position in list.start..<list.start + Int(list.count) { pool.append(pool[position]) }
      list.capacity = max(2, list.capacity * 2)
      list.start = start
      pool.append(contentsOf: repeatElement(0, count: Int(list.capacity - list.count)))
    }
    pool[list.start + Int(list.count)] = neighbour
    list.count += 1
    lists[Int(state)] = list
  }

  mutating func remove(_ neighbour: UInt32, from state: UInt32) {
    let list = lists[Int(state)]
    guard let position = position(of: neighbour, in: list) else { return }
    pool[position] = pool[list.start + Int(list.count) - 1]
    lists[Int(state)].count -= 1
  }

  private func position(of neighbour: UInt32, in list: List) -> Int? {
    for position in list.start..<list.start + Int(list.count) where pool[position] == neighbour { return position }
    return nil
  }
}
