import CDeflate

/// The checksum of gzip (CRC-32, RFC 1952), computed by libdeflate in a tenth of zlib's time.
package enum Checksum {
  /// Returns the checksum of `bytes`, or of `bytes` appended to data with checksum `start`.
  package static func of(_ bytes: UnsafeRawBufferPointer, following start: UInt32 = 0) -> UInt32 {
    libdeflate_crc32(start, bytes.baseAddress, bytes.count)
  }
}
