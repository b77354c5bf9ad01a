import Hierarchy

/// A trip, with the components of its travel time, which add up to the millisecond.
package struct TransitTrip: Equatable, Sendable {
  /// Milliseconds on foot from the origin to the first stop, or of the whole trip.
  package var access = 0
  /// Milliseconds of waiting: at stops, and at the destination for the requested arrival.
  package var waiting = 0
  /// Milliseconds in vehicles.
  package var riding = 0
  /// Milliseconds on foot between vehicles.
  package var transfer = 0
  /// Milliseconds on foot from the last stop to the destination.
  package var egress = 0
  /// The vehicles in order; none for a trip entirely on foot.
  package var vehicles: [Vehicle] = []

  /// The part of a trip in one vehicle, on one trip of the timetable.
  package struct Vehicle: Equatable, Sendable {
    /// The call at which riders board; `alighting` is the call at which they alight.
    package var boarding: Int
    package var alighting: Int
    /// Seconds from midnight of the window's date.
    package var departure: Int
    package var arrival: Int
    /// Whether riders stay seated from the previous vehicle's trip.
    package var staysSeated: Bool
    /// Milliseconds on foot from the previous vehicle's stop.
    package var walk: Int
  }

  /// The number of rides; staying seated in a vehicle does not begin another one.
  package var rides: Int { vehicles.count { !$0.staysSeated } }
  /// The travel time in milliseconds.
  package var milliseconds: Int { access + waiting + riding + transfer + egress }
}

extension TransitSweep {
  /// Returns the travel time of a cell in milliseconds; nil if no trip is within the limit. The parameters are the same
  /// as for `trip`.
  package func time(
    lane: Int, to destination: Int, of destinations: TransitDestinations, departure: Int, walking: Int?
  ) -> UInt32? {
    let (rank, arrivals) = (graph.ranks[departure], destinations.arrivals)
    let first = destinations[destination].first { self.rank(Int(arrivals[$0].node), lane: lane) >= rank }
    let riding = first.map { Int(arrivals[$0].milliseconds) + graph.departures[0] - graph.moments[departure] }
    let time = min(riding ?? .max, walking ?? .max)
    return time <= graph.window.limit ? UInt32(time) : nil
  }

  /// Returns the trip of a cell; nil if no trip is within the limit. The trip is the first to arrive; ties are broken
  /// by fewest rides, latest start from the origin, least walking, and first vehicles in timetable order. With
  /// arrivals, it is the last to depart; ties are broken by fewest rides, earliest arrival, and least walking.
  ///
  /// - Parameters:
  ///   - lane: The index of an origin within the last run. With arrivals, the trip ends there and starts at
  ///     `destination`.
  ///   - departure: An index of the window's departures.
  ///   - walking: The time entirely on foot in milliseconds; nil if there is no route.
  package func trip(
    lane: Int, to destination: Int, of destinations: TransitDestinations, departure: Int, walking: Int?
  ) -> TransitTrip? {
    guard let trips = graph.trips, let walks, origins.indices.contains(origins.lowerBound + lane) else {
      preconditionFailure("no such origin, or a graph without trips")
    }
    if finder == nil { finder = TripFinder(graph, trips) }
    let (rank, moment) = (graph.ranks[departure], graph.moments[departure])
    let (range, arrivals) = (destinations[destination], destinations.arrivals)
    let isReached = { (node: Int) in self.rank(node, lane: lane) >= rank }
    let first = range.first { isReached(Int(arrivals[$0].node)) }
    let time = first.map { Int(arrivals[$0].milliseconds) + graph.departures[0] - moment }
    if let walking, walking <= min(time ?? .max, graph.window.limit) {
      return TransitTrip(access: walking)
    }
    guard let first, let time, time <= graph.window.limit else { return nil }
    let ends = range[first...].prefix { arrivals[$0].milliseconds == arrivals[first].milliseconds }
      .filter { isReached(Int(arrivals[$0].node)) }.map { destinations.ends[$0] }
    return finder?.trip(from: walks[origins.lowerBound + lane], leaving: moment, taking: time, ends, isReached)
  }
}

/// A search for single trips by dynamic programming over the arcs that lead to the best arrivals. Confined to one
/// thread.
final class TripFinder {
  /// Cost components, the most important first.
  private struct Cost: Comparable {
    var rides: Int32
    /// The negated millisecond at which riders leave the origin.
    var start: Int32
    /// Milliseconds on foot.
    var walked: UInt32

