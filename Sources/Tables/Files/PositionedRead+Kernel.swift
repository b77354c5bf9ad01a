import Foundation

/// Reads at a place of an open file, as often as the system must be asked.
package enum PositionedRead {
  /// Why a buffer was not filled.
  package enum Failure {
    /// The file has so many bytes only.
    case ended(Int)
    /// In the system's words.
    case failed(String)
  }

  /// Fills the buffer from `start` on; nil where that was possible.
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
