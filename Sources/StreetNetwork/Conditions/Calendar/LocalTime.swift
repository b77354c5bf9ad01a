import Foundation

/// A moment in local time, and the calendar it is in.
package struct LocalTime: Hashable, Sendable {
  let day: CalendarDay
  /// Since midnight.
  let minute: Int
  /// How far the clocks are ahead of Greenwich: decides when the sun rises.
  let secondsFromGMT: Int
  package var holidays: Holidays

  package init(_ date: Date, secondsFromGMT: Int, holidays: Holidays = .none) {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + secondsFromGMT
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    minute = (seconds - days * 86_400) / 60
    day = CalendarDay(number: days)
    self.secondsFromGMT = secondsFromGMT
    self.holidays = holidays
  }
}
