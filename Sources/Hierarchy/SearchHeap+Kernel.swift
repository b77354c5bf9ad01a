// The priority queue of searches, except the oracles of this module (`OracleHeap`) and departure lanes (`LaneBuckets`).
// 16 bytes per item, four per cache line.

/// A binary heap of (key, state) in raw memory; a state may occur several times.
package struct SearchHeap: @unchecked Sendable {
  @usableFromInline var items: UnsafeMutablePointer<(key: UInt64, state: UInt32)>
  @usableFromInline var count = 0
  @usableFromInline var capacity = 256

  package init() { items = .allocate(capacity: capacity) }

  package func deallocate() { items.deallocate() }

  @inlinable package mutating func removeAll() { count = 0 }

  @inlinable @inline(__always)
  package mutating func push(key: UInt64, state: UInt32) {
    if count == capacity { grow() }
    var child = count
    count += 1
    while child > 0 {
      let parent = (child &- 1) >> 1
      guard key < items[parent].key else { break }
      items[child] = items[parent]
      child = parent
    }
    items[child] = (key, state)
  }

  @inlinable @inline(__always)
  package mutating func popMin() -> (key: UInt64, state: UInt32)? {
    guard count > 0 else { return nil }
    let minimum = items[0]
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
    return minimum
  }

  @usableFromInline mutating func grow() { items.grow(count: count, capacity: &capacity) }
}
