import CTexts
import Foundation
import Geography

/// A JSON5 file written by hand (a profile, a job), read key by key.
///
///     let file = try SettingsFile(path: "jobs/etas.json5")
///     let map = try file.root.string("map")
///     try file.root.finish()                          // throws if a key was not read
///
/// All errors are `OdometerError`s, which give the file, the line, the key, the actual and the expected value.
package struct SettingsFile {
  package let name: String
  package let bytes: Data
  package let root: SettingsObject

  /// Reads the file at `path`. *Throws*: `OdometerError`.
  package init(path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { throw .settings(file: path, problem: "no such file") }
    if let problem = FileManager.irregularity(of: path, expecting: "a file") {
      throw .settings(file: path, problem: problem)
    }
    let bytes: Data
    do { bytes = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw .settings(file: path, problem: "the file cannot be read: \(POSIXError.reason(for: error))")
    }
    guard ![[0xFF, 0xFE], [0xFE, 0xFF]].contains(Array(bytes.prefix(2))) else {
      throw .settings(file: path, problem: "got UTF-16, expected UTF-8; iconv -f UTF-16 -t UTF-8 converts it")
    }
    // A NUL separates the text of a profile from that of its base.
    guard !bytes.contains(0) else { throw .settings(file: path, problem: "got a zero byte, expected text") }
    try self.init(name: path, bytes: bytes)
  }

  /// Parses settings in memory; messages use `name` as the file name.
  package init(name: String, bytes: Data) throws {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
      throw .settings(
        file: name, line: line.map { $0 + 1 }, problem: "got bytes that are not UTF-8; save the file as UTF-8")
    }
    let parsed: Setting
    do {
      parsed = try JSON5Parser.parse(text)
    } catch {
      throw .settings(file: name, line: error.line, problem: "not valid JSON5: \(error.problem)")
    }
    guard case .object(let values, let lines) = parsed else {
      throw .settings(file: name, problem: "got \(parsed.shown), expected { key: value, … }")
    }
    self.init(name: name, bytes: bytes, values, lines)
  }

  private init(name: String, bytes: Data, _ members: [String: Setting], _ lines: [String: Int]) {
    (self.name, self.bytes) = (name, bytes)
    root = SettingsObject(values: members, lines: lines, path: "", file: name)
  }

  /// Returns this file applied to `base` as a merge patch (RFC 7396): its keys replace those of the base, object by
  /// object, and null removes a key. The bytes are those of both files, separated by a NUL.
  package func patching(_ base: SettingsFile) -> SettingsFile {
    guard
      case .object(let members, let lines) = base.root.setting.withoutLines.patched(with: root.setting)
    else { return self }
    return SettingsFile(name: name, bytes: bytes + [0] + base.bytes, members, lines)
  }
}

extension Setting {
  /// The setting without line numbers: lines of the base are not lines of this file.
  fileprivate var withoutLines: Setting {
    guard case .object(let members, _) = self else { return self }
    return .object(members.mapValues(\.withoutLines), keyLines: [:])
  }

  fileprivate func patched(with patch: Setting) -> Setting {
    guard case .object(let changes, let changedLines) = patch else { return patch }
    var (members, lines): ([String: Setting], [String: Int]) = ([:], [:])
    if case .object(let baseMembers, let baseLines) = self { (members, lines) = (baseMembers, baseLines) }
    for (key, change) in changes {
      if case .null = change {
        members[key] = nil
      } else {
        members[key] = (members[key] ?? .null).patched(with: change)
      }
      lines[key] = changedLines[key]
    }
    return .object(members, keyLines: lines)
  }
}

