import Hierarchy
import StreetNetwork

/// A query for the streets that are reached within a time limit after departing from a place, or from which the place
/// is reached by an arrival time. Each thread needs its own object.
///
/// A point on a street is reached within a limit if and only if the trip between it and the place at that time takes no
/// longer.
package final class HourlyReachQuery {
  private let reach: HourlyReach
  private let lanes: DepartureLanes
  private let cover: StreetCover
  private let list: StretchList
  private var timed: TimedNetwork { reach.timed }
  private var isArriving: Bool { reach.isArriving }

  package init(_ reach: HourlyReach) {
    self.reach = reach
    lanes = DepartureLanes(reach.graph)
    cover = StreetCover(streetCount: reach.timed.network.streetCount)
    list = StretchList(streetCount: reach.timed.network.streetCount)
  }

  /// The bytes in use during the largest search so far.
  package var memory: Int {
    let streets = timed.network.streetCount
    return lanes.memory + StreetCover.memory(streetCount: streets) + StretchList.memory(streetCount: streets)
  }

  /// The bytes expected after a sample of the places: others may reach twice as many states.
  package var expectedMemory: Int {
    let maximum = DepartureLanes.expectedMemory(
      stateCount: timed.graph.graph.stateCount, lengths: false, waits: false)
    return memory + max(0, min(lanes.memory, maximum - lanes.memory))
  }

  /// Returns, for each of the times, the states at most `limit` milliseconds from a place.
  package func states(around end: TripEnd, within limit: UInt32) -> [[Seed]] {
    let seeds = isArriving ? timed.targets(end) : timed.sources(end)
    var states = [[Seed]](repeating: [], count: reach.times.count)
    for group in reach.groups {
      lanes.search(group.times.map { _ in seeds }, group.table, until: LaneStops(within: limit))
      for (lane, time) in group.times.enumerated() { states[time] = lanes.states(lane: lane, within: limit) }
    }
    return states
  }

  /// Returns the sections of streets within `limit` of a place at a time, by street; `states` are the states around it
  /// at that time, for this limit or a larger one.
  package func pieces(around end: TripEnd, _ states: [Seed], at time: TripTime, within limit: UInt32) -> [StreetPiece] {
    for seed in states where seed.weight.milliseconds <= limit {
      if isArriving {
        cover(to: seed, time.clock, limit)
      } else {
        cover(from: seed, time.clock, limit)
      }
    }
    for position in end.snap.positions where !position.isCorner {
      let nearTime = (end.leg + position.line).milliseconds
      if nearTime <= limit { cover(around: position, nearTime, time.clock, limit) }
    }
    return cover.takePieces()
  }

  /// Returns the streets within `limit` of a place at a time, with travel times, like `TripReachQuery.stretches`; the
  /// speed is constant within a street.
  package func stretches(
    around end: TripEnd, _ states: [Seed], at time: TripTime, within limit: UInt32
  ) -> [TimedStretch] {
    let (clock, now) = (timed.graph.clock, time.clock)
    /// Returns the time between the place and the far end of a street, given the time to its near end, in milliseconds;
    /// nil if the street is closed.
    func farTime(_ street: TimedWeight, _ nearTime: UInt32) -> UInt32? {
      guard isArriving else {
        let arrival = clock.arrival(street, at: now + nearTime)
        return arrival == StreetClock.never ? nil : arrival - now
      }
      guard now >= nearTime, let departure = clock.departure(street, by: now - nearTime), departure <= now else {
        return nil
      }
      return now - departure
    }
    for seed in states where seed.weight.milliseconds <= limit {
      let nearTime = seed.weight.milliseconds
      if isArriving {
        for (directed, use) in reach.starts[seed.state.index] {
          guard let street = timed.weight(of: directed, as: use), let end = farTime(street, nearTime) else { continue }
          list.add(directed, isFromEnd: true, start: nearTime, end: end)
        }
      } else {
        let network = timed.network
        for arc in network.states.arcs.arcs(from: seed.state) {
          let weight = timed.graph.weight(of: ArcID(arc))
          let directed = network.states.streets[arc]
          guard let end = farTime(weight, nearTime), weight.weight.milliseconds > 0 else { continue }
          // The arc consists of the turn and the whole street.
          let whole = network.milliseconds(of: directed)
          let part = Double(whole) / Double(weight.weight.milliseconds)
          list.add(directed, isFromEnd: false, start: end - UInt32((part * Double(end - nearTime)).rounded()), end: end)
        }
      }
    }
    for position in end.snap.positions where !position.isCorner {
      let nearTime = (end.leg + position.line).milliseconds
      for directed in isArriving ? [] : timed.streetsLeaving(position) {
        guard let street = timed.weight(of: directed, as: .any), let end = farTime(street, nearTime) else { continue }
        list.add(directed, isFromEnd: false, start: nearTime, end: end)
      }
      for isReversed in [false, true] {
        let directed = DirectedStreet(position.street, isReversed: isReversed)
        guard let street = timed.weight(of: directed, as: .any), let end = farTime(street, nearTime) else { continue }
        list.add(directed, at: position.fraction, isLeaving: !isArriving, start: nearTime, end - nearTime)
      }
    }
    return list.takeStretches()
  }

  /// Returns whether trips at a time cross the square that a street represents, a number of milliseconds away from the
  /// place, without waiting.
  package func isOpen(_ square: StreetID, at time: TripTime, _ milliseconds: UInt32) -> Bool {
    guard let weight = timed.weight(of: DirectedStreet(square, isReversed: false)),
      let moment = time.moved(by: milliseconds)?.clock
    else { return false }
    return timed.graph.clock.entry(weight, at: moment) == moment
  }

  /// Covers the streets that trips from the place enter from a state.
  private func cover(from seed: Seed, _ time: UInt32, _ limit: UInt32) {
    let network = timed.network
    for arc in network.states.arcs.arcs(from: seed.state) {
      let weight = timed.graph.weight(of: ArcID(arc))
      let directed = network.states.streets[arc]
      let (arcTime, streetTime) = (weight.weight.milliseconds, network.milliseconds(of: directed))
      // The arc consists of the turn and the whole street.
      let done = part(of: weight, from: time + seed.weight.milliseconds, until: time + limit) * Double(arcTime)
      cover.cover(directed, isFromEnd: false, min(1, (done - Double(arcTime - streetTime)) / Double(streetTime)))
    }
  }

  /// Covers the streets that lead to a state and on which trips to the place may start.
  private func cover(to seed: Seed, _ time: UInt32, _ limit: UInt32) {
    guard time >= limit else { return }
    for (directed, use) in reach.starts[seed.state.index] {
      for part in parts(of: directed, as: use, from: time - limit, until: time - seed.weight.milliseconds) {
        cover.cover(directed, isFromEnd: true, part)
      }
    }
  }

  /// Covers the reached sections of the place's own street; if the place is at a junction, of all streets on which
  /// trips may start.
  private func cover(around position: StreetPosition, _ leg: UInt32, _ time: UInt32, _ limit: UInt32) {
    guard !isArriving || time >= limit else { return }
    let (from, until) = isArriving ? (time - limit, time - leg) : (time + leg, time + limit)
    if !isArriving {
      for directed in timed.streetsLeaving(position) {
        for part in parts(of: directed, from: from, until: until) { cover.cover(directed, isFromEnd: false, part) }
      }
    }
    for isReversed in [false, true] {
      for part in parts(of: DirectedStreet(position.street, isReversed: isReversed), from: from, until: until) {
        cover.cover(position, isAfter: isReversed == isArriving, part)
      }
    }
  }

  /// Returns the parts of a street that trips travel between two instants, as fractions measured from its start, or
  /// from its end if trips lead to the place.
  private func parts(
    of directed: DirectedStreet, as use: StreetUse = .any, from: UInt32, until: UInt32
  ) -> [Range<Double>] {
    guard let street = timed.weight(of: directed, as: use) else { return [] }
    return isArriving
      ? timed.graph.clock.parts(of: street, leavingFrom: from, by: until)
      : [0..<part(of: street, from: from, until: until)]
  }

  /// Returns the fraction of a street that a trip travels until an instant if it reaches the street at an earlier one.
  private func part(of street: TimedWeight, from: UInt32, until: UInt32) -> Double {
    guard let entry = timed.graph.clock.entry(street, at: from), entry < until else { return 0 }
    return timed.graph.clock.progress(street, from: entry, until: until)
  }
}

