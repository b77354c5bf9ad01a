import Foundation
import Geography

/// The program's own stdout, written without a buffer, so that what cannot be written is seen.
enum StandardOutput {
  /// Why it cannot be written, as one sentence.
  struct Failure: CausedError {
    var cause: ErrorCause { .output }
    var code: Int32
    /// Whether whoever read it has enough.
    var isClosed: Bool { code == EPIPE }
    var description: String { "standard output: \(String(cString: strerror(code)))" }
  }

  /// *Throws*: `Failure`.
  static func write(_ text: String) throws {
    var rest = Data(text.utf8)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw Failure(code: errno)
      }
      rest = rest.dropFirst(count)
    }
  }
}
