import Geography

/// Text written by a kernel and read by SQLite, passed between threads: one owner at a time.
package final class TextBytes: @unchecked Sendable {
  package var buffer: ByteBuffer

  package init(capacity: Int = 4096) { buffer = ByteBuffer(capacity: capacity) }

  package init(_ bytes: ArraySlice<UInt8>) {
    buffer = ByteBuffer(capacity: bytes.count)
    bytes.withUnsafeBufferPointer { bytes in
      if let start = bytes.baseAddress { buffer.base.update(from: start, count: bytes.count) }
    }
    buffer.count = bytes.count
  }

  package var count: Int { buffer.count }

  package func removeAll() { buffer.count = 0 }

  /// Reserves space for `additional` more bytes; unwritten space uses no memory.
  package func reserve(_ additional: Int) { buffer.reserve(additional) }

  /// Returns the bytes in a range.
  package func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "no such bytes")
    return UnsafeBufferPointer(start: buffer.base + range.lowerBound, count: range.count)
  }
}
