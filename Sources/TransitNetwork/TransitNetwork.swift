import Foundation
import Geography
import Hierarchy
import Input
import OpeningHours
import Routing
import Settings
import StreetNetwork
import Synchronization
import Transit

/// The timetables of GTFS feeds on a walking network, for `Directions`.
///
///     let walking = try await StreetNetwork.load(map: "rhein-neckar.osm.pbf", profile: .stock("walking"))
///     let transit = try TransitNetwork(gtfs: ["rnv.zip"], network: walking)
///     let directions = Directions(transit: transit)
///     var request = DirectionsRequest(source: home, destination: station)
///     (request.transportType, request.departureDate) = (.transit, .now)
///     let routes = try await directions.calculate(request)
///
/// Trips are the same as in jobs by public transport: on foot to a stop, in vehicles, and on foot from a stop; or
/// entirely on foot. The first request snaps the stops to streets and finds the walks between them. Safe to use from
/// many tasks and threads at once.
public final class TransitNetwork: Sendable {
  /// The walking network.
  public let network: StreetNetwork
  /// The options for all trips.
  public let options: Options
  private let feeds: FeedTimetable
  private let shared = Mutex<Shared?>(nil)
  /// Consecutive requests mostly use the same few departures or arrivals.
  private let windows = Mutex(RecentlyUsed<TransitMoments, Window>())

  /// Options for all trips.
  public struct Options: Hashable, Sendable {
    /// The maximum walk to, from and between stops, in seconds: at most two hours.
    public var walkLimit = Double(TransitRules.defaultWalkLimit) / 1000
    /// The minimum time at a stop before a vehicle leaves, in seconds: at most an hour.
    public var boardingSlack = TransitRules.defaultSlack
    /// The maximum duration of a trip, in seconds: at most a day.
    public var timeLimit = Double(TransitRules.defaultLimit) / 1000
    /// The maximum number of vehicles per trip, from 1 to 8; nil for no limit.
    public var maximumRides: Int?
    /// The interpretation of trips of frequencies.txt without `exact_times`.
    public var headways = Headways.timetable
    /// The stops and vehicles that may be used.
    public var wheelchairBoarding = WheelchairAccess.any
    /// The maximum distance from a stop to a street, in metres.
    public var snapLimit = 1000.0

    /// Creates options with default values.
    public init() {}

    /// *Throws*: `DirectionsError.invalidValue`.
    fileprivate func check() throws(DirectionsError) {
      try SettingType.number(of: "seconds", over: 0, atMost: 7200).check(walkLimit, "walkLimit")
      try TransitRules.slackType.check(Double(boardingSlack), "boardingSlack")
      try SettingType.number(of: "seconds", over: 0, atMost: 86_400).check(timeLimit, "timeLimit")
      if let maximumRides { try TransitRules.ridesType.check(Double(maximumRides), "maximumRides") }
      try Directions.Options.snapLimitType.check(snapLimit, "snapLimit")
    }
  }

  /// The interpretation of trips for which a feed only gives the headway (frequencies.txt without `exact_times`).
  public enum Headways: String, Hashable, Sendable, CaseIterable, Codable {
    /// As a timetable from `start_time` on.
    case timetable
    /// Riders wait half the headway, on average: a vehicle leaves every half minute, and riders must be at the stop
    /// earlier by half the headway less a quarter minute.
    case averageWait
  }

  /// The stops and vehicles to use, by the feed's data on wheelchair accessibility.
  public enum WheelchairAccess: String, Hashable, Sendable, CaseIterable, Codable {
    /// All stops and vehicles.
    case any
    /// Stops and vehicles that are not marked as inaccessible.
    case possible
    /// Stops and vehicles that are marked as accessible.
    case known
  }

  /// Data that does not depend on the date.
  private struct Shared: Sendable {
    let stops: TransitStops
    let between: StopWalks
    /// The ends of all stops, which are reached from a place (`from`) or lead to it (`to`).
    let from: StopEnds
    let to: StopEnds

    /// Returns the walks between a place and stops.
    func walks(to ends: StopEnds, around place: TripEnd, within limit: UInt32) -> StopWalks {
      var quickest: [UInt32: UInt32] = [:]
      ReachedPlaces.Query(ends.reached).forEachPlace(around: [place], within: limit) { end, weight in
        let stop = ends.owners[end]
        quickest[stop] = min(quickest[stop] ?? .max, weight.milliseconds)
      }
      return StopWalks([
        quickest.sorted { $0.key < $1.key }.map { StopWalks.Walk(stop: $0.key, milliseconds: $0.value) }
      ])
    }
  }

  /// The ends of all stops, and the stop of each.
  private struct StopEnds: Sendable {
    let reached: ReachedPlaces
    let owners: [UInt32]

    init(_ network: StreetNetwork, _ direction: NearestTable.Direction, _ ends: [[TripEnd]]) {
      reached = ReachedPlaces(network, direction, ends.flatMap(\.self))
      owners = ends.enumerated().flatMap { repeatElement(UInt32($0), count: $1.count) }
    }
  }

  /// The timetable for certain departures or arrivals.
  private typealias Window = (stops: TransitStops, graph: TransitGraph)

