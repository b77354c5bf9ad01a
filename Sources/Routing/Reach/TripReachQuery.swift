import Geography
import Hierarchy
import OpeningHours
import StreetNetwork
import Synchronization

/// A query of a `TripReach`. Each thread needs its own object.
///
/// A point on a street is reached within a limit if and only if the trip between it and the place takes no longer, to
/// the millisecond.
package final class TripReachQuery {
  private let reach: TripReach
  private let search: Search
  /// The times of streets at each time of `reach`.
  private let times: [any StreetTimes]
  private let cover: StreetCover
  private let list: StretchList

  private enum Search {
    case constant(ReachQuery)
    case lanes(DepartureLanes, TimedNetwork, [HourlyMatrix.Group])
  }

  package init(_ reach: TripReach) {
    self.reach = reach
    switch reach.graph {
    case .constant(let graph): (search, times) = (.constant(ReachQuery(graph)), [ConstantTimes(reach: reach)])
    case .timed(let timed, let times, let graph, let groups):
      search = .lanes(DepartureLanes(graph), timed, groups)
      self.times = times.map { ClockTimes(reach: reach, timed: timed, time: $0) }
    }
    cover = StreetCover(streetCount: reach.network.streetCount)
    list = StretchList(streetCount: reach.network.streetCount)
  }

  /// Returns the bytes for a network without a clock.
  package static func memory(of network: StreetNetwork) -> Int {
    ReachQuery.memory(stateCount: network.states.arcs.stateCount) + memory(ofStreets: network)
  }

  private static func memory(ofStreets network: StreetNetwork) -> Int {
    StreetCover.memory(streetCount: network.streetCount) + StretchList.memory(streetCount: network.streetCount)
  }

  /// The bytes expected for all places after searches from a sample: others may reach twice as many states.
  package var expectedMemory: Int {
    guard case .lanes(let lanes, _, _) = search else { return TripReachQuery.memory(of: reach.network) }
    let maximum = DepartureLanes.expectedMemory(
      stateCount: reach.network.states.arcs.stateCount, lengths: false, waits: false)
    return lanes.memory + TripReachQuery.memory(ofStreets: reach.network)
      + max(0, min(lanes.memory, maximum - lanes.memory))
  }

  /// Returns, for each of the times, the states at most `limit` milliseconds away from the nearest of `ends`;
  /// without a clock, nearest first.
  package func states(around ends: [TripEnd], within limit: UInt32) -> [[Seed]] {
    switch search {
    case .constant(let query): return [query.reached(from: ends.flatMap { reach.seeds($0) }, within: limit)]
    case .lanes(let lanes, let timed, let groups):
      let seeds = ends.flatMap(reach.isLeaving ? timed.sources : timed.targets)
      var states = [[Seed]](repeating: [], count: times.count)
      for group in groups {
        lanes.search(group.times.map { _ in seeds }, group.table, until: LaneStops(within: limit))
        for (lane, time) in group.times.enumerated() { states[time] = lanes.states(lane: lane, within: limit) }
      }
      return states
    }
  }

  /// Returns the parts of streets within `limit` milliseconds of several places, by street.
  ///
  /// - Parameters:
  ///   - states: The states around the places at that time, for this limit or a larger one.
  ///   - hour: The index of the time.
  package func pieces(
    around ends: [ReachedEnd], _ states: [Seed], at hour: Int = 0, within limit: UInt32
  ) -> [StreetPiece] {
    times[hour].cover(cover, around: ends, states, within: limit)
    return cover.takePieces()
  }

  /// Returns the streets of `pieces` as sections with travel times, not cut at the limit; the speed is constant within
  /// a section.
  package func stretches(
    around ends: [ReachedEnd], _ states: [Seed], at hour: Int = 0, within limit: UInt32
  ) -> [TimedStretch] {
    times[hour].list(list, around: ends, states, within: limit)
    return list.takeStretches()
  }

  /// Returns the times of lines across squares.
  package func squares(at hour: Int = 0) -> SquareTimes { SquareTimes(times: times[hour]) }
}

