import Foundation
import Settings
import TestMaps
import Testing

struct EmbeddedTextTests {
  @Test(arguments: [
    ("data/countries", "data/countries"), ("data/profiles", "data/profiles"), ("data/phrases", "data/phrases"),
    ("data/traffic", "data/traffic"), ("Sources/Reports/Page", "page"),
  ])
  func everyFileIsPartOfTheProgram(folder: String, name: String) throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Project.path(folder)).filter {
      [".json5", ".js", ".css"].contains(where: $0.hasSuffix)
    }
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOfFile: Project.path("\(folder)/\(file)"), encoding: .utf8)
      #expect(embeddedText("\(name)/\(file)") == text, "\(folder)/\(file) is missing from CTexts.c, or outdated there")
    }
  }
}
