import Hierarchy
import Routing
import StreetNetwork
import Transit

/// The street network's states within a travel time by public transport from places or, with arrivals, to places: at
/// each departure of a window, or by percentile of the times at all departures. Immutable, shared by all threads.
///
/// A state is reached entirely on foot, or on foot from a stop. Percentiles are computed for each state, since they
/// cannot be derived from percentiles at stops.
package struct TransitAreas: Sendable {
  private let stops: TransitStops
  /// The ends of walks from each stop to states; with arrivals, from states to the stop.
  private let ends: [[TripEnd]]
  private let graph: TransitGraph
  /// The arrivals at stops: each stop is a destination with a walk from itself.
  private let arrivals: TransitDestinations
  /// Walks from each place to stops; with arrivals, from stops to each place.
  private let seeds: StopWalks
  private let reach: TripReach
  /// The stops near each state, with the walks between them.
  private let nearStops: Grouped<StopWalks.Walk>
  /// The rank of each row among the sorted times; nil for one row per departure.
  private let ranks: [Int]?

  /// - Parameter places: The places; nil for places without a street.
  package init(
    _ stops: TransitStops, _ places: [TripEnd?], percentiles: [Int]?, on network: StreetNetwork, workers: Int
  ) {
    self.stops = stops
    ends = stops.ends
    let (window, timetable) = (stops.schedule.window, stops.schedule.timetable)
    let walks = TransitWalks(
      stops, from: window.isArrival ? [] : places, to: window.isArrival ? places : [], on: network, workers: workers)
    seeds = window.isArrival ? walks.egress : walks.access
    graph = stops.graph(walks.between)
    let atStops = StopWalks(timetable.stops.indices.map { [StopWalks.Walk(stop: UInt32($0), milliseconds: 0)] })
    arrivals = TransitDestinations(graph, walks: atStops, workers: workers)
    let reach = TripReach(network, window.isArrival ? .toTargets : .fromTargets)
    self.reach = reach
    let limit = stops.schedule.rules.walkLimit
    let states = inParallel(ends, workers: workers, with: { TripReachQuery(reach) }) { ends, query in
      ends.isEmpty ? [] : query.states(around: ends, within: limit)[0]
    }
    nearStops = Grouped(network.hierarchy.stateCount) { add in
      for (stop, seeds) in states.enumerated() {
        for seed in seeds { add(seed.state.index, .init(stop: UInt32(stop), milliseconds: seed.weight.milliseconds)) }
      }
    }
    ranks = percentiles.map { $0.map { PercentileNetwork.rank($0, of: window.departures.count) } }
  }

  /// Bytes shared by all threads.
  package var sharedMemory: Int {
    nearStops.values.count * 8 + nearStops.first.count * 4 + arrivals.memory + graph.arcCount * 4
  }

  /// Bytes per thread.
  package var workerMemory: Int {
    graph.sweepMemory + arrivals.count * stops.schedule.window.departures.count * 8 + nearStops.first.count * 4
      + TripReachQuery.memory(of: reach.network)
  }

  /// A search around places, confined to one thread.
  package final class Query {
    private let areas: TransitAreas
    private let sweep: TransitSweep
    private let walk: TripReachQuery
    private let block: MatrixBlock
    private let onFoot: MatrixBlock
    /// Times entirely on foot, by state; reset to `unreachable` after each place.
    private var walked: [UInt32]
    /// The reached ends of stops in each row, and their times.
    private var stopEnds: [[ReachedEnd]] = []

    private static var none: UInt32 { MatrixBlock.unreachable }

    package init(_ areas: TransitAreas) {
      self.areas = areas
      sweep = TransitSweep(areas.graph)
      walk = TripReachQuery(areas.reach)
      block = MatrixBlock(columns: areas.arrivals.count, hasLengths: false)
      onFoot = MatrixBlock(columns: areas.arrivals.count, hasLengths: false)
      onFoot.reset(0..<1)
      for stop in 0..<areas.arrivals.count { onFoot.set(row: 0, column: stop, to: .infinity) }
      walked = Array(repeating: Query.none, count: areas.nearStops.first.count - 1)
    }

    /// Returns, for each row, the states within `limit` milliseconds of a place, in the order of states. `place` is the
    /// index of the place.
    package func states(of place: Int, _ end: TripEnd, within limit: UInt32) -> [[Seed]] {
      let (count, stopCount) = (areas.stops.schedule.window.departures.count, areas.arrivals.count)
      sweep.run(place..<place + 1, of: areas.seeds)
      sweep.fill(block, to: areas.arrivals, walking: onFoot)
      // Travel times by stop and departure, in milliseconds.
      var atStops = [UInt32](repeating: Query.none, count: stopCount * count)
      for departure in 0..<count {
        let times = block.times(row: departure)
        for stop in 0..<stopCount { atStops[stop * count + departure] = times[stop] }
      }
      let onFoot = walk.states(around: [end], within: limit)[0]
      for seed in onFoot { walked[Int(seed.state.index)] = seed.weight.milliseconds }
      defer { for seed in onFoot { walked[Int(seed.state.index)] = Query.none } }
      let rows = areas.ranks?.count ?? count
      var states = [[Seed]](repeating: [], count: rows)
      var best = [UInt32](repeating: Query.none, count: count)
      stopEnds = Array(repeating: [], count: rows)
      best.withUnsafeMutableBufferPointer { best in
        atStops.withUnsafeBufferPointer { atStops in
          for (stop, ends) in areas.ends.enumerated() where !ends.isEmpty {
            for departure in 0..<count { best[departure] = atStops[stop * count + departure] }
            forEachRow(best, within: limit) { row, time in stopEnds[row] += ends.map { ($0, time) } }
          }
          for state in 0..<areas.nearStops.first.count - 1 {
            let nearStops = Int(areas.nearStops.first[state])..<Int(areas.nearStops.first[state + 1])
            guard !nearStops.isEmpty || walked[state] <= limit else { continue }
            best.update(repeating: walked[state])
            for index in nearStops {
              let walk = areas.nearStops.values[index]
              let times = atStops.baseAddress! + Int(walk.stop) * count
              for departure in 0..<count {
                best[departure] = min(best[departure], times[departure] &+ walk.milliseconds)
              }
            }
            forEachRow(best, within: limit) { row, time in
              states[row].append(Seed(StateID(UInt32(state)), Weight(milliseconds: time, centimetres: 0)))
            }
          }
        }
      }
      return states
    }

    /// Calls `body` with each row whose time is within the limit; sorts the times if rows are percentiles.
    private func forEachRow(
      _ times: UnsafeMutableBufferPointer<UInt32>, within limit: UInt32, _ body: (_ row: Int, UInt32) -> Void
    ) {
      guard times.contains(where: { $0 <= limit }) else { return }
      guard let ranks = areas.ranks else {
        for (row, time) in times.enumerated() where time <= limit { body(row, time) }
        return
      }
      var times = times
      times.sort()
      for (row, rank) in ranks.enumerated() where times[rank] <= limit { body(row, times[rank]) }
    }

    /// Returns the parts of streets within `limit` milliseconds for a row; `states` are the states of the last place,
    /// for this limit or a longer one. The street on which the longest walk from a stop ends is included entirely.
    package func pieces(around end: TripEnd, _ states: [Seed], row: Int, within limit: UInt32) -> [StreetPiece] {
      walk.pieces(around: ends(end, row, within: limit), states, within: limit)
    }

    /// Returns the streets of `pieces` as sections with travel times.
    package func stretches(around end: TripEnd, _ states: [Seed], row: Int, within limit: UInt32) -> [TimedStretch] {
      walk.stretches(around: ends(end, row, within: limit), states, within: limit)
    }

    /// The times of walks across squares.
    package var squares: SquareTimes { walk.squares() }

    private func ends(_ end: TripEnd, _ row: Int, within limit: UInt32) -> [ReachedEnd] {
      [(end, 0)] + stopEnds[row].filter { $0.milliseconds <= limit }
    }
  }
}
