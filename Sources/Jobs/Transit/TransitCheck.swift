import Hierarchy
import Routing
import StreetNetwork
import Transit
import TransitNetwork

/// Transit trips by plain search, for verification: `TransitOracle` for the timetable, Dijkstra's algorithm for walks
/// to and from stops. The walks between stops come from the job.
struct TransitCheck: Sendable {
  private(set) var stops: TransitStops
  private(set) var oracle: TransitOracle
  private let network: StreetNetwork
  private let between: StopWalks
  /// The ends of all walks to stops, and from stops, with the stop of each.
  private let entering: [StopEnd]
  private let leaving: [StopEnd]

  private typealias StopEnd = (stop: Int, end: TripEnd)

  /// Nil unless the job uses transit and has departures. *Throws*: errors from `TransitStops`.
  init?(_ context: JobContext) throws {
    guard let schedule = context.transit else { return nil }
    try self.init(schedule, in: context)
  }

  /// *Throws*: errors from `TransitStops`.
  init(_ schedule: TransitSchedule, in context: JobContext) throws {
    let stops = try TransitStops(schedule, in: context)
    self.stops = stops
    network = context.network
    let walks = TransitWalks(stops, from: [], to: [], on: network, workers: context.workers)
    between = walks.between
    oracle = TransitCheck.oracle(stops, between, schedule.window)
    func flat(_ ends: [[TripEnd]]) -> [StopEnd] { ends.enumerated().flatMap { stop, ends in ends.map { (stop, $0) } } }
    (entering, leaving) = (flat(stops.entering), flat(stops.leaving))
  }

  /// A rule that a diagnosis may ignore.
  enum Rule { case maximumRides, forbiddenTransfers }

  private static func oracle(
    _ stops: TransitStops, _ between: StopWalks, _ window: TransitWindow, without rule: Rule? = nil
  ) -> TransitOracle {
    TransitOracle(
      stops.schedule.timetable, window, walks: between, stops: stops.areUsable, trips: stops.schedule.usableTrips,
      forbids: rule != .forbiddenTransfers)
  }

  /// Returns a copy for another window.
  func with(_ schedule: TransitSchedule) -> TransitCheck {
    var check = self
    check.stops = stops.with(schedule)
    check.oracle = TransitCheck.oracle(check.stops, between, schedule.window)
    return check
  }

  /// Returns a copy with a different limit, in milliseconds, and without `rule` if it is given.
  func limited(to milliseconds: Int, without rule: Rule? = nil) -> TransitCheck {
    var window = stops.schedule.window
    window.limit = milliseconds
    if rule == .maximumRides { window.maximumRides = nil }
    var check = self
    check.oracle = TransitCheck.oracle(stops, between, window, without: rule)
    return check
  }

  /// A search on one thread.
  final class Search {
    fileprivate let check: TransitCheck
    private let onFoot: TripOracle

    init(_ check: TransitCheck) { (self.check, onFoot) = (check, TripOracle(check.network)) }

    func egress(to place: TripEnd) -> [StopWalks.Walk] { walks(.toTargets, place, within: nil) }

    fileprivate func access(from place: TripEnd) -> [StopWalks.Walk] { walks(.fromTargets, place, within: nil) }

    /// Returns the walks from a place to stops, or from stops to it, sorted by stop.
    ///
    /// - Parameter limit: The longest walk in milliseconds; nil for the job's.
    func walks(
      _ direction: NearestTable.Direction, _ place: TripEnd, within limit: UInt32? = .max
    ) -> [StopWalks.Walk] {
      let ends = direction == .fromTargets ? check.entering : check.leaving
      let weights =
        direction == .fromTargets
        ? onFoot.weights(from: [place], to: ends.map(\.end))[0]
        : onFoot.weights(from: ends.map(\.end), to: [place]).map { $0[0] }
      return check.walks(weights[...], ends, within: limit)
    }

    /// Returns the travel time between two places in milliseconds at a departure or arrival in the window; nil without
    /// a trip.
    func time(from place: TripEnd, to other: TripEnd, at moment: Int) -> UInt32? {
      let walking = onFoot.weight(from: place, to: other).map { Int($0.milliseconds) }
      return check.oracle.trip(from: access(from: place), to: egress(to: other), walking: walking, at: moment).map {
        UInt32($0.milliseconds)
      }
    }

