import CDeflate
import CZlib

/// A file of text in an ordinary gzip member, assembled from separately compressed blocks, as in pigz: each block ends
/// on a byte boundary, and the checksums are combined (RFC 1951, RFC 1952; M. Adler's crc32_combine).
package final class GzipFile: ResumableFile {
  package let path: String
  private let file: OutputFile
  /// The text between blocks, and after the last one.
  private let (separator, tail): (String, String)
  private var hasBlocks = false
  /// The checksum and length of the text so far.
  private var crc32: UInt32 = 0
  private var length = 0

  /// Deflate, no flags, no timestamp (so that the bytes are identical in every run), unknown system. DuckDB rejects
  /// members with a comment.
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  /// Creates the file at `path` with `head` at its beginning, or resumes it from `checkpoint`. *Throws*:
  /// `ResultsError`.
  package init(
    path: String, head: String, separator: String = "", tail: String = "", from checkpoint: Checkpoint?
  ) throws {
    (self.path, self.separator, self.tail) = (path, separator, tail)
    if let checkpoint {
      file = try OutputFile(path: path.unfinished, resumingAt: checkpoint.end)
      (length, crc32) = (checkpoint.length, checkpoint.crc32)
      hasBlocks = length > head.utf8.count
    } else {
      file = try OutputFile(path: path.unfinished)
      try file.write(GzipFile.header)
      try append(stored: head)
    }
  }

  package var checkpoint: Checkpoint { Checkpoint(end: file.count, length: length, crc32: crc32) }

  /// Appends a block; writes nothing if it is empty.
  package func append(_ block: DeflatedBlock) throws {
    guard block.length > 0 else { return }
    if hasBlocks, !separator.isEmpty { try append(stored: separator) }
    try file.write(block.bytes)
    crc32 = UInt32(crc32_combine(uLong(crc32), uLong(block.crc32), block.length))
    length += block.length
    hasBlocks = true
  }

  /// Appends a short string uncompressed, as a stored block.
  private func append(stored text: String) throws {
    let bytes = Array(text.utf8)
    let size = UInt16(bytes.count)
    try file.write([0, UInt8(size & 0xFF), UInt8(size >> 8), UInt8(~size & 0xFF), UInt8(~size >> 8)] + bytes)
    crc32 = bytes.withUnsafeBytes { Checksum.of($0, following: crc32) }
    length += bytes.count
  }

  package func synchronize() throws { try file.synchronize() }

  package func finish() throws {
    if !tail.isEmpty { try append(stored: tail) }
    let trailer = [crc32, UInt32(truncatingIfNeeded: length)].flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    try file.write([3, 0] + trailer)  // an empty final block
    try file.synchronize()
  }
}

/// The checksum of gzip (CRC-32, RFC 1952), computed by libdeflate in a tenth of zlib's time.
package enum Checksum {
  /// Returns the checksum of `bytes`, or of `bytes` appended to data with checksum `start`.
  package static func of(_ bytes: UnsafeRawBufferPointer, following start: UInt32 = 0) -> UInt32 {
    libdeflate_crc32(start, bytes.baseAddress, bytes.count)
  }
}
