import Foundation
import Geography

/// The process's stdout, unbuffered, so that write errors are noticed.
enum StandardOutput {
  /// The reason why stdout cannot be written to, in one sentence.
  struct Failure: CausedError {
    var cause: ErrorCause { .output }
    var code: Int32
    /// Whether the reader has closed the pipe.
    var isClosed: Bool { code == EPIPE }
    var description: String { "standard output: \(String(cString: strerror(code)))" }
  }

  /// Writes text. *Throws*: `Failure`.
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
