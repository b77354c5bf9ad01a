import Routing
import StreetNetwork

extension Timestamp {
  /// The same moment as other clocks show it.
  func onClock(_ clock: LocalClock) -> Timestamp {
    Timestamp(date, secondsFromGMT: clock.secondsFromGMT(at: Int(date.timeIntervalSince1970.rounded(.down))))
  }
}
