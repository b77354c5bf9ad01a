import Foundation

/// Code that is printed in the documentation and compiled by tests: the lines between `// BEGIN` and `// END` of a
/// test's source.
public struct DocumentedExample: Sendable {
  /// The lines as shown in a document, without the indentation of their function.
  public let text: String

  /// - Parameter path: The source, from the project's root.
  public init(inSource path: String) throws {
    let source = try String(contentsOfFile: Project.path(path), encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0.hasSuffix("// BEGIN") }),
      let end = lines.firstIndex(where: { $0.hasSuffix("// END") }), start < end
    else { throw CocoaError(.fileReadCorruptFile) }
    text = lines[(start + 1)..<end].map { String($0.hasPrefix("  ") ? $0.dropFirst(2) : $0) }.joined(separator: "\n")
  }

  /// Whether the document at `path`, from the project's root, shows the example.
  public func isShown(in path: String) throws -> Bool {
    try String(contentsOfFile: Project.path(path), encoding: .utf8).contains(text)
  }
}
