import Geography
import Input
import OpeningHours
import Routing
import StreetNetwork
import Synchronization
import Tables
import TransitNetwork

/// The service on the dates of trips with their own departures or arrivals.
final class TransitDates: Sendable {
  private let task: TransitTask
  private let feeds: FeedTimetable
  private let clock: LocalClock
  /// Whether the job names its time zone.
  private let isNamed: Bool
  /// The timetable of each hour, or the error for an hour without service.
  private let schedules = Mutex<[TransitHour: Result<TransitSchedule, any Error>]>([:])

  /// Nil in a job without transit. *Throws*: `OdometerError` if the time zone is unknown.
  init?(_ context: JobContext) throws {
    guard let task = context.job.transit, let feeds = context.feeds else { return nil }
    (self.task, self.feeds, clock) = (task, feeds, try context.job.clock(on: context.network))
    isNamed = context.job.hours.clock != nil
  }

  /// Returns the hour of an instant, and the milliseconds from midnight of its date.
  func hour(of time: PairTable.RowTime) -> (hour: TransitHour, milliseconds: Int) {
    let second = Int(time.moment.date.timeIntervalSince1970.rounded(.down))
    let day = clock.day(at: second).number
    let elapsed = second - midnight(of: day)
    return (TransitHour(day: day, number: elapsed / 3600, isArrival: time.isArrival), elapsed * 1000)
  }

  /// Returns the second since 1970 at which a day begins.
  private func midnight(of day: Int) -> Int { clock.time(ofLocalSeconds: day * 86_400) }

  func instant(_ milliseconds: Int, of hour: TransitHour, secondsFromGMT: Int) -> TransitInstant {
    TransitInstant(
      milliseconds: milliseconds, isArrival: hour.isArrival, midnight: midnight(of: hour.day), clock: clock,
      secondsFromGMT: secondsFromGMT)
  }

  /// Returns why no trip can depart or arrive at an instant, as a sentence without a full stop; nil if one can.
  func problem(of time: PairTable.RowTime) -> String? {
    do {
      _ = try schedule(in: hour(of: time).hour)
      return nil
    } catch {
      return "\(time.isArrival ? "arrival_time" : "departure_time"): \(error)"
    }
  }

  /// Returns the timetable in an hour. *Throws*: `OdometerError` for an hour without service.
  func schedule(in hour: TransitHour) throws -> TransitSchedule {
    let schedule = schedules.value(for: hour) {
      let first = hour.number * 3_600_000
      return Result {
        try TransitSchedule(
          feeds, task.rules, on: CalendarDay(number: hour.day), at: [first, first + 3_599_000],
          isArrival: hour.isArrival, within: Int(task.rules.limit), clock: clock, isNamed: isNamed, isHour: true)
      }
    }
    return try schedule.get()
  }

  /// Notes about the dates, without duplicates.
  var notes: [String] {
    let all = schedules.withLock { $0 }.sorted { $0.key < $1.key }
      .flatMap { (try? $0.value.get().calendar.notes) ?? [] }
    return all.enumerated().filter { !all[..<$0.offset].contains($0.element) }.map(\.element)
  }
}

/// The instant at which a transit trip departs or arrives, on the job's clock.
struct TransitInstant {
  /// Milliseconds from midnight of its date.
  var milliseconds: Int
  var isArrival: Bool
  /// The midnight of its date, in seconds since 1970.
  var midnight: Int
  var clock: LocalClock
  /// The UTC offset of a pair's own time, which its results keep; nil for the clock's.
  var secondsFromGMT: Int?

  /// Returns the local time a number of elapsed seconds after midnight of the date: `2026-11-23T07:12:00+02:00`.
  func text(ofSecondsFromMidnight seconds: Int) -> String {
    let offset = secondsFromGMT ?? clock.secondsFromGMT(at: midnight + seconds)
    return Moment(milliseconds: (midnight + seconds) * 1000, secondsFromGMT: offset).text
  }
}
