import Input
import OpeningHours
import StreetNetwork

/// GTFS field types (GTFS Schedule Reference, *Field Types*), parsed without creating strings.
extension RowField {
  /// Returns a time in seconds of the service day, which starts at noon minus 12 h: "7:05:00", "25:10:30".
  func serviceTime(in column: String) throws(RowProblem) -> Int32 {
    var parts: (Int32, Int32, Int32) = (0, 0, 0)
    var (colons, digits) = (0, 0)
    var isTime = true
    for byte in bytes {
      if byte == UInt8(ascii: ":") {
        isTime = isTime && digits > 0 && colons < 2
        (colons, digits, parts) = (colons + 1, 0, (parts.1, parts.2, 0))
      } else {
        let digit = byte &- UInt8(ascii: "0")
        digits += 1
        isTime = isTime && digit < 10 && digits <= (colons == 0 ? 3 : 2)
        guard isTime else { break }
        parts.2 = parts.2 * 10 + Int32(digit)
      }
    }
    guard isTime, colons == 2, digits == 2, parts.1 < 60, parts.2 < 60 else {
      throw RowProblem("\(column) is not a time, expected hours, minutes and seconds, e.g. 07:05:00")
    }
    return parts.0 * 3600 + parts.1 * 60 + parts.2
  }

  /// A non-negative integer of at most nine digits; nil for anything else.
  var wholeNumber: Int? {
    var number = 0
    guard !isEmpty, bytes.count < 10 else { return nil }
    for byte in bytes {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int(digit)
    }
    return number
  }

  /// Returns the days since 1970 of a date such as "20261123".
  func day(in column: String) throws(RowProblem) -> Int {
    guard bytes.count == 8, let number = wholeNumber,
      let day = CalendarDay(year: number / 10_000, month: number / 100 % 100, day: number % 100),
      FeedServices.knownDays.contains(day.number)
    else { throw RowProblem("\(column) is not a day from 1970 to 2099, expected e.g. 20261123") }
    return day.number
  }

  /// 0xRRGGBB from six hexadecimal digits; nil for anything else.
  var color: UInt32? { bytes.count == 6 ? UInt32(text, radix: 16) : nil }

  /// Returns whether the field is this single digit.
  func isDigit(_ digit: Unicode.Scalar) -> Bool { bytes.count == 1 && bytes[0] == UInt8(ascii: digit) }
}
