import Geography
import Routing
import StreetNetwork
import Tables
import Transit

/// The timetable of a transit job on the job's date.
struct TransitSchedule: Sendable {
  let task: TransitTask
  let feeds: FeedTimetable
  let calendar: ServiceCalendar
  let window: TransitWindow
  /// Whether any trip calls at each stop of the timetable.
  let isServed: [Bool]

  var timetable: Timetable { feeds.timetable }

  /// - Parameters:
  /// - job: A job with resolved departures.
  /// - cache: The folder for timetable files; nil: the first feed's folder.
  ///   - note: Called with a sentence before feeds are read.
  /// - Throws: `InputError` for a feed, and for a date without service; `CacheError`.
  init(
    _ task: TransitTask, of job: Job, on network: StreetNetwork, cache: String?, note: (String) -> Void
  ) throws {
    guard let departures = job.departures, let date = departures.date else {
      preconditionFailure("a transit job has departures or arrivals on a date")
    }
    self.task = task
    feeds = try FeedTimetable(task.gtfs, cache: cache, report: note)
    calendar = try ServiceCalendar(
      feeds, on: date, clock: job.clock(on: network), isNamed: job.hours.clock != nil)
    // When clocks are turned back, a local time does not determine the moment.
    let moment = job.hours.times == nil ? job.departure ?? job.arrival : nil
    let longest = (job.task as? IsochroneTask).map { $0.reach.longest * 1000 }
    window = TransitWindow(
      departures: moment.map { [departures.milliseconds(fromMidnightTo: $0)] } ?? departures.millisecondsFromMidnight,
      isArrival: departures.isArrival, limit: longest ?? Int(task.limit), boardingSlack: task.boardingSlack,
      maximumRides: task.maximumRides, days: calendar.days)
    var isServed = [Bool](repeating: false, count: feeds.timetable.stops.count)
    for stop in feeds.timetable.callStops { isServed[Int(stop)] = true }
    self.isServed = isServed
  }

  /// Whether a stop matches the job's `wheelchairBoarding`; a stop without a value has its station's.
  func allows(stop: Int) -> Bool {
    let own = timetable.stops[stop]
    let isUnknown = own.boarding != 1 && own.boarding != 2
    let known = isUnknown && own.parent != Timetable.none ? timetable.stops[Int(own.parent)].boarding : own.boarding
    return task.wheelchairBoarding.allows(known)
  }

  /// Whether each trip's vehicle matches the job's `wheelchairBoarding`; nil if all do.
  var usableTrips: [Bool]? {
    task.wheelchairBoarding == .any
      ? nil : timetable.trips.map { task.wheelchairBoarding.allows(UInt16(truncatingIfNeeded: $0.wheelchair)) }
  }

  /// A label of a stop: its id and, if it has one, its name.
  func label(of stop: Int) -> String {
    let facts = timetable.stops[stop]
    let (id, name) = (timetable.text(facts.id), timetable.text(facts.name))
    return name.isEmpty ? id : "\(id) (\(name))"
  }

  /// Notes about feeds and date for the user, without full stops.
  var notes: [String] { feeds.feeds.flatMap(\.notes) + calendar.notes }
}
