import Foundation

/// A moment in local time.
package struct LocalTime: Hashable, Sendable {
  /// 1…12.
  var month: Int
  /// 1…31.
  var day: Int
  /// Monday is 0.
  var weekday: Int
  /// Since midnight.
  var minute: Int

  /// `secondsFromGMT`: how far the clocks are ahead of Greenwich.
  package init(_ date: Date, secondsFromGMT: Int) {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down)) + secondsFromGMT
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    minute = (seconds - days * 86_400) / 60
    weekday = ((days % 7) + 7 + 3) % 7  // 1 January 1970 was a Thursday
    (month, day) = LocalTime.monthAndDay(days)
  }

  /// From days since 1970 (H. Hinnant's civil calendar: years begin in March, eras have 400 years).
  private static func monthAndDay(_ days: Int) -> (month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    return (fromMarch < 10 ? fromMarch + 3 : fromMarch - 9, dayOfYear - (153 * fromMarch + 2) / 5 + 1)
  }
}
