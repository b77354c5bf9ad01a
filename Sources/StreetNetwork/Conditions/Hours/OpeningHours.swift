/// Hours of the wiki's `opening_hours`, its whole grammar (Key:opening_hours/specification 0.7).
///
///     OpeningHours("Mo-Fr 07:00-09:30,16:00-19:00; PH off || \"by appointment\"")
///
/// The last rule that is about a moment decides. A rule replaces those before it on its days, unless it adds to them
/// behind a comma; rules behind `||` hold where those before it leave closed.
struct OpeningHours: Sendable {
  /// The rules between `||`.
  private var groups: [[HoursRule]] = []

  /// Nil where the text is not of the grammar.
  init?(_ text: String) {
    guard let groups = try? OpeningHours.groups(text), !groups.isEmpty else { return nil }
    self.groups = groups
  }

  func state(at time: LocalTime, _ place: SunPlace) -> HoursState {
    for rules in groups {
      var state = HoursState.closed
      for rule in rules {
        if rule.isAbout(time, at: place) {
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

  /// Whether it says of some time that something is open, and not only when something happens, or that nobody knows.
  var saysWhenOpen: Bool {
    rules.allSatisfy { $0.state == .closed }
      || rules.contains { rule in
        rule.state == .open && (rule.times.isEmpty || rule.times.contains { !$0.isMoment })
      }
  }

  /// Whether every week is like every other, but for holidays.
  var isWeekly: Bool { !usesSun && rules.allSatisfy(\.isWeekly) }

  /// Whether it depends on where it is.
  var usesSun: Bool {
    rules.contains { rule in rule.times.contains { !$0.first.isClock || $0.last?.isClock == false } }
  }

  /// Whether it depends on holidays.
  var usesHolidays: Bool { rules.contains { $0.weekdays?.holidays.isEmpty == false } }

  /// The minutes of a day at which a rule may begin or end.
  var clockMinutes: [Int] {
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
