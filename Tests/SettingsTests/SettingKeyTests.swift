import Foundation
import Geography
import Settings
import Testing

struct SettingKeyTests {
  private func root(_ text: String) throws -> SettingsObject {
    try SettingsFile(name: "file.json5", bytes: Data(text.utf8)).root
  }

  private func message<Value>(_ text: String, _ key: SettingKey<Value>) throws -> String {
    "\(try #require(throws: OdometerError.self) { try root(text).value(of: key) })"
  }

  private enum Colour: String, CaseIterable { case red, green }

  private static let name = SettingKey("name", .text, "what it is called", example: "Anna")
  private static let count = SettingKey("count", .wholeNumber(of: "rows", 1...9), default: 3, "how many")
  private static let size = SettingKey<Double?>(
    "size", .number(of: "metres", over: 0, atMost: 10), otherwise: "none", "how large", example: 2.5)
  private static let sizes = SettingKey(
    "sizes", .numbers(of: "metres", over: 0, atMost: 10), default: [1, 2.5], "several sizes")
  private static let colour = SettingKey<Colour>("colour", .choice, default: "green", "its colour")
  private static let colours = SettingKey<[Colour]?>(
    "colours", .choices(), otherwise: "any", "some colours", example: ["red"])

  @Test func readsValues() throws {
    let root = try root("{ name: 'Bo', count: 9, size: 10, sizes: [3], colour: 'red', colours: ['green', 'red'] }")
    #expect(try root.value(of: SettingKeyTests.name) == "Bo")
    #expect(try root.value(of: SettingKeyTests.count) == 9)
    #expect(try root.value(of: SettingKeyTests.size) == 10)
    #expect(try root.value(of: SettingKeyTests.sizes) == [3])
    #expect(try root.value(of: SettingKeyTests.colour) == .red)
    #expect(try root.value(of: SettingKeyTests.colours) == [.green, .red])
    try root.finish()
  }

  @Test func usesDefaults() throws {
    let root = try root("{}")
    #expect(try root.value(of: SettingKeyTests.count) == 3)
    #expect(try root.value(of: SettingKeyTests.size) == nil)
    #expect(try root.value(of: SettingKeyTests.sizes) == [1, 2.5])
    #expect(try root.value(of: SettingKeyTests.colour) == .green)
    #expect(try root.value(of: SettingKeyTests.colours) == nil)
  }

  @Test func namesActualAndExpectedValues() throws {
    #expect(try message("{}", SettingKeyTests.name) == "file.json5: the key name is missing; expected text")
    #expect(try message("{\nname: 3 }", SettingKeyTests.name) == "file.json5:2: name: got 3, expected text")
    for count in ["0", "10", "2.5"] {
      #expect(
        try message("{ count: \(count) }", SettingKeyTests.count)
          == "file.json5:1: count: got \(count), expected a whole number of rows from 1 to 9")
    }
    for size in ["0", "10.5", "-1"] {
      #expect(
        try message("{ size: \(size) }", SettingKeyTests.size)
          == "file.json5:1: size: got \(size), expected a number of metres, over 0, at most 10")
    }
    #expect(
      try message("{ sizes: [1, 'a'] }", SettingKeyTests.sizes)
        == "file.json5:1: sizes: got \"a\" (entry 2), expected a list of metres, each over 0, at most 10")
    #expect(
      try message("{ colour: 'blue' }", SettingKeyTests.colour)
        == "file.json5:1: colour: got \"blue\", expected one of red, green")
    #expect(
      try message("{ colours: ['red', 'blue'] }", SettingKeyTests.colours)
        == "file.json5:1: colours: got \"blue\" (entry 2), expected a list of red, green")
  }

  @Test func describesItself() {
    let (name, count, size) = (
      SettingKeyTests.name.description, SettingKeyTests.count.description, SettingKeyTests.size.description
    )
    #expect(name.isRequired && name.defaultText == nil && name.example == "\"Anna\"" && name.type == "text")
    #expect(!count.isRequired && count.absence == .value("3") && count.example == "3" && count.unit == "rows")
    #expect(size.absence == .words("none") && size.example == "2.5" && size.expected.hasSuffix("at most 10"))
    #expect(SettingKeyTests.colours.description.choices == ["red", "green"])
    #expect(SettingKeyTests.sizes.description.defaultText == "[1, 2.5]")
  }

  @Test(arguments: [
    "\"a \\\"b\\\" \\\\ c\"", "[1, 2.5, [true, null]]", "{ a: 1, b: \"x\\n\" }", "-3", "1e+20", "[]",
  ])
  func writesJSON5ThatReadsAsTheSame(text: String) throws {
    #expect(try JSON5Parser.parse(text).json5 == text)
  }

  @Test func hintsWhereUnknownKeysBelong() throws {
    let root = try root("{ name: 'Bo',\n far: 1, nmae: 2 }")
    root.expect(["name"]) { "\($0) is elsewhere" }
    _ = try root.value(of: SettingKeyTests.name)
    #expect(
      "\(try #require(throws: OdometerError.self) { try root.finish() })"
        == "file.json5:2: unknown key far; far is elsewhere")
  }
}