/// The shared data for finding the streets within a travel time of places at some times. Immutable and shared by all
/// threads; each thread has its own `HourlyReachQuery`.
package struct HourlyReach: Sendable {
  let timed: TimedNetwork
  let times: [TripTime]
  let isArriving: Bool
  let graph: LaneGraph
  /// The indices of the times that are searched together, and their table.
  let groups: [(times: [Int], table: LaneTable)]
  /// The streets on which trips to a place may start, grouped by the state at their end.
  let starts: Grouped<(street: DirectedStreet, use: StreetUse)>

  /// - Parameter isArriving: Whether trips lead to places and arrive by the times.
  package init(_ timed: TimedNetwork, at times: [TripTime], isArriving: Bool) {
    (self.timed, self.times, self.isArriving) = (timed, times, isArriving)
    let graph = LaneGraph(timed.graph, isArriving ? .arriving : .departing)
    self.graph = graph
    let phases = Dictionary(grouping: times.indices) {
      LaneTable.phase(of: times[$0].clock, graph.period, graph.direction)
    }
    groups = phases.sorted { $0.key < $1.key }.flatMap { _, indices in
      indices.batches(of: LaneTable.lanes).map { group in
        (Array(group), LaneTable(group.map { times[$0].clock }, for: graph))
      }
    }
    starts = Grouped(isArriving ? timed.graph.graph.stateCount : 0) { add in
      if isArriving { timed.network.forEachStart { add($0, ($1, $2)) } }
    }
  }

  /// The bytes shared by all threads.
  package var memory: Int {
    graph.memory + groups.reduce(0) { $0 + $1.table.memory } + starts.memory
  }
}
