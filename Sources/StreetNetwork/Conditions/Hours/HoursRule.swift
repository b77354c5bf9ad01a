/// One rule of opening hours: on which days, at which times, and what holds then.
struct HoursRule: Sendable {
  /// Empty for any.
  var years: [YearSelector] = []
  var dates: [DateSelector] = []
  var weeks: [WeekSelector] = []
  var weekdays: WeekdaySelector?
  var times: [TimeSelector] = []
  var state = HoursState.open
  /// Whether it adds to the rules before it (`,`), which otherwise do not hold on its days (`;`).
  var isAdditional = false

  /// Whether it is about days of the week alone, whatever the month.
  var isWeekly: Bool {
    years.isEmpty && dates.isEmpty && weeks.isEmpty && weekdays?.weekdays.allSatisfy(\.nth.isEmpty) != false
  }

  /// Whether it is about a day, whatever the time.
  func isAbout(_ day: CalendarDay, _ holidays: Holidays) -> Bool {
    (years.isEmpty || years.contains { $0.contains(day) })
      && (weekdays.map { $0.contains(day, holidays) } ?? true)
      && (weeks.isEmpty || weeks.contains { $0.contains(day) })
      && (dates.isEmpty || dates.contains { $0.contains(day) })
  }

  /// Whether it is about a moment; times over midnight began a day or two before.
  func isAbout(_ time: LocalTime, at place: SunPlace) -> Bool {
    guard !times.isEmpty else { return isAbout(time.day, time.holidays) }
    return (0...2).contains { past in
      let day = time.day.adding(-past)
      let isTime = times.contains {
        $0.minutes(on: day, at: place, secondsFromGMT: time.secondsFromGMT).contains(time.minute + past * 1440)
      }
      return isTime && isAbout(day, time.holidays)
    }
  }

  /// Whether rules before it do not hold on a day: those for closed times take away only these.
  func replacesOthers(on day: CalendarDay, _ holidays: Holidays) -> Bool {
    !isAdditional && state != .closed && isAbout(day, holidays)
  }
}

/// What holds at a moment.
enum HoursState: Sendable { case open, closed, unknown }

extension HoursReader {
  /// A rule; nil where nothing stands between two separators.
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
      // `Jan, Mo off`: a list of days of different kinds, or a rule for January and another? Nobody can tell.
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

  /// `open`, `off "in snow"`; a comment alone says that nobody knows.
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