    static func < (a: Cost, b: Cost) -> Bool { (a.rides, a.start, a.walked) < (b.rides, b.start, b.walked) }
    static let infinity = Cost(rides: .max, start: .max, walked: .max)
  }

  private let graph: TransitGraph
  private let trips: TripArcs
  /// Indexed by position, as are `previous` and `marks`.
  private var costs: [Cost]
  /// The previous position; the position itself at a stop reached on foot from the origin.
  private var previous: [UInt32]
  /// One bit per position, so that unmarked positions are skipped quickly.
  private var marks: [UInt64]
  private var marked: [Int] = []
  /// Milliseconds on foot from the origin to each stop; -1 without a walk.
  private var access: [Int]
  /// The stop of each standing node.
  private let stops: [Int]

  init(_ graph: TransitGraph, _ trips: TripArcs) {
    (self.graph, self.trips) = (graph, trips)
    costs = Array(repeating: .infinity, count: graph.nodeCount)
    previous = Array(repeating: 0, count: graph.nodeCount)
    marks = Array(repeating: 0, count: graph.nodeCount / 64 + 1)
    let stopCount = graph.firstStanding.count - 1
    access = Array(repeating: -1, count: stopCount)
    stops = (0..<stopCount).flatMap { repeatElement($0, count: graph.standing(at: $0).count) }
  }

  /// Returns the trip to the best of several ends, which are all reached at the same time.
  ///
  /// - Parameters:
  ///   - walks: The walks from the origin to stops.
  ///   - isReached: Whether the origin reaches a label's node with this departure.
  func trip(
    from walks: Slice<Column<StopWalks.Walk>>, leaving moment: Int, taking time: Int,
    _ last: [TransitDestinations.End], _ isReached: (Int) -> Bool
  ) -> TransitTrip {
    for walk in walks { access[Int(walk.stop)] = Int(walk.milliseconds) }
    defer {
      for walk in walks { access[Int(walk.stop)] = -1 }
      for position in marked { (costs[position], marks[position >> 6]) = (.infinity, 0) }
      marked.removeAll(keepingCapacity: true)
    }
    let ends = last.map { position(of: $0) }
    for end in ends { mark(end) }
    var next = 0
    while next < marked.count {
      for source in trips.arcs[marked[next]] where !isMarked(Int(source)) && isReached(Int(trips.labels[Int(source)])) {
        mark(Int(source))
      }
      next += 1
    }
    relax(leaving: moment)
    let totals = zip(ends, last).map { end, arrival in
      var cost = costs[end]
      cost.walked += arrival.walked
      return cost
    }
    let best = totals.indices.min { totals[$0] < totals[$1] }!
    return trip(endingAt: ends[best], taking: time, egress: Int(last[best].walked))
  }

  /// Returns the position of an arrival's own riding node, which may be within a cycle.
  private func position(of end: TransitDestinations.End) -> Int {
    Int(trips.order.positions[stops.count + Int(end.event)])
  }

  /// Returns the positions of the cycle that contains a position; only the position itself outside cycles.
  private func cycle(of position: Int) -> Range<Int> {
    let first = trips.order.representatives[position]
    var end = position + 1
    while end < trips.order.representatives.count, trips.order.representatives[end] == first { end += 1 }
    return Int(first)..<end
  }

  private func mark(_ position: Int) {
    for position in cycle(of: position) where !isMarked(position) {
      marks[position >> 6] |= 1 << UInt64(position & 63)
      marked.append(position)
    }
  }

  private func isMarked(_ position: Int) -> Bool { marks[position >> 6] >> UInt64(position & 63) & 1 != 0 }

  /// Computes the costs of marked nodes in order; repeats cycles until nothing changes.
  private func relax(leaving moment: Int) {
    let (low, high) = (marked.min()!, marked.max()!)
    var position = low
    while position <= high {
      let remaining = marks[position >> 6] >> UInt64(position & 63)
      guard remaining & 1 != 0 else {
        position = remaining == 0 ? (position | 63) + 1 : position + remaining.trailingZeroBitCount
        continue
      }
      let cycle = cycle(of: position)
      var changes = false
      repeat {
        changes = false
        for position in cycle where relax(position, leaving: moment) { changes = true }
      } while changes && cycle.count > 1
      position = cycle.upperBound
    }
  }

