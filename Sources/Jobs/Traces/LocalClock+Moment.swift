import Foundation
import StreetNetwork
import Tables

extension LocalClock {
  /// Returns the local time at an instant, in milliseconds since 1970.
  func moment(_ milliseconds: Int) -> Moment {
    let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    return Moment(milliseconds: milliseconds, secondsFromGMT: secondsFromGMT(at: seconds))
  }

  func moment(_ date: Date) -> Moment? { Moment.milliseconds(date).map { moment($0) } }
}

extension Moment {
  /// Returns milliseconds since 1970; nil without a date, and for a date outside the calendar.
  static func milliseconds(_ date: Date?) -> Int? { milliseconds(date?.timeIntervalSince1970) }

  static func milliseconds(_ seconds: Double?) -> Int? {
    guard let seconds, abs(seconds) < 1e11 else { return nil }
    return Int((seconds * 1000).rounded())
  }
}
