import Geography
import Input
import OpeningHours
import StreetNetwork
import Transit

/// What holds for trips by public transport, whatever their date.
package struct TransitRules: Sendable {
  /// The longest walk to, from and between stops, in milliseconds.
  package let walkLimit: UInt32
  /// Seconds that riders stand at a stop before a vehicle leaves.
  let boardingSlack: Int
  /// The longest trip, in milliseconds.
  package let limit: UInt32
  /// The most vehicles of a trip; nil for no limit.
  let maximumRides: Int?
  /// Which stops and vehicles may be used.
  package let wheelchairBoarding: WheelchairBoarding

  package init(
    walkLimit: UInt32 = usualWalkLimit, boardingSlack: Int = usualSlack, limit: UInt32 = usualLimit,
    maximumRides: Int? = nil, wheelchairBoarding: WheelchairBoarding = .any
  ) {
    (self.walkLimit, self.boardingSlack, self.limit) = (walkLimit, boardingSlack, limit)
    (self.maximumRides, self.wheelchairBoarding) = (maximumRides, wheelchairBoarding)
  }

  /// Milliseconds of the longest walk where nothing is said.
  package static let usualWalkLimit: UInt32 = 15 * 60_000
  /// Seconds at a stop where nothing is said.
  package static let usualSlack = 60
  /// Milliseconds of the longest trip where nothing is said.
  package static let usualLimit: UInt32 = 120 * 60_000
}

/// A timetable on a date, and the departures or arrivals asked for.
package struct TransitSchedule: Sendable {
  package let rules: TransitRules
  package let feeds: FeedTimetable
  package let calendar: ServiceCalendar
  package let window: TransitWindow
  /// Whether a trip calls at each stop of the timetable.
  let isServed: [Bool]
  private let clock: LocalClock
  /// The second since the beginning of 1970 at which the date begins.
  private let midnight: Int
  /// Seconds from midnight to the next one: fewer or more than usual where clocks are turned.
  package let secondsOfDay: Int

  package var timetable: Timetable { feeds.timetable }

  /// - Parameters:
  ///   - moments: Departures or arrivals in milliseconds from midnight of the date.
  ///   - limit: The longest trip, in milliseconds.
  ///   - clock: The one that the date is of.
  ///   - isNamed: Whether the user names its time zone: then it holds for a feed whose own is unknown.
  /// - Throws: `InputError` for a date without service.
  package init(
    _ feeds: FeedTimetable, _ rules: TransitRules, on date: CalendarDay, at moments: [Int], isArrival: Bool,
    within limit: Int, clock: LocalClock, isNamed: Bool
  ) throws {
    (self.feeds, self.rules, self.clock) = (feeds, rules, clock)
    midnight = clock.time(ofLocalSeconds: date.number * 86_400)
    secondsOfDay = clock.time(ofLocalSeconds: (date.number + 1) * 86_400) - midnight
    calendar = try ServiceCalendar(
      feeds, on: date, clock: clock, isNamed: isNamed, at: (moments.min() ?? 0) / 1000...(moments.max() ?? 0) / 1000)
    window = TransitWindow(
      departures: moments, isArrival: isArrival, limit: limit, boardingSlack: rules.boardingSlack,
      maximumRides: rules.maximumRides, days: calendar.days)
    var isServed = [Bool](repeating: false, count: feeds.timetable.stops.count)
    for stop in feeds.timetable.callStops { isServed[Int(stop)] = true }
    self.isServed = isServed
  }

  /// Whether a stop counts by `wheelchairBoarding`; a stop that does not say is as its station.
  func allows(stop: Int) -> Bool {
    let own = timetable.stops[stop]
    let isUnknown = own.boarding != 1 && own.boarding != 2
    let known = isUnknown && own.parent != Timetable.none ? timetable.stops[Int(own.parent)].boarding : own.boarding
    return rules.wheelchairBoarding.allows(known)
  }

  /// Whether the vehicle of each trip counts by `wheelchairBoarding`; nil: all do.
  package var usableTrips: [Bool]? {
    rules.wheelchairBoarding == .any
      ? nil : timetable.trips.map { rules.wheelchairBoarding.allows(UInt16(truncatingIfNeeded: $0.wheelchair)) }
  }

  /// The names of a stop: its id and, where it has one, its name.
  package func label(of stop: Int) -> String {
    let facts = timetable.stops[stop]
    let (id, name) = (timetable.text(facts.id), timetable.text(facts.name))
    return name.isEmpty ? id : "\(id) (\(name))"
  }

  /// Sentences about feeds and date for people, without an end.
  var notes: [String] { feeds.feeds.flatMap(\.notes) + calendar.notes }

  /// "07:12" on the clock so many seconds after midnight of the date.
  func clockText(ofSecondsFromMidnight seconds: Int) -> String {
    let minutes = clock.localSeconds(at: midnight + seconds) / 60
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(minutes / 60 % 24)):\(two(minutes % 60))"
  }
}
