import Tables

/// A period of observed speeds: an hour on a kind of day, in local time.
struct SpeedPeriod: Hashable, Comparable, Sendable {
  /// 24 times the kind of day, plus the hour.
  let number: Int

  /// Nil if there is no such hour.
  init?(number: Int) {
    guard (0..<SpeedPeriod.weekdays.count * 24).contains(number) else { return nil }
    self.number = number
  }

  /// Creates the period of an instant.
  init(_ moment: Moment) { number = max(0, moment.weekday - 4) * 24 + moment.hour }

  /// The kinds of day in OpenStreetMap's notation.
  private static let weekdays = ["Mo-Fr", "Sa", "Su"]
  var weekday: String { SpeedPeriod.weekdays[number / 24] }
  var hour: Int { number % 24 }

  /// Returns the start of an hour as `07:00`; the end of the last hour is `24:00`.
  static func clock(_ hour: Int) -> String { hour < 10 ? "0\(hour):00" : "\(hour):00" }

  static func < (a: SpeedPeriod, b: SpeedPeriod) -> Bool { a.number < b.number }
}

extension SpeedPeriod: Journaled {
  package func write(to journal: inout JournalWriter) { journal.put(number) }

  package init(from journal: inout JournalReader) throws {
    guard let period = SpeedPeriod(number: try journal.take()) else { throw JournalReader.Failure() }
    self = period
  }
}
