import Hierarchy
import OpeningHours

/// The departure or arrival of a trip, in local time.
package struct TripTime: Hashable, Sendable {
  /// Milliseconds since midnight of the Monday *before* the trip's week: a trip that arrives on a Monday may have left
  /// on Sunday.
  package var clock: UInt32
  /// The day, for opening hours; nil for a typical day, without conditional tags.
  package var day: LocalTime?
  /// Whether it is the arrival rather than the departure.
  package var isArrival: Bool

  package init(clock: UInt32, day: LocalTime?, isArrival: Bool) {
    (self.clock, self.day, self.isArrival) = (clock, day, isArrival)
  }

  /// Returns the end of a trip of a given duration, when the next one starts; for arrivals, its start. Nil if that is
  /// beyond the range of the clock.
  package func moved(by milliseconds: UInt32) -> TripTime? {
    let moved = isArrival ? Int(clock) - Int(milliseconds) : Int(clock) + Int(milliseconds)
    guard (0..<Int(Int32.max)).contains(moved) else { return nil }
    return TripTime(clock: UInt32(moved), day: day, isArrival: isArrival)
  }

  /// Creates a time on a weekday (0 is Monday), in seconds after midnight.
  package init(weekday: Int, seconds: Int, day: LocalTime? = nil, isArrival: Bool = false) {
    let clock = SpeedProfiles.week + UInt32(weekday) * 86_400_000 + UInt32(seconds) * 1000
    self.init(clock: clock, day: day, isArrival: isArrival)
  }
}
