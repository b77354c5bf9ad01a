/// A date that a year need not be given for: `Dec 25`, `2026 Dec 25`, `easter`, `Mar Su[-1]`, and days before or after:
/// `easter -2 days`, `Dec 25 -Su`.
struct HoursDate: Sendable {
  var year: Int?
  var base: Base
  /// The next such weekday from the date on, or the last one up to it.
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

  /// The number of its day in a year; nil where the year does not have it.
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
  /// Whether a date or a month stands here.
  var peekDate: Bool {
    let at = peekYear() == nil ? 0 : 1
    return peekMonth(at) != nil || peekWord(at) == "easter"
  }

  /// Whether a day of a month stands here, and not a time.
  var peekDayOfMonth: Bool { peekNumber() != nil && !isClockSeparator(1) && peekYear() == nil }

  /// A date; a month alone is its first day. `month`: that of a day alone.
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

  /// Whether `Su[-1]` stands here as part of a date: in a range, at the end of one that begins so, or with days added.
  /// Else it is a weekday.
  private func isNthDate(endsNth: Bool) -> Bool {
    guard peekWeekday() != nil, peek(1) == .symbol("[") else { return false }
    let end = peek(2) == .symbol("-") ? 4 : 3
    guard peekNumber(end - 1) != nil, peek(end) == .symbol("]") else { return false }
    var behind = self
    behind.skip(end + 1)
    return endsNth || behind.peek() == .symbol("-") || behind.hasDayOffset
  }
}
