/// Days of the week, public and school holidays: `Mo-Fr`, `Mo[1,-1]`, `PH`; and `PH Mo-Fr` for days that are both.
struct WeekdaySelector: Sendable {
  var weekdays: [Weekdays] = []
  var holidays: [Holiday] = []
  /// Whether a day must be of both kinds.
  var isOfBoth = false

  /// `Mo`, `Fr-Mo`, `Mo[1]`, `Su[-1] +1 day`.
  struct Weekdays: Sendable {
    var first: Int
    var last: Int
    /// Which of the month's such days; -1 is the last. Empty for all.
    var nth: [ClosedRange<Int>] = []
    var offset = 0

    func contains(_ day: CalendarDay) -> Bool {
      let day = day.adding(-offset)
      guard (day.weekday - first + 7) % 7 <= (last - first + 7) % 7 else { return false }
      let (fromStart, fromEnd) = ((day.day - 1) / 7 + 1, -((day.daysInMonth - day.day) / 7 + 1))
      return nth.isEmpty || nth.contains { $0.contains(fromStart) || $0.contains(fromEnd) }
    }
  }

  /// `PH`, `PH -1 day`, `SH`.
  struct Holiday: Sendable {
    /// Of schools, which nobody names: no day is one.
    var isOfSchools: Bool
    var offset = 0
  }

  func contains(_ day: CalendarDay, _ calendar: Holidays) -> Bool {
    let isWeekday = weekdays.contains { $0.contains(day) }
    let isHoliday = holidays.contains { !$0.isOfSchools && calendar.contains(day.adding(-$0.offset)) }
    return isOfBoth ? isWeekday && isHoliday : isWeekday || isHoliday
  }
}

extension HoursReader {
  var peekWeekdayOrHoliday: Bool { peekWeekday() != nil || peekHoliday }

  private var peekHoliday: Bool { ["ph", "sh"].contains(peekWord()) }

  mutating func weekdays() throws(Unreadable) -> WeekdaySelector {
    var selector = WeekdaySelector()
    repeat {
      let startsWithHoliday = peekHoliday
      try item(of: &selector)
      // Without a comma between them a day must be both.
      if peekWeekdayOrHoliday, peekHoliday != startsWithHoliday, !selector.isOfBoth {
        selector.isOfBoth = true
        try item(of: &selector)
      }
    } while takeComma { $0.peekWeekdayOrHoliday }
    return selector
  }

  private mutating func item(of selector: inout WeekdaySelector) throws(Unreadable) {
    if let word = take(anyOf: "ph", "sh") {
      selector.holidays.append(.init(isOfSchools: word == "sh", offset: try dayOffset()))
      return
    }
    guard let first = peekWeekday() else { throw Unreadable() }
    skip()
    var days = WeekdaySelector.Weekdays(first: first, last: first)
    if take("[") {
      repeat { days.nth.append(try nth()) } while take(",")
      guard take("]") else { throw Unreadable() }
      days.offset = try dayOffset()
    } else if peek() == .symbol("-"), let last = peekWeekday(1) {
      skip(2)
      days.last = last
    }
    selector.weekdays.append(days)
  }

  /// `1`, `-1`, `1-3`.
  private mutating func nth() throws(Unreadable) -> ClosedRange<Int> {
    if take("-") {
      let fromEnd = -(try number(1...5))
      return fromEnd...fromEnd
    }
    let first = try number(1...5)
    return take("-") ? first...(try number(first...5)) : first...first
  }
}
