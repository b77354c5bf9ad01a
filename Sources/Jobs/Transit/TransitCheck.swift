import Hierarchy
import Routing
import StreetNetwork
import Transit

/// Transit trips by plain search, for verification: `TransitOracle` on the timetable, Dijkstra's algorithm for the
/// walks to and from stops. Walks between stops are those of the job.
struct TransitCheck: Sendable {
  let stops: TransitStops
  private let network: StreetNetwork
  private let oracle: TransitOracle
  private let between: StopWalks
  /// All ends of stops, and the stop of each.
  private let ends: [TripEnd]
  private let owners: [Int]

  /// Nil for a job that travels on streets alone. *Throws*: as `TransitStops`.
  init?(_ context: JobContext) throws {
    guard let schedule = context.transit else { return nil }
    let stops = try TransitStops(schedule, in: context)
    self.stops = stops
    network = context.network
    let walks = TransitWalks(stops, from: [], to: [], on: network, workers: context.workers)
    between = walks.between
    oracle = TransitOracle(schedule.timetable, schedule.window, walks: between, stops: stops.areUsable)
    owners = stops.ends.indices.flatMap { repeatElement($0, count: stops.ends[$0].count) }
    ends = stops.ends.flatMap(\.self)
  }

  /// The same with another limit of trips, in milliseconds.
  private init(_ other: TransitCheck, limit: Int) {
    (stops, network, between, owners, ends) = (other.stops, other.network, other.between, other.owners, other.ends)
    var window = stops.schedule.window
    window.limit = limit
    oracle = TransitOracle(stops.schedule.timetable, window, walks: between, stops: stops.areUsable)
  }

  /// Whether a vehicle leaves, within the limit of a trip, from stops that walks lead to from an origin.
  func hasVehicle(from access: [StopWalks.Walk], at moment: Int) -> Bool {
    oracle.hasVehicle(from: access, at: moment)
  }

  func limited(to milliseconds: Int) -> TransitCheck { TransitCheck(self, limit: milliseconds) }

  /// Searches on one thread.
  final class Search {
    private let check: TransitCheck
    private let outward: TripOracle
    private let inward: TripOracle

    init(_ check: TransitCheck) {
      self.check = check
      outward = TripOracle(TripReach(check.network, .fromTargets))
      inward = TripOracle(TripReach(check.network, .toTargets))
    }

    /// The walks from stops to a place.
    func egress(to place: TripEnd) -> [StopWalks.Walk] {
      check.walks(inward.weights(between: place, and: check.ends)[...])
    }

    /// The walks from a place to stops, or from stops to it, each as long as it may be; by stop.
    func walks(_ direction: NearestTable.Direction, _ place: TripEnd) -> [StopWalks.Walk] {
      let search = direction == .fromTargets ? outward : inward
      return check.walks(search.weights(between: place, and: check.ends)[...], within: .max)
    }

    /// The travel times from a place to others in milliseconds, nil for none, each at all departures.
    ///
    /// - Parameter walks: From stops to each of the others.
    func times(from place: TripEnd, to others: [TripEnd], _ walks: [[StopWalks.Walk]]) -> [[UInt32?]] {
      let onFoot = outward.weights(between: place, and: check.ends + others)
      let places = walks.indices.map { other in
        TransitOracle.Place(
          egress: walks[other], walking: onFoot[check.ends.count + other].map { Int($0.milliseconds) })
      }
      return check.oracle.times(from: check.walks(onFoot[..<check.ends.count]), to: places).map { times in
        times.map { $0.map { UInt32($0) } }
      }
    }
  }

  /// What computes the travel times between two places in milliseconds, nil for none, at all departures; on one thread.
  func makeTimes() -> (_ from: TripEnd, _ to: TripEnd) -> [UInt32?] {
    let search = Search(self)
    return { from, to in search.times(from: from, to: [to], [search.egress(to: to)])[0] }
  }

  /// The quickest walk of each stop, of walks to all ends.
  private func walks(_ weights: ArraySlice<Weight?>, within limit: UInt32? = nil) -> [StopWalks.Walk] {
    let limit = limit ?? stops.schedule.task.walkLimit
    var quickest: [Int: UInt32] = [:]
    for (owner, weight) in zip(owners, weights) {
      guard let weight, weight.milliseconds <= limit else { continue }
      quickest[owner] = min(quickest[owner] ?? .max, weight.milliseconds)
    }
    return quickest.sorted { $0.key < $1.key }.map { .init(stop: UInt32($0.key), milliseconds: $0.value) }
  }
}
