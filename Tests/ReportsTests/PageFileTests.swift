import CPage
import Foundation
import TestMaps
import Testing

struct PageFileTests {
  @Test func everyScriptAndStyleIsPartOfTheProgram() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Project.path("Sources/Reports/Page"))
    #expect(files.count > 10)
    for file in files {
      let text = try String(contentsOfFile: Project.path("Sources/Reports/Page/\(file)"), encoding: .utf8)
      let embedded = cpage_text(file).map { String(cString: $0) }
      #expect(embedded == text, "\(file) is missing from CPage.c, or outdated there")
    }
  }
}
