import Geography
import Hierarchy
import Input
import Routing
import StreetNetwork
import Tables
import Transit
import TransitNetwork

/// Explains why places have no trip by public transport.
struct TransitDiagnosis {
  private let check: TransitCheck
  /// The same check for riders without a wheelchair; nil if `wheelchairBoarding` is `any`.
  private let withoutWheelchair: TransitCheck?
  private let search: TransitCheck.Search
  private let dates: TransitDates?
  private let departures: [DepartureRow]
  /// The longest trip to search for, in milliseconds.
  private static let searchLimit = 24 * 3_600_000

  /// Nil for results without transit, and if no row has a time. *Throws*: `ResultsError` if the feeds are missing or have
  /// changed; also errors from `TransitStops`.
  init?(_ database: ResultsDatabase, on network: StreetNetwork, workers: Int, cache: String?) throws {
    guard database.record.identity[.transportType] == Job.transitName else { return nil }
    let context = try JobContext(
      Job(of: database, on: network), on: network, workers: workers, .verification, cache: cache)
    try context.transit?.check(database)
    dates = try TransitDates(context)
    if let check = try TransitCheck(context) {
      (self.check, departures) = (check, try database.departures())
    } else {
      // Uses the time of the first row with its own time; the windows of other rows may differ.
      let times = try database.database.rows(
        """
        SELECT arrival_time, departure_date FROM route
        WHERE coalesce(arrival_time, departure_date) NOT NULL ORDER BY fid LIMIT 1
        """
      ) { (try $0["arrival_time"] as String?, try $0["departure_date"] as String?) }
      guard let dates, let first = times.first,
        let time = PairTable.RowTime(arrival: first.0, departure: first.1)
      else { return nil }
      let schedule = try dates.schedule(in: dates.hour(of: time).hour)
      try schedule.check(database)
      (check, departures) = (try TransitCheck(schedule, in: context), [])
    }
    search = TransitCheck.Search(check)
    let schedule = check.stops.schedule
    withoutWheelchair =
      schedule.rules.wheelchairBoarding == .any ? nil : try TransitCheck(schedule.withoutWheelchair(), in: context)
  }

  private init(_ other: TransitDiagnosis, _ schedule: TransitSchedule, _ departure: String) {
    (check, dates) = (other.check.with(schedule), other.dates)
    withoutWheelchair = other.withoutWheelchair?.with(schedule.withoutWheelchair())
    departures = [DepartureRow(departure: departure)]
    search = TransitCheck.Search(check)
  }

  /// Returns the diagnosis at the departure or arrival of a row with its own time; nil for a date without service.
  func at(_ time: PairTable.RowTime) -> TransitDiagnosis? {
    guard let dates else { return nil }
    let (hour, milliseconds) = dates.hour(of: time)
    return (try? dates.schedule(in: hour)).map { schedule in
      TransitDiagnosis(self, schedule.at([milliseconds]), time.moment.text)
    }
  }

  private var schedule: TransitSchedule { check.stops.schedule }
  private var walkLimit: UInt32 { schedule.rules.walkLimit }

  /// Describes the usable stops within walking distance of a place: their number and the nearest one.
  func stops(_ direction: NearestTable.Direction, _ name: String, _ end: TripEnd) -> String {
    let walks = walks(direction, end)
    let preposition = direction == .fromTargets ? "from" : "to"
    let allowed = schedule.rules.wheelchairBoarding == .any ? "" : " that wheelchairBoarding allows"
    guard let nearest = walks.min(by: { ($0.milliseconds, $0.stop) < ($1.milliseconds, $1.stop) }) else {
      return direction == .fromTargets
        ? "no stop\(allowed) can be reached on foot from \(name)"
        : "\(name) cannot be reached on foot from any stop\(allowed)"
    }
    let count = walks.count { $0.milliseconds <= walkLimit }
    let stop = "\(schedule.label(of: Int(nearest.stop))), \(minutes(nearest.milliseconds)) min on foot"
    let limit = "the walkLimit of \(minutes(walkLimit)) min"
    return count == 0
      ? "no stop\(allowed) is within \(limit) \(preposition) \(name): the nearest is \(stop)"
      : "\(count) \(count == 1 ? "stop\(allowed) is" : "stops\(allowed) are") within \(limit) \(preposition) \(name), "
        + "the nearest \(stop)"
  }

