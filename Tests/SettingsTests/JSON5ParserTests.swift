import Foundation
import Geography
import Settings
import TestMaps
import Testing

struct JSON5ParserTests {
  @Test func refusesNonUTF8TextWithItsLine() throws {
    let latin1 = Data("{\n  output: 'out/caf".utf8) + [0xE9] + Data("' }".utf8)
    let error = #expect(throws: OdometerError.self) { try SettingsFile(name: "job.json5", bytes: latin1) }
    #expect(error?.description == "job.json5:2: got bytes that are not UTF-8; save the file as UTF-8")
  }

  /// Returns a setting as plain JSON values, for comparison with Foundation's result.
  private func plain(_ setting: Setting) -> NSObject {
    switch setting {
    case .object(let values, _): NSDictionary(dictionary: values.mapValues(plain))
    case .list(let items): NSArray(array: items.map(plain))
    case .text(let text): NSString(string: text)
    case .number(let number): NSNumber(value: number)
    case .bool(let bool): NSNumber(value: bool)
    case .null: NSNull()
    }
  }

  @Test(arguments: [
    (#"{}"#, #"{}"#), (#"{a: 1, 'b': "x", "c": 'y',}"#, #"{"a": 1, "b": "x", "c": "y"}"#),
    ("// one\n{ /* two\n */ a: [1, +2, -.5, 1e3, 0x1F, 5.], }", #"{"a": [1, 2, -0.5, 1000, 31, 5]}"#),
    (#"{t: true, f: false, n: null}"#, #"{"t": true, "f": false, "n": null}"#),
    (#"{s: "a\n\t\"\\\u00e9\x41", e: ''}"#, #"{"s": "a\n\t\"\\éA", "e": ""}"#), ("{s: 'a\\\nb'}", #"{"s": "ab"}"#),
    (#"{s: "\ud83d\ude00", t: "a\v"}"#, #"{"s": "😀", "t": "a\u000b"}"#),
    ("{s: 'a\u{2028}b\u{85}'}", "{\"s\": \"a\u{2028}b\u{85}\"}"),
    (#"{$x_1: "//no comment"}"#, #"{"$x_1": "//no comment"}"#), ("\u{FEFF}[]", "[]"),
  ])
  func parsesJSON5(json5: String, json: String) throws {
    let expected = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSObject
    #expect(plain(try JSON5Parser.parse(json5)) == expected)
  }

  @Test(arguments: [
    ("{ a: 1\n  b: 2 }", 2, "got b, expected a comma or }"), ("{\n\n  : 1 }", 3, "got :, expected a key or }"),
    ("{ a 1 }", 1, "got 1, expected a colon after a"),
    ("{ a: wrong }", 1, "got wrong, expected a value (text needs quotes)"),
    ("{ a: 'x\n }", 1, "the text that starts here has no closing '"),
    ("{ a: 'x\n' }", 1, "the text that starts here has no closing '"),
    ("{ a: '\\0' }", 1, "the text that starts here contains a NUL character, expected none"),
    ("{ a: 007 }", 1, "got 007, expected a value (text needs quotes)"),
    ("{ a: --5 }", 1, "got -, expected a value (text needs quotes)"),
    ("{ a: 1e999 }", 1, "got 1e999, expected a smaller number"),
    ("{ a: 1", 1, "got the end of the file, expected a comma or }"),
    ("{ a: [1 2] }", 1, "got 2, expected a comma or ]"), ("{}\n{}", 2, "got {, expected the end of the file"),
    ("", 1, "got the end of the file, expected a value (text needs quotes)"),
    ("{ a: 1,\n a: 2 }", 2, "duplicate key a"), ("{ /* x\n", 1, "the comment that starts here has no closing */"),
    (#"{ a: "\uZZZZ" }"#, 1, "got ZZZZ, expected 4 hexadecimal digits after \\u"),
    (#"{ a: "\u+041" }"#, 1, "got +, expected 4 hexadecimal digits after \\u"),
    (#"{ a: "\ude00" }"#, 1, "got half of a character in \\u, expected both surrogates, the high one first"),
    (#"{ a: "\ud83dx" }"#, 1, "got half of a character in \\u, expected both surrogates, the high one first"),
    (#"{ a: "\1" }"#, 1, "got \\1, expected a JSON5 escape"),
    ("{ a: -Infinity }", 1, "got -Infinity, expected a finite number"),
    ("{ a: 1.2.3 }", 1, "got 1, expected a value (text needs quotes)"),
  ])
  func reportsTheLineOfAnError(text: String, line: Int, problem: String) {
    #expect(throws: JSON5Parser.ParseError(line: line, problem: problem)) { try JSON5Parser.parse(text) }
  }

  /// Truncated copies of a real file with one character changed must be read or rejected without a crash.
  @Test func rejectsCorruptFilesWithoutCrashing() {
    let whole = Array(
      String(
        decoding: FileManager.default.contents(atPath: Project.path("data/profiles/walking.json5"))!, as: UTF8.self))
    var random = SeededGenerator(seed: 6)
    for _ in 0..<300 {
      var text = Array(whole.prefix(.random(in: 0...whole.count, using: &random)))
      if let index = text.indices.randomElement(using: &random) {
        text[index] = "\"{}[]:,/\\'*x\n".randomElement(using: &random)!
      }
      _ = try? JSON5Parser.parse(String(text))
    }
  }
}
