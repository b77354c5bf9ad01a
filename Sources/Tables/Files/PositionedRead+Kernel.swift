import Foundation

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
