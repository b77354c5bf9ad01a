import Foundation
import Geography
import OpeningHours

/// Weekly hours with a resolution of five minutes: `Mo-Fr 07:30-09:00`.
public struct WeekHours: Hashable, Sendable {
  /// Ranges of slots from midnight on Monday: ascending, with gaps between them.
  let slots: [Range<Int>]

  static let slotsPerHour = 12
  static let slotCount = 168 * slotsPerHour
  /// The whole week.
  package static let all = WeekHours(slots: [0..<slotCount])

  private init(slots: [Range<Int>]) { self.slots = slots }

  /// Parses hours in OpenStreetMap's notation. *Throws*: `OdometerError`: "got …, expected …".
  public init(_ text: String) throws(OdometerError) {
    guard let hours = OpeningHours(text) else {
      throw .usage("got \"\(text)\", expected days and hours, e.g. Mo-Fr 07:30-09:00")
    }
    guard hours.isWeekly, !hours.usesHolidays, !hours.usesSchoolHolidays else {
      throw .usage("got \"\(text)\", expected days of the week and hours only, no dates or holidays")
    }
    guard hours.clockMinutes.allSatisfy({ $0 % 5 == 0 }) else {
      throw .usage("got \"\(text)\", expected times at multiples of five minutes")
    }
    let place = SunPlace(tenthsNorth: 0, tenthsEast: 0)
    let isIncluded = LocalTime.week(of: .typicalMonday, every: 5).map { hours.state(at: $0, place) == .open }
    let first = isIncluded.indices.filter { isIncluded[$0] && ($0 == 0 || !isIncluded[$0 - 1]) }
    let last = isIncluded.indices.filter { isIncluded[$0] && ($0 + 1 == isIncluded.count || !isIncluded[$0 + 1]) }
    slots = zip(first, last).map { $0..<$1 + 1 }
    if slots.isEmpty { throw .usage("got \"\(text)\", which never applies") }
  }

  /// The longest period of 5, 15, 30 or 60 minutes that fits the hours, in slots.
  var period: Int { WeekHours.longestPeriod { period in slots.allSatisfy { $0.isConstant(inPeriodsOf: period) } } }

  /// The permitted period lengths of speeds, in slots of five minutes.
  static let periodLengths = [12, 6, 3, 1]

  /// Returns the longest period for which `holds` is true; all data fits periods of five minutes.
  static func longestPeriod(_ holds: (Int) -> Bool) -> Int { periodLengths.first(where: holds) ?? 1 }
}

extension Range<Int> {
  fileprivate func isConstant(inPeriodsOf period: Int) -> Bool {
    lowerBound.isMultiple(of: period) && upperBound.isMultiple(of: period)
  }
}

extension CalendarDay {
  /// A day that represents all Mondays.
  static let typicalMonday = CalendarDay(number: 19_723)
}

extension LocalTime {
  /// Returns the times of a week that starts on a Monday, every `minutes` minutes.
  static func week(of monday: CalendarDay, every minutes: Int, secondsFromGMT: Int = 0, holidays: Holidays = .none)
    -> [LocalTime]
  {
    (0..<7).flatMap { day in
      stride(from: 0, to: 1440, by: minutes).map {
        LocalTime(monday.adding(day), minute: $0, secondsFromGMT: secondsFromGMT, holidays: holidays)
      }
    }
  }
}
