import Foundation
import Geography

/// Where commands print: what was asked for on stdout, sentences to the person on stderr.
package struct Console: Sendable {
  private let output: @Sendable (String) -> Void
  private let error: @Sendable (String) -> Void

  /// Writes lines, each with its end, to the two closures.
  package init(output: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void) {
    self.output = output
    self.error = error
  }

  /// The program's own stdout and stderr.
  package static let standard = Console(
    output: { Swift.print($0, terminator: "") },
    error: { FileHandle.standardError.write(Data($0.utf8)) })

  /// Prints lines, as they are.
  func print(_ lines: some CustomStringConvertible) { output("\(lines)\n") }

  /// Prints one sentence on stderr.
  func note(_ sentence: String) {
    error("odometer: \(printable(sentence).replacing("\n", with: " "))\n")
  }
}
