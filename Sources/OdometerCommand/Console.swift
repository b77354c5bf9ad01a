import Foundation
import Geography
import Jobs

/// Where commands print: what was asked for on stdout, sentences to the person on stderr.
package struct Console: Sendable {
  private let output: @Sendable (String) throws -> Void
  private let error: @Sendable (String) -> Void

  /// Writes lines, each with its end, to the two closures.
  package init(output: @escaping @Sendable (String) throws -> Void, error: @escaping @Sendable (String) -> Void) {
    self.output = output
    self.error = error
  }

  /// The program's own stdout and stderr.
  package static let standard = Console(
    output: { try StandardOutput.write($0) },
    error: { StandardError.write($0) })

  /// Prints lines, as they are. *Throws*: what `output` does.
  func print(_ lines: some CustomStringConvertible) throws { try output("\(lines)\n") }

  /// Prints lines for the person on stderr.
  func tell(_ lines: String) { error("\(printable(lines, atMost: .max))\n") }

  /// Prints one sentence on stderr.
  func note(_ sentence: String) {
    error("odometer: \(printable(sentence).replacing("\n", with: " "))\n")
  }
}
