import Foundation
import OdometerCommand
import TestMaps
import Testing

/// The documentation agrees with the program. One test at a time: some write the same file.
@Suite(.serialized)
struct DocumentTests {
  /// README and all files directly in docs.
  private static let files = ["README.md"] + markdown(in: "docs")
  private static let decisions = markdown(in: "docs/adr")
  private static let inside = ["ARCHITECTURE.md", "CONTRIBUTING.md"] + decisions
  private static let benchmarks = ["Benchmarks/README.md", "Benchmarks/history.md"]

  private static func markdown(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: Project.path(folder))) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
  }

  /// Tables between `<!-- name -->` and `<!-- /name -->` come from the program; ODOMETER_DOCS=write writes them again.
  @Test(arguments: Documents.parts.keys.sorted())
  func generatedPartsAreUpToDate(name: String) throws {
    let (start, end) = ("<!-- \(name) -->\n", "\n<!-- /\(name) -->")
    var count = 0
    for file in DocumentTests.files + DocumentTests.benchmarks {
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

  @Test(arguments: files + inside + benchmarks)
  func linksPointToFiles(file: String) throws {
    let text = try String(contentsOfFile: Project.path(file), encoding: .utf8)
    let folder = (file as NSString).deletingLastPathComponent
    for match in text.matches(of: /\]\(([^)\s]+)\)/) where !match.1.contains("://") {
      let target = String(match.1.prefix { $0 != "#" })
      guard !target.isEmpty else { continue }
      let path = Project.path(folder.isEmpty ? target : "\(folder)/\(target)")
      #expect(FileManager.default.fileExists(atPath: path), "\(file): \(match.1)")
    }
  }

  /// The documentation names the actual folders of Swift files.
  @Test(arguments: files + inside)
  func namedSourcesExist(file: String) throws {
    let text = try String(contentsOfFile: Project.path(file), encoding: .utf8)
    let sources = ["Sources", "Tests"].flatMap { folder in
      FileManager.default.enumerator(atPath: Project.path(folder))?.compactMap { "/\(folder)/\($0)" } ?? []
    }
    for match in text.matches(of: /`([A-Za-z\/+]+\.swift)`/) {
      #expect(sources.contains { $0.hasSuffix("/\(match.1)") }, "\(file): \(match.1)")
    }
  }

  /// The index lists each decision under its number and title; numbers have no gaps.
  @Test func decisionsAreNumberedAndListed() throws {
    let index = try String(contentsOfFile: Project.path("docs/adr/README.md"), encoding: .utf8)
    let pages = DocumentTests.decisions.filter { !$0.hasSuffix("README.md") }
    #expect(!pages.isEmpty)
    for (number, page) in zip(1..., pages) {
      let name = (page as NSString).lastPathComponent
      let text = try String(contentsOfFile: Project.path(page), encoding: .utf8)
      let heading = text.prefix { $0 != "\n" }.dropFirst(2)
      #expect(Int(name.prefix(4)) == number && heading.hasPrefix("\(number). "), "\(page): \(heading)")
      #expect(index.contains("- [\(heading)](\(name))"), "the index lacks \(page)")
      for section in ["Context", "Decision", "Consequences"] {
        #expect(text.contains("\n## \(section)\n"), "\(page) has no section \(section)")
      }
    }
  }

  /// Checks everything that can be checked without running a command.
  @Test(arguments: files + benchmarks + ["CONTRIBUTING.md", "studies/porto-alegre/README.md"])
  func printedCommandsAreAccepted(file: String) throws {
    let text = try String(contentsOfFile: Project.path(file), encoding: .utf8)
    for match in text.matches(of: /(?m)(?:^\s+(?:\$ )?|`|&& )(?:\.build\/release\/)?odometer ([^`\n\[]+)(?:\n|`)/) {
      let words = Words(match.1).list
      guard let problem = Program.problem(with: words) else { continue }
      Issue.record("\(file): odometer \(match.1): \(problem)")
    }
  }

  /// Split as by a shell, without quotes.
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
