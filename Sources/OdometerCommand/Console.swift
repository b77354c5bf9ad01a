import Foundation
import Geography
import Jobs

/// The output of commands: results on stdout, messages for the user on stderr.
package struct Console: Sendable {
  private let output: @Sendable (String) throws -> Void
  private let error: @Sendable (String) -> Void
  /// The width of the terminal of stdout in characters; nil if it is not a terminal.
  private let width: Int?
  /// The terminal of stderr; nil if it is not a terminal.
  private let screen: Screen?
  /// Whether to use colours.
  let isColored: Bool

  /// A terminal, with its width in characters.
  struct Screen: Sendable { var width: Int }

  /// Creates a console that passes lines, including their line ends, to two closures.
  ///
  /// - Parameter width: The number of characters at which sentences on stdout are wrapped; nil for one line each.
  package init(
    output: @escaping @Sendable (String) throws -> Void, error: @escaping @Sendable (String) -> Void, width: Int? = nil
  ) {
    self.output = output
    self.error = error
    (self.width, screen, isColored) = (width, nil, false)
  }

  private init(_ other: Console, _ screen: Screen?, isColored: Bool) {
    (output, error, width) = (other.output, other.error, other.width)
    (self.screen, self.isColored) = (screen, isColored)
  }

  /// Returns the same console on a terminal.
  func on(_ screen: Screen?, isColored: Bool) -> Console { Console(self, screen, isColored: isColored) }

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

  func tell(_ lines: String) { error("\(printable(lines, atMost: .max))\n") }

  /// Prints one sentence on stderr.
  func note(_ sentence: String) { write(sentence, "odometer", color: nil) }

  func warn(_ sentence: String) {
    if screen == nil, !isColored {
      note(RunOptions.warningPrefix + sentence)
    } else {
      write(sentence, "warning", color: "33")
    }
  }

  /// Prints a sentence as a warning if it is marked as one, otherwise as a note.
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
    let text = printable(sentence).replacing("\n", with: " ")
    let lines = screen.map { HelpText.wrapped("\(head): \(text)", $0.width - 1) } ?? ["\(head): \(text)"]
    let shown = lines.joined(separator: "\n")
    guard isColored, let color else { return error(shown + "\n") }
    error("\u{1B}[1;\(color)m\(head):\u{1B}[0m\(shown.dropFirst(head.count + 1))\n")
  }
}

extension Console.Screen {
  /// Describes the terminal of a stream; nil if the stream is not a terminal.
  init?(of descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return nil }
    width = Terminal.width(of: descriptor) ?? 80
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
