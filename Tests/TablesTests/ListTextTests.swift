import Tables
import TestMaps
import Testing

struct ListTextTests {
  @Test(arguments: [
    ([], ""), (["population"], "population"), (["population", "jobs"], "population,jobs"),
    (["jobs, total", "area"], "\"jobs, total\",area"), (["6\" pipes"], "\"6\"\" pipes\""), ([""], "\"\""),
    (["", ""], ","), (["a", "", "b"], "a,,b"), (["\"", ","], "\"\"\"\",\",\""), (["a", "\u{308}b"], "a,\u{308}b"),
    (["line\nend", " space "], "line\nend, space "),
  ])
  func joinsNamesLikeACSV(names: [String], text: String) {
    #expect(ListText.joined(names) == text)
    #expect(ListText.split(text) == names)
  }

  @Test func splitsJoinedText() {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<2000 {
      let names = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        String((0..<Int.random(in: 0...5, using: &random)).map { _ in ",\"a é\n".randomElement(using: &random) ?? "a" })
      }
      #expect(ListText.split(ListText.joined(names)) == names)
    }
  }

  @Test(arguments: [(0, "0"), (1, "0.001"), (439_980, "439.98"), (3_600_000, "3600"), (439_500, "439.5")])
  func writesMillisecondsAsSeconds(milliseconds: UInt32, text: String) {
    #expect(SecondsText.text(milliseconds: milliseconds) == text)
    #expect(SecondsText.milliseconds(text) == milliseconds)
  }

  @Test func readsBackEveryMillisecond() {
    for milliseconds in stride(from: UInt32(0), through: 86_400_000, by: 997) {
      #expect(SecondsText.milliseconds(SecondsText.text(milliseconds: milliseconds)) == milliseconds)
    }
    #expect(SecondsText.milliseconds("") == nil && SecondsText.milliseconds("-1") == nil)
  }
}
