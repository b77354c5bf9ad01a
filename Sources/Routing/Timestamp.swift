import Foundation
import Geography
import Hierarchy
import OpeningHours
import StreetNetwork

/// An instant with its UTC offset.
///
///     Timestamp("2026-11-21T08:30:00+01:00")     // ISO 8601 with a zone
package struct Timestamp: Hashable, Sendable {
  package var date: Date
  package var secondsFromGMT: Int

  package init(_ date: Date, secondsFromGMT: Int) {
    self.date = date
    self.secondsFromGMT = secondsFromGMT
  }

  /// The accepted format, for messages.
  package static let allowed = "a date with time and zone, e.g. 2026-11-21T08:30:00+01:00"

  /// Creates a timestamp from a date with a time and a zone; nil for any other string.
  package init?(_ text: String) {
    let text = text.uppercased().replacing(" ", with: "T")
    guard let zoneStart = text.dropFirst(11).firstIndex(where: { "Z+-".contains($0) }),
      let seconds = Timestamp.seconds(ofZone: text[zoneStart...])
    else { return nil }
    let parts = text[..<zoneStart].split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, let day = CalendarDay(String(parts[0])),
      parts[1].allSatisfy({ "0123456789:.".contains($0) })
    else { return nil }
    let clock = parts[1].split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(clock.count), let hour = Int(clock[0]), let minute = Int(clock[1]),
      let second = clock.count > 2 ? Double(clock[2]) : 0,
      (0...23).contains(hour) || hour == 24 && minute == 0 && second == 0, (0...59).contains(minute),
      (0..<61).contains(second)
    else { return nil }
    let date = Date(timeIntervalSince1970: Double(day.number * 86_400 + hour * 3600 + minute * 60))
    self.init(date.addingTimeInterval(second - Double(seconds)), secondsFromGMT: seconds)
  }

  /// Returns the offset of `Z`, `+01:00`, `-0330` or `+02` in seconds; nil for any other string.
  private static func seconds(ofZone zone: Substring) -> Int? {
    guard zone != "Z" else { return 0 }
    let digits = zone.dropFirst().filter { $0 != ":" }
    guard digits.count == 2 || digits.count == 4, digits.allSatisfy({ ("0"..."9").contains($0) }),
      let hours = Int(digits.prefix(2)), hours <= 14,
      let minutes = digits.count == 4 ? Int(digits.suffix(2)) : 0, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (zone.first == "-" ? -60 : 60)
  }

  package var localTime: LocalTime { localTime(.none) }

  /// Returns the local time, in a calendar with the given holidays.
  package func localTime(_ holidays: Holidays) -> LocalTime {
    LocalTime(date, secondsFromGMT: secondsFromGMT, holidays: holidays)
  }

  package func adding(seconds: Double) -> Timestamp {
    Timestamp(date.addingTimeInterval(seconds), secondsFromGMT: secondsFromGMT)
  }

  /// The timestamp in ISO 8601, to the second: `2026-11-21T08:30:00+01:00`.
  package var text: String {
    let zone = TimeZone(secondsFromGMT: secondsFromGMT)!
    let rounded = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded())
    let clock = rounded.formatted(
      Date.ISO8601FormatStyle(timeZone: zone).year().month().day().time(includingFractionalSeconds: false))
    guard secondsFromGMT != 0 else { return clock + "Z" }
    let minutes = abs(secondsFromGMT) / 60
    return "\(clock)\(secondsFromGMT < 0 ? "-" : "+")\((minutes / 60).twoDigits):\((minutes % 60).twoDigits)"
  }
}

extension TripTime {
  /// Creates a time on the clock of the week from a timestamp, with its local date for opening hours.
  package init(_ timestamp: Timestamp, holidays: Holidays = .none, isArrival: Bool = false) {
    let milliseconds =
      Int(((timestamp.date.timeIntervalSince1970) * 1000).rounded(.down)) + timestamp.secondsFromGMT * 1000
    let day = (milliseconds - (milliseconds % 86_400_000 + 86_400_000) % 86_400_000) / 86_400_000
    // 1 January 1970 was a Thursday.
    let weekday = ((day + 3) % 7 + 7) % 7
    self.init(
      clock: SpeedProfiles.week + UInt32(weekday * 86_400_000 + milliseconds - day * 86_400_000),
      day: timestamp.localTime(holidays), isArrival: isArrival)
  }
}
