import Geography
import Hierarchy
import Routing
import StreetNetwork
import Tables
import Transit
import TransitNetwork

/// Explains in sentences why places have no trip by public transport.
struct TransitDiagnosis {
  private let check: TransitCheck
  private let search: TransitCheck.Search
  private let departures: [DepartureRow]
  /// Longer trips are not searched.
  private static let longest = 24 * 3_600_000

  /// Nil for results without transit. *Throws*: `ResultsError` if the feeds are gone or different; as `TransitStops`.
  init?(_ database: ResultsDatabase, on network: StreetNetwork, workers: Int, cache: String?) throws {
    guard database.record.identity[.transportType] == Job.transitName else { return nil }
    let context = try JobContext(
      Job(of: database, on: network), on: network, workers: workers, .again, cache: cache)
    try context.transit?.check(database)
    guard let check = try TransitCheck(context) else { return nil }
    (self.check, departures) = (check, try database.departures())
    search = TransitCheck.Search(check)
  }

  private var schedule: TransitSchedule { check.stops.schedule }
  private var walkLimit: UInt32 { schedule.rules.walkLimit }

  /// The number of stops near a place, on foot to them or from them, and the nearest.
  func stops(_ direction: NearestTable.Direction, _ name: String, _ end: TripEnd) -> String {
    let walks = search.walks(direction, end)
    let way = direction == .fromTargets ? "from" : "to"
    guard let nearest = walks.min(by: { ($0.milliseconds, $0.stop) < ($1.milliseconds, $1.stop) }) else {
      return "no stop has a way on foot \(way) \(name)"
    }
    let count = walks.count { $0.milliseconds <= walkLimit }
    let stop = "\(schedule.label(of: Int(nearest.stop))), \(minutes(nearest.milliseconds)) min on foot"
    let limit = "\(minutes(walkLimit)) min of walkLimit"
    return count == 0
      ? "no stop is within \(limit) \(way) \(name): the nearest is \(stop)"
      : "\(count) \(count == 1 ? "stop is" : "stops are") within \(limit) \(way) \(name), the nearest \(stop)"
  }

  /// Why there is no trip between two places at a departure, given by its number, or at any if nil.
  func trip(from origin: TripEnd, to destination: TripEnd, at departure: Int?) -> String {
    let lines = [stops(.fromTargets, "the origin", origin), stops(.toTargets, "the destination", destination)]
    let access = search.walks(.fromTargets, origin).filter { $0.milliseconds <= walkLimit }
    let egress = search.egress(to: destination)
    guard !access.isEmpty, !egress.isEmpty else { return lines.joined(separator: "\n") }
    return (lines + [why(access, from: origin, to: destination, at: departure)]).joined(separator: "\n")
  }

  private func why(_ access: [StopWalks.Walk], from origin: TripEnd, to destination: TripEnd, at departure: Int?)
    -> String
  {
    let window = schedule.window
    let chosen = departure.map { [$0 - 1] } ?? Array(window.departures.indices)
    let when =
      departures.indices.contains(chosen[0]) && chosen.count == 1
      ? "at \(departures[chosen[0]].text)" : "at any departure"
    let limit = "\(minutes(schedule.rules.limit)) min of limit"
    let leaves = chosen.contains { check.hasVehicle(from: access, at: window.departures[$0]) }
    guard leaves else { return "no vehicle leaves from the origin's stops \(when) within the \(limit)" }
    let longer = TransitCheck.Search(check.limited(to: TransitDiagnosis.longest))
    let times = longer.times(from: origin, to: [destination], [longer.egress(to: destination)])[0]
    let found = chosen.compactMap { index in times[index].map { (time: $0, index: index) } }
    guard let best = found.min(by: { ($0.time, $0.index) < ($1.time, $1.index) }) else {
      return "no trip leads there \(when)within 24 hours"
    }
    guard best.time > schedule.rules.limit else {
      return "the quickest trip \(when) takes \(minutes(best.time)) min"
    }
    return "the quickest trip \(when) takes \(minutes(best.time)) min, more than the \(limit)"
  }

  /// To one decimal.
  private func minutes(_ milliseconds: UInt32) -> String { Format.decimal(Double(milliseconds) / 60_000, 1) }
}
