/// Days of the year: `Dec 25`, `Apr-Sep`, `Oct 15-Mar 15` over the turn of the year, `Mar Su[-1]-Oct Su[-1]`,
/// `Jan 1-Feb 28/7` for every seventh day, `2026 Jan 5+`.
struct DateSelector: Sendable {
  var first: HoursDate
  var last: HoursDate
  var isOpenEnded = false
  var step = 1

  func contains(_ day: CalendarDay) -> Bool {
    let years = first.year.map { $0...$0 } ?? (day.year - 1)...(day.year + 1)
    return years.contains { year in
      guard let start = first.number(in: year), day.number >= start, let end = end(from: start, year) else {
        return false
      }
      return day.number <= end && (day.number - start) % step == 0
    }
  }

  /// The last day of the range that starts in a year.
  private func end(from start: Int, _ year: Int) -> Int? {
    if isOpenEnded { return first.year == nil ? CalendarDay(year: year, month: 12, day: 31)?.number : .max }
    if let year = last.year { return last.number(in: year) }
    guard let end = last.number(in: year) else { return nil }
    return end >= start ? end : last.number(in: year + 1)
  }
}

extension HoursReader {
  mutating func dates() throws(Unreadable) -> [DateSelector] {
    var dates: [DateSelector] = []
    /// The month of a day alone: `Dec 24,31`.
    var month: Int?
    repeat {
      let range = try dateRange(month: month)
      if case .day(let known, _) = range.last.base { month = known } else { month = nil }
      dates.append(range)
    } while takeComma { ahead in ahead.peekDate || month != nil && ahead.peekDayOfMonth }
    return dates
  }

  private mutating func dateRange(month known: Int?) throws(Unreadable) -> DateSelector {
    let first = try date(month: known)
    var range = DateSelector(first: first, last: first)
    if case .monthStart(let month) = first.base { range.last.base = .monthEnd(month) }
    if take("+") {
      range.isOpenEnded = true
    } else if take("-") {
      range.last = try rangeEnd(of: first)
      if first.year == nil && range.last.year != nil { throw Unreadable() }
    }
    if take("/") { range.step = try number(1...366) }
    return range
  }

  private mutating func rangeEnd(of first: HoursDate) throws(Unreadable) -> HoursDate {
    var month: Int?
    if case .day(let known, _) = first.base { month = known }
    var endsNth = false
    if case .nth = first.base { endsNth = true }
    var last = try date(month: month, endsNth: endsNth)
    if case .monthStart(let month) = last.base { last.base = .monthEnd(month) }
    return last
  }
}