    /// Returns the travel times between two places at all departures or arrivals, in milliseconds; nil without a trip.
    func times(from place: TripEnd, to other: TripEnd) -> [UInt32?] {
      times(from: place, to: [other], [egress(to: other)])[0]
    }

    /// Returns the travel times from a place to each of the others at all departures or arrivals, in milliseconds; nil
    /// without a trip.
    ///
    /// - Parameter walks: The walks from stops to each of the others.
    func times(from place: TripEnd, to others: [TripEnd], _ walks: [[StopWalks.Walk]]) -> [[UInt32?]] {
      let weights = onFoot.weights(from: [place], to: check.entering.map(\.end) + others)[0]
      let access = check.walks(weights[..<check.entering.count], check.entering)
      let walking = walks.indices.map { weights[check.entering.count + $0].map { Int($0.milliseconds) } }
      let places = walks.indices.map { (egress: walks[$0], walking: walking[$0]) }
      return check.oracle.times(from: access, to: places).map { times in times.map { $0.map { UInt32($0) } } }
    }
  }
}

extension TransitCheck.Search {
  /// Returns the states within a limit of a place, and the ends of stops with their times, at one departure, arrival or
  /// percentile: `row` is its index. With arrivals, these are the states from which the place is reached. Walks are
  /// found by `walker`, vehicles by the oracle, percentiles by sorting.
  func states(
    around place: TripEnd, _ walker: TripReachQuery, within limit: UInt32, row: Int, percentiles: [Int]?
  ) -> ([Seed], [ReachedEnd]) {
    let stops = check.stops
    let walks = stops.schedule.window.isArrival ? egress(to: place) : access(from: place)
    let count = stops.schedule.window.departures.count
    let atStops = check.oracle.timesOfStops(walks).map { times in times.map { $0.map { UInt32($0) } } }
    func time(_ times: [UInt32?]) -> UInt32? {
      let time = percentiles.map { RowAxis.percentile($0[row], of: times) } ?? times[row]
      return time.flatMap { $0 <= limit ? $0 : nil }
    }
    var times: [UInt32: [UInt32?]] = [:]
    func reach(_ state: Seed, after milliseconds: [UInt32?]) {
      var stateTimes = times[state.state.index] ?? Array(repeating: nil, count: count)
      for (row, time) in milliseconds.enumerated() {
        if let time { stateTimes[row] = min(stateTimes[row] ?? .max, time + state.weight.milliseconds) }
      }
      times[state.state.index] = stateTimes
    }
    let onFoot = [UInt32?](repeating: 0, count: count)
    for state in walker.states(around: [place], within: limit)[0] { reach(state, after: onFoot) }
    var ends: [ReachedEnd] = []
    let endsOfStops = stops.ends
    for (stop, stopEnds) in endsOfStops.enumerated()
    where !stopEnds.isEmpty && atStops[stop].contains(where: { $0 != nil }) {
      if let time = time(atStops[stop]) { ends += stopEnds.map { ($0, time) } }
      for state in walker.states(around: stopEnds, within: stops.schedule.rules.walkLimit)[0] {
        reach(state, after: atStops[stop])
      }
    }
    let states = times.sorted { $0.key < $1.key }.compactMap { state, times in
      time(times).map { Seed(StateID(state), Weight(milliseconds: $0, centimetres: 0)) }
    }
    return (states, ends)
  }
}

extension TransitCheck {
  /// Returns the fastest walk of each stop, out of the walks to all its ends.
  private func walks(
    _ weights: ArraySlice<Weight?>, _ ends: [StopEnd], within limit: UInt32? = nil
  ) -> [StopWalks.Walk] {
    let limit = limit ?? stops.schedule.rules.walkLimit
    var fastest: [Int: UInt32] = [:]
    for (end, weight) in zip(ends, weights) {
      guard let weight, weight.milliseconds <= limit else { continue }
      fastest[end.stop] = min(fastest[end.stop] ?? .max, weight.milliseconds)
    }
    return fastest.sorted { $0.key < $1.key }.map { .init(stop: UInt32($0.key), milliseconds: $0.value) }
  }
}
