import Foundation

/// The process's stderr. Write errors are ignored: a run does not fail because stderr is closed.
package enum StandardError {
  package static func write(_ text: String) {
    var rest = Data(text.utf8)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 || (count < 0 && errno == EINTR) else { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