/// Parses JSON5 (json5.org) into settings with line numbers.
///
/// Foundation's decoder reports neither the line nor the expected value.
package struct JSON5Parser {
  private let characters: [Character]
  /// The bytes if each character takes one byte; otherwise nil.
  private let bytes: [UInt8]?
  private var at = 0
  private var line = 1
  private var depth = 0
  /// The maximum nesting depth: more than real settings have, and less than the stack allows.
  private static let maximumDepth = 64

  /// A syntax error and its position.
  package struct ParseError: Error, Equatable {
    package var line: Int
    package var problem: String

    package init(line: Int, problem: String) {
      self.line = line
      self.problem = problem
    }
  }

  package static func parse(_ text: String) throws(ParseError) -> Setting {
    var parser = JSON5Parser(text)
    let setting = try parser.value()
    try parser.skipSpace()
    guard parser.at == parser.characters.count else { throw parser.expected("the end of the file") }
    return setting
  }

  /// Creates a parser. The characters of ASCII text are looked up in a table: finding character boundaries takes ten
  /// times as long.
  private init(_ text: String) {
    let isPlain = text.utf8.allSatisfy { $0 < 128 && $0 != UInt8(ascii: "\r") }
    bytes = isPlain ? Array(text.utf8) : nil
    characters = bytes?.map { JSON5Parser.ascii[Int($0)] } ?? Array(text)
  }

  private static let ascii = (0..<128).map { Character(UnicodeScalar(UInt8($0))) }

  private var next: Character? { at < characters.count ? characters[at] : nil }

  private mutating func value() throws(ParseError) -> Setting {
    try skipSpace()
    depth += 1
    defer { depth -= 1 }
    guard depth <= JSON5Parser.maximumDepth else {
      throw ParseError(line: line, problem: "brackets are nested more than \(JSON5Parser.maximumDepth) deep")
    }
    switch next {
    case "{": return try object()
    case "[": return try list()
    case "\"", "'": return .text(try text())
    default: return try word()
    }
  }

  private mutating func object() throws(ParseError) -> Setting {
    step()
    var members: [String: Setting] = [:]
    var lines: [String: Int] = [:]
    while true {
      try skipSpace()
      if take("}") { return .object(members, keyLines: lines) }
      let keyLine = line
      let key = try key()
      try skipSpace()
      guard take(":") else { throw expected("a colon after \(key)") }
      guard members[key] == nil else { throw ParseError(line: keyLine, problem: "duplicate key \(key)") }
      members[key] = try value()
      lines[key] = keyLine
      try skipSpace()
      guard take(",") || next == "}" else { throw expected("a comma or }") }
    }
  }

  private mutating func list() throws(ParseError) -> Setting {
    step()
    var items: [Setting] = []
    while true {
      try skipSpace()
      if take("]") { return .list(items) }
      items.append(try value())
      try skipSpace()
      guard take(",") || next == "]" else { throw expected("a comma or ]") }
    }
  }

  private mutating func key() throws(ParseError) -> String {
    if next == "\"" || next == "'" { return try text() }
    let name = run { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
    guard !name.isEmpty else { throw expected("a key or }") }
    return name
  }

  private mutating func text() throws(ParseError) -> String {
    let start = line
    guard let quote = next else { throw expected("text") }
    step()
    if let plain = plainText(until: quote) { return plain }
    var text = ""
    while let character = next, character != quote, !character.endsLine {
      step()
      guard character == "\\" else {
        text.append(character)
        continue
      }
      guard let escaped = next else { break }
      step()
      if let plain = JSON5Parser.escapes[escaped] {
        text.append(plain)
        continue
      }
      switch escaped {
      case "u": text.unicodeScalars.append(try scalar())
      case "x": text.unicodeScalars.append(UnicodeScalar(UInt8(try hexadecimal(2, after: "\\x"))))
      case "0" where next?.isNumber != true: text.append("\0")
      case "0"..."9": throw ParseError(line: line, problem: "got \\\(escaped), expected a JSON5 escape")
      case _ where escaped.endsLine || escaped == "\u{2028}" || escaped == "\u{2029}": break
      default: text.append(escaped)
      }
    }
    guard take(quote) else {
      throw ParseError(line: start, problem: "the text that starts here has no closing \(quote)")
    }
    // No file name contains a NUL, and most programs end a string there.
    guard !text.unicodeScalars.contains("\0") else {
      throw ParseError(line: start, problem: "the text that starts here contains a NUL character, expected none")
    }
    return text
  }

  private static let escapes: [Character: Character] = [
    "n": "\n", "t": "\t", "r": "\r", "b": "\u{8}", "f": "\u{C}", "v": "\u{B}",
  ]

  /// Reads the digits after `\u` and returns the character; characters beyond U+FFFF are surrogate pairs.
  private mutating func scalar() throws(ParseError) -> UnicodeScalar {
    let first = try hexadecimal(4, after: "\\u")
    if let scalar = UnicodeScalar(first) { return scalar }
    let problem = ParseError(
      line: line, problem: "got half of a character in \\u, expected both surrogates, the high one first")
    guard first < 0xDC00, take("\\"), take("u") else { throw problem }
    let second = try hexadecimal(4, after: "\\u")
    guard 0xDC00..<0xE000 ~= second, let scalar = UnicodeScalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw problem }
    return scalar
  }

  private mutating func hexadecimal(_ count: Int, after escape: String) throws(ParseError) -> UInt32 {
    let digits = String(characters[at..<min(at + count, characters.count)])
    guard digits.count == count, digits.allSatisfy(\.isHexDigit), let code = UInt32(digits, radix: 16) else {
      throw expected("\(count) hexadecimal digits after \(escape)")
    }
    at += count
    return code
  }

  /// Reads a string without escapes and its closing quote. Returns nil without reading if it has escapes or does
  /// not end on its line.
  private mutating func plainText(until quote: Character) -> String? {
    guard let bytes, let byte = quote.asciiValue else { return nil }
    let end = bytes[at...].firstIndex { $0 == byte || $0 == UInt8(ascii: "\\") || $0 < 0x20 }
    guard let end, bytes[end] == byte else { return nil }
    defer { at = end + 1 }
    return String(decoding: bytes[at..<end], as: UTF8.self)
  }

  private mutating func word() throws(ParseError) -> Setting {
    let start = at
    let word = run { $0.isLetter || $0.isNumber || "+-._$".contains($0) }
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case "Infinity", "+Infinity", "-Infinity", "NaN", "+NaN", "-NaN":
      throw ParseError(line: line, problem: "got \(word), expected a finite number")
    default: break
    }
    let digits = word.first == "+" || word.first == "-" ? word.dropFirst() : word[...]
    let sign = word.hasPrefix("-") ? -1.0 : 1.0
    if digits.lowercased().hasPrefix("0x"), digits.dropFirst(2).allSatisfy(\.isHexDigit),
      let number = UInt64(digits.dropFirst(2), radix: 16)
    {
      return .number(sign * Double(number))
    }
    let isDecimal = digits.allSatisfy { ("0"..."9").contains($0) || ".eE+-".contains($0) }
    let hasLeadingZero = digits.first == "0" && digits.dropFirst().first?.isNumber == true
    if isDecimal, !hasLeadingZero, digits.first != "+", digits.first != "-", let number = Double(digits) {
      guard number.isFinite else { throw ParseError(line: line, problem: "got \(word), expected a smaller number") }
      return .number(sign * number)
    }
    at = start
    throw expected("a value (text needs quotes)")
  }

  // MARK: Characters

  private mutating func step() {
    if characters[at].endsLine { line += 1 }
    at += 1
  }

  private mutating func take(_ character: Character) -> Bool {
    guard next == character else { return false }
    step()
    return true
  }

  private mutating func run(while belongs: (Character) -> Bool) -> String {
    let start = at
    while let character = next, belongs(character) { at += 1 }
    return String(characters[start..<at])
  }

  /// Skips white space and comments.
  private mutating func skipSpace() throws(ParseError) {
    while let character = next {
      if character.isWhitespace || character == "\u{FEFF}" {
        step()
      } else if character == "/" && at + 1 < characters.count && characters[at + 1] == "/" {
        while let character = next, !character.isNewline { at += 1 }
      } else if character == "/" && at + 1 < characters.count && characters[at + 1] == "*" {
        let start = line
        step()
        step()
        while at < characters.count
          && !(characters[at] == "*" && at + 1 < characters.count && characters[at + 1] == "/")
        {
          step()
        }
        guard at < characters.count else {
          throw ParseError(line: start, problem: "the comment that starts here has no closing */")
        }
        at += 2
      } else {
        return
      }
    }
  }

  private func expected(_ expectation: String) -> ParseError {
    guard let next else { return ParseError(line: line, problem: "got the end of the file, expected \(expectation)") }
    let word = String(characters[at...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    return ParseError(line: line, problem: "got \(word.isEmpty ? String(next) : word), expected \(expectation)")
  }
}

extension Character {
  /// Whether editors start a new line after the character. U+2028 and U+2029 do not count: strings may contain them.
  fileprivate var endsLine: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}

extension SettingsFile {
  /// Reads settings that are part of the program, such as `data/profiles/walking.json5`. *Throws*: `OdometerError`.
  package init(embedded name: String) throws {
    guard let text = ctext(name) else { throw .settings(file: name, problem: "not part of the program") }
    try self.init(name: name, bytes: Data(String(cString: text).utf8))
  }
}
