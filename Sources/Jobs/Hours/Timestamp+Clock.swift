import Routing
import StreetNetwork

extension Timestamp {
  /// Returns the same instant in another time zone.
  func onClock(_ clock: LocalClock) -> Timestamp {
    Timestamp(date, secondsFromGMT: clock.secondsFromGMT(at: Int(date.timeIntervalSince1970.rounded(.down))))
  }
}
