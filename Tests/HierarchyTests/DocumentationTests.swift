import TestMaps
import Testing

/// The example in the documentation, compiled and run as printed.
struct DocumentationTests {
  @Test(arguments: ["Sources/Hierarchy/Hierarchy.docc/Hierarchy.md", "docs/library.md"])
  func exampleMatchesTheDocument(document: String) throws {
    let example = try DocumentedExample(inSource: "Tests/HierarchyTests/HierarchyExample.swift")
    #expect(try example.isShown(in: document), "\(document) does not show:\n\(example.text)")
  }

  @Test func exampleRuns() {
    #expect(hierarchyExample() == ["70 s, 1500 m over states [3, 2]"])
  }
}
