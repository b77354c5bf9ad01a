/// For every state the states at the other ends of its arcs, each once, in no order; a list that is full moves to the end
/// of their memory with twice the room.
struct NeighbourLists {
  private var pool: [UInt32] = []
  private var lists: [List] = []

  private struct List {
    var start: Int
    var count: Int32
    var capacity: Int32
  }

  /// Empty lists with room for some neighbours each.
  init(rooms: [UInt32]) {
    lists.reserveCapacity(rooms.count)
    var end = 0
    for room in rooms {
      lists.append(List(start: end, count: 0, capacity: Int32(room)))
      end += Int(room)
    }
    pool.reserveCapacity(end + end / 4)
    pool.append(contentsOf: repeatElement(0, count: end))
  }

  subscript(state: UInt32) -> ArraySlice<UInt32> {
    let list = lists[Int(state)]
    return pool[list.start..<list.start + Int(list.count)]
  }

  func contains(_ neighbour: UInt32, of state: UInt32) -> Bool { position(of: neighbour, in: lists[Int(state)]) != nil }

  /// Appends a neighbour that is not there yet.
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
