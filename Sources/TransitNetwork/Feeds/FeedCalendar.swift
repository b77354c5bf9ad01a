import OpeningHours
import StreetNetwork
import Transit

/// The number of a feed's trips on each day.
package struct FeedCalendar {
  /// The first day on which a trip runs, in days since 1 January 1970.
  package let firstDay: Int
  /// The number of trips on each day from `firstDay` to the last day with trips.
  package let trips: [Int]

  /// The minimum share of the usual number of trips on the same weekday; days with fewer are rejected.
  static let minimumShare = 0.2

  /// Returns the calendars of a timetable's feeds.
  package static func all(of timetable: Timetable, feeds: Int) -> [FeedCalendar] {
    var tripsOfServices = [Int](repeating: 0, count: timetable.serviceFeeds.count)
    for trip in timetable.trips { tripsOfServices[Int(trip.service)] += 1 }
    let words = timetable.serviceDays.count / timetable.serviceFeeds.count
    var counts = [[Int]](repeating: [Int](repeating: 0, count: words * 64), count: feeds)
    for (service, count) in tripsOfServices.enumerated() where count > 0 {
      for word in 0..<words {
        var bits = timetable.serviceDays[service * words + word]
        while bits != 0 {
          counts[Int(timetable.serviceFeeds[service])][word * 64 + bits.trailingZeroBitCount] += count
          bits &= bits - 1
        }
      }
    }
    return counts.map { counts in
      let first = counts.firstIndex { $0 > 0 } ?? 0
      let last = counts.lastIndex { $0 > 0 } ?? first
      return FeedCalendar(firstDay: Int(timetable.firstDay[0]) + first, trips: Array(counts[first...last]))
    }
  }

  func trips(on day: CalendarDay) -> Int {
    let index = day.number - firstDay
    return trips.indices.contains(index) ? trips[index] : 0
  }

  /// Returns the median number of trips on days of the same weekday with service; 0 if there are none.
  func usualTrips(on day: CalendarDay) -> Int {
    FeedCalendar.median(
      trips.indices.lazy.filter { trips[$0] > 0 && CalendarDay(number: firstDay + $0).weekday == day.weekday }
        .map { trips[$0] })
  }

  /// Returns the reason for rejecting a day, as the end of a sentence; nil if the day is accepted.
  func problem(on day: CalendarDay) -> String? {
    let (count, usual) = (trips(on: day), usualTrips(on: day))
    let name = "\(day.text) (\("\(Weekday(index: day.weekday))".capitalized))"
    guard count > 0 else {
      let range = [firstDay, firstDay + trips.count - 1].map { CalendarDay(number: $0).text }
      return "nothing runs on \(name), but trips run from \(range[0]) to \(range[1]): \(examples(near: day))"
    }
    guard Double(count) < Double(usual) * FeedCalendar.minimumShare else { return nil }
    return
      "\(count) \(count == 1 ? "trip runs" : "trips run") on \(name), usually \(usual) on this weekday; name another date, or add a feed that covers this one: "
      + examples(near: day)
  }

  /// Returns a sentence about the nearest three days with at least the usual number of trips, of the same weekday if
  /// any has service: "at least 7123 trips run on 2016-12-07, 2016-12-14, 2016-12-21".
  private func examples(near day: CalendarDay) -> String {
    let served = trips.indices.filter { trips[$0] > 0 }
    let sameWeekday = served.filter { CalendarDay(number: firstDay + $0).weekday == day.weekday }
    let days = sameWeekday.isEmpty ? served : sameWeekday
    let usual = FeedCalendar.median(days.map { trips[$0] })
    let nearest = days.filter { trips[$0] >= usual }.map { firstDay + $0 }
      .sorted { (abs($0 - day.number), $0) < (abs($1 - day.number), $1) }.prefix(3)
    return "at least \(usual) \(usual == 1 ? "trip runs" : "trips run") on "
      + nearest.sorted().map { CalendarDay(number: $0).text }.joined(separator: ", ")
  }

  /// Returns the median; for an even count, the lower of the two middle values.
  private static func median(_ numbers: some Sequence<Int>) -> Int {
    let sorted = numbers.sorted()
    return sorted.isEmpty ? 0 : sorted[(sorted.count - 1) / 2]
  }
}
