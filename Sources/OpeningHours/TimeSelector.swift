/// Times of day: `07:00-09:30`, `22:00-06:00` and `20:00-28:00` past midnight, `18:00+`, `sunrise-sunset`,
/// `(sunset-00:30)-22:00`; `07:00` for an instant, `10:00-16:00/90` for instants within a span, which are treated as
/// the whole span.
struct TimeSelector: Sendable {
  var first: TimeOfDay
  /// The end of the span; nil for an instant, or if there is only an open end.
  var last: TimeOfDay?
  /// Whether the end is unknown; the span then lasts at least until the end of the day.
  var isOpenEnded = false

  var isInstant: Bool { last == nil && !isOpenEnded }

  /// Returns the span on a day, in minutes since midnight; it may end on a later day.
  func minutes(on day: CalendarDay, at place: SunPlace, secondsFromGMT: Int) -> Range<Int> {
    func minute(_ time: TimeOfDay) -> Int { time.minute(on: day, at: place, secondsFromGMT: secondsFromGMT) }
    let start = minute(first)
    guard let last else { return start..<max(start + 1, isOpenEnded ? 1440 : 0) }
    var end = minute(last)
    // A span from a time to the same time is a whole day, as is sunset to sunrise if the sun does not rise; sunrise to
    // sunset is then empty.
    if end < start || end == start && !first.isMorning { end += 1440 }
    return start..<max(start, end, isOpenEnded ? 1440 : 0)
  }
}

/// A time of day: `07:00`, `26:00`, `sunset`, `(sunrise-00:30)`.
enum TimeOfDay: Sendable {
  /// Minutes since midnight.
  case clock(Int)
  /// Minutes after the event, negative before it.
  case sun(SunEvent, offset: Int)

  var isClock: Bool { if case .clock = self { true } else { false } }

  /// Whether the time is relative to dawn or sunrise.
  var isMorning: Bool { if case .sun(let event, _) = self { event.isMorning } else { false } }

  func minute(on day: CalendarDay, at place: SunPlace, secondsFromGMT: Int) -> Int {
    switch self {
    case .clock(let minute): minute
    case .sun(let event, let offset): event.minute(on: day, at: place, secondsFromGMT: secondsFromGMT) + offset
    }
  }
}

extension HoursReader {
  /// Returns whether the symbol at `offset` separates hours and minutes. A colon may also follow a date, as in
  /// `Apr 15: 07:00`.
  func isClockSeparator(_ offset: Int) -> Bool {
    func isSeparator(_ offset: Int) -> Bool {
      (peek(offset) == .symbol(":") || peek(offset) == .symbol(".")) && peekNumber(offset + 1) != nil
    }
    return isSeparator(offset) && !isSeparator(offset + 2) && !peekAlways(offset + 1)
  }

  /// Whether a time follows: `7:30`, `7pm`, `7-9`, `sunset`, `(sunset…`.
  var peekTime: Bool {
    if peekNumber() != nil {
      return isClockSeparator(1) || peekHalf(1) != nil || peek(1) == .symbol("-") && peekNumber(2) != nil
    }
    return peekEvent() != nil || peek() == .symbol("(") && peekEvent(1) != nil
  }

  /// Returns whether `24/7` follows.
  func peekAlways(_ offset: Int = 0) -> Bool {
    peekNumber(offset) == 24 && peek(offset + 1) == .symbol("/") && peekNumber(offset + 2) == 7
  }

  private func peekEvent(_ offset: Int = 0) -> SunEvent? { peekWord(offset).flatMap(SunEvent.init) }

  private func peekHalf(_ offset: Int) -> String? { peekWord(offset).flatMap { ["am", "pm"].contains($0) ? $0 : nil } }

  mutating func times() throws(Unreadable) -> [TimeSelector] {
    var times: [TimeSelector] = []
    repeat {
      let first = try time()
      if case .clock(let minute) = first, minute >= 1440 { throw Unreadable() }
      var span = TimeSelector(first: first)
      if take("+") {
        span.isOpenEnded = true
      } else if take("-") {
        span.last = try time()
        span.isOpenEnded = take("+")
        if take("/") { try interval() }
      }
      times.append(span)
    } while takeComma { $0.peekTime }
    return times
  }

  /// Reads and ignores the interval of instants within a span: `/90`, `/01:30`.
  private mutating func interval() throws(Unreadable) {
    let minutes = try number(0...9999)
    if take(":") { _ = try number(0...59) } else if minutes == 0 { throw Unreadable() }
  }

  private mutating func time() throws(Unreadable) -> TimeOfDay {
    if take("(") {
      guard let event = peekEvent() else { throw Unreadable() }
      skip()
      let isBack = take("-")
      guard isBack || take("+") else { throw Unreadable() }
      let offset = try clock()
      guard take(")") else { throw Unreadable() }
      return .sun(event, offset: isBack ? -offset : offset)
    }
    if let event = peekEvent() {
      skip()
      return .sun(event, offset: 0)
    }
    return .clock(try clock())
  }

  private mutating func clock() throws(Unreadable) -> Int {
    var hours = try number(0...48)
    var minutes = 0
    if isClockSeparator(0) {
      skip()
      minutes = try number(0...59)
    }
    if let half = take(anyOf: "am", "pm") {
      guard (1...12).contains(hours) else { throw Unreadable() }
      hours = hours % 12 + (half == "pm" ? 12 : 0)
    }
    guard hours * 60 + minutes <= 2880 else { throw Unreadable() }
    return hours * 60 + minutes
  }
}
