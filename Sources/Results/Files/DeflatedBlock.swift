import CZlib
import Geography

/// A piece of text, deflated on its own: whole deflate blocks that end on a byte, none of them the last.
package struct DeflatedBlock: Sendable {
  package fileprivate(set) var bytes: [UInt8] = []
  /// Checksum and length of the text.
  fileprivate(set) var crc32: UInt32 = 0
  package fileprivate(set) var length = 0
  package init() {}
}

extension DeflatedBlock: Journaled {
  package func write(to journal: inout JournalWriter) {
    journal.put(bytes: bytes)
    journal.put(crc32)
    journal.put(length)
  }

  package init(from journal: inout JournalReader) throws {
    bytes = Array(try journal.takeBytes())
    crc32 = try journal.take()
    length = try journal.take()
  }
}

/// Deflates text as it comes, so that only the compressed form of a chunk is kept.
///
/// zlib at its fastest level: the same bytes for the same text, on any thread and any machine.
package final class Deflater {
  private var stream = z_stream()
  private var block = DeflatedBlock()
  private let window: UnsafeMutablePointer<UInt8>
  private static let windowSize = 1 << 16

  package init() {
    window = .allocate(capacity: Deflater.windowSize)
    // Deflate blocks alone, without a head or a trailer.
    let result = deflateInit2_(
      &stream, 1, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(result == Z_OK, "zlib cannot begin: \(result)")
  }

  deinit {
    deflateEnd(&stream)
    window.deallocate()
  }

  package func append(_ text: borrowing TextBuffer) {
    text.withBytes { text in
      block.crc32 = Checksum.of(UnsafeRawBufferPointer(text), following: block.crc32)
      block.length += text.count
      deflate(text, flush: Z_NO_FLUSH)
    }
  }

  /// The block so far, ended on a byte; the next text begins a new one.
  package func finishBlock() -> DeflatedBlock {
    deflate(UnsafeBufferPointer(start: nil, count: 0), flush: Z_FULL_FLUSH)
    let finished = block
    // What was deflated before must not be found again.
    deflateReset(&stream)
    block = DeflatedBlock()
    // Blocks of one job are about as long as one another.
    block.bytes.reserveCapacity(finished.bytes.count + finished.bytes.count / 8)
    return finished
  }

  private func deflate(_ text: UnsafeBufferPointer<UInt8>, flush: Int32) {
    stream.next_in = UnsafeMutablePointer(mutating: text.baseAddress)
    stream.avail_in = UInt32(text.count)
    repeat {
      stream.next_out = window
      stream.avail_out = UInt32(Deflater.windowSize)
      let result = CZlib.deflate(&stream, flush)
      precondition(result == Z_OK || result == Z_BUF_ERROR, "deflating failed with \(result)")
      let written = Deflater.windowSize - Int(stream.avail_out)
      block.bytes.append(contentsOf: UnsafeBufferPointer(start: window, count: written))
    } while stream.avail_out == 0
  }
}
