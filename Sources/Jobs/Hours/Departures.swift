import Foundation
import Geography
import Hierarchy
import OpeningHours
import Routing
import StreetNetwork
import Tables

/// The departures or arrivals of a job's trips: by day, then in the order of the job file.
struct Departures: Sendable {
  let hours: [Hour]
  /// Whether the hours are arrivals.
  let isArrival: Bool
  /// The date of the trips; nil for typical days.
  let date: CalendarDay?
  /// The requested times that clocks skip and that coincide with another requested time.
  private let omitted: [DayTime]
  /// The requested times that occur twice; the first occurrence is used.
  private let repeated: [DayTime]
  private let clock: LocalClock

  struct Hour: Sendable {
    let time: TripTime
    /// The index of its day among the days of the job.
    let day: Int
    /// Local time in seconds since the beginning of 1970, or since Monday for typical days.
    fileprivate let localSeconds: Int
    /// The requested instant in seconds since 1970, since a local time occurs twice when clocks are turned back; nil if
    /// a local time was requested.
    fileprivate var instant: Int?
    /// The requested time, if clocks skip it.
    fileprivate let skipped: DayTime?

    var weekday: Weekday { Weekday(index: Int(time.clock / 86_400_000)) }
    fileprivate var dayTime: DayTime { DayTime(seconds: Int(time.clock / 1000) % 86_400) }
  }

  /// Creates times on typical days.
  init(_ times: [DayTime], on week: [Weekday], isArrival: Bool, by clock: LocalClock) {
    (self.isArrival, self.clock, date, omitted, repeated) = (isArrival, clock, nil, [], [])
    hours = week.enumerated().flatMap { index, weekday in
      times.map { time in
        Hour(
          time: TripTime(weekday: weekday.index, seconds: time.seconds, isArrival: isArrival), day: index,
          localSeconds: weekday.index * 86_400 + time.seconds, skipped: nil)
      }
    }
  }

  /// Creates times on a date.
  init(_ times: [DayTime], on date: CalendarDay, _ holidays: Holidays, isArrival: Bool, by clock: LocalClock) {
    (self.isArrival, self.clock, self.date) = (isArrival, clock, date)
    let midnight = date.number * 86_400
    // If clocks skip a time, they show another one at that instant.
    let shown = times.map { clock.localSeconds(at: clock.time(ofLocalSeconds: midnight + $0.seconds)) - midnight }
    let requested = Set(times)
    let isDuplicate = zip(times, shown).map { $0.seconds != $1 && requested.contains(DayTime(seconds: $1)) }
    omitted = zip(times, isDuplicate).compactMap { $1 ? $0 : nil }
    repeated = times.filter { clock.repetition(of: clock.time(ofLocalSeconds: midnight + $0.seconds)) != nil }
    hours = times.indices.filter { !isDuplicate[$0] }.map { index in
      Departures.hour(
        midnight + shown[index], of: date, holidays,
        skipped: shown[index] == times[index].seconds ? nil : times[index], isArrival: isArrival, by: clock)
    }
  }

  /// Creates a single departure or arrival at an instant.
  init(_ moment: Timestamp, _ holidays: Holidays, isArrival: Bool, by clock: LocalClock) {
    let instant = Int(moment.date.timeIntervalSince1970.rounded(.down))
    let seconds = clock.localSeconds(at: instant)
    let date = clock.day(at: instant)
    (self.isArrival, self.clock, self.date, omitted, repeated) = (isArrival, clock, date, [], [])
    var hour = Departures.hour(seconds, of: date, holidays, skipped: nil, isArrival: isArrival, by: clock)
    hour.instant = instant
    hours = [hour]
  }

  private static func hour(
    _ localSeconds: Int, of date: CalendarDay, _ holidays: Holidays, skipped: DayTime?, isArrival: Bool,
    by clock: LocalClock
  ) -> Hour {
    let time = TripTime(
      weekday: date.weekday, seconds: localSeconds - date.number * 86_400,
      day: localTime(date, 0, holidays, clock), isArrival: isArrival)
    return Hour(time: time, day: 0, localSeconds: localSeconds, skipped: skipped)
  }

  /// Returns the local time a number of seconds after midnight of a date, with the UTC offset at noon.
  private static func localTime(
    _ date: CalendarDay, _ seconds: Int, _ holidays: Holidays, _ clock: LocalClock
  ) -> LocalTime {
    let midnight = date.number * 86_400
    let offset = clock.secondsFromGMT(at: clock.time(ofLocalSeconds: midnight + 43_200))
    return LocalTime(
      Date(timeIntervalSince1970: Double(midnight + seconds - offset)), secondsFromGMT: offset, holidays: holidays)
  }