  /// Relaxes the arcs into a position. Returns whether its cost was lowered.
  private func relax(_ position: Int, leaving moment: Int) -> Bool {
    let node = Int(trips.order.nodes[position])
    let isStanding = node < stops.count
    let own = costs[position]
    var (best, from) = (own, previous[position])
    if isStanding, access[stops[node]] >= 0 {
      let (walk, departure) = (access[stops[node]], Int(graph.standingTimes[node]) * 1000)
      if moment + walk + graph.boardingSlack <= departure {
        let cost = Cost(rides: 0, start: Int32(walk - departure), walked: UInt32(walk))
        if cost < best { (best, from) = (cost, UInt32(position)) }
      }
    }
    for source in trips.arcs[position] {
      var cost = costs[Int(source)]
      guard cost.rides != .max else { continue }
      let sourceNode = Int(trips.order.nodes[Int(source)])
      switch (sourceNode < stops.count, isStanding) {
      case (true, false): cost.rides += 1
      case (false, true): cost.walked += walked(from: sourceNode - stops.count, to: stops[node])
      default: break
      }
      if cost < best { (best, from) = (cost, source) }
    }
    guard best < own else { return false }
    (costs[position], previous[position]) = (best, from)
    return true
  }

  /// Returns the walk between two rides in milliseconds.
  private func walked(from event: Int, to stop: Int) -> UInt32 {
    trips.transfers[Int(graph.events[event].nextStop)].first { $0.to == stop }!.walked
  }

  /// Builds the trip from its end to its start.
  private func trip(endingAt end: Int, taking time: Int, egress: Int) -> TransitTrip {
    var trip = TransitTrip(egress: egress)
    var position = end
    /// The last event of the ride, and the last event of its part in one run.
    var (alighting, last) = (event(at: end), event(at: end))
    var walk = 0
    while true {
      let source = Int(previous[position])
      let (node, sourceNode) = (Int(trips.order.nodes[position]), Int(trips.order.nodes[source]))
      if node >= stops.count {
        let first = node - stops.count
        let isBoarding = sourceNode < stops.count
        if isBoarding { trip.riding += Int(graph.events[alighting].arrival - graph.events[first].departure) * 1000 }
        if isBoarding || graph.events[sourceNode - stops.count].run != graph.events[first].run {
          trip.vehicles.append(vehicle(from: first, to: last, staysSeated: !isBoarding))
          if !isBoarding { last = sourceNode - stops.count }
        }
      } else if source == position {
        trip.access = access[stops[node]]
        break
      } else if sourceNode >= stops.count {
        walk = Int(walked(from: sourceNode - stops.count, to: stops[node]))
        trip.transfer += walk
        trip.vehicles[trip.vehicles.count - 1].walk = walk
        (alighting, last) = (sourceNode - stops.count, sourceNode - stops.count)
      }
      position = source
    }
    trip.waiting = time - (trip.access + trip.riding + trip.transfer + trip.egress)
    graph.window.isArrival ? trip.mirror() : trip.vehicles.reverse()
    return trip
  }

  private func event(at position: Int) -> Int { Int(trips.order.nodes[position]) - stops.count }

  /// Returns a part of a ride between two events of a run.
  private func vehicle(from first: Int, to last: Int, staysSeated: Bool) -> TransitTrip.Vehicle {
    let (first, last) = (graph.events[first], graph.events[last])
    return graph.window.isArrival
      ? .init(
        boarding: Int(last.call), alighting: Int(first.call) + 1, departure: -Int(last.arrival),
        arrival: -Int(first.departure), staysSeated: staysSeated, walk: 0)
      : .init(
        boarding: Int(first.call), alighting: Int(last.call) + 1, departure: Int(first.departure),
        arrival: Int(last.arrival), staysSeated: staysSeated, walk: 0)
  }
}

extension TransitTrip {
  /// Reverses a trip of a graph mirrored in time. Its vehicles are already in order, but properties that relate a
  /// vehicle to the previous one must be moved to the next one.
  fileprivate mutating func mirror() {
    (access, egress) = (egress, access)
    for index in vehicles.indices.reversed() {
      let isFirst = index == 0
      vehicles[index].walk = isFirst ? 0 : vehicles[index - 1].walk
      vehicles[index].staysSeated = isFirst ? false : vehicles[index - 1].staysSeated
    }
  }
}
