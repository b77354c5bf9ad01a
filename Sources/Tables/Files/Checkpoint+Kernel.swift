import CUnpack
import Foundation

/// How far a file has come: what must be known to resume it.
package struct Checkpoint: Hashable {
  /// Bytes of the file.
  package var end: Int
  /// Length and checksum of its text, where that is compressed; else the file's own.
  package var length: Int
  package var crc32: UInt32

  package init(end: Int, length: Int, crc32: UInt32) {
    (self.end, self.length, self.crc32) = (end, length, crc32)
  }

  /// Whether a file of an unfinished run, truncated where it is resumed, still has the content that the run wrote: it is read
  /// and unpacked to its end.
  package func isContent(of path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0, let reader = cunpack_open(file, CUNPACK_GZIP) else { return false }
    defer { cunpack_close(reader) }
    var (block, checksum, count, read) = ([UInt8](repeating: 0, count: 1 << 20), UInt32(0), 0, 0)
    repeat {
      block.withUnsafeMutableBytes { bytes in
        read = cunpack_read(reader, bytes.baseAddress, bytes.count)
        checksum = Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<max(read, 0)]), following: checksum)
      }
      count += max(read, 0)
    } while read > 0
    // A gzip member that is still being written ends within.
    return (count, checksum) == (length, crc32) && (read == 0 || read == CUNPACK_CUT)
  }
}
