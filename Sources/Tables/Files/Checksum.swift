import CDeflate

/// The checksum of gzip (CRC-32, RFC 1952), by libdeflate, in a tenth of zlib's time.
package enum Checksum {
  /// The checksum of `bytes`, or of data with checksum `start` followed by them.
  package static func of(_ bytes: UnsafeRawBufferPointer, following start: UInt32 = 0) -> UInt32 {
    libdeflate_crc32(start, bytes.baseAddress, bytes.count)
  }
}
