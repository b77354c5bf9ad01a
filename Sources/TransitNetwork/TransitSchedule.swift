import Geography
import Input
import OpeningHours
import Settings
import StreetNetwork
import Transit

/// Rules for trips by public transport, independent of the date.
package struct TransitRules: Sendable {
  /// The maximum walk to, from and between stops, in milliseconds.
  package let walkLimit: UInt32
  /// The minimum time at a stop before a vehicle leaves, in seconds.
  let boardingSlack: Int
  /// The maximum duration of a trip, in milliseconds.
  package let limit: UInt32
  /// The maximum number of vehicles per trip; nil for no limit.
  let maximumRides: Int?
  /// The interpretation of trips of frequencies.txt without exact times.
  let headways: TransitWindow.Headways
  /// The stops and vehicles that may be used.
  package fileprivate(set) var wheelchairBoarding: WheelchairBoarding

  package init(
    walkLimit: UInt32 = defaultWalkLimit, boardingSlack: Int = defaultSlack, limit: UInt32 = defaultLimit,
    maximumRides: Int? = nil, headways: TransitWindow.Headways = .timetable,
    wheelchairBoarding: WheelchairBoarding = .any
  ) {
    (self.walkLimit, self.boardingSlack, self.limit) = (walkLimit, boardingSlack, limit)
    (self.maximumRides, self.headways, self.wheelchairBoarding) = (maximumRides, headways, wheelchairBoarding)
  }

  /// The permitted values of `boardingSlack` and `maximumRides`.
  package static let slackType = SettingType.wholeNumber(of: "seconds", 0...3600)
  package static let ridesType = SettingType.wholeNumber(of: "vehicles", 1...8)

  /// The default maximum walk, in milliseconds.
  package static let defaultWalkLimit: UInt32 = 15 * 60_000
  /// The default minimum time at a stop, in seconds.
  package static let defaultSlack = 60
  /// The default maximum duration of a trip, in milliseconds.
  package static let defaultLimit: UInt32 = 120 * 60_000
}

/// A timetable on a date, and the requested departures or arrivals.
package struct TransitSchedule: Sendable {
  package private(set) var rules: TransitRules
  package let feeds: FeedTimetable
  package let calendar: ServiceCalendar
  package private(set) var window: TransitWindow
  /// Whether a trip calls at each stop of the timetable.
  let isServed: [Bool]
  private let clock: LocalClock
  /// The start of the date in seconds since 1970.
  private let midnight: Int
  /// The number of seconds from midnight to the next midnight, which differs on days when clocks change.
  package let secondsOfDay: Int

  package var timetable: Timetable { feeds.timetable }

  /// - Parameters:
  ///   - moments: Departures or arrivals in milliseconds from midnight of the date.
  ///   - limit: The maximum duration of a trip, in milliseconds.
  ///   - clock: The clock of the date.
  ///   - isNamed: Whether the user specified the time zone, which then also applies to feeds with an unknown time zone.
  ///   - isHour: Whether the moments are the ends of an hour.
  /// - Throws: `OdometerError` for a date without service.
  package init(
    _ feeds: FeedTimetable, _ rules: TransitRules, on date: CalendarDay, at moments: [Int], isArrival: Bool,
    within limit: Int, clock: LocalClock, isNamed: Bool, isHour: Bool = false
  ) throws {
    (self.feeds, self.rules, self.clock) = (feeds, rules, clock)
    midnight = clock.time(ofLocalSeconds: date.number * 86_400)
    secondsOfDay = clock.time(ofLocalSeconds: (date.number + 1) * 86_400) - midnight
    calendar = try ServiceCalendar(
      feeds, on: date, clock: clock, isNamed: isNamed,
      vehicles: ServiceCalendar.Hours(
        at: isHour ? [moments[0] / 1000...moments[1] / 1000] : moments.map { $0 / 1000...$0 / 1000 },
        isArrival: isArrival, limit: limit / 1000))
    window = TransitWindow(
      departures: moments, isArrival: isArrival, limit: limit, boardingSlack: rules.boardingSlack,
      maximumRides: rules.maximumRides, headways: rules.headways, days: calendar.days)
    var isServed = [Bool](repeating: false, count: feeds.timetable.stops.count)
    for stop in feeds.timetable.callStops { isServed[Int(stop)] = true }
    self.isServed = isServed
  }

  /// Returns a copy with other departures or arrivals on the same date, in milliseconds after midnight.
  package func at(_ moments: [Int]) -> TransitSchedule {
    var schedule = self
    schedule.window.departures = moments
    return schedule
  }

  /// Returns the schedule for riders without a wheelchair.
  package func withoutWheelchair() -> TransitSchedule {
    var schedule = self
    schedule.rules.wheelchairBoarding = .any
    return schedule
  }

  /// Returns whether `wheelchairBoarding` allows a stop or an entrance.
  func allows(stop: Int) -> Bool {
    rules.wheelchairBoarding.allows(
      timetable.stops[stop].boarding, in: timetable.stops[timetable.station(of: stop)].boarding)
  }

  /// Whether `wheelchairBoarding` allows the vehicle of each trip; nil if all are allowed.
  package var usableTrips: [Bool]? {
    rules.wheelchairBoarding == .any
      ? nil : timetable.trips.map { rules.wheelchairBoarding.allows(UInt16(truncatingIfNeeded: $0.wheelchair)) }
  }

  /// Returns the label of a stop: its id and, if it has one, its name.
  package func label(of stop: Int) -> String {
    let record = timetable.stops[stop]
    let (id, name) = (timetable.text(record.id), timetable.text(record.name))
    return name.isEmpty ? id : "\(id) (\(name))"
  }

  /// Notes about the feeds and the date, without full stops.
  var notes: [String] { feeds.feeds.flatMap(\.notes) + calendar.notes }

  /// Returns the clock time this many seconds after midnight of the date: "07:12".
  func clockText(ofSecondsFromMidnight seconds: Int) -> String {
    let minutes = clock.localSeconds(at: midnight + seconds) / 60
    return "\((minutes / 60 % 24).twoDigits):\((minutes % 60).twoDigits)"
  }
}
