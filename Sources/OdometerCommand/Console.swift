import Foundation
import Geography
import Jobs

/// The output of commands: results on stdout, messages for the user on stderr.
package struct Console: Sendable {
  private let output: @Sendable (String) throws -> Void
  private let error: @Sendable (String) -> Void
  /// The width of the terminal of stdout in characters; nil if it is not a terminal.
  private let width: Int?
  /// The width of the terminal of stderr in characters; nil if it is not a terminal.
  private var screen: Int?
  /// Whether to use colours.
  private(set) var isColored = false

  /// Creates a console that passes lines, including their line endings, to two closures.
  ///
  /// - Parameter width: The number of characters at which sentences on stdout are wrapped; nil for one line each.
  package init(
    output: @escaping @Sendable (String) throws -> Void, error: @escaping @Sendable (String) -> Void, width: Int? = nil
  ) {
    (self.output, self.error, self.width) = (output, error, width)
  }

  /// Returns a copy for a terminal on stderr that is `screen` characters wide; nil if stderr is not a terminal.
  func on(_ screen: Int?, isColored: Bool) -> Console {
    var console = self
    (console.screen, console.isColored) = (screen, isColored)
    return console
  }

  /// A console that writes to the process's stdout and stderr.
  package static let standard = Console(
    output: { try StandardOutput.write($0) }, error: { StandardError.write($0) },
    width: Terminal.width(of: STDOUT_FILENO))

  /// Prints lines verbatim. *Throws*: errors thrown by `output`.
  func print(_ lines: some CustomStringConvertible) throws { try output("\(lines)\n") }

  /// Prints a sentence, wrapped at words on a terminal. *Throws*: errors thrown by `output`.
  func printSentence(_ sentence: String) throws {
    try print(width.map { HelpText.wrapped(sentence, $0 - 1).joined(separator: "\n") } ?? sentence)
  }

  /// Prints the last lines of a command and returns the exit code for success. *Throws*: errors thrown by `output`.
  func finish(_ lines: some CustomStringConvertible) throws -> ExitCode {
    try print(lines)
    return .finished
  }

  /// Prints lines on stderr, without a prefix.
  func tell(_ lines: String) { error("\(printable(lines, atMost: .max))\n") }

  /// Prints one sentence on stderr.
  func note(_ sentence: String) { write(sentence, "odometer", color: nil) }

  /// Prints one sentence on stderr as a warning.
  func warn(_ sentence: String) {
    if screen == nil, !isColored {
      note(RunOptions.warningPrefix + sentence)
    } else {
      write(sentence, "warning", color: "33")
    }
  }

  /// Prints a sentence as a warning if it has the prefix of warnings, otherwise as a note.
  func say(_ sentence: String) {
    if sentence.hasPrefix(RunOptions.warningPrefix) {
      warn(String(sentence.dropFirst(RunOptions.warningPrefix.count)))
    } else {
      note(sentence)
    }
  }

  /// Prints the error of a failed command.
  func fail(_ sentence: String) {
    if screen == nil, !isColored { note(sentence) } else { write(sentence, "error", color: "31") }
  }

  /// Writes a message, wrapped at words on a terminal; files and other programs get one line.
  private func write(_ sentence: String, _ head: String, color: String?) {
    // The file is named first and the reason last: a long path is cut between them.
    let isLong = sentence.unicodeScalars.count > 1500
    let cut = isLong ? "\(sentence.prefix(700)) … \(sentence.suffix(700))" : sentence
    let text = printable(cut).replacing("\n", with: " ")
    let lines = screen.map { HelpText.wrapped("\(head): \(text)", $0 - 1) } ?? ["\(head): \(text)"]
    let shown = lines.joined(separator: "\n")
    guard isColored, let color else { return error(shown + "\n") }
    error("\u{1B}[1;\(color)m\(head):\u{1B}[0m\(shown.dropFirst(head.count + 1))\n")
  }
}

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
