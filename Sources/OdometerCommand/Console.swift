import Foundation
import Geography
import Jobs

/// Where commands print: what was asked for on stdout, sentences to the person on stderr.
package struct Console: Sendable {
  private let output: @Sendable (String) throws -> Void
  private let error: @Sendable (String) -> Void
  /// How a person sees stderr; nil where it is no terminal.
  private let screen: Screen?
  /// Whether to write in colours.
  let isColored: Bool

  /// A terminal: how many letters its lines have.
  struct Screen: Sendable { var width: Int }

  /// Writes lines, each with its end, to the two closures.
  package init(output: @escaping @Sendable (String) throws -> Void, error: @escaping @Sendable (String) -> Void) {
    self.output = output
    self.error = error
    (screen, isColored) = (nil, false)
  }

  private init(_ other: Console, _ screen: Screen?, isColored: Bool) {
    (output, error) = (other.output, other.error)
    (self.screen, self.isColored) = (screen, isColored)
  }

  /// The same on a terminal of so many letters a line.
  func on(_ screen: Screen?, isColored: Bool) -> Console { Console(self, screen, isColored: isColored) }

  /// The program's own stdout and stderr.
  package static let standard = Console(
    output: { try StandardOutput.write($0) },
    error: { StandardError.write($0) })

  /// Prints lines, as they are. *Throws*: what `output` does.
  func print(_ lines: some CustomStringConvertible) throws { try output("\(lines)\n") }

  /// Prints lines for the person on stderr.
  func tell(_ lines: String) { error("\(printable(lines, atMost: .max))\n") }

  /// Prints one sentence on stderr.
  func note(_ sentence: String) { write(sentence, "odometer", color: nil) }

  /// Prints one sentence about what should be looked at.
  func warn(_ sentence: String) {
    if screen == nil { note("warning: \(sentence)") } else { write(sentence, "warning", color: "33") }
  }

  /// Prints one sentence, which says itself whether it is a warning.
  func say(_ sentence: String) {
    let mark = "warning: "
    if sentence.hasPrefix(mark) { warn(String(sentence.dropFirst(mark.count))) } else { note(sentence) }
  }

  /// Prints one sentence about why a command has failed.
  func fail(_ sentence: String) {
    if screen == nil { note(sentence) } else { write(sentence, "error", color: "31") }
  }

  /// A terminal gets whole words a line; files and other programs one line.
  private func write(_ sentence: String, _ head: String, color: String?) {
    let text = printable(sentence).replacing("\n", with: " ")
    let lines = screen.map { HelpText.wrapped("\(head): \(text)", $0.width - 1) } ?? ["\(head): \(text)"]
    let shown = lines.joined(separator: "\n")
    guard isColored, let color else { return error(shown + "\n") }
    error("\u{1B}[1;\(color)m\(head):\u{1B}[0m\(shown.dropFirst(head.count + 1))\n")
  }
}

extension Console.Screen {
  /// The terminal that a stream goes to; nil where it goes elsewhere.
  init?(of descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return nil }
    width = Terminal.width(of: descriptor) ?? 80
  }
}