  /// Returns local times every `interval` seconds on the date and on the adjacent day that trips may extend into: the
  /// next day, or with arrivals the previous one. Empty for typical days.
  func moments(every interval: Int) -> [LocalTime] {
    guard let date, let holidays = day?.holidays else { return [] }
    let start = isArrival ? -86_400 : 0
    return stride(from: start, to: start + 2 * 86_400, by: interval).map {
      Departures.localTime(date, $0, holidays, clock)
    }
  }

  var times: [TripTime] { hours.map(\.time) }
  /// The date whose closures apply; nil for typical days.
  var day: LocalTime? { hours.first?.time.day }
  var timeZone: String { clock.timeZone }
  /// The indices of each day's hours.
  var days: [Range<Int>] {
    let starts = hours.indices.filter { $0 == 0 || hours[$0].day != hours[$0 - 1].day }
    return zip(starts, starts.dropFirst() + [hours.count]).map { $0..<$1 }
  }

  /// Returns the local time at an hour, or a number of milliseconds after it (before it if negative):
  /// `2026-11-23T07:00:00+02:00`, or `Mo 07:00` on typical days. A time before an arrival is rounded down, so that a trip
  /// that leaves then is in time.
  func text(of hour: Hour, after milliseconds: Int = 0) -> String {
    let elapsed = Int((Double(milliseconds) / 1000).rounded(milliseconds < 0 ? .down : .toNearestOrAwayFromZero))
    guard date != nil else {
      let seconds = hour.localSeconds + elapsed
      let day = Int((Double(seconds) / 86_400).rounded(.down))
      return "\(Weekday(index: day).rawValue) \(DayTime(seconds: seconds - day * 86_400).text)"
    }
    // Elapsed time is added, even across a clock change.
    let moment = (hour.instant ?? clock.time(ofLocalSeconds: hour.localSeconds)) + elapsed
    return Moment(milliseconds: moment * 1000, secondsFromGMT: clock.secondsFromGMT(at: moment)).text
  }

  /// The rows of table `departure`.
  var rows: [DepartureRow] {
    hours.enumerated().map { index, hour in
      let text = text(of: hour)
      return DepartureRow(
        number: index + 1, departure: isArrival ? nil : text, arrival: isArrival ? text : nil,
        weekday: hour.weekday.rawValue, day: date?.text, time: hour.dayTime.text,
        clockChange: clockChange.map { $0 / 60 })
    }
  }

  /// Seconds by which clocks change on the date; nil on typical days.
  private var clockChange: Int? {
    date.map { date in
      func offset(_ day: Int) -> Int { clock.secondsFromGMT(at: clock.time(ofLocalSeconds: day * 86_400)) }
      return offset(date.number + 1) - offset(date.number)
    }
  }

  /// Notes for the user, without full stops.
  var notes: [String] {
    guard let date, let change = clockChange, change != 0 else { return [] }
    let minutes = abs(change) / 60
    let turned = change > 0 ? "forward" : "back"
    return [
      "on \(date.text) clocks in \(timeZone) are turned \(turned) by \(minutes) minutes: speeds and closures follow the "
        + "local time of each departure, and a trip keeps its UTC offset until it ends"
    ] + clockChangeNotes
  }

  /// Notes on times that clocks skip or repeat.
  var clockChangeNotes: [String] {
    let skipped = hours.compactMap { hour in
      hour.skipped.map { "\($0.text) is skipped on that day: \(hour.dayTime.text) is used" }
    }
    func range(_ times: [DayTime], _ one: String, _ many: String) -> String? {
      guard let first = times.min(), let last = times.max() else { return nil }
      return first == last
        ? "\(first.text) \(one)" : "\(times.count) times from \(first.text) to \(last.text) \(many)"
    }
    return skipped
      + [
        range(
          omitted, "is skipped on that day and omitted: a later time means the same instant",
          "are skipped on that day and omitted: later times mean the same instants"),
        range(
          repeated, "occurs twice on that day: the first is used", "occur twice on that day: the first of each is used"),
      ].compactMap(\.self)
  }

  /// Elapsed milliseconds from midnight of the date to each hour: an hour more or less than the local time if clocks
  /// change in between.
  var millisecondsFromMidnight: [Int] { hours.map { (clock.time(ofLocalSeconds: $0.localSeconds) - midnight) * 1000 } }

