import OpeningHours
import Settings
import StreetNetwork

/// The departure or arrival times in a job file.
struct HoursTask: Sendable {
  /// The times of day; nil if the job has none.
  var times: [DayTime]?
  /// Whether the times are arrivals.
  var isArrival: Bool
  /// The days of a typical week; nil if the job has none.
  var week: [Weekday]?
  var date: TripDate?
  /// The percentiles of travel times over all hours; results then have a row per percentile instead of a row per hour. Nil
  /// without the key.
  let percentiles: [Int]?
  /// The time zone of hours; nil for the map's.
  let clock: LocalClock?

  init(_ keys: inout KeyReader) throws {
    let departures = try keys.value(
      "departures", DayTime.listType, otherwise: "none",
      "departure times, on each day of week or on date (one is required); one result per time",
      example: ["07:00", "08:00"])
    let arrivals = try keys.value(
      "arrivals", DayTime.listType, otherwise: "none",
      "arrival times of trips on week or date, instead of departures; areas need direction: \"to\"",
      example: ["09:00"])
    times = departures ?? arrivals
    isArrival = arrivals != nil
    let days = SettingType<[Weekday]>.choices()
    week = try keys.value(
      "week",
      days.map(expected: "\(days.expected), each once") { (days: [Weekday]) -> [Weekday]? in
        days.isEmpty || Set(days).count < days.count ? nil : days
      }, otherwise: "none", "days of the week for departures or arrivals; closures at certain times are ignored",
      example: ["Mo", "Sa"])
    date = try keys.value(
      "date", SettingType<String>.text.map(name: "date", expected: TripDate.expected) { TripDate($0) },
      otherwise: "none",
      "date of departures or arrivals; closures apply; relative dates are resolved at the start of the job",
      example: "2026-11-23")
    percentiles = try keys.setting(
      "percentiles", .percentiles, otherwise: "none: rows for each departure",
      "percentiles of the times over all departures, one row each; 0 is the shortest; areas only with transit",
      example: [25, 50, 75], isAlwaysEntered: false, applies: TransitTask.kinds.contains(keys.kind))
    clock = try keys.value(
      "timeZone",
      SettingType<String>.text.map(name: "time zone", expected: LocalClock.allowed) { LocalClock(timeZone: $0) },
      otherwise: "time zone of the map's centre", "time zone for hours, weekdays and trace times without a zone",
      example: "Europe/Helsinki")
    if departures != nil && arrivals != nil {
      throw keys.error("arrivals", "a trip has departures or arrivals, not both")
    }
    if percentiles != nil, count < 2 {
      throw keys.error(
        "percentiles",
        "they summarize two or more departures; "
          + "add departures: { from: \"07:00\", to: \"07:59\", every: \"1min\" }")
    }
    if week != nil && date != nil { throw keys.error("date", "hours belong to a typical week or to a date, not both") }
    if times != nil, let moment = ["departureDate", "arrivalDate"].first(where: keys.has) {
      throw keys.error(moment, "the job has \(key); use them with date instead")
    }
  }

  /// The number of departures of each trip: 1 if the job has none.
  var count: Int { (times?.count ?? 1) * (week?.count ?? 1) }

  var key: String { isArrival ? "arrivals" : "departures" }
}

/// The key `date`: a day, or a relative date that is resolved when the job starts.
enum TripDate: Sendable, Equatable {
  case day(CalendarDay)
  case today
  case tomorrow
  /// The first such weekday after today.
  case next(Weekday)

  static let expected = "a day, e.g. \"2026-11-23\", or \"today\", \"tomorrow\", \"next Mo\""

  /// Nil for other text.
  init?(_ text: String) {
    switch text {
    case "today": self = .today
    case "tomorrow": self = .tomorrow
    default:
      if text.hasPrefix("next "), let day = Weekday(rawValue: String(text.dropFirst("next ".count))) {
        self = .next(day)
      } else if let day = CalendarDay(text) {
        self = .day(day)
      } else {
        return nil
      }
    }
  }

  func day(from today: CalendarDay) -> CalendarDay {
    switch self {
    case .day(let day): return day
    case .today: return today
    case .tomorrow: return CalendarDay(number: today.number + 1)
    case .next(let weekday):
      let ahead = (weekday.index - today.weekday + 6) % 7 + 1
      return CalendarDay(number: today.number + ahead)
    }
  }
}

extension DayTime {
  /// The maximum number of times per day: one per minute.
  private static let maximumCount = 1440

  /// The times of a day in a job: a list, or a range with steps. They are in the order of the job file, without
  /// duplicates.
  static let listType = SettingType<Setting>.any(
    "list of times, or { from, to, every }",
    expected: "times, e.g. [\"07:00\", \"07:30\"], or { from: \"06:00\", to: \"22:00\", every: \"15min\" } "
      + "where from is not later than to; before 24:00, no duplicates, at most \(maximumCount)"
  ).map { setting in
    switch setting {
    case .text: times(inList: [setting])
    case .list(let list): times(inList: list)
    case .object(let values, _): times(inRange: values)
    default: nil
    }
  }

  private static func times(inList list: [Setting]) -> [DayTime]? {
    let times = list.compactMap { DayTime(text($0) ?? "") }
    let areAllowed =
      !times.isEmpty && times.count == list.count && times.allSatisfy { $0.seconds < 86_400 }
      && Set(times).count == times.count && times.count <= maximumCount
    return areAllowed ? times : nil
  }

  private static func times(inRange values: [String: Setting]) -> [DayTime]? {
    guard Set(values.keys) == ["from", "to", "every"], let from = DayTime(text(values["from"]) ?? ""),
      let to = DayTime(text(values["to"]) ?? ""), let every = text(values["every"]).flatMap(seconds), from <= to,
      (to.seconds - from.seconds) / every < maximumCount
    else { return nil }
    // 24:00 is the next day's midnight.
    let times = stride(from: from.seconds, through: min(to.seconds, 86_399), by: every).map { DayTime(seconds: $0) }
    return times.isEmpty ? nil : times
  }

  private static func text(_ setting: Setting?) -> String? { if case .text(let text) = setting { text } else { nil } }

  /// Parses a duration such as `15min`, `1h` or `90s`: at least a second.
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

/// The summaries of a cell's times over the departures of a day: `["worst", "mean", "p50"]`.
struct HourSummary: Sendable, CustomStringConvertible {
  var hasWorst = false
  var hasMean = false
  /// The requested percentiles, from 1 to 99, ascending.
  var percentiles: [Int] = []

  static let type = SettingType<[String]>.strings.map(
    expected: "a list of \"worst\", \"mean\" and percentiles from \"p1\" to \"p99\", not empty"
  ) { HourSummary(words: $0) }

  /// Nil for an empty list, and for unknown words.
  init?(words: [String]) {
    for word in words {
      switch word {
      case "worst": hasWorst = true
      case "mean": hasMean = true
      default:
        guard let percentile = HourSummary.percentile(word) else { return nil }
        percentiles = Set(percentiles + [percentile]).sorted()
      }
    }
    guard !words.isEmpty else { return nil }
  }

  private static func percentile(_ word: String) -> Int? {
    let digits = word.dropFirst()
    guard word.hasPrefix("p"), (1...2).contains(digits.count), digits.first != "0", let number = Int(digits),
      (1...99).contains(number)
    else { return nil }
    return number
  }

  var words: [String] { (hasWorst ? ["worst"] : []) + (hasMean ? ["mean"] : []) + percentiles.map { "p\($0)" } }

  var description: String { words.joined(separator: " ") }
}
