import Settings

/// Times of a day that a job names: a list of them, or one after the other until the last.
struct DayTimes: Sendable {
  /// In their order, each once.
  let times: [DayTime]

  /// More on one day are a mistake.
  static let most = 1440

  static let type = SettingType<Setting>.any(
    "list of times, or { from, to, every }",
    expected: "times, e.g. [\"07:00\", \"07:30\"], or { from: \"06:00\", to: \"22:00\", every: \"15min\" } "
      + "with from no later than to, each once, at most \(most)"
  ).map { DayTimes($0) }

  /// Nil where a setting is neither.
  init?(_ setting: Setting) {
    switch setting {
    case .text(let text): self.init(texts: [.text(text)])
    case .list(let texts): self.init(texts: texts)
    case .object(let values, _): self.init(values)
    default: return nil
    }
  }

  private init?(texts: [Setting]) {
    let times = texts.compactMap { setting in DayTimes.text(setting).flatMap { DayTime($0) } }
    guard !times.isEmpty, times.count == texts.count, times.allSatisfy({ $0.seconds < 86_400 }),
      Set(times).count == times.count, times.count <= DayTimes.most
    else { return nil }
    self.times = times
  }

  private init?(_ values: [String: Setting]) {
    guard Set(values.keys) == ["from", "to", "every"],
      let from = DayTimes.text(values["from"]).flatMap({ DayTime($0) }),
      let to = DayTimes.text(values["to"]).flatMap({ DayTime($0) }),
      let every = DayTimes.text(values["every"]).flatMap(DayTimes.seconds), from <= to,
      (to.seconds - from.seconds) / every < DayTimes.most
    else { return nil }
    // 24:00 is the next day's midnight.
    times = stride(from: from.seconds, through: min(to.seconds, 86_399), by: every).map { DayTime(seconds: $0) }
    guard !times.isEmpty else { return nil }
  }

  private static func text(_ setting: Setting?) -> String? { if case .text(let text) = setting { text } else { nil } }

  /// `15min`, `1h`, `90s`: at least a second.
  private static func seconds(_ text: String) -> Int? {
    let units = [("min", 60), ("h", 3600), ("s", 1)]
    guard let (unit, seconds) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
    let digits = text.dropLast(unit.count).filter { $0 != " " }
    guard digits.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
      number > 0
    else { return nil }
    return number * seconds
  }
}
