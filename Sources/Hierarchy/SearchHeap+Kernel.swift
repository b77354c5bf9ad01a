// The queue of every search but the oracle's. 16 bytes per item, four to a cache line.

/// A binary heap of (key, state) in memory of its own; a state may be in it several times.
struct SearchHeap: @unchecked Sendable {
  private struct Item: BitwiseCopyable {
    var key: UInt64
    var state: UInt32
  }

  private var items: UnsafeMutablePointer<Item>
  private(set) var count = 0
  private var capacity = 256

  init() { items = .allocate(capacity: capacity) }

  func deallocate() { items.deallocate() }

  mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func push(key: UInt64, state: UInt32) {
    if count == capacity { grow() }
    var child = count
    count += 1
    while child > 0 {
      let parent = (child &- 1) >> 1
      guard key < items[parent].key else { break }
      items[child] = items[parent]
      child = parent
    }
    items[child] = Item(key: key, state: state)
  }

  @inline(__always)
  mutating func popMin() -> (key: UInt64, state: UInt32)? {
    guard count > 0 else { return nil }
    let least = items[0]
    count -= 1
    let last = items[count]
    var parent = 0
    while true {
      var child = 2 &* parent &+ 1
      guard child < count else { break }
      if child &+ 1 < count && items[child &+ 1].key < items[child].key { child &+= 1 }
      guard items[child].key < last.key else { break }
      items[parent] = items[child]
      parent = child
    }
    items[parent] = last
    return (least.key, least.state)
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Item>.allocate(capacity: capacity * 2)
    larger.update(from: items, count: count)
    items.deallocate()
    items = larger
    capacity *= 2
  }
}
