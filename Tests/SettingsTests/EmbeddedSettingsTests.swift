import CTexts
import Foundation
import TestMaps
import Testing

struct EmbeddedSettingsTests {
  @Test(arguments: ["data/countries", "data/profiles", "data/phrases", "data/traffic"])
  func everyFileIsPartOfTheProgram(folder: String) throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Project.path(folder)).filter {
      $0.hasSuffix(".json5")
    }
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOfFile: Project.path("\(folder)/\(file)"), encoding: .utf8)
      let embedded = ctext("\(folder)/\(file)").map { String(cString: $0) }
      #expect(embedded == text, "\(folder)/\(file) is missing from CTexts.c, or outdated there")
    }
  }
}