  /// Opens the timetables of feeds; the first time, reads them and stores them in a file.
  ///
  /// - Parameters:
  ///   - gtfs: The zips, at least one.
  ///   - network: A network of a walking profile.
  ///   - cache: The folder for the file; the first feed's folder if nil.
  /// - Throws: An error that names the file and the line; `DirectionsError.invalidValue` for an option out of range.
  public init(gtfs: [String], network: StreetNetwork, cache: String? = nil, options: Options = Options()) throws {
    guard let first = gtfs.first else { throw .usage("gtfs: got no feed, expected at least one") }
    guard network.profile.transportType == .walking else {
      throw .input(first, "riders walk to stops; got a network of \(network.profile.name), expected a walking network")
    }
    try options.check()
    (self.network, self.options) = (network, options)
    feeds = try FeedTimetable(gtfs, cache: cache)
  }

  /// Notes from reading the feeds, without full stops.
  public var notes: [String] { feeds.feeds.flatMap(\.notes) }

  private var rules: TransitRules {
    TransitRules(
      walkLimit: UInt32((options.walkLimit * 1000).rounded()), boardingSlack: options.boardingSlack,
      limit: UInt32((options.timeLimit * 1000).rounded()), maximumRides: options.maximumRides,
      headways: TransitWindow.Headways(rawValue: options.headways.rawValue) ?? .timetable,
      wheelchairBoarding: WheelchairBoarding(rawValue: options.wheelchairBoarding.rawValue) ?? .any)
  }

  private static var workers: Int { ProcessInfo.processInfo.activeProcessorCount }

  /// Returns the schedule for departures or arrivals that are all on one day in local time. *Throws*:
  /// `DirectionsError`, or an error if the date has no service.
  private func schedule(_ moments: TransitMoments) throws -> TransitSchedule {
    let named = moments.timeZone.flatMap { LocalClock(timeZone: $0.identifier) }
    guard let clock = named ?? LocalClock(timeZone: network.timeZone) else {
      throw .input(network.path, "no data for its time zone, \(network.timeZone)")
    }
    for date in moments.dates { try date.check() }
    let days = Set(moments.dates.map { clock.day(at: Int($0.timeIntervalSince1970.rounded(.down))) })
    guard let day = days.first, days.count == 1 else { throw DirectionsError.invalidDepartures }
    let midnight = clock.time(ofLocalSeconds: day.number * 86_400)
    return try TransitSchedule(
      feeds, rules, on: day,
      at: moments.dates.map { Int(($0.timeIntervalSince1970 * 1000).rounded(.down)) - midnight * 1000 },
      isArrival: moments.isArrival, within: Int(rules.limit), clock: clock, isNamed: named != nil)
  }

  private func shared(_ schedule: TransitSchedule) throws -> Shared {
    // Computed under the lock, since other requests have to wait for the result anyway.
    try shared.value {
      var snapping = Directions.Options()
      snapping.snapLimit = options.snapLimit
      let router = Router(network, snapping)
      let stops = try TransitStops(schedule, on: network, snapping, map: network.mapName) { places in
        router.ends(at: places.map(\.coordinate.coordinate))
      }
      return Shared(
        stops: stops,
        between: TransitWalks(stops, from: [], to: [], on: network, workers: TransitNetwork.workers).between,
        from: StopEnds(network, .fromTargets, stops.entering), to: StopEnds(network, .toTargets, stops.leaving))
    }
  }

  private func window(_ moments: TransitMoments) throws -> (Window, Shared) {
    if let known = windows.withLock({ $0.value(for: moments) }) { return (known, try shared(known.stops.schedule)) }
    let schedule = try schedule(moments)
    let shared = try shared(schedule)
    let stops = shared.stops.with(schedule)
    let window = Window(stops: stops, graph: stops.graph(shared.between, hasTrips: true))
    windows.withLock { $0.store(window, for: moments, capacity: 4) }
    return (window, shared)
  }
}

extension TransitNetwork: TransitAnswers {
  package func route(
    at moments: TransitMoments, from source: TripEnd, to destination: TripEnd, _ router: Router
  ) throws -> Route? {
    let (window, shared) = try window(moments)
    let walks = TransitWalks(
      access: shared.walks(to: shared.from, around: source, within: rules.walkLimit),
      egress: shared.walks(to: shared.to, around: destination, within: rules.walkLimit), between: shared.between)
    let query = TransitTrips.Query(TransitTrips(window.stops.schedule, walks, window.graph))
    let pair = TransitTrips.Query.Pair(origin: 0, destination: 0, walk: router.weight(from: source, to: destination))
    guard let trip = query.trips(of: [pair])[0].trips[0] else { return nil }
    let moment = window.stops.schedule.window.departures[0]
    var route = TransitRoutes(window.stops).route(of: trip, from: source, to: destination, at: moment, router)?.route
    route?.waiting = UInt32(trip.waiting)
    return route
  }

  package func matrix(
    at moments: TransitMoments, from sources: [TripEnd?], to destinations: [TripEnd?], percentiles: [Int]?
  ) throws -> any MatrixEngine {
    let schedule = try schedule(moments)
    return TransitMatrix(
      try shared(schedule).stops.with(schedule), from: sources, to: destinations, percentiles: percentiles, on: network,
      workers: TransitNetwork.workers)
  }
}

extension Directions {
  /// Creates directions by public transport and on street networks.
  ///
  /// - Parameter networks: A network for each transport type on streets; if nil, only the walking network of `transit`.
  public convenience init(
    transit: TransitNetwork, networks: [StreetNetwork]? = nil, options: Options = Options()
  ) { self.init(networks: networks ?? [transit.network], answering: transit, options: options) { _ in nil } }
}
