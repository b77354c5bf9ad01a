import Foundation
import OdometerCommand
import TestMaps
import Testing

/// What the documents say is what the program does. One test at a time: some write the same file.
@Suite(.serialized)
struct DocumentTests {
  private static let files =
    ["README.md"]
    + ["jobs", "input", "results", "operations", "cluster", "library", "python", "transit"].map { "docs/\($0).md" }

  /// Tables between `<!-- name -->` and `<!-- /name -->` come from the program; ODOMETER_DOCS=write writes them again.
  @Test(arguments: Documents.parts.keys.sorted())
  func generatedPartsAreUpToDate(name: String) throws {
    let (start, end) = ("<!-- \(name) -->\n", "\n<!-- /\(name) -->")
    var count = 0
    for file in DocumentTests.files {
      let text = try String(contentsOfFile: Project.path(file), encoding: .utf8)
      guard let from = text.range(of: start), let to = text.range(of: end) else { continue }
      count += 1
      let part = text[from.upperBound..<to.lowerBound].trimmingCharacters(in: .newlines)
      let expected = try #require(Documents.parts[name])
      if ProcessInfo.processInfo.environment["ODOMETER_DOCS"] == "write" {
        let written = text[..<from.upperBound] + "\n" + expected + "\n" + text[to.lowerBound...]
        try Data(written.utf8).write(to: URL(fileURLWithPath: Project.path(file)))
      } else {
        #expect(part == expected, "\(file): run ODOMETER_DOCS=write swift test --filter OdometerCommandTests")
      }
    }
    #expect(count == 1, "\(name) stands in \(count) documents")
  }

  @Test(arguments: files + ["ARCHITECTURE.md", "CONTRIBUTING.md", "Benchmarks/README.md", "Benchmarks/history.md"])
  func linksLeadToFiles(file: String) throws {
    let text = try String(contentsOfFile: Project.path(file), encoding: .utf8)
    let folder = (file as NSString).deletingLastPathComponent
    for match in text.matches(of: /\]\(([^)\s]+)\)/) where !match.1.contains("://") {
      let target = String(match.1.prefix { $0 != "#" })
      guard !target.isEmpty else { continue }
      let path = Project.path(folder.isEmpty ? target : "\(folder)/\(target)")
      #expect(FileManager.default.fileExists(atPath: path), "\(file): \(match.1)")
    }
  }

  /// Swift files that the documents name are there, under the folder they name.
  @Test(arguments: files + ["ARCHITECTURE.md", "CONTRIBUTING.md"])
  func namedSourcesExist(file: String) throws {
    let text = try String(contentsOfFile: Project.path(file), encoding: .utf8)
    let sources = ["Sources", "Tests"].flatMap { folder in
      FileManager.default.enumerator(atPath: Project.path(folder))?.compactMap { "/\(folder)/\($0)" } ?? []
    }
    for match in text.matches(of: /`([A-Za-z\/+]+\.swift)`/) {
      #expect(sources.contains { $0.hasSuffix("/\(match.1)") }, "\(file): \(match.1)")
    }
  }

  /// Every command line in the documents is one that the program takes, as far as it can be seen without running it.
  @Test(
    arguments: files + [
      "CONTRIBUTING.md", "Benchmarks/README.md", "Benchmarks/history.md", "studies/porto-alegre/README.md",
    ])
  func printedCommandsAreAccepted(file: String) throws {
    let text = try String(contentsOfFile: Project.path(file), encoding: .utf8)
    for match in text.matches(of: /(?m)(?:^\s+(?:\$ )?|`|&& )(?:\.build\/release\/)?odometer ([^`\n\[]+)(?:\n|`)/) {
      let words = Words(match.1).list
      guard let problem = Program.problem(with: words) else { continue }
      Issue.record("\(file): odometer \(match.1): \(problem)")
    }
  }

  /// Split as a shell does, quotes taken off.
  private struct Words {
    var list: [String] = []

    init(_ line: Substring) {
      var (word, isQuoted) = ("", false)
      for character in line + " " {
        switch character {
        case "\"": isQuoted.toggle()
        case "#" where !isQuoted, ">" where !isQuoted, "|" where !isQuoted, "(" where !isQuoted: return
        case " " where !isQuoted:
          if !word.isEmpty { list.append(word) }
          word = ""
        default: word.append(character)
        }
      }
    }
  }
}