  /// Returns the walks between a place and all usable stops.
  private func walks(_ direction: NearestTable.Direction, _ end: TripEnd) -> [StopWalks.Walk] {
    let areUsable = check.stops.areUsable
    return search.walks(direction, end).filter { areUsable[Int($0.stop)] }
  }

  /// Explains why there is no trip between two places.
  ///
  /// - Parameter departure: The number of the departure or arrival, from 1; nil for all of them.
  func trip(from origin: TripEnd, to destination: TripEnd, at departure: Int?) -> String {
    let lines = [stops(.fromTargets, "the origin", origin), stops(.toTargets, "the destination", destination)]
    let access = walks(.fromTargets, origin).filter { $0.milliseconds <= walkLimit }
    let egress = walks(.toTargets, destination).filter { $0.milliseconds <= walkLimit }
    let chosen = departure.map { [$0 - 1] } ?? Array(schedule.window.departures.indices)
    let reasons =
      access.isEmpty || egress.isEmpty ? [] : [reason(access, egress, from: origin, to: destination, at: chosen)]
    return (lines + reasons + hints(from: origin, to: destination, at: chosen)).joined(separator: "\n")
  }

  private func reason(
    _ access: [StopWalks.Walk], _ egress: [StopWalks.Walk], from origin: TripEnd, to destination: TripEnd,
    at chosen: [Int]
  ) -> String {
    let window = schedule.window
    let isSingle = departures.indices.contains(chosen[0]) && chosen.count == 1
    let atTime =
      window.isArrival
      ? isSingle ? "by \(departures[chosen[0]].text)" : "by any arrival time"
      : isSingle ? "at \(departures[chosen[0]].text)" : "at any departure time"
    let limit = "limit of \(minutes(schedule.rules.limit)) min"
    let runs = chosen.contains {
      window.isArrival
        ? check.oracle.hasVehicle(to: egress, by: window.departures[$0])
        : check.oracle.hasVehicle(from: access, at: window.departures[$0])
    }
    guard runs else {
      return window.isArrival
        ? "no vehicle reaches the destination's stops \(atTime) within the \(limit)"
        : "no vehicle leaves from the origin's stops \(atTime) within the \(limit)"
    }
    let limited = check.limited(to: TransitDiagnosis.searchLimit)
    guard let best = minimumTime(limited, from: origin, to: destination, at: chosen) else {
      return "there is no trip \(atTime) within 24 hours"
    }
    guard best > schedule.rules.limit else { return "the fastest trip \(atTime) takes \(minutes(best)) min" }
    return "the fastest trip \(atTime) takes \(minutes(best)) min, more than the \(limit)"
  }

  /// Returns hints about rules that, if lifted, would allow a trip within the limit.
  private func hints(from origin: TripEnd, to destination: TripEnd, at chosen: [Int]) -> [String] {
    func time(_ rule: TransitCheck.Rule?, _ check: TransitCheck? = nil) -> String? {
      let limited = (check ?? self.check).limited(to: Int(schedule.rules.limit), without: rule)
      return minimumTime(limited, from: origin, to: destination, at: chosen).map { "\(minutes($0)) min" }
    }
    guard time(nil) == nil else { return [] }
    var hints: [String] = []
    if let maximum = schedule.window.maximumRides, let time = time(.maximumRides) {
      hints.append("with more vehicles than maximumRides (\(maximum)), a trip takes \(time)")
    }
    let boarding = schedule.rules.wheelchairBoarding
    if let withoutWheelchair, let time = time(nil, withoutWheelchair) {
      hints.append(
        "with stops, vehicles and stairs that wheelchairBoarding (\(boarding.rawValue)) excludes, a trip takes \(time)")
    }
    if schedule.timetable.transfers.contains(where: { $0.type == 3 }), let time = time(.forbiddenTransfers) {
      hints.append("with a transfer that transfers.txt forbids (transfer_type 3), a trip takes \(time)")
    }
    return hints
  }

  /// Returns the minimum travel time at the chosen departures or arrivals; nil if there is no trip.
  private func minimumTime(
    _ check: TransitCheck, from origin: TripEnd, to destination: TripEnd, at chosen: [Int]
  ) -> UInt32? {
    let times = TransitCheck.Search(check).times(from: origin, to: destination)
    return chosen.compactMap { times[$0] }.min()
  }

  private func minutes(_ milliseconds: UInt32) -> String { Format.decimal(Double(milliseconds) / 60_000, 1) }
}
