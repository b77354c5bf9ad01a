import Geography
import Routing
import StreetNetwork
import Tables
import Transit

/// The timetable of a transit job on the date that it asks for.
struct TransitSchedule: Sendable {
  let task: TransitTask
  let feeds: FeedTimetable
  let calendar: ServiceCalendar
  let window: TransitWindow
  /// Whether a trip calls at each stop of the timetable.
  let isServed: [Bool]

  var timetable: Timetable { feeds.timetable }

  /// - Parameters:
  ///   - job: With its departures resolved.
  ///   - cache: The folder for timetable files; that of the first feed if nil.
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
    // Where clocks are turned back, what they show at a moment is not yet the moment.
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

  /// Whether a stop counts by the job's `wheelchairBoarding`; a stop that does not say is as its station.
  func allows(stop: Int) -> Bool {
    let own = timetable.stops[stop]
    let isUnknown = own.boarding != 1 && own.boarding != 2
    let known = isUnknown && own.parent != Timetable.none ? timetable.stops[Int(own.parent)].boarding : own.boarding
    return task.wheelchairBoarding.allows(known)
  }

  /// Whether the vehicle of each trip counts by the job's `wheelchairBoarding`; nil: all do.
  var usableTrips: [Bool]? {
    task.wheelchairBoarding == .any
      ? nil : timetable.trips.map { task.wheelchairBoarding.allows(UInt16(truncatingIfNeeded: $0.wheelchair)) }
  }

  /// The names of a stop: its id and, where it has one, its name.
  func label(of stop: Int) -> String {
    let facts = timetable.stops[stop]
    let (id, name) = (timetable.text(facts.id), timetable.text(facts.name))
    return name.isEmpty ? id : "\(id) (\(name))"
  }

  /// Sentences about feeds and date for people, without an end.
  var notes: [String] { feeds.feeds.flatMap(\.notes) + calendar.notes }
}
