import Foundation
import Geography
import Input
import Jobs
import Routing
import StreetNetwork

/// The trips of a calibration with their fastest routes, and the ignored trips.
struct TripSample: Sendable {
  /// A trip used for the calibration.
  struct Member: Sendable {
    var trip: ObservedTrip
    var time: TimeOfWeek
    /// In days since 1970, in the map's time zone.
    var day: Int
    var origin: TripEnd
    var destination: TripEnd
    var route: TripTimes
  }

  private(set) var members: [Member] = []
  /// Lines of the ignored trips, by reason.
  private(set) var omitted: [TripOmission: [Int]] = [:]
  private let network: StreetNetwork
  private let workers: Int

  /// Trips per chunk; this does not affect the results.
  private static let chunkSize = 32

  init(_ trips: [ObservedTrip], on network: StreetNetwork, workers: Int) throws {
    (self.network, self.workers) = (network, workers)
    var options = Directions.Options()
    options.snapLimit = TripOmission.snapLimit
    guard let clock = LocalClock(timeZone: network.timeZone) else {
      throw .input(network.path, "no data for its time zone, \(network.timeZone)")
    }
    var found: [Result<Member, TripOmission>] = []
    try Pipeline.run(
      Pipeline.chunks(of: trips.count, size: TripSample.chunkSize), workers: workers,
      makeWorker: { [options] in
        let (router, search) = (Router(network, options), FastestRouteSearch(network))
        return { chunk in
          trips[chunk].map { trip in
            Result { () throws(TripOmission) in try TripSample.member(trip, clock, router, search) }
          }
        }
      }, write: { for members in $0 { found += members } })
    for (trip, result) in zip(trips, found) {
      switch result {
      case .success(let member): members.append(member)
      case .failure(let omission): omitted[omission, default: []].append(trip.line)
      }
    }
  }

  private static func member(
    _ trip: ObservedTrip, _ clock: LocalClock, _ router: Router, _ search: FastestRouteSearch
  ) throws(TripOmission) -> Member {
    if let omission = TripOmission(trip) { throw omission }
    guard let origin = router.end(at: trip.origin.coordinate),
      let destination = router.end(at: trip.destination.coordinate)
    else { throw .offStreets }
    guard let route = search.times(from: origin, to: destination) else { throw .unreachable }
    if let omission = TripOmission(trip, route) { throw omission }
    let departure = Int(trip.departure.rounded(.down))
    let day = clock.day(at: departure)
    let second = clock.localSeconds(at: departure) - day.number * 86_400
    let time = TimeOfWeek(weekday: day.weekday, minute: second / 60)
    return Member(trip: trip, time: time, day: day.number, origin: origin, destination: destination, route: route)
  }

  /// Keeps only the trips in a band.
  mutating func keep(_ bands: HourBands) {
    let outside = members.filter { bands.band(of: $0.time) == nil }
    guard !outside.isEmpty else { return }
    omitted[.outsideBands] = outside.map(\.trip.line)
    members.removeAll { bands.band(of: $0.time) == nil }
  }

  /// Returns the fastest routes with a slowness per band and class.
  func routes(at slowness: [ClassSlowness], _ bands: HourBands) throws -> [TripTimes] {
    let (members, network) = (members, network)
    let order = members.indices.sorted { (band($0, bands), $0) < (band($1, bands), $1) }
    let graphs = slowness.map { SlowedGraph(network, $0) }
    var routes = members.map(\.route)
    try Pipeline.run(
      Pipeline.chunks(of: order.count, size: TripSample.chunkSize), workers: workers,
      makeWorker: {
        let search = FastestRouteSearch(network)
        return { chunk in
          order[chunk].map { index in
            let member = members[index]
            let graph = graphs[bands.band(of: member.time)!]
            return (index, search.times(from: member.origin, to: member.destination, at: graph) ?? member.route)
          }
        }
      }, write: { for (index, route) in $0.joined() { routes[index] = route } })
    return routes
  }

