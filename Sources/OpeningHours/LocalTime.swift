import Foundation

/// A local time, with a calendar of holidays.
package struct LocalTime: Hashable, Sendable {
  package let day: CalendarDay
  /// Minutes since midnight.
  package let minute: Int
  /// Seconds ahead of UTC: needed for sunrise and sunset.
  package let secondsFromGMT: Int
  package var holidays: Holidays

  package init(_ day: CalendarDay, minute: Int, secondsFromGMT: Int = 0, holidays: Holidays = .none) {
    (self.day, self.minute, self.secondsFromGMT, self.holidays) = (day, minute, secondsFromGMT, holidays)
  }

  package init(_ date: Date, secondsFromGMT: Int, holidays: Holidays = .none) {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + secondsFromGMT
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    minute = (seconds - days * 86_400) / 60
    day = CalendarDay(number: days)
    self.secondsFromGMT = secondsFromGMT
    self.holidays = holidays
  }

  /// Returns the local time `minute` minutes after this day's midnight: on an earlier day if `minute` is negative, on a
  /// later day if it is at least 1440.
  package func time(atMinute minute: Int) -> LocalTime {
    let days = (minute >= 0 ? minute : minute - 1439) / 1440
    return LocalTime(day.adding(days), minute: minute - days * 1440, secondsFromGMT: secondsFromGMT, holidays: holidays)
  }
}
