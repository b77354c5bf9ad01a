import CDeflate
import Geography

/// A stretch of text, deflated on its own: whole deflate blocks that end on a byte, none of them the last.
package struct DeflatedBlock: Sendable {
  package fileprivate(set) var bytes: [UInt8] = []
  /// Checksum and length of the text.
  package fileprivate(set) var crc32: UInt32 = 0
  package fileprivate(set) var length = 0
  package init() {}
}

/// Deflates text as it comes, so that only the compressed form of a chunk is kept.
///
/// ISA-L at level 1: five times as fast as zlib at its fastest, and files 7 % smaller.
package final class Deflater {
  private var stream = isal_zstream()
  private var block = DeflatedBlock()
  private let workspace: UnsafeMutablePointer<UInt8>
  private let window: UnsafeMutablePointer<UInt8>
  private static let windowSize = 1 << 16

  package init() {
    workspace = .allocate(capacity: Int(isal_level1_workspace_size))
    window = .allocate(capacity: Deflater.windowSize)
    start()
  }

  deinit {
    workspace.deallocate()
    window.deallocate()
  }

  private func start() {
    isal_deflate_init(&stream)
    stream.level = 1
    stream.level_buf = workspace
    stream.level_buf_size = isal_level1_workspace_size
    stream.gzip_flag = UInt16(IGZIP_DEFLATE)
    // Blocks of one job are about as long as one another.
    let expected = block.bytes.count + block.bytes.count / 8
    block = DeflatedBlock()
    block.bytes.reserveCapacity(expected)
  }

  package func append(_ text: borrowing TextBuffer) {
    text.withBytes { deflate($0, flush: NO_FLUSH) }
  }

  /// The block so far, ended on a byte; the next text begins a new one.
  package func finishBlock() -> DeflatedBlock {
    deflate(UnsafeBufferPointer(start: nil, count: 0), flush: FULL_FLUSH)
    let finished = block
    start()
    return finished
  }

  private func deflate(_ text: UnsafeBufferPointer<UInt8>, flush: Int32) {
    block.crc32 = crc32_gzip_refl(block.crc32, text.baseAddress, UInt64(text.count))
    block.length += text.count
    stream.next_in = UnsafeMutablePointer(mutating: text.baseAddress)
    stream.avail_in = UInt32(text.count)
    stream.flush = UInt16(flush)
    repeat {
      stream.next_out = window
      stream.avail_out = UInt32(Deflater.windowSize)
      let result = isal_deflate(&stream)
      precondition(result == COMP_OK, "deflating failed with \(result)")
      let written = Deflater.windowSize - Int(stream.avail_out)
      block.bytes.append(contentsOf: UnsafeBufferPointer(start: window, count: written))
    } while stream.avail_out == 0
  }
}
