import Foundation
import Hierarchy
import OpeningHours
import StreetNetwork

extension TripTime {
  /// A timestamp on the clock of the week, with its local date for opening hours.
  package init(_ timestamp: Timestamp, holidays: Holidays = .none, isArrival: Bool = false) {
    let milliseconds =
      Int(((timestamp.date.timeIntervalSince1970) * 1000).rounded(.down)) + timestamp.secondsFromGMT * 1000
    let day = (milliseconds - (milliseconds % 86_400_000 + 86_400_000) % 86_400_000) / 86_400_000
    // 1 January 1970 was a Thursday.
    let weekday = ((day + 3) % 7 + 7) % 7
    self.init(
      clock: SpeedProfiles.week + UInt32(weekday * 86_400_000 + milliseconds - day * 86_400_000),
      day: timestamp.localTime(holidays), isArrival: isArrival)
  }
}