  private func band(_ index: Int, _ bands: HourBands) -> Int { bands.band(of: members[index].time) ?? 0 }
}

/// The reason why an observed trip is ignored.
enum TripOmission: Int, CaseIterable, Error {
  case short, long, offStreets, unreachable, stationary, detour, shortcut, outsideBands

  var reason: String {
    switch self {
    case .short: "shorter than 90 s"
    case .long: "longer than 1 h"
    case .offStreets: "with an end more than 150 m from a street"
    case .unreachable: "without a route"
    case .stationary: "with a fastest route of less than 10 s"
    case .detour: "longer than 1.5 times the fastest route plus 300 m"
    case .shortcut: "shorter than 0.7 times the fastest route"
    case .outsideBands: "outside the hours of --bands"
    }
  }

  /// In metres.
  static let snapLimit = 150.0

  /// Checks the duration of the trip; nil if it is within the limits.
  init?(_ trip: ObservedTrip) {
    switch trip.duration {
    case ..<90: self = .short
    case ...3600: return nil
    default: self = .long
    }
  }

  /// Compares the trip with the fastest route between its ends; nil if they are similar enough.
  init?(_ trip: ObservedTrip, _ route: TripTimes) {
    guard route.freeFlow >= 10 else {
      self = .stationary
      return
    }
    switch trip.length {
    case let length? where length > 1.5 * route.length + 300: self = .detour
    case let length? where length < 0.7 * route.length: self = .shortcut
    default: return nil
    }
  }
}

struct TripSummary: Sendable {
  let file: String
  let network: StreetNetwork
  let rows: Int
  private let rejected: Int
  let used: Int
  /// The first and the last departure: `2013-07-01T01:07:38+01:00`.
  let first: String
  let last: String
  /// The reasons for ignored trips, with counts: "44 shorter than 90 s (lines 3, 17, 20, …)".
  private let omissions: String
  /// Seconds between the positions of a polyline, if they determine durations.
  private let interval: Double?

  init(path: String, _ table: ObservedTrips, _ sample: TripSample, _ network: StreetNetwork, interval: Double) {
    file = (path as NSString).lastPathComponent
    self.network = network
    rows = table.trips.count + table.rejected.count
    rejected = table.rejected.count
    used = sample.members.count
    let clock = LocalClock(timeZone: network.timeZone)
    func text(_ time: Double?) -> String {
      guard let time else { return "-" }
      let offset = clock?.secondsFromGMT(at: Int(time.rounded(.down))) ?? 0
      return Timestamp(Date(timeIntervalSince1970: time), secondsFromGMT: offset).text
    }
    let departures = sample.members.map(\.trip.departure)
    (first, last) = (text(departures.min()), text(departures.max()))
    omissions = TripSummary.omissions(sample)
    self.interval = table.countsPositions ? interval : nil
  }

  /// A summary of two to four lines.
  var lines: [String] {
    var lines = ["\(used) of \(rows) trips, \(first) to \(last) (\(network.timeZone))", "left out: \(omissions)"]
    if rejected > 0 { lines.append("rejected: \(rejected)") }
    if let interval {
      lines.append("their polylines have a position every \(MeasureText.decimal(interval, 0)) s (--interval)")
    }
    return lines
  }

  /// Returns the reasons with their counts and first lines; "none" if every trip is used.
  static func omissions(_ sample: TripSample) -> String {
    let reasons = TripOmission.allCases.compactMap { omission -> String? in
      guard let lines = sample.omitted[omission] else { return nil }
      let shown = lines.prefix(3).map(String.init).joined(separator: ", ") + (lines.count > 3 ? ", …" : "")
      return "\(lines.count) \(omission.reason) (\(lines.count == 1 ? "line" : "lines") \(shown))"
    }
    return reasons.isEmpty ? "none" : reasons.joined(separator: "; ")
  }
}
