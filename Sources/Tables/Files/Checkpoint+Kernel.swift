import CUnpack
import Foundation

/// The state of a file needed to resume it.
package struct Checkpoint: Hashable {
  /// The size of the file in bytes.
  package var end: Int
  /// The length and checksum of the uncompressed text of a gzip file, otherwise of the file itself.
  package var length: Int
  package var crc32: UInt32

  package init(end: Int, length: Int, crc32: UInt32) { (self.end, self.length, self.crc32) = (end, length, crc32) }

  /// Reads a row of table `chunk_file`.
  package init(_ row: SQLite.Statement) throws {
    (end, length, crc32) = (try row["end"], try row["length"], UInt32(truncatingIfNeeded: try row["crc32"] as Int))
  }

  /// Returns whether a file of an unfinished run, truncated to its checkpoint, still has the run's content. The file is
  /// read and decompressed completely.
  package func matches(_ path: String) -> Bool {
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

extension UnsafeMutableRawBufferPointer {
  /// Fills the buffer with bytes of an open file from `start` onward, with as many system calls as needed. Returns the
  /// number of bytes read: fewer if the file ends; nil if reading fails, with the reason in `errno`.
  package func fill(from file: Int32, at start: Int) -> Int? {
    var done = 0
    while done < count {
      let read = pread(file, baseAddress! + done, count - done, off_t(start + done))
      if read < 0 && errno == EINTR { continue }
      guard read >= 0 else { return nil }
      guard read > 0 else { return done }
      done += read
    }
    return done
  }
}
