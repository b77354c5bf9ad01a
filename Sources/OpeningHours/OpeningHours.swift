/// Opening hours with the complete grammar of `opening_hours` (Key:opening_hours/specification 0.7).
///
///     OpeningHours("Mo-Fr 07:00-09:30,16:00-19:00; PH off || \"by appointment\"")
///
/// The last matching rule decides. A rule replaces the previous ones on its days, unless it is added after a comma;
/// rules after `||` apply if the previous ones leave the time closed.
package struct OpeningHours: Sendable {
  /// Groups of rules, separated by `||`.
  private var groups: [[HoursRule]] = []

  /// Parses opening hours; nil for text outside the grammar.
  package init?(_ text: String) {
    guard let groups = try? OpeningHours.groups(text), !groups.isEmpty else { return nil }
    self.groups = groups
  }

  package func state(at time: LocalTime, _ place: SunPlace) -> HoursState {
    for rules in groups {
      var state = HoursState.closed
      for rule in rules {
        if rule.applies(to: time, at: place) {
          state = rule.state
        } else if rule.replacesOthers(on: time.day, time.holidays) {
          state = .closed
        }
      }
      if state != .closed { return state }
    }
    return .closed
  }

  private var rules: some Sequence<HoursRule> { groups.joined() }

  /// Whether the hours have open periods, rather than only instants or unknown times; also true if every rule is
  /// closed.
  package var definesOpenPeriods: Bool {
    rules.allSatisfy { $0.state == .closed }
      || rules.contains { rule in rule.state == .open && (rule.times.isEmpty || rule.times.contains { !$0.isInstant }) }
  }

  /// Whether all weeks are the same except for holidays.
  package var isWeekly: Bool { !usesSun && rules.allSatisfy(\.isWeekly) }

  /// Whether the hours depend on the location.
  package var usesSun: Bool {
    rules.contains { rule in rule.times.contains { !$0.first.isClock || $0.last?.isClock == false } }
  }

  /// Whether the hours depend on public holidays.
  package var usesHolidays: Bool { uses(schoolHolidays: false) }

  /// Whether the hours depend on school holidays, which are unknown.
  package var usesSchoolHolidays: Bool { uses(schoolHolidays: true) }

  private func uses(schoolHolidays: Bool) -> Bool {
    rules.contains { $0.weekdays?.holidays.contains { $0.isSchoolHoliday == schoolHolidays } == true }
  }

  /// The minutes of a day at which a rule may begin or end.
  package var clockMinutes: [Int] {
    rules.flatMap(\.times).flatMap { [$0.first, $0.last].compactMap(\.self) }.compactMap {
      if case .clock(let minute) = $0 { minute } else { nil }
    }
  }

  private static func groups(_ text: String) throws(HoursReader.Unreadable) -> [[HoursRule]] {
    var reader = try HoursReader(text)
    var groups: [[HoursRule]] = [[]]
    var isAdditional = false
    while true {
      if var rule = try reader.rule() {
        rule.isAdditional = isAdditional
        groups[groups.count - 1].append(rule)
      }
      if reader.isAtEnd { break }
      isAdditional = reader.take(",")
      if reader.take("|") {
        guard reader.take("|") else { throw HoursReader.Unreadable() }
        groups.append([])
      } else if !isAdditional, !reader.take(";") {
        throw HoursReader.Unreadable()
      }
    }
    return groups.filter { !$0.isEmpty }
  }
}

/// A rule: its days, its times, and the state at these times.
struct HoursRule: Sendable {
  /// The years in which the rule applies; empty for any year.
  var years: [YearSelector] = []
  var dates: [DateSelector] = []
  var weeks: [WeekSelector] = []
  var weekdays: WeekdaySelector?
  var times: [TimeSelector] = []
  var state = HoursState.open
  /// Whether the rule adds to the previous rules (`,`) instead of replacing them on its days (`;`).
  var isAdditional = false

