import Hierarchy
import StreetNetwork

/// Time-dependent trips, exactly as `TimedDijkstra` finds them.
extension Router {
  /// Returns whether trips at a time may differ from trips without a time.
  func isTimed(_ time: TripTime) -> Bool { hours.speeds != nil || (time.day != nil && network.changesWithTime) }

  /// Returns the weights of the best trip at a time; nil if there is no route.
  package func eta(from source: TripEnd, to destination: TripEnd, at time: TripTime) -> TripETA? {
    timedWeight(from: source, to: destination, at: time).map {
      TripETA(weight: $0.weight, waiting: $0.waiting, freeFlow: weight(from: source, to: destination))
    }
  }

  /// Returns the weight and the waiting time of the best trip at a time, without a comparison with free flow.
  func timedWeight(
    from source: TripEnd, to destination: TripEnd, at time: TripTime
  ) -> (weight: Weight, waiting: UInt32)? {
    guard !source.isAtPlace(of: destination) else { return (.zero, 0) }
    return HourSearch(self, from: source, to: destination, at: time).best().map { ($0.weight, $0.waiting) }
  }

  /// Returns whether there would be a route at a time on a date if every street that opens at some time were open.
  package func hasRouteWhenOpen(from source: TripEnd, to destination: TripEnd, at time: TripTime) -> Bool {
    isTimed(time) && time.day != nil && HourSearch(self, from: source, to: destination, at: time).isConnected
  }

  /// Returns the best route at a time, then its alternates; empty if there is no route.
  ///
  /// The first route is the fastest at that time. Alternates are chosen by the minimum times in the hours of the trip,
  /// and described with their exact times.
  func timedRoutes(
    from source: TripEnd, to destination: TripEnd, at time: TripTime, withAlternates: Bool
  ) -> [Route] {
    guard !source.isAtPlace(of: destination) else {
      var route = route(along: Trip(at: source, and: destination), from: source, to: destination)
      (route.waiting, route.freeFlow) = (0, route.weight)
      return [route]
    }
    let search = HourSearch(self, from: source, to: destination, at: time)
    guard let best = search.best() else { return [] }
    let trips = [best] + (withAlternates ? search.alternates() : [])
    let freeFlow = weight(from: source, to: destination)
    return trips.map { trip in
      var route = route(along: trip.trip, from: source, to: destination)
      route.waiting = trip.waiting
      route.freeFlow = freeFlow
      return route
    }
  }

  /// Returns the streets of the best trip at a time; empty if there is no route.
  func timedStreets(from source: TripEnd, to destination: TripEnd, at time: TripTime) -> [DirectedStreet] {
    guard !source.isAtPlace(of: destination) else { return [] }
    return HourSearch(self, from: source, to: destination, at: time).best()?.trip.streets ?? []
  }

  func query(on times: MinimumTimes) -> PathQuery {
    if let minimumQuery, minimumQuery.hierarchy.outgoing.arcs.base == times.hierarchy.outgoing.arcs.base {
      return minimumQuery
    }
    let query = PathQuery(times.hierarchy, sharing: self.query)
    minimumQuery = query
    return query
  }
}

/// A search for the trips between two places at a time.
private final class HourSearch {
  private let router: Router
  private let (source, destination): (TripEnd, TripEnd)
  private let time: TripTime
  private let timed: TimedNetwork
  private let windows: TimedWindows
  /// The seeds of both places, with their streets.
  private let snapped: (sources: SnapSeeds, targets: SnapSeeds)
  /// The same seeds, with their timed streets.
  private let seeds: (sources: [TimedSeed], targets: [TimedSeed])
  private var path: TimedPath?
  private var isDirect = false

