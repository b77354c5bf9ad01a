import Foundation
import TestMaps
import Testing

/// The example in the README, compiled and run as printed.
@Suite(.enabled(if: Project.hasHelsinki, "the sample map is missing: make sample"))
struct ReadmeTests {
  @Test func exampleMatchesTheDocument() throws {
    let example = try DocumentedExample(inSource: "Tests/RoutingTests/ReadmeExample.swift")
    #expect(try example.isShown(in: "README.md"), "README.md does not show:\n\(example.text)")
  }

  @Test func exampleRuns() async throws {
    let lines = try await readmeExample(map: Project.helsinki)
    #expect(lines.first == "Keskuskatu and Kaisaniemenkatu: 1613 m, 20 min")
    #expect(lines.last == "Arrive at the destination")
  }
}
