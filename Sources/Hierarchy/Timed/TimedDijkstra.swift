/// Time-dependent trips by the textbook algorithm (E. W. Dijkstra 1959; time-dependent: K. L. Cooke, E. Halsey 1966):
/// the oracle for all other time-dependent engines, with which it shares only the clock.
///
/// Trips are compared by time. Among equally fast paths, the length is the minimum along *tight* arcs, which lead from
/// the earliest time at their tail to the earliest time at their head.
///
/// *Complexity*: O((states + arcs) log states) per query.
public struct TimedDijkstra: Sendable {
  /// The graph.
  public let timed: TimedGraph
  private let reversed: ReversedArcs

  /// An oracle on `timed`.
  public init(_ timed: TimedGraph) { (self.timed, reversed) = (timed, ReversedArcs(timed.graph)) }

  /// Returns the time and length of the best trip to each target that leaves `sources` at `time`; `infinity` if none.
  public func weights(from sources: [TimedSeed], at time: UInt32, to targets: [[TimedSeed]]) -> [Weight] {
    let clock = timed.clock
    let arrivals = moments(from: sources, departingAt: time)
    return targets.map { seeds in
      let trips = seeds.compactMap { seed -> Weight? in
        guard let (moment, length) = arrivals[Int(seed.state.index)] else { return nil }
        return TimedDijkstra.weight(
          from: time, to: TimedDijkstra.later(clock.arrival(seed.street, at: moment), by: seed.leg),
          length + seed.length)
      }
      return trips.min() ?? .infinity
    }
  }

  /// Returns, for each source, how long before `time` a trip must leave it to reach `targets` in time, and the length
  /// of the trip; `infinity` if there is none.
  public func weights(from sources: [[TimedSeed]], to targets: [TimedSeed], by time: UInt32) -> [Weight] {
    let clock = timed.clock
    let departures = moments(to: targets, arrivingBy: time)
    return sources.map { seeds in
      let trips = seeds.compactMap { seed -> Weight? in
        guard let (moment, length) = departures[Int(seed.state.index)],
          let start = clock.departure(seed.street, by: moment), start >= seed.leg.milliseconds
        else { return nil }
        return TimedDijkstra.weight(
          from: start - seed.leg.milliseconds, to: time,
          length + seed.length)
      }
      return trips.min() ?? .infinity
    }
  }

  /// Returns the earliest time at each state, and the trip's length in centimetres; nil if never reached.
  package func moments(from sources: [TimedSeed], departingAt time: UInt32) -> [(UInt32, Int)?] {
    let starts = sources.map { seed -> (TimedSeed, Int?) in
      let moment = timed.clock.arrival(seed.street, at: TimedDijkstra.later(time, by: seed.leg))
      return (seed, moment == StreetClock.never ? nil : Int(moment))
    }
    return settled(starts) { state in
      timed.graph.arcs(from: StateID(state)).map { (arc: ArcID($0), next: Int(timed.graph.heads[$0])) }
    } along: { arc, moment in
      let arrival = timed.clock.arrival(timed.weight(of: arc), at: UInt32(moment))
      return arrival == StreetClock.never ? nil : Int(arrival)
    }.map { $0.map { (UInt32($0.moment), $0.length) } }
  }

  /// Returns the latest time at each state, and the remaining length in centimetres; nil if no trip is in time.
  package func moments(to targets: [TimedSeed], arrivingBy time: UInt32) -> [(UInt32, Int)?] {
    // The latest time is the minimum of the negated times.
    let starts = targets.map { seed -> (TimedSeed, Int?) in
      let moment =
        time < seed.leg.milliseconds ? nil : timed.clock.departure(seed.street, by: time - seed.leg.milliseconds)
      return (seed, moment.map { -Int($0) })
    }
    return settled(starts) { state in
      reversed.arcs(into: state).map { (arc: ArcID($0.index), next: Int($0.tail)) }
    } along: { arc, moment in
      timed.clock.departure(timed.weight(of: arc), by: UInt32(-moment)).map { -Int($0) }
    }.map { $0.map { (UInt32(-$0.moment), $0.length) } }
  }

  /// Returns the earliest time at every state (of negated times, the latest), and the shortest length along tight arcs,
  /// computed in order of time.
  private func settled(
    _ starts: [(seed: TimedSeed, moment: Int?)], _ arcs: (Int) -> [(arc: ArcID, next: Int)],
    along arc: (ArcID, Int) -> Int?
  ) -> [(moment: Int, length: Int)?] {
    var moments = [Int?](repeating: nil, count: timed.graph.stateCount)
    var heap = OracleHeap<Int, Int>()
    func reach(_ state: Int, _ moment: Int?) {
      guard let moment, moment < moments[state] ?? .max else { return }
      moments[state] = moment
      heap.push(moment, state)
    }
    for start in starts { reach(Int(start.seed.state.index), start.moment) }
    var order: [Int] = []
    while let (moment, state) = heap.popMin() {
      guard moment == moments[state], order.last != state else { continue }
      order.append(state)
      for (id, next) in arcs(state) { reach(next, arc(id, moment)) }
    }
    var lengths = [Int](repeating: .max, count: moments.count)
    for start in starts where start.moment != nil && start.moment == moments[Int(start.seed.state.index)] {
      let state = Int(start.seed.state.index)
      lengths[state] = min(lengths[state], start.seed.length)
    }
    for state in order {
      for (id, next) in arcs(state) where moments[next] != nil && arc(id, moments[state]!) == moments[next] {
        lengths[next] = min(lengths[next], lengths[state] + Int(timed.graph.weights[Int(id.index)].centimetres))
      }
    }
    return zip(moments, lengths).map { moment, length in moment.map { ($0, length) } }
  }

  private static func later(_ moment: UInt32, by leg: Weight) -> UInt32 {
    let sum = UInt64(moment) + UInt64(leg.milliseconds)
    return sum < UInt64(StreetClock.never) ? UInt32(sum) : StreetClock.never
  }

  private static func weight(from start: UInt32, to end: UInt32, _ length: Int) -> Weight? {
    guard end != StreetClock.never, end - start < Weight.infinity.milliseconds else { return nil }
    return Weight(milliseconds: end - start, centimetres: UInt32(min(length, Int(UInt32.max))))
  }
}
