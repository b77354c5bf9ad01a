import Foundation

// The work list of an upward search, from which ranks are popped in ascending order, is a bitmap with two levels: each
// bit of the upper level stands for a word of 64 ranks. The lowest rank is the first set bit of the first nonzero word.
// The upper level takes 2 kB per million ranks.

/// Ranks waiting to be settled. Only ranks above the last popped one may be inserted.
struct RankSet {
  private let words: UnsafeMutablePointer<UInt64>
  private let summary: UnsafeMutablePointer<UInt64>
  private let summaryCount: Int
  private var cursor = 0

  init(rankCount: Int) {
    let wordCount = (rankCount + 63) / 64
    summaryCount = max(1, (wordCount + 63) / 64)
    words = .allocate(capacity: max(1, wordCount))
    words.initialize(repeating: 0, count: max(1, wordCount))
    summary = .allocate(capacity: summaryCount)
    summary.initialize(repeating: 0, count: summaryCount)
  }

  func deallocate() {
    words.deallocate()
    summary.deallocate()
  }

  /// Restarts at the lowest rank. The set must be empty.
  mutating func restart() { cursor = 0 }

  @inline(__always)
  mutating func insert(_ rank: UInt32) {
    words[Int(rank >> 6)] |= 1 << UInt64(rank & 63)
    summary[Int(rank >> 12)] |= 1 << UInt64(rank >> 6 & 63)
  }

  @inline(__always)
  mutating func popMin() -> UInt32? {
    while summary[cursor] == 0 {
      cursor &+= 1
      guard cursor < summaryCount else {
        cursor = 0
        return nil
      }
    }
    let word = cursor &<< 6 | summary[cursor].trailingZeroBitCount
    let rank = word &<< 6 | words[word].trailingZeroBitCount
    words[word] &= words[word] &- 1
    if words[word] == 0 { summary[cursor] &= summary[cursor] &- 1 }
    return UInt32(truncatingIfNeeded: rank)
  }
}

/// Memory in huge pages, if the system supports them: sweeps access megabytes at random.
package struct HugeMemory<Element: BitwiseCopyable> {
  /// The first element, uninitialized.
  package let base: UnsafeMutablePointer<Element>
  let count: Int

  /// Allocates memory, which must be freed with `deallocate`.
  package init(count: Int) {
    self.count = count
    let size = max(1, count) * MemoryLayout<Element>.stride
    let isLarge = size > 1 << 20
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: isLarge ? HugeMemory.hugePage : 64)
    #if os(Linux)
      if isLarge { madvise(bytes, size, MADV_HUGEPAGE) }
    #endif
    base = bytes.bindMemory(to: Element.self, capacity: max(1, count))
  }

  /// Returns the bytes that the system allocates for `count` elements if only the first `used` are written.
  static func memory(of count: Int, used: Int) -> Int {
    let (size, bytes) = (count * MemoryLayout<Element>.stride, used * MemoryLayout<Element>.stride)
    return size > 1 << 20 ? min(size, (bytes / hugePage + 1) * hugePage) : bytes
  }

  private static var hugePage: Int { 1 << 21 }

  /// Frees the memory.
  package func deallocate() { UnsafeMutableRawPointer(base).deallocate() }
}

extension UnsafeMutablePointer where Pointee: BitwiseCopyable {
  /// Moves `count` elements to memory with twice the capacity.
  mutating func grow(count: Int, capacity: inout Int) {
    capacity *= 2
    let larger = UnsafeMutablePointer.allocate(capacity: capacity)
    larger.update(from: self, count: count)
    deallocate()
    self = larger
  }
}
