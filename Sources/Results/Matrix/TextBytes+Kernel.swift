import Geography

/// Text that a kernel writes and SQLite reads, handed from thread to thread: one owner at a time.
package final class TextBytes: @unchecked Sendable {
  var buffer: ByteBuffer

  package init(capacity: Int = 4096) { buffer = ByteBuffer(capacity: capacity) }

  package var count: Int { buffer.count }

  package func removeAll() { buffer.count = 0 }

  /// The bytes of a range.
  package func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "no such bytes")
    return UnsafeBufferPointer(start: buffer.base + range.lowerBound, count: range.count)
  }
}
