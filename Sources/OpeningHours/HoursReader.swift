/// A parser of opening hours; each selector is parsed in an extension next to its type. Spaces and case are ignored.
struct HoursReader {
  enum Token: Equatable {
    case number(Int)
    /// In lower case.
    case word(String)
    case comment
    case symbol(Character)
  }

  /// The error for invalid opening hours.
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
        // All kinds of dashes are equivalent.
        tokens.append(.symbol("‐‑‒–—−".contains(first) ? "-" : first))
        rest.removeFirst()
      }
    }
    self.tokens = tokens
  }

  var isAtEnd: Bool { position == tokens.count }

  /// Returns the token `offset` places ahead.
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

  /// Skips a comma if the list continues after it.
  mutating func takeComma(before continues: (HoursReader) -> Bool) -> Bool {
    guard peek() == .symbol(",") else { return false }
    var ahead = self
    ahead.skip()
    guard continues(ahead) else { return false }
    self = ahead
    return true
  }

  /// Reads an offset such as `+1 day` or `-2 days`; 0 if there is none.
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

  /// Returns a weekday such as `mo`, `mon` or `monday`; Monday is 0.
  func peekWeekday(_ offset: Int = 0) -> Int? {
    peekWord(offset).flatMap { word in word.count < 2 ? nil : HoursReader.weekdays.firstIndex { $0.hasPrefix(word) } }
  }

  /// Returns a month such as `jan`, `sept` or `january`; January is 1.
  func peekMonth(_ offset: Int = 0) -> Int? {
    peekWord(offset).flatMap { word in
      word.count < 3 ? nil : HoursReader.months.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
    }
  }
}

/// A date with an optional year: `Dec 25`, `2026 Dec 25`, `easter`, `Mar Su[-1]`, and offsets: `easter -2 days`,
/// `Dec 25 -Su`.
struct HoursDate: Sendable {
  var year: Int?
  var base: Base
  /// A weekday to move to: the first one on or after the date, or the last one on or before it.
  var weekday: (day: Int, isBack: Bool)?
  var offset = 0

  enum Base: Sendable {
    case day(month: Int, day: Int)
    case monthStart(Int)
    case monthEnd(Int)
    case easter
    /// The n-th weekday of a month; -1 is the last.
    case nth(Int, weekday: Int, month: Int)
  }

  /// Returns the day number in a year; nil if the year does not have the date.
  func number(in year: Int) -> Int? {
    guard var number = base.number(in: year) else { return nil }
    if let weekday {
      let distance = (weekday.day - CalendarDay(number: number).weekday + 7) % 7
      number += weekday.isBack ? -((7 - distance) % 7) : distance
    }
    return number + offset
  }
}

extension HoursDate.Base {
  fileprivate func number(in year: Int) -> Int? {
    switch self {
    case .day(let month, let day): return CalendarDay(year: year, month: month, day: day)?.number
    case .monthStart(let month): return CalendarDay(year: year, month: month, day: 1)?.number
    case .monthEnd(let month):
      return CalendarDay(year: year, month: month, day: CalendarDay.daysInMonth(month, of: year))?.number
    case .easter: return CalendarDay.easter(year)
    case .nth(let nth, let weekday, let month):
      let first = nth > 0 ? 1 : CalendarDay.daysInMonth(month, of: year)
      guard let start = CalendarDay(year: year, month: month, day: first) else { return nil }
      let ahead = (weekday - start.weekday + 7) % 7
      let number = nth > 0 ? start.number + ahead + 7 * (nth - 1) : start.number - (7 - ahead) % 7 + 7 * (nth + 1)
      return CalendarDay(number: number).month == month ? number : nil
    }
  }
}

extension HoursReader {
  /// Whether a date or a month follows.
  var peekDate: Bool {
    let at = peekYear() == nil ? 0 : 1
    return peekMonth(at) != nil || peekWord(at) == "easter"
  }

  /// Whether a day of the month follows, rather than a time.
  var peekDayOfMonth: Bool { peekNumber() != nil && !isClockSeparator(1) && peekYear() == nil }

  /// Reads a date; a month alone means its first day. `month` applies to a day without a month.
  mutating func date(month known: Int? = nil, endsNth: Bool = false) throws(Unreadable) -> HoursDate {
    var date = HoursDate(year: nil, base: .easter)
    if let year = peekYear() {
      date.year = year
      skip()
    }
    if take(anyOf: "easter") == nil {
      if let month = peekMonth() {
        skip(); date.base = try dayOrNth(of: month, endsNth: endsNth)
      } else if let known {
        date.base = .day(month: known, day: try number(1...31))
      } else {
        throw Unreadable()
      }
    }
    if case .monthStart = date.base { return date }
    if peek() == .symbol("+") || peek() == .symbol("-"), let weekday = peekWeekday(1) {
      date.weekday = (weekday, peek() == .symbol("-"))
      skip(2)
    }
    date.offset = try dayOffset()
    return date
  }

  private mutating func dayOrNth(of month: Int, endsNth: Bool) throws(Unreadable) -> HoursDate.Base {
    if isNthDate(endsNth: endsNth), let weekday = peekWeekday() {
      skip(2)
      let isLast = take("-")
      let nth = try number(1...5)
      skip()
      return .nth(isLast ? -nth : nth, weekday: weekday, month: month)
    }
    return peekDayOfMonth ? .day(month: month, day: try number(1...31)) : .monthStart(month)
  }

  /// Returns whether `Su[-1]` is part of a date here: in a range, at the end of a range that begins with such a date,
  /// or with an offset. Otherwise it is a weekday.
  private func isNthDate(endsNth: Bool) -> Bool {
    guard peekWeekday() != nil, peek(1) == .symbol("[") else { return false }
    let end = peek(2) == .symbol("-") ? 4 : 3
    guard peekNumber(end - 1) != nil, peek(end) == .symbol("]") else { return false }
    var after = self
    after.skip(end + 1)
    return endsNth || after.peek() == .symbol("-") || after.hasDayOffset
  }
}
