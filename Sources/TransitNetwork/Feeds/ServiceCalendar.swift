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
  ///   - vehicles: The times at which vehicles have to run, in seconds since midnight of the date. A date without
  ///     service is accepted if trips of the day before or after run then: at night, or in another time zone.
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
      let first = min(date.number, feedClock.day(at: midnight + (vehicles?.start ?? 0)).number)
      days += (first - 2...date.number + 1).map { day in
        let noon = feedClock.time(ofLocalSeconds: day * 86_400 + 43_200)
        return TransitWindow.ServiceDay(feed: index, day: day, start: noon - 43_200 - midnight)
      }
      trips.append(calendars[index].trips(on: date))
      usualTrips.append(calendars[index].usualTrips(on: date))
      guard let problem = calendars[index].problem(on: date) else { continue }
      let other = days.first { day in
        guard let vehicles, day.feed == index else { return false }
        return calendars[index].problem(on: CalendarDay(number: day.day)) == nil
          && feeds.timetable.has(vehicles, on: day)
      }
      if let other {
        notes.append("\(feed.path): \(problem); trips of \(CalendarDay(number: other.day).text) run at the job's times")
      } else {
        problems.append(OdometerError(file: feed.path, problem: problem + feed.facts.rejectedService))
      }
    }
    if problems.count == feeds.feeds.count, let first = problems.first { throw first }
    notes += problems.map { "\($0)" }
  }

  /// The times at which vehicles of a service day have to run, in seconds since midnight of the date.
  package struct Hours {
    /// The earliest departure of any trip.
    fileprivate var start: Int
    /// The first trip must begin at this second or earlier, and the last trip must end at `earliestEnd` or later.
    var latestBegin: Int
    var earliestEnd: Int

    /// - Parameters:
    ///   - seconds: From the first departure to the last, or from the first arrival to the last.
    ///   - limit: The maximum duration of a trip.
    ///   - isForAll: Whether each of these times needs a vehicle, instead of just one of them.
    package init(at seconds: ClosedRange<Int>, isArrival: Bool, limit: Int, isForAll: Bool) {
      let (first, last) = (seconds.lowerBound, seconds.upperBound)
      start = first - (isArrival ? limit : 0)
      latestBegin = (isForAll ? first : last) + (isArrival ? 0 : limit)
      earliestEnd = (isForAll ? last : first) - (isArrival ? limit : 0)
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
  /// Returns whether trips of a service day run at the times at which vehicles have to run.
  fileprivate func has(_ vehicles: ServiceCalendar.Hours, on day: TransitWindow.ServiceDay) -> Bool {
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
    guard first <= last else { return false }
    return day.start + first <= vehicles.latestBegin && vehicles.earliestEnd <= day.start + last
  }
}
