import CDeflate
import CZlib

/// An ordinary gzip member assembled from separately compressed blocks, as in pigz: each block ends on a byte boundary,
/// and the checksums are combined (RFC 1951, RFC 1952; M. Adler's crc32_combine).
package struct GzipMember {
  private let file: OutputFile
  /// The checksum and length of the text so far.
  private var crc32: UInt32 = 0
  private var length = 0

  /// Deflate, no flags, no timestamp (so that the bytes are identical every night), unknown system. DuckDB rejects
  /// members with a comment.
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  package init(path: String) throws {
    file = try OutputFile(path: path)
    try file.write(GzipMember.header)
  }

  /// Resumes an unfinished member.
  package init(path: String, from checkpoint: Checkpoint) throws {
    file = try OutputFile(path: path, resumingAt: checkpoint.end)
    (length, crc32) = (checkpoint.length, checkpoint.crc32)
  }

  package var checkpoint: Checkpoint { Checkpoint(end: file.count, length: length, crc32: crc32) }

  package mutating func append(_ block: DeflatedBlock) throws {
    try file.write(block.bytes)
    crc32 = UInt32(crc32_combine(uLong(crc32), uLong(block.crc32), block.length))
    length += block.length
  }

  /// Appends a short string uncompressed, as a stored block.
  package mutating func append(stored text: String) throws {
    let bytes = Array(text.utf8)
    let size = UInt16(bytes.count)
    try file.write([0, UInt8(size & 0xFF), UInt8(size >> 8), UInt8(~size & 0xFF), UInt8(~size >> 8)] + bytes)
    crc32 = bytes.withUnsafeBytes { Checksum.of($0, following: crc32) }
    length += bytes.count
  }

  package func synchronize() throws { try file.synchronize() }

  /// Ends the member and flushes it. Nothing may be appended afterwards.
  package func finish() throws {
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
