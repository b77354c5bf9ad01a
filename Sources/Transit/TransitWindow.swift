/// The departures asked for, and what holds for the trips of all of them.
///
/// Moments count from midnight of the window's date in the job's time zone, whatever the zones of the feeds.
package struct TransitWindow: Sendable {
  /// The departures asked for in milliseconds, in any order; some may be equal. At least one.
  package var departures: [Int]
  /// The longest travel time in milliseconds.
  package var limit: Int
  /// Seconds for which a rider stands at a stop before a vehicle leaves.
  package var boardingSlack: Int
  /// The service days of all feeds whose trips may run in the window.
  package var days: [ServiceDay]

  package init(departures: [Int], limit: Int, boardingSlack: Int, days: [ServiceDay]) {
    precondition(!departures.isEmpty && limit >= 0 && boardingSlack >= 0, "a window needs a departure")
    precondition(departures.max()! - departures.min()! + limit < 1 << 30, "a window is at most 298 hours")
    (self.departures, self.limit, self.boardingSlack, self.days) = (departures, limit, boardingSlack, days)
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
  var travelTimes: ClosedRange<Int> { departures.min()!...departures.max()! + limit }
}