/// The shared data for finding the streets within a travel time from or to a place: without a clock, or at some
/// departures or arrivals. Immutable and shared by all threads; each thread has its own `TripReachQuery`.
package struct TripReach: Sendable {
  package let network: StreetNetwork
  package let direction: NearestTable.Direction
  let closed: Closure?
  /// The streets on which trips to the place may start, with their uses (`StreetUse.item`), grouped by the state at
  /// their end.
  let starts: Grouped<UInt32>
  let graph: Graph

  enum Graph: Sendable {
    /// The arcs that are not closed; reversed if trips lead to the place.
    case constant(ArcGraph)
    /// All arcs for the clock, the times, and the groups in which they are searched.
    case timed(TimedNetwork, [TripTime], LaneGraph, [HourlyMatrix.Group])
  }

  /// - Parameters:
  ///   - direction: Whether trips lead to the places of queries, or from them.
  ///   - time: The time at which turns and streets must be open.
  package init(_ network: StreetNetwork, _ direction: NearestTable.Direction, at time: LocalTime? = nil) {
    let closed = network.closure(at: time)
    let open = network.arcs(without: closed)
    self.init(network, direction, closed, .constant(direction == .toTargets ? open.reversed() : open))
  }

  /// Trips from the places of queries at some departures, or to them at some arrivals.
  package init(_ timed: TimedNetwork, at times: [TripTime]) {
    let direction: LaneGraph.Direction = times.first?.isArrival == true ? .arriving : .departing
    let graph = LaneGraph(timed.graph, direction)
    self.init(
      timed.network, direction == .arriving ? .toTargets : .fromTargets, timed.closed,
      .timed(timed, times, graph, HourlyMatrix.groups(times, graph)))
  }

  private init(
    _ network: StreetNetwork, _ direction: NearestTable.Direction, _ closed: Closure?, _ graph: Graph
  ) {
    (self.network, self.direction, self.closed, self.graph) = (network, direction, closed, graph)
    let states = network.states
    starts = Grouped(direction == .toTargets ? states.arcs.stateCount : 0) { add in
      guard direction == .toTargets else { return }
      for street in (0..<UInt32(network.streetCount * 2)).lazy.map(DirectedStreet.init(index:)) {
        for (state, use) in states.starts(of: street) where network.isOpen(street, closed, as: use) {
          add(state, use.item(street))
        }
      }
    }
  }

  var isLeaving: Bool { direction == .fromTargets }
  /// The network by the clock; nil without one.
  package var timed: TimedNetwork? { if case .timed(let timed, _, _, _) = graph { timed } else { nil } }

  /// The bytes shared by all threads, without the graph if there is no clock.
  package var memory: Int {
    guard case .timed(_, _, let graph, let groups) = graph else { return starts.memory }
    return graph.memory + groups.reduce(0) { $0 + $1.table.memory } + starts.memory
  }

  /// Returns the seeds of a place of queries or, with `isFar`, of a place at the other end of the trips.
  func seeds(_ end: TripEnd, isFar: Bool = false) -> [Seed] {
    isLeaving != isFar ? network.sources(end, closed: closed) : network.targets(end, closed: closed)
  }
}

/// The graphs for isochrones of a network without a time, each built on first use. Shared by all threads.
final class TripReachCache: Sendable {
  private let known = Mutex<[NearestTable.Direction: TripReach]>([:])

  func reach(_ direction: NearestTable.Direction, on network: StreetNetwork) -> TripReach {
    known.value(for: direction) { TripReach(network, direction) }
  }
}

/// An index of places, for queries that find all of them within a travel time of other places, with the weights of the
/// trips. Immutable and shared by all threads.
///
/// Each place is stored at its states, so a search that settles one of them reaches the place. The cost of a query
/// depends only on the neighbourhood that it searches. The cost of all queries is therefore linear in the number of
/// pairs within the limit.
package struct ReachedPlaces: Sendable {
  private let reach: TripReach
  /// The indices of the places at each state, with the weights between state and place.
  private let seeds: Grouped<(index: UInt32, weight: Weight)>
  private let placesOnStreets: StreetPlaces

  /// - Parameters:
  ///   - direction: Whether trips lead to the places of queries, or from them.
  ///   - places: The places; nil for places that are not on a street, which are never reached.
  ///   - time: The time at which turns and streets must be open.
  package init(
    _ network: StreetNetwork, _ direction: NearestTable.Direction, _ places: [TripEnd?], at time: LocalTime? = nil
  ) {
    let reach = TripReach(network, direction, at: time)
    self.reach = reach
    placesOnStreets = StreetPlaces(places)
    let table = SeedTable(count: places.count) { places[$0].map { reach.seeds($0, isFar: true) } ?? [] }
    seeds = Grouped(network.states.arcs.stateCount) { add in
      for index in 0..<table.count {
        for seed in table[index] { add(seed.state.index, (UInt32(index), seed.weight)) }
      }
    }
  }

  /// The working memory of queries. Each thread needs its own object.
  package final class Query {
    private let reached: ReachedPlaces
    private let query: TripReachQuery
    private var best: [Weight]
    private var touched: [UInt32] = []

    package init(_ reached: ReachedPlaces) {
      self.reached = reached
      query = TripReachQuery(reached.reach)
      best = Array(repeating: .infinity, count: reached.placesOnStreets.places.count)
    }

    /// Calls `body` with each place at most `limit` milliseconds from the nearest of `ends`, and the trip's weight, in
    /// a deterministic order.
    package func forEachPlace(around ends: [TripEnd], within limit: UInt32, _ body: (_ index: Int, Weight) -> Void) {
      for state in query.states(around: ends, within: limit)[0] {
        for seed in reached.seeds[state.state.index] { reach(seed.index, state.weight + seed.weight, limit) }
      }
      let trips = reached.reach
      for end in ends {
        reached.placesOnStreets.forEachDirect(end, leaves: trips.isLeaving, on: trips.network, trips.closed) {
          reach(UInt32($0), $1, limit)
        }
      }
      for index in touched {
        body(Int(index), best[Int(index)])
        best[Int(index)] = .infinity
      }
      touched.removeAll(keepingCapacity: true)
    }

    private func reach(_ index: UInt32, _ weight: Weight, _ limit: UInt32) {
      guard weight.milliseconds <= limit, weight < best[Int(index)] else { return }
      if best[Int(index)] == .infinity { touched.append(index) }
      best[Int(index)] = weight
    }
  }
}