  init(_ router: Router, from source: TripEnd, to destination: TripEnd, at time: TripTime) {
    (self.router, self.source, self.destination, self.time) = (router, source, destination, time)
    timed = router.hours.network(at: time)
    windows = router.hours.windows(at: time)
    snapped = (
      router.network.sources(source.snap, closed: timed.closed),
      router.network.targets(destination.snap, closed: timed.closed)
    )
    seeds = (timed.sources(source), timed.targets(destination))
  }

  /// Returns the fastest trip; nil if there is none.
  func best() -> TimedTrip? {
    path = freeFlowPath() ?? searchedPath()
    let direct = timed.directTrip(from: source, to: destination, at: time)
    if let direct, direct.weight <= path?.weight ?? .infinity {
      isDirect = direct.weight < path?.weight ?? .infinity
      return TimedTrip(direct, from: source, to: destination, on: timed, at: time)
    }
    return path.map(trip)
  }

  private var query: TimedPathQuery {
    let known = router.timedQuery.flatMap { $0.windows === windows ? $0 : nil }
    let query = known ?? TimedPathQuery(timed.graph, windows)
    query.timed = timed.graph
    router.timedQuery = query
    return query
  }

  /// Returns the best path in free flow without closures if it takes no longer at this time: then no path can be
  /// faster.
  private func freeFlowPath() -> TimedPath? {
    guard timed.graph.clock.profiles.count == 1 else { return nil }
    let search = staticSearch
    guard let path = search.query.path(from: search.sources, to: search.targets) else { return nil }
    let found = timedPath(path)
    return found?.weight.milliseconds == path.weight.milliseconds ? found : nil
  }

  /// Whether there is a path, regardless of closures.
  var isConnected: Bool {
    let search = staticSearch
    return search.query.weight(from: search.sources, to: search.targets) != nil
      || !timed.direct(source.snap, destination.snap).isEmpty
  }

  private func searchedPath() -> TimedPath? {
    time.isArrival
      ? query.path(from: seeds.sources, to: seeds.targets, arrivingBy: time.clock)
      : query.path(from: seeds.sources, to: seeds.targets, departingAt: time.clock)
  }

  /// A search by the minimum times in the hours of the best trip, and its seeds at both places.
  private lazy var staticSearch: (query: PathQuery, weights: Column<Weight>, sources: [Seed], targets: [Seed]) = {
    let times = windows.minimumTimes(at: time.clock, lasting: path?.weight.milliseconds ?? 0, isArrival: time.isArrival)
    func seeds(_ timed: [TimedSeed]) -> [Seed] { timed.map { Seed($0.state, $0.street.weight + $0.leg) } }
    return (router.query(on: times), times.weights, seeds(self.seeds.sources), seeds(self.seeds.targets))
  }()

  /// Returns a path with the times of a trip along it at `time`; nil if the trip is impossible then.
  private func timedPath(_ path: Path) -> TimedPath? {
    let found = query.path(
      path.arcs, from: seeds.sources[path.source], to: seeds.targets[path.target], at: time.clock,
      isArrival: time.isArrival)
    return found.map { found in
      var found = found
      (found.source, found.target) = (path.source, path.target)
      return found
    }
  }

  private func trip(_ path: TimedPath) -> TimedTrip {
    TimedTrip(path, from: source, snapped.sources, to: destination, snapped.targets, on: timed, at: time)
  }

  /// Returns up to two other trips, fastest first.
  func alternates() -> [TimedTrip] {
    // A trip along one street that is faster than all others has no alternates.
    guard let path, !isDirect else { return [] }
    let search = staticSearch
    let trips = TripSearch(
      sources: snapped.sources, targets: snapped.targets, closed: timed.closed, query: search.query,
      weights: search.weights)
    let best = trips.path(along: path.arcs, from: path.source, to: path.target)
    let longest = Double(path.weight.milliseconds) * 1.25
    return router.alternates(to: best, trips).compactMap(timedPath)
      .filter { Double($0.weight.milliseconds) <= longest && $0.weight >= path.weight }
      .sorted { $0.weight < $1.weight }.map(trip)
  }
}
