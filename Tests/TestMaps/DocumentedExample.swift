import Foundation

/// Code that is printed in the documentation and compiled by tests: the lines between `// BEGIN` and `// END` in a
/// test's source.
public struct DocumentedExample: Sendable {
  /// The lines as printed in a document, without their function's indentation.
  public let text: String

  /// - Parameter path: The source, relative to the project's root.
  public init(inSource path: String) throws {
    let source = try String(contentsOfFile: Project.path(path), encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0.hasSuffix("// BEGIN") }),
      let end = lines.firstIndex(where: { $0.hasSuffix("// END") }), start < end
    else { throw CocoaError(.fileReadCorruptFile) }
    text = lines[(start + 1)..<end].map { String($0.hasPrefix("  ") ? $0.dropFirst(2) : $0) }.joined(separator: "\n")
  }

  /// Returns whether the document at `path`, relative to the project's root, contains the example.
  public func isShown(in path: String) throws -> Bool {
    try String(contentsOfFile: Project.path(path), encoding: .utf8).contains(text)
  }
}
