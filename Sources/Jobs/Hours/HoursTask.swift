import Settings
import StreetNetwork

/// The hours that a job asks for, as its file says them.
struct HoursTask: Sendable {
  /// Nil where the job names none.
  var times: DayTimes?
  /// Whether trips end then.
  var isArrival: Bool
  /// Typical days; nil where the job names none.
  var week: [Weekday]?
  var date: TripDate?

  enum Keys {
    static let departures = SettingKey<DayTimes?>(
      "departures", DayTimes.type, otherwise: "none",
      "hours at which trips start, on the days of week or on date: one result for each", example: ["07:00", "08:00"])
    static let arrivals = SettingKey<DayTimes?>(
      "arrivals", DayTimes.type, otherwise: "none", "hours by which trips end, instead of departures",
      example: ["09:00"])
    static let week = SettingKey<[Weekday]?>(
      "week",
      SettingType<[Weekday]>.choices().map { (days: [Weekday]) -> [Weekday]? in
        days.isEmpty || Set(days).count < days.count ? nil : days
      },
      otherwise: "none", "typical days of departures or arrivals: no closings count", example: ["Mo", "Sa"])
    static let date = SettingKey<TripDate?>(
      "date", SettingType<String>.text.map(name: "date", expected: TripDate.expected) { TripDate($0) },
      otherwise: "none",
      "day of departures or arrivals, with what is closed then; tomorrow is told by when the job starts",
      example: "2026-11-23")
    static let timeZone = SettingKey<LocalClock?>(
      "timeZone",
      SettingType<String>.text.map(name: "time zone", expected: LocalClock.allowed) { LocalClock(timeZone: $0) },
      otherwise: "that of the map's centre", "whose clock hours and days are by, and times of traces without a zone",
      example: "Europe/Helsinki")

    static let all = [departures.description, arrivals.description, week.description, date.description]
  }

  init(_ root: SettingsObject) throws {
    let (departures, arrivals) = (try root.value(of: Keys.departures), try root.value(of: Keys.arrivals))
    times = departures ?? arrivals
    isArrival = arrivals != nil
    week = try root.value(of: Keys.week)
    date = try root.value(of: Keys.date)
    if departures != nil && arrivals != nil {
      throw root.error(Keys.arrivals, "a trip has departures or arrivals, not both")
    }
    if week != nil && date != nil {
      throw root.error(Keys.date, "hours are those of a typical week or those of a date, not both")
    }
    let moment = [Job.Keys.departureDate, Job.Keys.arrivalDate].first { root.has($0) }
    if let moment, times != nil {
      throw root.error(moment, "the job has \(key) already; with date they say as much")
    }
  }

  /// How many hours each trip is told for: 1 where the job names none.
  var count: Int { (times?.times.count ?? 1) * (week?.count ?? 1) }

  /// The key of the times.
  var key: String { isArrival ? Keys.arrivals.name : Keys.departures.name }
}
