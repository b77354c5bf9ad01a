import Foundation

/// A day of the Gregorian calendar.
///
/// Source: H. Hinnant's civil calendar: years begin in March, eras have 400 years.
package struct CalendarDay: Hashable, Sendable {
  /// Days since 1 January 1970.
  package let number: Int
  package let year: Int
  /// 1…12.
  package let month: Int
  /// 1…31.
  package let day: Int

  package init(number: Int) {
    self.number = number
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    day = dayOfYear - (153 * fromMarch + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Nil if the month does not have that day.
  package init?(year: Int, month: Int, day: Int) {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init(number: era * 146_097 + dayOfEra - 719_468)
    guard self.month == month, self.day == day else { return nil }
  }

  /// Parses `2026-12-25`; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "-") }
    guard isPlain, parts.map(\.count) == [4, 2, 2], let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The date as text: `2026-12-25`.
  package var text: String {
    func padded(_ number: Int, _ digits: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  package func adding(_ days: Int) -> CalendarDay { days == 0 ? self : CalendarDay(number: number + days) }

  /// Monday is 0. 1 January 1970 was a Thursday.
  package var weekday: Int { ((number % 7) + 10) % 7 }

  static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The ISO 8601 week of the year: week 1 has the year's first Thursday.
  var week: Int {
    let thursday = adding(3 - weekday)
    let dayOfYear = CalendarDay(year: thursday.year, month: 1, day: 1).map { thursday.number - $0.number } ?? 0
    return dayOfYear / 7 + 1
  }

  /// Returns the day number of Western Easter Sunday.
  ///
  /// Source: the "anonymous" algorithm of 1876, as in J. Meeus, Astronomical Algorithms, chapter 8.
  static func easter(_ year: Int) -> Int? {
    let (golden, century, rest) = (year % 19, year / 100, year % 100)
    let moon = (19 * golden + century - century / 4 - (century - (century + 8) / 25 + 1) / 3 + 15) % 30
    let week = (32 + 2 * (century % 4) + 2 * (rest / 4) - moon - rest % 4) % 7
    let late = (golden + 11 * moon + 22 * week) / 451
    let fromMarch = moon + week - 7 * late + 114
    return CalendarDay(year: year, month: fromMarch / 31, day: fromMarch % 31 + 1)?.number
  }
}

/// The public holidays of a job; none by default.
package struct Holidays: Hashable, Sendable {
  /// Day numbers, ascending.
  private let days: [Int]

  package static let none = Holidays([])

  package init(_ days: [CalendarDay]) { self.days = Set(days.map(\.number)).sorted() }

  /// Parses the format of `text`; nil for anything else.
  package init?(text: String) {
    let parts = text.split(separator: ",")
    let days = parts.compactMap { CalendarDay(String($0)) }
    guard days.count == parts.count else { return nil }
    self.init(days)
  }

  /// The dates as text: `2026-12-25,2026-12-26`.
  package var text: String { days.map { CalendarDay(number: $0).text }.joined(separator: ",") }

  func contains(_ day: CalendarDay) -> Bool { days.contains(day.number) }
}

/// A weekday in OpenStreetMap's notation.
package enum Weekday: String, CaseIterable, Sendable {
  case monday = "Mo"
  case tuesday = "Tu"
  case wednesday = "We"
  case thursday = "Th"
  case friday = "Fr"
  case saturday = "Sa"
  case sunday = "Su"

  /// `Mo` to `Su`.
  package static let names = allCases.map(\.rawValue)

  /// Monday is 0.
  package var index: Int { Weekday.allCases.firstIndex(of: self) ?? 0 }

  /// Creates a weekday from its index, modulo 7.
  package init(index: Int) { self = Weekday.allCases[((index % 7) + 7) % 7] }
}

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
