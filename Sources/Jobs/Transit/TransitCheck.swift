import Hierarchy
import Routing
import StreetNetwork
import Transit

/// Transit trips by plain search, for verification: `TransitOracle` on the timetable, Dijkstra's algorithm for the
/// walks to and from stops. Walks between stops are those of the job.
struct TransitCheck: Sendable {
  private let stops: TransitStops
  private let network: StreetNetwork
  private let oracle: TransitOracle
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
    oracle = TransitOracle(schedule.timetable, schedule.window, walks: walks.between, stops: stops.areUsable)
    owners = stops.ends.indices.flatMap { repeatElement($0, count: stops.ends[$0].count) }
    ends = stops.ends.flatMap(\.self)
  }

  /// The number of departures.
  var departures: Int { stops.schedule.window.departures.count }

  /// What computes the travel times between two places in milliseconds, nil for none, at some departures; on one
  /// thread.
  func makeTimes() -> (_ from: TripEnd, _ to: TripEnd, _ departures: Range<Int>) -> [UInt32?] {
    let outward = TripOracle(TripReach(network, .fromTargets))
    let inward = TripOracle(TripReach(network, .toTargets))
    return { [self] from, to, departures in
      let onFoot = outward.weights(between: from, and: ends + [to])
      let access = walks(onFoot.dropLast())
      let egress = walks(inward.weights(between: to, and: ends)[...])
      return departures.map { departure in
        oracle.trips(from: access, leaving: stops.schedule.window.departures[departure])
          .best(to: egress, walking: onFoot[ends.count].map { Int($0.milliseconds) })
          .map { UInt32($0.milliseconds) }
      }
    }
  }

  /// The quickest walk of each stop, of walks to all ends.
  private func walks(_ weights: ArraySlice<Weight?>) -> [StopWalks.Walk] {
    var quickest: [Int: UInt32] = [:]
    for (owner, weight) in zip(owners, weights) {
      guard let weight, weight.milliseconds <= stops.schedule.task.walkLimit else { continue }
      quickest[owner] = min(quickest[owner] ?? .max, weight.milliseconds)
    }
    return quickest.sorted { $0.key < $1.key }.map { .init(stop: UInt32($0.key), milliseconds: $0.value) }
  }
}
