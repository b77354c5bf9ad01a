/// Hours of the wiki's `opening_hours`, as far as signs on the road use it: months and days of months, weekdays, times
/// of day over midnight too, `24/7`, `off`; several rules, of which the last that applies to a moment decides.
///
///     OpeningHours("Mo-Fr 07:00-09:30,16:00-19:00; Sa 10:00-14:00")
///
/// Public holidays are not known: rules for them alone are skipped. Sunrise, weeks and years are not understood.
struct OpeningHours: Sendable {
  private var rules: [Rule] = []

  fileprivate struct Rule {
    /// Month and day as month * 32 + day, both ends included; empty for the whole year.
    var dates: [ClosedRange<Int>] = []
    /// Bit n for weekday n.
    var weekdays: UInt8 = 0x7F
    /// Minutes; past 1440 where it goes over midnight. Empty for the whole day.
    var times: [Range<Int>] = []
    var isOpen = true
    var isForHolidays = false
  }

  /// Nil where the text is not understood.
  init?(_ text: String) {
    for part in text.split(separator: ";") {
      let part = part.trimmingSpaces
      guard !part.isEmpty else { continue }
      guard let rule = OpeningHours.rule(part) else { return nil }
      if !rule.isForHolidays { rules.append(rule) }
    }
    guard !rules.isEmpty else { return nil }
  }

  func contains(_ time: LocalTime) -> Bool {
    var isOpen = false
    for rule in rules {
      if rule.matches(time) { isOpen = rule.isOpen } else if rule.replaces(time) { isOpen = false }
    }
    return isOpen
  }

  // MARK: Reading

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let weekdayNames = ["mo", "tu", "we", "th", "fr", "sa", "su"]

  private static func rule(_ text: String) -> Rule? {
    var rule = Rule()
    var scanner = Scanner(text.lowercased())
    if scanner.take("24/7") { return scanner.isAtEnd || scanner.take("open") ? rule : nil }
    if scanner.peekName(months) {
      repeat {
        guard let range = scanner.dates(months) else { return nil }
        rule.dates.append(range)
      } while scanner.take(",")
      _ = scanner.take(":")
    }
    if scanner.peekName(weekdayNames) || scanner.peek("ph") || scanner.peek("sh") {
      rule.weekdays = 0
      repeat {
        if scanner.take("ph") || scanner.take("sh") { continue }
        guard let bits = scanner.weekdays(weekdayNames) else { return nil }
        rule.weekdays |= bits
      } while scanner.take(",")
      rule.isForHolidays = rule.weekdays == 0
      _ = scanner.take(":")
    }
    if scanner.peekDigit {
      repeat {
        guard let times = scanner.times() else { return nil }
        rule.times.append(times)
      } while scanner.take(",")
    }
    if scanner.take("off") || scanner.take("closed") { rule.isOpen = false } else { _ = scanner.take("open") }
    return scanner.isAtEnd ? rule : nil
  }
}

extension OpeningHours.Rule {
  /// Whether the rule applies to this moment.
  fileprivate func matches(_ time: LocalTime) -> Bool {
    guard !times.isEmpty else { return isDay(time, before: 0) }
    return times.contains {
      ($0.contains(time.minute) && isDay(time, before: 0))
        || ($0.contains(time.minute + 1440) && isDay(time, before: 1))
    }
  }

  /// Whether the rule overrides earlier ones on this day.
  fileprivate func replaces(_ time: LocalTime) -> Bool {
    isOpen && (weekdays != 0x7F || !dates.isEmpty) && isDay(time, before: 0)
  }

  private func isDay(_ time: LocalTime, before days: Int) -> Bool {
    let date = time.month * 32 + time.day
    let isDate = dates.isEmpty || dates.contains { $0.contains(date) || $0.contains(date + 12 * 32) }
    return isDate && weekdays >> UInt8((time.weekday + 7 - days) % 7) & 1 == 1
  }
}

/// Reads a rule's words one by one; spaces between them do not count.
private struct Scanner {
  private var rest: Substring

  init(_ text: String) { rest = text[...].drop(while: \.isWhitespace) }

  var isAtEnd: Bool { rest.isEmpty }
  var peekDigit: Bool { rest.first?.isNumber == true }

  func peek(_ word: String) -> Bool { rest.hasPrefix(word) }
  func peekName(_ names: [String]) -> Bool { names.contains { rest.hasPrefix($0) } }

  mutating func take(_ word: String) -> Bool {
    guard rest.hasPrefix(word) else { return false }
    rest = rest.dropFirst(word.count).drop(while: \.isWhitespace)
    return true
  }

  private mutating func name(_ names: [String]) -> Int? { names.firstIndex { take($0) } }

  private mutating func number() -> Int? {
    let digits = rest.prefix(while: \.isNumber)
    rest = rest.dropFirst(digits.count).drop(while: \.isWhitespace)
    return Int(digits)
  }

  /// `apr`, `apr-oct`, `apr 15-oct 15`, `apr 15-30`; over the turn of the year the end is in a thirteenth month.
  mutating func dates(_ months: [String]) -> ClosedRange<Int>? {
    guard let month = name(months) else { return nil }
    let day = peekDigit && !isTime ? number() : nil
    let first = (month + 1) * 32 + (day ?? 1)
    guard take("-") else { return first...((month + 1) * 32 + (day ?? 31)) }
    let lastMonth = name(months) ?? month
    let lastDay = peekDigit && !isTime ? number() : nil
    let last = (lastMonth + 1) * 32 + (lastDay ?? 31)
    return first...(last < first ? last + 12 * 32 : last)
  }

  /// Bits of `mo`, `mo-fr`, `sa-mo`.
  mutating func weekdays(_ names: [String]) -> UInt8? {
    guard let first = name(names) else { return nil }
    guard take("-") else { return 1 << UInt8(first) }
    guard let last = name(names) else { return nil }
    return (0..<7).reduce(into: UInt8(0)) { bits, offset in
      let day = (first + offset) % 7
      if offset <= (last + 7 - first) % 7 { bits |= 1 << UInt8(day) }
    }
  }

  /// Whether hours and minutes follow, and no day of a month.
  private var isTime: Bool { rest.drop(while: \.isNumber).first == ":" }

  /// `07:00-09:30`, `22:00-06:00`, `18:00+`.
  mutating func times() -> Range<Int>? {
    guard let first = clock() else { return nil }
    if take("+") { return first < 1440 ? first..<1440 : nil }
    guard take("-"), let last = clock() else { return nil }
    return first..<(last <= first ? last + 1440 : last)
  }

  private mutating func clock() -> Int? {
    guard let hours = number(), hours <= 26, take(":"), let minutes = number(), minutes < 60 else { return nil }
    return hours * 60 + minutes
  }
}
