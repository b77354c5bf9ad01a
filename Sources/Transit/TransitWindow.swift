/// The departures or arrivals asked for, and what holds for the trips of all of them.
///
/// Moments count from midnight of the window's date in the job's time zone, whatever the zones of the feeds.
package struct TransitWindow: Sendable {
  /// The departures asked for in milliseconds, in any order; some may be equal. At least one. With `isArrival` they are
  /// the moments by which trips arrive.
  package var departures: [Int]
  /// Whether trips arrive by the moments asked for: their times are those from the latest departures.
  package var isArrival: Bool
  /// The longest travel time in milliseconds.
  package var limit: Int
  /// Seconds for which a rider stands at a stop before a vehicle leaves.
  package var boardingSlack: Int
  /// The most vehicles of a trip; nil for no limit.
  package var maximumRides: Int?
  /// The service days of all feeds whose trips may run in the window.
  package var days: [ServiceDay]

  package init(
    departures: [Int], isArrival: Bool = false, limit: Int, boardingSlack: Int, maximumRides: Int? = nil,
    days: [ServiceDay]
  ) {
    precondition(!departures.isEmpty && limit >= 0 && boardingSlack >= 0, "a window needs a departure")
    precondition(departures.max()! - departures.min()! + limit < 1 << 30, "a window is at most 298 hours")
    precondition(maximumRides.map { $0 > 0 } ?? true, "a trip has a ride, or is a walk all the way")
    (self.departures, self.isArrival, self.limit, self.days) = (departures, isArrival, limit, days)
    (self.boardingSlack, self.maximumRides) = (boardingSlack, maximumRides)
  }

  /// A day of a feed's services.
  package struct ServiceDay: Sendable {
    /// An index into the timetable's feeds.
    package var feed: Int
    /// Counted from 1 January 1970.
    package var day: Int
    /// The second from which the times of this day count: noon minus 12 h in the feed's time zone.
    package var start: Int

    package init(feed: Int, day: Int, start: Int) { (self.feed, self.day, self.start) = (feed, day, start) }
  }

  /// The first and the last millisecond at which anybody travels.
  var travelTimes: ClosedRange<Int> {
    let (first, last) = (departures.min()!, departures.max()!)
    return isArrival ? first - limit...last : first...last + limit
  }
}
