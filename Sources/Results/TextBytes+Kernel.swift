// Text that a kernel writes straight into memory, and SQLite reads from there. `reserve` is called before every write.

/// Bytes that grow and are handed from thread to thread: one owner at a time.
package final class TextBytes: @unchecked Sendable {
  private(set) var base: UnsafeMutablePointer<UInt8>
  package internal(set) var count = 0
  private var capacity: Int

  package init(capacity: Int = 4096) {
    self.capacity = max(64, capacity)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// Makes room for so many more bytes behind `count`, for who writes at `base`.
  func reserve(_ additional: Int) {
    guard count + additional > capacity else { return }
    capacity = max(capacity * 2, count + additional)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }

  package func removeAll() { count = 0 }

  /// The bytes of a range.
  package func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "no such bytes")
    return UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }
}
