import Geography
import Input
import OpeningHours
import StreetNetwork
import Transit

/// The service days whose trips may run in a window on a date.
package struct ServiceCalendar: Sendable {
  /// The days from two days before the first day of any trip to the day after the date, feed by feed. Times count from
  /// midnight of the date in the job's zone.
  package private(set) var days: [TransitWindow.ServiceDay] = []
  /// For each feed, the number of trips on the date. Trips repeated by frequencies count once.
  package private(set) var trips: [Int] = []
  /// For each feed, the median number of trips on dates of the same weekday with service.
  package private(set) var usualTrips: [Int] = []
  /// Notes for the user, without full stops.
  package private(set) var notes: [String] = []

  /// - Parameters:
  ///   - clock: The job's clock.
  ///   - isNamed: Whether the job names its time zone, which then also applies to feeds with an unknown time zone.
  ///   - vehicles: The times of the job. A date without service is accepted if trips of the day before or after run at
  ///     one of them: at night, or in another time zone.
  /// - Throws: `OdometerError` if no feed has trips on the date, or if all have far fewer than usual.
  package init(
    _ feeds: FeedTimetable, on date: CalendarDay, clock: LocalClock, isNamed: Bool, vehicles: Hours? = nil
  ) throws {
    let calendars = FeedCalendar.all(of: feeds.timetable, feeds: feeds.feeds.count)
    let midnight = clock.time(ofLocalSeconds: date.number * 86_400)
    var problems: [OdometerError] = []
    for (index, feed) in feeds.feeds.enumerated() {
      let zone = feeds.timetable.text(feeds.timetable.timeZones[index])
      let feedClock = try self.feedClock(of: feed.path, zone, clock, isNamed: isNamed)
      // Trips to arrivals shortly after midnight start on the day before.
      let first = min(date.number, feedClock.day(at: midnight + (vehicles?.times.map(\.lowerBound).min() ?? 0)).number)
      days += (first - 2...date.number + 1).map { day in
        let noon = feedClock.time(ofLocalSeconds: day * 86_400 + 43_200)
        return TransitWindow.ServiceDay(feed: index, day: day, start: noon - 43_200 - midnight)
      }
      trips.append(calendars[index].trips(on: date))
      usualTrips.append(calendars[index].usualTrips(on: date))
      guard let problem = calendars[index].problem(on: date) else { continue }
      let times = vehicles?.times ?? []
      var others: [(date: CalendarDay, hours: ClosedRange<Int>)] = []
      for day in days where day.feed == index {
        let date = CalendarDay(number: day.day)
        guard calendars[index].problem(on: date) == nil, let hours = feeds.timetable.hours(on: day),
          times.contains(where: { $0.overlaps(hours) })
        else { continue }
        others.append((date, hours))
      }
      guard !others.isEmpty else {
        problems.append(OdometerError(file: feed.path, problem: problem + feed.facts.rejectedService))
        continue
      }
      let served = times.count { time in others.contains { $0.hours.overlaps(time) } }
      notes.append(
        "\(feed.path): \(problem); trips of \(others.map(\.date.text).joined(separator: ", ")) run at "
          + (served < times.count ? "\(served) of the job's \(times.count) times" : "the job's times"))
    }
    if problems.count == feeds.feeds.count, let first = problems.first { throw first }
    notes += problems.map { "\($0)" }
  }

  /// The times of a job at which vehicles may run, in seconds since midnight of the date.
  package struct Hours {
    /// For each departure or arrival, the time within `limit` of it.
    fileprivate var times: [ClosedRange<Int>]

    /// - Parameters:
    ///   - times: The departures or arrivals, or an hour of them.
    ///   - limit: The maximum duration of a trip.
    package init(at times: [ClosedRange<Int>], isArrival: Bool, limit: Int) {
      self.times = times.map { $0.lowerBound - (isArrival ? limit : 0)...$0.upperBound + (isArrival ? 0 : limit) }
    }
  }

  /// Returns the clock of a feed whose time zone is `zone`; notes a zone other than the job's.
  private mutating func feedClock(
    of feed: String, _ zone: String, _ clock: LocalClock, isNamed: Bool
  ) throws -> LocalClock {
    guard zone != clock.timeZone else { return clock }
    if let own = LocalClock(timeZone: zone) {
      notes.append("\(feed): its times are in \(zone), the job's in \(clock.timeZone)")
      return own
    }
    guard isNamed else {
      throw .input(
        "\(feed)/agency.txt",
        "agency_timezone \"\(zone)\" is not a time zone; expected \(LocalClock.allowed), or timeZone in the job")
    }
    notes.append(
      "\(feed)/agency.txt: agency_timezone \"\(zone)\" is not a time zone; its times are read in \(clock.timeZone)")
    return clock
  }
}

extension Timetable {
  /// Returns the time from the first departure of a service day to its last arrival; nil if no trip runs.
  fileprivate func hours(on day: TransitWindow.ServiceDay) -> ClosedRange<Int>? {
    let repeated = Dictionary(grouping: frequencies, by: \.trip)
    var (first, last) = (Int.max, Int.min)
    for trip in trips.indices {
      let service = Int(trips[trip].service)
      guard serviceFeeds[service] == day.feed, runs(service, on: day.day) else { continue }
      let calls = calls(of: trip)
      let begin = Int(departures[calls.lowerBound])
      let rows = repeated[UInt32(trip)] ?? []
      first = min(first, rows.map { Int($0.start) }.min() ?? begin)
      last = max(last, (rows.map { Int($0.end) }.max() ?? begin) + Int(arrivals[calls.upperBound - 1]) - begin)
    }
    return first <= last ? day.start + first...day.start + last : nil
  }
}