  /// Whether the rule selects days only by weekday or holiday.
  var isWeekly: Bool {
    years.isEmpty && dates.isEmpty && weeks.isEmpty && weekdays?.weekdays.allSatisfy(\.nth.isEmpty) != false
  }

  /// Returns whether the rule applies to a day, regardless of the time.
  func applies(to day: CalendarDay, _ holidays: Holidays) -> Bool {
    (years.isEmpty || years.contains { $0.contains(day) })
      && (weekdays.map { $0.contains(day, holidays) } ?? true)
      && (weeks.isEmpty || weeks.contains { $0.contains(day) })
      && (dates.isEmpty || dates.contains { $0.contains(day) })
  }

  /// Returns whether the rule applies at an instant; a span past midnight may have begun one or two days earlier.
  func applies(to time: LocalTime, at place: SunPlace) -> Bool {
    guard !times.isEmpty else { return applies(to: time.day, time.holidays) }
    return (0...2).contains { past in
      let day = time.day.adding(-past)
      let isTime = times.contains {
        $0.minutes(on: day, at: place, secondsFromGMT: time.secondsFromGMT).contains(time.minute + past * 1440)
      }
      return isTime && applies(to: day, time.holidays)
    }
  }

  /// Returns whether the rule replaces previous rules on a day. A rule for closed times removes only those times.
  func replacesOthers(on day: CalendarDay, _ holidays: Holidays) -> Bool {
    !isAdditional && state != .closed && applies(to: day, holidays)
  }
}

/// The state at an instant.
package enum HoursState: Sendable { case open, closed, unknown }

extension HoursReader {
  /// Reads a rule; nil if there is nothing between two separators.
  mutating func rule() throws(Unreadable) -> HoursRule? {
    var rule = HoursRule()
    var isEmpty = true
    if peek() == .comment, peek(1) == .symbol(":") { skip(2) }
    if peekAlways() {
      skip(3)
      isEmpty = false
    }
    while let selector = peekSelector() {
      switch selector {
      case .years where rule.years.isEmpty: rule.years = try years()
      case .dates where rule.dates.isEmpty: rule.dates = try dates()
      case .weeks where rule.weeks.isEmpty: rule.weeks = try weeks()
      case .weekdays where rule.weekdays == nil: rule.weekdays = try weekdays()
      case .times where rule.times.isEmpty: rule.times = try times()
      default: throw Unreadable()
      }
      isEmpty = false
      if take(":"), peekAlways() { skip(3) }
    }
    _ = take(":")
    if let state = modifier() {
      rule.state = state
      isEmpty = false
    } else if peek() == .symbol(","), !isEmpty, rule.times.isEmpty, peek(1) != nil {
      // `Jan, Mo off` is ambiguous: a list of days of different kinds, or a rule for January and another one.
      throw Unreadable()
    }
    return isEmpty ? nil : rule
  }

  private enum Selector { case years, dates, weeks, weekdays, times }

  private func peekSelector() -> Selector? {
    if peekDate { return .dates }
    if peekYear() != nil { return .years }
    if peekWord() == "week" || peekWord() == "weeks" { return .weeks }
    if peekTime { return .times }
    return peekWeekdayOrHoliday ? .weekdays : nil
  }

  /// Reads a state such as `open` or `off "in snow"`; a comment alone means unknown.
  private mutating func modifier() -> HoursState? {
    let word = take(anyOf: "open", "off", "closed", "unknown")
    if word != nil { _ = take(":") }
    let hasComment = take(.comment)
    switch word {
    case "open": return .open
    case "off", "closed": return .closed
    case "unknown": return .unknown
    default: return hasComment ? .unknown : nil
    }
  }
}

/// Weeks of the year: `week 5`, `week 1-53/2`, `week 40-13` across the turn of the year.
struct WeekSelector: Sendable {
  var first: Int
  var last: Int
  var step = 1

