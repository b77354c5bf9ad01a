import OpeningHours
import StreetNetwork

/// A parser for times: ISO 8601, or seconds or milliseconds since 1970, distinguished by their magnitude. There is one
/// object per file.
package final class TraceClock {
  /// The time zone for times without one.
  private let clock: LocalClock?
  /// Whether any time so far had no zone.
  private(set) var hasReadLocalTime = false

  package init(_ clock: LocalClock?) { self.clock = clock }

  /// Larger numbers are milliseconds: this is 1973 in milliseconds, and the year 5138 in seconds.
  private static let minimumMilliseconds = 1e11
  /// Larger numbers are neither: this is the year 5138 in milliseconds.
  private static let maximumMilliseconds = 1e14

  /// Returns the seconds since 1970. `column` is for messages.
  package func seconds(_ text: UnsafeBufferPointer<UInt8>, in column: String) throws(RowProblem) -> Double {
    if let date = TraceClock.date(text) {
      if let offset = date.offset { return date.seconds - Double(offset) }
      guard let clock else {
        throw RowProblem(
          "\(column) \"\(TraceClock.excerpt(text))\" has no time zone; append Z or an offset such as +01:00, "
            + "or set timeZone")
      }
      hasReadLocalTime = true
      // Zone conversion works in whole seconds.
      let whole = date.seconds.rounded(.down)
      return Double(clock.time(ofLocalSeconds: Int(whole))) + (date.seconds - whole)
    }
    guard let number = DecimalText.number(text), let seconds = TraceClock.seconds(number) else {
      throw RowProblem(
        "\(column) \"\(TraceClock.excerpt(text))\" is not a time, expected ISO 8601 with a zone, "
          + "or seconds or milliseconds since 1970")
    }
    return seconds
  }

  func seconds(_ text: String, in column: String) throws(RowProblem) -> Double {
    var text = text
    let read = text.withUTF8 { bytes in Result { () throws(RowProblem) in try seconds(bytes, in: column) } }
    return try read.get()
  }

  /// Returns the second instant with the same local time if clocks are turned back in between; otherwise nil. Both are
  /// in seconds since 1970.
  func repetition(of time: Double) -> Double? {
    let whole = time.rounded(.down)
    return clock?.repetition(of: Int(whole)).map { Double($0) + (time - whole) }
  }

  /// Returns the seconds since 1970; nil for a number that is neither seconds nor milliseconds.
  static func seconds(_ number: Double) -> Double? {
    guard number.isFinite, abs(number) < maximumMilliseconds else { return nil }
    return abs(number) < minimumMilliseconds ? number : number / 1000
  }

  private static func excerpt(_ text: UnsafeBufferPointer<UInt8>) -> String {
    RowProblem.excerpt(String(decoding: text, as: UTF8.self))
  }

  /// Returns the seconds of local time since 1970, and the UTC offset in seconds, of a date and a time of day in ISO
  /// 8601, such as `2026-11-21T08:30:00.250+01:00`; the offset is nil if there is no zone. Nil for other text.
  private static func date(_ text: UnsafeBufferPointer<UInt8>) -> (seconds: Double, offset: Int?)? {
    func digits(_ at: Int, _ count: Int) -> Int? {
      guard at + count <= text.count else { return nil }
      var number = 0
      for index in at..<at + count {
        let digit = text[index] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        number = number * 10 + Int(digit)
      }
      return number
    }
    func has(_ byte: Unicode.Scalar, _ at: Int) -> Bool { at < text.count && text[at] == UInt8(ascii: byte) }
    guard text.count >= 16, has("-", 4), has("-", 7), has("T", 10) || has(" ", 10) || has("t", 10), has(":", 13),
      let year = digits(0, 4), let month = digits(5, 2), let day = digits(8, 2), let hour = digits(11, 2),
      let minute = digits(14, 2), let date = CalendarDay(year: year, month: month, day: day), hour <= 24, minute <= 59,
      hour < 24 || minute == 0
    else { return nil }
    var (at, second) = (16, 0.0)
    if has(":", at) {
      guard let whole = digits(at + 1, 2), whole <= 60 else { return nil }
      (at, second) = (at + 3, Double(whole))
      if has(".", at) || has(",", at) {
        var (fraction, scale) = (0.0, 1.0)
        at += 1
        let start = at
        while let digit = digits(at, 1) {
          if scale < 1e15 { (fraction, scale) = (fraction * 10 + Double(digit), scale * 10) }
          at += 1
        }
        guard at > start else { return nil }
        second += fraction / scale
      }
    }
    if has(" ", at), at + 1 < text.count { at += 1 }
    let offset: Int?
    if at == text.count {
      offset = nil
    } else if has("Z", at) || has("z", at) {
      guard at + 1 == text.count else { return nil }
      offset = 0
    } else {
      guard has("+", at) || has("-", at), let hours = digits(at + 1, 2), hours <= 14 else { return nil }
      let minutesStart = at + (has(":", at + 3) ? 4 : 3)
      let minutes = minutesStart == text.count && minutesStart == at + 3 ? 0 : digits(minutesStart, 2)
      guard let minutes, minutes < 60, text.count == at + 3 || text.count == minutesStart + 2 else { return nil }
      offset = (hours * 3600 + minutes * 60) * (has("-", at) ? -1 : 1)
    }
    return (Double(date.number * 86_400 + hour * 3600 + minute * 60) + second, offset)
  }
}