  /// Returns the elapsed milliseconds from midnight of the date to an instant.
  func milliseconds(fromMidnightTo moment: Timestamp) -> Int {
    Int((moment.date.timeIntervalSince1970 * 1000).rounded(.down)) - midnight * 1000
  }

  /// Returns the instant a number of milliseconds after midnight of the date.
  func instant(_ milliseconds: Int) -> TransitInstant {
    TransitInstant(milliseconds: milliseconds, isArrival: isArrival, midnight: midnight, clock: clock)
  }

  /// The start of the date in seconds since 1970.
  private var midnight: Int { clock.time(ofLocalSeconds: (date?.number ?? 0) * 86_400) }
}

extension Departures {
  /// Returns the part of the job's identity that describes its hours, with the resolved date; only the time zone if
  /// `task` has no hours.
  func identity(of task: HoursTask) -> Entries<IdentityKey> {
    var identity = Entries<IdentityKey>()
    if let times = task.times { identity.set(isArrival ? .arrivals : .departures, times.map(\.text)) }
    if let week = task.week { identity.set(.week, week.map(\.rawValue)) }
    if task.date != nil { identity.set(.date, date?.text) }
    identity[.timeZone] = timeZone
    return identity
  }
}

/// A local time of day: `07:30`, `07:30:15`; `24:00` is the end of the day.
struct DayTime: Hashable, Comparable, Sendable {
  /// Seconds since midnight, at most 86,400.
  let seconds: Int

  init(seconds: Int) { self.seconds = seconds }

  /// Nil for other text.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts.allSatisfy(DayTime.isNumber), let hour = Int(parts[0]),
      let minute = Int(parts[1]), let second = parts.count > 2 ? Int(parts[2]) : 0, minute < 60, second < 60
    else { return nil }
    seconds = hour * 3600 + minute * 60 + second
    guard seconds <= 86_400 else { return nil }
  }

  private static func isNumber(_ text: Substring) -> Bool {
    (1...2).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The time as `07:30`, with seconds if they are not 0.
  var text: String {
    let clock = "\((seconds / 3600).twoDigits):\((seconds / 60 % 60).twoDigits)"
    return seconds % 60 == 0 ? clock : "\(clock):\((seconds % 60).twoDigits)"
  }

  static func < (a: DayTime, b: DayTime) -> Bool { a.seconds < b.seconds }
}

/// A check of travel times at several hours: a later departure must not arrive earlier, and a later arrival must not
/// require an earlier departure. It does not apply with a wait limit, since a later departure may then arrive earlier.
struct DepartureOrder: Sendable {
  /// The indices of a job's hours in order of time.
  private let order: [Int]
  private let departures: Departures

  /// Nil if waits are limited.
  init?(_ departures: Departures, on clock: StreetClock) {
    guard clock.keepsOrder else { return nil }
    self.departures = departures
    let times = departures.times
    order = times.indices.sorted { (times[$0].clock, $0) < (times[$1].clock, $1) }
  }

  /// The interval of checked rows: one row in 1,000 is checked.
  static let interval = 1000

  /// Returns the first two hours whose travel times, in milliseconds, violate the order; nil if none do. A time of at
  /// least `missing` means no route.
  func violation(_ times: [UInt32], missing: UInt32) -> (earlier: Int, later: Int)? {
    let found = order.filter { times[$0] < missing }
    return zip(found, found.dropFirst()).first { otherEnd($0, times) > otherEnd($1, times) }.map { ($0, $1) }
  }

  /// Returns the end of a trip at an hour, or its start if hours are arrivals.
  private func otherEnd(_ hour: Int, _ times: [UInt32]) -> Int {
    let (clock, time) = (Int(departures.hours[hour].time.clock), Int(times[hour]))
    return departures.isArrival ? clock - time : clock + time
  }

  /// Stops a job if the times of a cell violate the order, which is a bug in the engine. *Throws*: `OdometerError`.
  func check(_ times: [UInt32], missing: UInt32, from origin: Identifier, to destination: Identifier) throws {
    guard let (earlier, later) = violation(times, missing: missing) else { return }
    throw OdometerError(
      "from \(origin) to \(destination) the trip at \(departures.text(of: departures.hours[earlier])) takes "
        + "\(times[earlier]) ms, the one at \(departures.text(of: departures.hours[later])) \(times[later]) ms: "
        + "a later departure must not arrive earlier", cause: .fault)
  }
}

extension Timestamp {
  /// Returns the same instant in another time zone.
  func onClock(_ clock: LocalClock) -> Timestamp {
    Timestamp(date, secondsFromGMT: clock.secondsFromGMT(at: Int(date.timeIntervalSince1970.rounded(.down))))
  }
}
