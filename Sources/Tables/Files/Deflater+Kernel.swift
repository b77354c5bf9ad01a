// For the text of routes, libdeflate takes 56 % of the time of zlib's fastest level and produces 96 % of its bytes, but
// it only produces whole streams. A piece of 32,000 bytes is one block, since it never has more matches than a block's
// maximum of 8,192.

import CDeflate
import CZlib
import Geography

/// Compresses text as it arrives, so that only the compressed form of a chunk is kept.
///
/// The output depends only on the text, not on how it is split into writes, the thread or the machine.
package final class Deflater {
  private let compressor: OpaquePointer
  private var block = DeflatedBlock()
  private let piece: UnsafeMutablePointer<UInt8>
  private var count = 0
  private let output: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  private static let pieceSize = 32_000

  package init() {
    guard let compressor = libdeflate_alloc_compressor(1) else {
      fatalError("out of memory: cannot allocate a deflate compressor")
    }
    self.compressor = compressor
    piece = .allocate(capacity: Deflater.pieceSize)
    capacity = libdeflate_deflate_compress_bound(compressor, Deflater.pieceSize)
    output = .allocate(capacity: capacity)
  }

  deinit {
    libdeflate_free_compressor(compressor)
    piece.deallocate()
    output.deallocate()
  }

  package func append(_ text: borrowing TextBuffer) { text.withBytes(append) }

  package func append(_ text: TextBytes) { append(text.bytes(0..<text.count)) }

  private func append(_ text: UnsafeBufferPointer<UInt8>) {
    block.crc32 = Checksum.of(UnsafeRawBufferPointer(text), following: block.crc32)
    block.length += text.count
    var rest = text[...]
    while !rest.isEmpty {
      let next = rest.prefix(Deflater.pieceSize - count)
      (piece + count).update(from: UnsafeBufferPointer(rebasing: next).baseAddress!, count: next.count)
      count += next.count
      rest = rest.dropFirst(next.count)
      if count == Deflater.pieceSize { deflatePiece() }
    }
  }

  /// Returns the current block, ended on a byte boundary; further text begins a new one.
  package func finishBlock() -> DeflatedBlock {
    deflatePiece()
    let finished = block
    block = DeflatedBlock()
    // The blocks of a job have similar lengths.
    block.bytes.reserveCapacity(finished.bytes.count + finished.bytes.count / 8)
    return finished
  }

  private func deflatePiece() {
    guard count > 0 else { return }
    let size = libdeflate_deflate_compress(compressor, piece, count, output, capacity)
    precondition(size > 0, "compressed piece exceeds its bound")
    let stream = UnsafeBufferPointer(start: output, count: size)
    if let padding = DeflateEnd.padding(stream) {
      // Clears the final-block flag and appends an empty stored block: a header of three zero bits, padding to a byte
      // boundary, and the length.
      output[0] &= ~1
      block.bytes += stream
      if padding < 3 { block.bytes.append(0) }
      block.bytes += [0, 0, 0xFF, 0xFF]
    } else {
      deflateWithZlib()
    }
    count = 0
  }

  /// Compresses the piece with zlib. Only pieces with an ambiguous end need this: few, and mostly a few bytes long.
  private func deflateWithZlib() {
    var stream = z_stream()
    var result = deflateInit2_(
      &stream, 1, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(result == Z_OK, "deflateInit2 failed: \(result)")
    defer { deflateEnd(&stream) }
    (stream.next_in, stream.avail_in) = (piece, UInt32(count))
    repeat {
      (stream.next_out, stream.avail_out) = (output, UInt32(capacity))
      result = CZlib.deflate(&stream, Z_SYNC_FLUSH)
      precondition(result == Z_OK || result == Z_BUF_ERROR, "deflating failed with \(result)")
      block.bytes += UnsafeBufferPointer(start: output, count: capacity - Int(stream.avail_out))
    } while stream.avail_out == 0
  }
}
