import CUnpack
import Foundation

/// The state of a file needed to resume it.
package struct Checkpoint: Hashable {
  /// Bytes of the file.
  package var end: Int
  /// Length and checksum of its text if compressed; else the file's own.
  package var length: Int
  package var crc32: UInt32

  package init(end: Int, length: Int, crc32: UInt32) { (self.end, self.length, self.crc32) = (end, length, crc32) }

  /// Whether a file of an unfinished run, truncated to its checkpoint, still has the run's content: it is read and
  /// unpacked completely.
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
    // A gzip member that is still being written is incomplete.
    return (count, checksum) == (length, crc32) && (read == 0 || read == CUNPACK_CUT)
  }
}
