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
  /// The clocks that they are by; nil for those of the map.
  let clock: LocalClock?

  init(_ keys: inout KeyReader) throws {
    let departures = try keys.value(
      .init(
        "departures", DayTimes.type, otherwise: "none",
        "hours at which trips start, on the days of week or on date: one result for each", example: ["07:00", "08:00"]))
    let arrivals = try keys.value(
      .init(
        "arrivals", DayTimes.type, otherwise: "none", "hours by which trips end, instead of departures",
        example: ["09:00"]))
    times = departures ?? arrivals
    isArrival = arrivals != nil
    week = try keys.value(
      .init(
        "week",
        SettingType<[Weekday]>.choices().map { (days: [Weekday]) -> [Weekday]? in
          days.isEmpty || Set(days).count < days.count ? nil : days
        },
        otherwise: "none", "typical days of departures or arrivals: no closings count", example: ["Mo", "Sa"]))
    date = try keys.value(
      .init(
        "date", SettingType<String>.text.map(name: "date", expected: TripDate.expected) { TripDate($0) },
        otherwise: "none",
        "day of departures or arrivals, with what is closed then; tomorrow is told by when the job starts",
        example: "2026-11-23"))
    clock = try keys.value(
      .init(
        "timeZone",
        SettingType<String>.text.map(name: "time zone", expected: LocalClock.allowed) { LocalClock(timeZone: $0) },
        otherwise: "that of the map's centre", "whose clock hours and days are by, and times of traces without a zone",
        example: "Europe/Helsinki"))
    if departures != nil && arrivals != nil {
      throw keys.error("arrivals", "a trip has departures or arrivals, not both")
    }
    if week != nil && date != nil {
      throw keys.error("date", "hours are those of a typical week or those of a date, not both")
    }
    if times != nil, let moment = ["departureDate", "arrivalDate"].first(where: keys.has) {
      throw keys.error(moment, "the job has \(key) already; with date they say as much")
    }
  }

  /// How many hours each trip is told for: 1 where the job names none.
  var count: Int { (times?.times.count ?? 1) * (week?.count ?? 1) }

  /// The key of the times.
  var key: String { isArrival ? "arrivals" : "departures" }
}
