/// Reads JSON5 (json5.org) into settings that know their lines.
///
/// Written here because Foundation's decoder says only that there is an error: a person who edits a file needs the
/// line, and what was expected there.
package struct JSON5Parser {
  private let characters: [Character]
  /// The same where each character is one byte; nil where one is not.
  private let bytes: [UInt8]?
  private var at = 0
  private var line = 1
  private var depth = 0
  /// Far more than any settings have, far less than the stack.
  private static let mostDepth = 64

  /// What is wrong, and where.
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
    guard parser.at == parser.characters.count else {
      throw parser.expected("the end of the file")
    }
    return setting
  }

  /// Where characters are one byte each they are looked up: finding where they end takes ten times as long.
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
    guard depth <= JSON5Parser.mostDepth else {
      throw ParseError(line: line, problem: "brackets are nested more than \(JSON5Parser.mostDepth) deep")
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
    while let character = next, character != quote {
      step()
      guard character == "\\" else {
        guard !character.isNewline else { break }
        text.append(character)
        continue
      }
      guard let escaped = next else { break }
      step()
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      case "b": text.append("\u{8}")
      case "f": text.append("\u{C}")
      case "u", "x":
        let digits = String(characters[at..<min(at + (escaped == "u" ? 4 : 2), characters.count)])
        guard let code = UInt32(digits, radix: 16), let scalar = UnicodeScalar(code) else {
          throw expected("hexadecimal digits after \\\(escaped)")
        }
        at += digits.count
        text.unicodeScalars.append(scalar)
      case _ where escaped.isNewline: break
      default: text.append(escaped)
      }
    }
    guard take(quote) else {
      throw ParseError(line: start, problem: "the text that starts here has no closing \(quote)")
    }
    return text
  }

  /// A text without escapes, quote included; nil, and nothing is read, where it has some or does not end in its line.
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
    default: break
    }
    let digits = word.drop { $0 == "+" || $0 == "-" }
    let sign = word.hasPrefix("-") ? -1.0 : 1.0
    if digits.lowercased().hasPrefix("0x"), let number = UInt64(digits.dropFirst(2), radix: 16) {
      return .number(sign * Double(number))
    }
    if digits.first?.isNumber == true || digits.first == ".", let number = Double(digits) {
      return .number(sign * number)
    }
    at = start
    throw expected("a value (text needs quotes)")
  }

  // MARK: Characters

  private mutating func step() {
    if characters[at].isNewline { line += 1 }
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

  /// Passes over white space and comments.
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

  private func expected(_ what: String) -> ParseError {
    guard let next else { return ParseError(line: line, problem: "got the end of the file, expected \(what)") }
    let word = String(characters[at...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    return ParseError(line: line, problem: "got \(word.isEmpty ? String(next) : word), expected \(what)")
  }
}
