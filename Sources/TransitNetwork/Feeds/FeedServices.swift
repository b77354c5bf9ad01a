import Input
import OpeningHours
import StreetNetwork

/// The days on which each service of a feed runs (calendar.txt, calendar_dates.txt), counted from 1 January 1970.
struct FeedServices {
  /// The days supported by `LocalClock`: from 1970 to 2099.
  static let knownDays = 0...47_481

  private(set) var ids = FieldInterner()
  private var services: [Service] = []

  private struct Service {
    /// Nil if calendar.txt lacks the service.
    var range: ClosedRange<Int>?
    /// Whether the service runs on each weekday in `range`, from Monday.
    var runs: [Bool] = []
    /// Whether the service runs on a day, regardless of the weekday.
    var exceptions: [Int: Bool] = [:]
  }

  var count: Int { services.count }

  /// Returns the index of a service. A new one gets the next index, and runs only on the days that are added.
  mutating func index(of id: RowField) -> Int {
    let (isNew, service) = ids.insert(id)
    if isNew { services.append(Service()) }
    return service
  }

  mutating func addWeek(_ id: RowField, _ range: ClosedRange<Int>, runs: [Bool]) throws(RowProblem) {
    let service = index(of: id)
    guard services[service].range == nil else { throw RowProblem("an earlier row has the same service_id") }
    (services[service].range, services[service].runs) = (range, runs)
  }

  mutating func addException(_ id: RowField, _ day: Int, runs: Bool) throws(RowProblem) {
    let service = index(of: id)
    guard services[service].exceptions[day] == nil else {
      throw RowProblem("an earlier row has the same service_id and date")
    }
    services[service].exceptions[day] = runs
  }

  /// Returns the days of a service, unordered.
  func days(of service: Int) -> [Int] {
    let service = services[service]
    let weekly = service.range.map { range in
      range.filter { service.exceptions[$0] == nil && service.runs[CalendarDay(number: $0).weekday] }
    }
    return (weekly ?? []) + service.exceptions.filter(\.value).map(\.key)
  }
}
