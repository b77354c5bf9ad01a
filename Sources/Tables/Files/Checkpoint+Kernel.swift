import CUnpack
import Foundation

/// The state of a file needed to resume it.
package struct Checkpoint: Hashable {
  /// The size of the file in bytes.
  package var end: Int
  /// The length and checksum of the text if compressed, otherwise of the file.
  package var length: Int
  package var crc32: UInt32

  package init(end: Int, length: Int, crc32: UInt32) { (self.end, self.length, self.crc32) = (end, length, crc32) }

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

/// Reads at an offset of an open file, with as many system calls as needed.
package enum PositionedRead {
  /// The reason why a buffer was not filled.
  package enum Failure {
    /// The file ends at this offset.
    case ended(Int)
    /// The system's error message.
    case failed(String)
  }

  /// Fills the buffer with bytes from `start` onward. Returns nil on success.
  package static func fill(_ buffer: UnsafeMutableRawBufferPointer, from file: Int32, at start: Int) -> Failure? {
    var done = 0
    while done < buffer.count {
      let count = pread(file, buffer.baseAddress! + done, buffer.count - done, off_t(start + done))
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return .failed(String(cString: strerror(errno))) }
      guard count > 0 else { return .ended(start + done) }
      done += count
    }
    return nil
  }
}
