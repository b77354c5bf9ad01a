/// Reads a text of opening hours word by word; each selector reads itself, in an extension next to it. Spaces and
/// capitals do not count.
struct HoursReader {
  enum Token: Equatable {
    case number(Int)
    /// In small letters.
    case word(String)
    case comment
    case symbol(Character)
  }

  /// The text is not of the grammar.
  struct Unreadable: Error {}

  private let tokens: [Token]
  private var position = 0

  init(_ text: String) throws(Unreadable) {
    var tokens: [Token] = []
    var rest = text[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "\"" {
        guard let end = rest.dropFirst().firstIndex(of: "\"") else { throw Unreadable() }
        rest = rest[rest.index(after: end)...]
        tokens.append(.comment)
      } else if first.isASCII && first.isNumber {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard digits.count <= 4, let number = Int(digits) else { throw Unreadable() }
        tokens.append(.number(number))
        rest = rest.dropFirst(digits.count)
      } else if first.isASCII && first.isLetter {
        let letters = rest.prefix { $0.isASCII && $0.isLetter }
        tokens.append(.word(letters.lowercased()))
        rest = rest.dropFirst(letters.count)
      } else {
        // Dashes of all lengths are meant as one.
        tokens.append(.symbol("‐‑‒–—−".contains(first) ? "-" : first))
        rest.removeFirst()
      }
    }
    self.tokens = tokens
  }

  var isAtEnd: Bool { position == tokens.count }

  /// The token `offset` places ahead.
  func peek(_ offset: Int = 0) -> Token? {
    tokens.indices.contains(position + offset) ? tokens[position + offset] : nil
  }

  func peekNumber(_ offset: Int = 0) -> Int? { if case .number(let number) = peek(offset) { number } else { nil } }
  func peekWord(_ offset: Int = 0) -> String? { if case .word(let word) = peek(offset) { word } else { nil } }

  mutating func take(_ symbol: Character) -> Bool { take(.symbol(symbol)) }

  mutating func take(_ token: Token) -> Bool {
    guard peek() == token else { return false }
    position += 1
    return true
  }

  mutating func take(anyOf words: String...) -> String? {
    guard let word = peekWord(), words.contains(word) else { return nil }
    position += 1
    return word
  }

  mutating func skip(_ count: Int = 1) { position += count }

  mutating func number(_ range: ClosedRange<Int>) throws(Unreadable) -> Int {
    guard let number = peekNumber(), range.contains(number) else { throw Unreadable() }
    position += 1
    return number
  }

  /// Takes a comma if a list goes on behind it.
  mutating func takeComma(before continues: (HoursReader) -> Bool) -> Bool {
    guard peek() == .symbol(",") else { return false }
    var ahead = self
    ahead.skip()
    guard continues(ahead) else { return false }
    self = ahead
    return true
  }

  /// `+1 day`, `-2 days`; 0 where there is none.
  mutating func dayOffset() throws(Unreadable) -> Int {
    guard hasDayOffset else { return 0 }
    let isBack = take("-")
    if !isBack { skip() }
    let days = try number(0...9999)
    skip()
    return isBack ? -days : days
  }

  var hasDayOffset: Bool {
    (peek() == .symbol("+") || peek() == .symbol("-")) && peekNumber(1) != nil
      && (peekWord(2) == "day" || peekWord(2) == "days")
  }

  // MARK: Names

  private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  /// `mo`, `mon`, `monday`: Monday is 0.
  func peekWeekday(_ offset: Int = 0) -> Int? {
    peekWord(offset).flatMap { word in
      word.count < 2 ? nil : HoursReader.weekdays.firstIndex { $0.hasPrefix(word) }
    }
  }

  /// `jan`, `sept`, `january`: January is 1.
  func peekMonth(_ offset: Int = 0) -> Int? {
    peekWord(offset).flatMap { word in
      word.count < 3 ? nil : HoursReader.months.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
    }
  }
}
