import Foundation
import TestMaps
import Testing

/// The example in the README, compiled and run as it stands there.
@Suite(.enabled(if: Project.hasHelsinki, "the sample map is not there: make sample"))
struct ReadmeTests {
  @Test func theExampleIsTheDocumentedOne() throws {
    let readme = String(decoding: FileManager.default.contents(atPath: Project.path("README.md"))!, as: UTF8.self)
    let source = String(
      decoding: FileManager.default.contents(atPath: Project.path("Tests/RoutingTests/ReadmeExample.swift"))!,
      as: UTF8.self)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.contains("BEGIN") })
    let end = try #require(lines.firstIndex { $0.contains("END") })
    let example = lines[(start + 1)..<end].map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : String($0) }
    #expect(
      readme.contains(example.joined(separator: "\n")), "README.md does not show:\n\(example.joined(separator: "\n"))")
  }

  @Test func theExampleRuns() throws {
    let lines = try readmeExample(map: Project.helsinki)
    #expect(lines.first == "via Keskuskatu and Kaisaniemenkatu: 1637 m, 20 min")
    #expect(lines.last == "Arrive at the destination")
  }
}