  func contains(_ day: CalendarDay) -> Bool {
    let week = day.week
    let isIncluded = first <= last ? (first...last).contains(week) : week >= first || week <= last
    return isIncluded && (week - first + (week < first ? 53 : 0)) % step == 0
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

/// Years: `2024`, `2020-2024`, `2020-2030/2`, `2020+`.
struct YearSelector: Sendable {
  var years: ClosedRange<Int>
  var step = 1

  func contains(_ day: CalendarDay) -> Bool { years.contains(day.year) && (day.year - years.lowerBound) % step == 0 }
}

extension HoursReader {
  /// Returns the year that follows; nil if there is none, or if a time follows (`2000:…`).
  func peekYear() -> Int? {
    guard let year = peekNumber(), (1900...9999).contains(year), !isClockSeparator(1) else { return nil }
    return year
  }

  mutating func years() throws(Unreadable) -> [YearSelector] {
    var years: [YearSelector] = []
    repeat {
      let first = try number(1900...9999)
      if take("+") {
        years.append(YearSelector(years: first...9999))
      } else if take("-") {
        let last = try number(first...9999)
        years.append(YearSelector(years: first...last, step: take("/") ? try number(1...9999) : 1))
      } else {
        years.append(YearSelector(years: first...first))
      }
    } while takeComma { $0.peekYear() != nil }
    return years
  }
}

/// Days of the year: `Dec 25`, `Apr-Sep`, `Oct 15-Mar 15` across the turn of the year, `Mar Su[-1]-Oct Su[-1]`,
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

  /// Returns the last day of the range that starts in a year.
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
    /// The month of a day without one: `Dec 24,31`.
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

/// Days of the week, public and school holidays: `Mo-Fr`, `Mo[1,-1]`, `PH`, and `PH Mo-Fr` for days that are both.
struct WeekdaySelector: Sendable {
  var weekdays: [Weekdays] = []
  /// `PH`, `PH -1 day`; or `SH`, which matches no day, since school holidays are unknown.
  var holidays: [(isSchoolHoliday: Bool, offset: Int)] = []
  /// Whether a day must be both a weekday of the list and a holiday.
  var requiresBoth = false

  /// `Mo`, `Fr-Mo`, `Mo[1]`, `Su[-1] +1 day`.
  struct Weekdays: Sendable {
    var first: Int
    var last: Int
    /// The occurrences within the month; -1 is the last. Empty for all.
    var nth: [ClosedRange<Int>] = []
    var offset = 0

    func contains(_ day: CalendarDay) -> Bool {
      let day = day.adding(-offset)
      guard (day.weekday - first + 7) % 7 <= (last - first + 7) % 7 else { return false }
      let (fromStart, fromEnd) = (
        (day.day - 1) / 7 + 1, -((CalendarDay.daysInMonth(day.month, of: day.year) - day.day) / 7 + 1)
      )
      return nth.isEmpty || nth.contains { $0.contains(fromStart) || $0.contains(fromEnd) }
    }
  }

  func contains(_ day: CalendarDay, _ calendar: Holidays) -> Bool {
    let isWeekday = weekdays.contains { $0.contains(day) }
    let isHoliday = holidays.contains { !$0.isSchoolHoliday && calendar.contains(day.adding(-$0.offset)) }
    return requiresBoth ? isWeekday && isHoliday : isWeekday || isHoliday
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
      // Without a comma between them, a day must be both.
      if peekWeekdayOrHoliday, peekHoliday != startsWithHoliday, !selector.requiresBoth {
        selector.requiresBoth = true
        try item(of: &selector)
      }
    } while takeComma { $0.peekWeekdayOrHoliday }
    return selector
  }

  private mutating func item(of selector: inout WeekdaySelector) throws(Unreadable) {
    if let word = take(anyOf: "ph", "sh") {
      selector.holidays.append((word == "sh", try dayOffset()))
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

  /// Reads occurrences within a month: `1`, `-1`, `1-3`.
  private mutating func nth() throws(Unreadable) -> ClosedRange<Int> {
    if take("-") {
      let fromEnd = -(try number(1...5))
      return fromEnd...fromEnd
    }
    let first = try number(1...5)
    return take("-") ? first...(try number(first...5)) : first...first
  }
}
