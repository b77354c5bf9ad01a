import OpeningHours
import Hierarchy

/// When a trip starts, or when it ends: by the clocks there.
package struct TripTime: Hashable, Sendable {
  /// Milliseconds since midnight of the Monday *before* that of the trip's week: who arrives on a Monday may have left on
  /// the Sunday before.
  package var clock: UInt32
  /// The day, whose opening hours count; nil for a day as they are all: what the map says for certain hours does not
  /// count then.
  package var day: LocalTime?
  /// Whether the trip ends then.
  package var isArrival: Bool

  package init(clock: UInt32, day: LocalTime?, isArrival: Bool) {
    (self.clock, self.day, self.isArrival) = (clock, day, isArrival)
  }

  /// The end of a trip that takes so long, where the next one starts; its start where trips end at their time. Nil where
  /// the clock does not reach so far.
  package func moved(by milliseconds: UInt32) -> TripTime? {
    let moved = isArrival ? Int(clock) - Int(milliseconds) : Int(clock) + Int(milliseconds)
    guard (0..<Int(Int32.max)).contains(moved) else { return nil }
    return TripTime(clock: UInt32(moved), day: day, isArrival: isArrival)
  }

  /// A time of a weekday (Monday is 0), in seconds after midnight.
  package init(weekday: Int, seconds: Int, day: LocalTime? = nil, isArrival: Bool = false) {
    let clock = SpeedProfiles.week + UInt32(weekday) * 86_400_000 + UInt32(seconds) * 1000
    self.init(clock: clock, day: day, isArrival: isArrival)
  }
}
