import Foundation

/// Reads at an offset of an open file, with as many system calls as necessary.
package enum PositionedRead {
  /// Why a buffer was not filled.
  package enum Failure {
    /// The file ends after this many bytes.
    case ended(Int)
    /// The system's error.
    case failed(String)
  }

  /// Fills the buffer from `start` on; nil on success.
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
