/// Weeks of the year: `week 5`, `week 1-53/2`, `week 40-13` over the turn of the year.
struct WeekSelector: Sendable {
  var first: Int
  var last: Int
  var step = 1

  func contains(_ day: CalendarDay) -> Bool {
    let week = day.week
    let isIn = first <= last ? (first...last).contains(week) : week >= first || week <= last
    return isIn && (week - first + (week < first ? 53 : 0)) % step == 0
  }
}

extension HoursReader {
  mutating func weeks() throws(Unreadable) -> [WeekSelector] {
    var weeks: [WeekSelector] = []
    repeat {
      _ = take(anyOf: "week", "weeks")
      let first = try number(1...53)
      let last = take("-") ? try number(1...53) : first
      weeks.append(WeekSelector(first: first, last: last, step: take("/") ? try number(1...53) : 1))
    } while takeComma { ahead in
      ahead.peekWord() == "week" || ahead.peekNumber() != nil && !ahead.isClockSeparator(1)
    }
    return weeks
  }
}
