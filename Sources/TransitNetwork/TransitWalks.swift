import Hierarchy
import Routing
import StreetNetwork
import Transit

/// All walks of trips by public transport, each of at most `walkLimit` milliseconds, exact to the millisecond.
///
/// Searches start at the stops: one backward from each stop for walks from origins, and one forward for walks to
/// destinations and to other stops. Walks differ by direction, because of slopes and steps.
package struct TransitWalks: Sendable {
  /// Walks from each origin to stops.
  let access: StopWalks
  /// Walks from stops to each destination.
  let egress: StopWalks
  /// Walks from each stop of the timetable to others.
  package let between: StopWalks

  /// - Parameters:
  ///   - origins: The origins; nil for places without a street, which have no walks.
  ///   - destinations: The destinations; nil for places without a street.
  package init(
    _ stops: TransitStops, from origins: [TripEnd?], to destinations: [TripEnd?], on network: StreetNetwork,
    workers: Int
  ) {
    let limit = stops.schedule.rules.walkLimit
    access = TransitWalks.transposed(
      TransitWalks.walks(around: stops.entering, .toTargets, origins, within: limit, on: network, workers),
      count: origins.count)
    // The destinations are followed by the ends of all stops; `owners` holds the stop of each end.
    var owners: [UInt32] = []
    var targets = destinations
    for (stop, ends) in stops.entering.enumerated() {
      owners += ends.map { _ in UInt32(stop) }
      targets += ends
    }
    let found = TransitWalks.walks(around: stops.leaving, .fromTargets, targets, within: limit, on: network, workers)
    egress = TransitWalks.transposed(
      found.map { $0.filter { $0.stop < destinations.count } }, count: destinations.count)
    var between = stops.neighbours()
    let timetable = stops.schedule.timetable
    let stations = timetable.stops.indices.map(timetable.station)
    for (stop, walks) in found.enumerated() {
      var quickest = Dictionary(
        uniqueKeysWithValues: between[stop].filter { $0.milliseconds <= limit }.map { ($0.stop, $0.milliseconds) })
      for walk in walks where walk.stop >= destinations.count {
        let other = owners[Int(walk.stop) - destinations.count]
        guard other != stop, stations[Int(other)] != stations[stop] || stops.hasPathways(stop) else { continue }
        quickest[other] = min(quickest[other] ?? .max, walk.milliseconds)
      }
      between[stop] = quickest.sorted { $0.key < $1.key }.map { .init(stop: $0.key, milliseconds: $0.value) }
    }
    self.between = StopWalks(between)
  }

  /// Wraps known walks.
  init(access: StopWalks, egress: StopWalks, between: StopWalks) {
    (self.access, self.egress, self.between) = (access, egress, between)
  }

  var count: Int { access.walks.count + egress.walks.count + between.walks.count }

  /// Returns, for each stop, the walks from places to the stop, or from the stop to places; the `stop` of a walk is the
  /// index of the place.
  private static func walks(
    around stops: [[TripEnd]], _ direction: NearestTable.Direction, _ places: [TripEnd?], within limit: UInt32,
    on network: StreetNetwork, _ workers: Int
  ) -> [[StopWalks.Walk]] {
    let reached = ReachedPlaces(network, direction, places)
    return inParallel(stops, workers: workers, with: { ReachedPlaces.Query(reached) }) { ends, query in
      guard !ends.isEmpty else { return [] }
      var walks: [StopWalks.Walk] = []
      query.forEachPlace(around: ends, within: limit) { place, weight in
        walks.append(.init(stop: UInt32(place), milliseconds: weight.milliseconds))
      }
      return walks
    }
  }

  /// Returns, for each of `count` places, the stops with a walk to or from it.
  private static func transposed(_ walksOfStops: [[StopWalks.Walk]], count: Int) -> StopWalks {
    var walks = [[StopWalks.Walk]](repeating: [], count: count)
    for (stop, places) in walksOfStops.enumerated() {
      for walk in places { walks[Int(walk.stop)].append(.init(stop: UInt32(stop), milliseconds: walk.milliseconds)) }
    }
    return StopWalks(walks)
  }
}
