import Geography
import OpeningHours
import Tables

/// An instant with its UTC offset: milliseconds since 1970, and the offset in seconds.
///
///     Moment(milliseconds: 1_372_636_858_500, secondsFromGMT: 3600).text     // 2013-07-01T01:00:58.500+01:00
package struct Moment: Hashable, Sendable, JournaledFields {
  package var milliseconds = 0
  package var secondsFromGMT = 0

  package init() {}
  package init(milliseconds: Int, secondsFromGMT: Int) {
    (self.milliseconds, self.secondsFromGMT) = (milliseconds, secondsFromGMT)
  }

  /// ISO 8601; with milliseconds if there are any.
  package var text: String {
    var text = TextBuffer(capacity: 32)
    text.append(self)
    return text.string()
  }

  /// Local time: days since 1970, and milliseconds of the day.
  private var local: (day: Int, milliseconds: Int) {
    let (day, rest) = (milliseconds + secondsFromGMT * 1000).quotientAndRemainder(dividingBy: 86_400_000)
    return rest < 0 ? (day - 1, rest + 86_400_000) : (day, rest)
  }

  fileprivate var date: CalendarDay { CalendarDay(number: local.day) }

  fileprivate var time: (hour: Int, minute: Int, second: Int, millisecond: Int) {
    let rest = local.milliseconds
    return (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60, rest % 1000)
  }

  /// The day of the week: 0 for Monday. 1 January 1970 was a Thursday.
  package var weekday: Int { ((local.day % 7) + 10) % 7 }
  /// The hour of the day: 0…23.
  package var hour: Int { local.milliseconds / 3_600_000 }

  /// Returns the UTC offset as `+01:00`, or `Z`.
  static func zone(secondsFromGMT: Int) -> String {
    guard secondsFromGMT != 0 else { return "Z" }
    let minutes = abs(secondsFromGMT) / 60
    return "\(secondsFromGMT < 0 ? "-" : "+")\((minutes / 60).twoDigits):\((minutes % 60).twoDigits)"
  }

  package mutating func listFields<Journal: JournalVisitor>(in journal: inout Journal) throws(Journal.Problem) {
    try journal(&milliseconds, &secondsFromGMT)
  }
}

extension TextBuffer {
  package mutating func append(_ moment: Moment) {
    let (date, time) = (moment.date, moment.time)
    append(number: date.year, digits: 4)
    append("-")
    append(number: date.month, digits: 2)
    append("-")
    append(number: date.day, digits: 2)
    append("T")
    append(number: time.hour, digits: 2)
    append(":")
    append(number: time.minute, digits: 2)
    append(":")
    append(number: time.second, digits: 2)
    if time.millisecond > 0 {
      append(".")
      append(number: time.millisecond, digits: 3)
    }
    append(text: Moment.zone(secondsFromGMT: moment.secondsFromGMT))
  }

  /// Appends a non-negative number with leading zeros.
  private mutating func append(number: Int, digits: Int) {
    var power = 10
    for _ in 1..<digits {
      if number < power { append("0") }
      power *= 10
    }
    append(integer: number)
  }
}
