/// The requested departures or arrivals, and the rules for all of their trips.
///
/// Times are counted from midnight of the window's date in the job's time zone, regardless of the feeds' zones.
package struct TransitWindow: Sendable {
  /// The requested departures in milliseconds, in any order, possibly with duplicates; at least one. If `isArrival`,
  /// they are the latest arrivals.
  package var departures: [Int]
  /// Whether trips arrive by the requested times; travel times are then measured from the latest possible departure.
  package var isArrival: Bool
  /// The longest travel time in milliseconds.
  package var limit: Int
  /// The minimum time at a stop before a vehicle leaves, in seconds.
  package var boardingSlack: Int
  /// The maximum number of vehicles per trip; nil for no limit.
  package var maximumRides: Int?
  /// The interpretation of trips in frequencies.txt without exact times.
  package var headways: Headways
  /// The service days of all feeds whose trips may run in the window.
  package var days: [ServiceDay]

  package init(
    departures: [Int], isArrival: Bool = false, limit: Int, boardingSlack: Int, maximumRides: Int? = nil,
    headways: Headways = .timetable, days: [ServiceDay]
  ) {
    precondition(
      !departures.isEmpty && limit >= 0 && boardingSlack >= 0, "a window needs a departure, and times of at least 0")
    precondition(departures.max()! - departures.min()! + limit < 1 << 30, "a window is at most 298 hours")
    precondition(maximumRides.map { $0 > 0 } ?? true, "a trip has at least one ride, or is entirely on foot")
    (self.departures, self.isArrival, self.limit, self.days) = (departures, isArrival, limit, days)
    (self.boardingSlack, self.maximumRides, self.headways) = (boardingSlack, maximumRides, headways)
  }

  /// The interpretation of trips for which a feed only gives the headway (frequencies.txt without `exact_times`).
  package enum Headways: String, Sendable, CaseIterable {
    /// As a timetable from `start_time` on.
    case timetable
    /// A vehicle every half minute, for which riders wait half the headway on average.
    case averageWait
  }

  /// A day of a feed's services.
  package struct ServiceDay: Sendable {
    /// An index into the timetable's feeds.
    package var feed: Int
    /// Counted from 1 January 1970.
    package var day: Int
    /// The second from which the times of this day are counted: noon minus 12 h in the feed's time zone.
    package var start: Int

    package init(feed: Int, day: Int, start: Int) { (self.feed, self.day, self.start) = (feed, day, start) }
  }

  /// The first and last millisecond of any trip.
  package var travelPeriod: ClosedRange<Int> {
    let (first, last) = (departures.min()!, departures.max()!)
    return isArrival ? first - limit...last : first...last + limit
  }
}
