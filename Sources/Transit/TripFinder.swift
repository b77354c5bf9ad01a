import Hierarchy

/// A trip: what its travel time is made of. Its parts add up to the travel time to the millisecond.
package struct TransitTrip: Equatable, Sendable {
  /// Vehicles taken: riders who stay seated on a next trip stay in one. None on a walk all the way.
  package var rides: Int
  /// Milliseconds on foot from the origin to the first stop, or all the way.
  package var access: Int
  /// Milliseconds spent waiting at stops.
  package var waiting: Int
  /// Milliseconds in vehicles.
  package var riding: Int
  /// Milliseconds on foot between vehicles.
  package var transfer: Int
  /// Milliseconds on foot from the last stop to the destination.
  package var egress: Int

  /// The travel time in milliseconds.
  package var milliseconds: Int { access + waiting + riding + transfer + egress }
}

extension TransitSweep {
  /// The travel time of a cell in milliseconds; nil where no trip is within the limit. The parameters are those of `trip`.
  package func time(
    lane: Int, to destination: Int, of destinations: TransitDestinations, departure: Int, walking: Int?
  ) -> UInt32? {
    let (rank, arrivals) = (graph.ranks[departure], destinations.arrivals)
    let first = destinations[destination].first { self.rank(Int(arrivals[$0].node), lane: lane) >= rank }
    let riding = first.map {
      Int(arrivals[$0].milliseconds) + graph.departures[0] - graph.window.departures[departure]
    }
    let time = min(riding ?? .max, walking ?? .max)
    return time <= graph.window.limit ? UInt32(time) : nil
  }

  /// The trip behind a cell: of those that arrive first the one with the fewest rides, then the latest start from the
  /// origin, then the least walking, then the first vehicles in the order of the timetable. Nil where no trip is within
  /// the limit.
  ///
  /// - Parameters:
  ///   - lane: An origin of the last run, counted from its first one.
  ///   - departure: An index of the window's departures.
  ///   - walking: The time of walking all the way in milliseconds; nil where there is no way.
  package func trip(
    lane: Int, to destination: Int, of destinations: TransitDestinations, departure: Int, walking: Int?
  ) -> TransitTrip? {
    guard let trips = graph.trips, let walks, origins.indices.contains(origins.lowerBound + lane) else {
      preconditionFailure("no such origin, or a graph without trips")
    }
    if finder == nil { finder = TripFinder(graph, trips) }
    let (rank, moment) = (graph.ranks[departure], graph.window.departures[departure])
    let (range, arrivals) = (destinations[destination], destinations.arrivals)
    let isReached = { (node: Int) in self.rank(node, lane: lane) >= rank }
    let first = range.first { isReached(Int(arrivals[$0].node)) }
    let time = first.map { Int(arrivals[$0].milliseconds) + graph.departures[0] - moment }
    if let walking, walking <= min(time ?? .max, graph.window.limit) {
      return TransitTrip(rides: 0, access: walking, waiting: 0, riding: 0, transfer: 0, egress: 0)
    }
    guard let first, let time, time <= graph.window.limit else { return nil }
    let ends = range[first...].prefix { arrivals[$0].milliseconds == arrivals[first].milliseconds }
      .filter { isReached(Int(arrivals[$0].node)) }.map { destinations.ends[$0] }
    return finder?.trip(from: walks[origins.lowerBound + lane], leaving: moment, taking: time, ends, isReached)
  }
}

/// Finds single trips: a dynamic programme over the arcs that lead to the best arrivals. Belongs to one thread.
final class TripFinder {
  /// What is least, part by part.
  private struct Cost: Comparable {
    var rides: Int32
    /// Less the millisecond at which one starts from the origin.
    var start: Int32
    var walked: UInt32

    static func < (a: Cost, b: Cost) -> Bool {
      (a.rides, a.start, a.walked) < (b.rides, b.start, b.walked)
    }
    static let infinity = Cost(rides: .max, start: .max, walked: .max)
  }

  private let graph: TransitGraph
  private let trips: TripArcs
  /// By position, as are `before` and `isMarked`.
  private var costs: [Cost]
  /// The position from which one comes; the own one at a stop that one has walked to.
  private var before: [UInt32]
  private var isMarked: [Bool]
  private var marked: [Int] = []
  /// The walk from the origin to each stop; -1 for none.
  private var access: [Int]
  /// The stop of each standing node.
  private let stops: [Int]

  init(_ graph: TransitGraph, _ trips: TripArcs) {
    (self.graph, self.trips) = (graph, trips)
    costs = Array(repeating: .infinity, count: graph.nodeCount)
    before = Array(repeating: 0, count: graph.nodeCount)
    isMarked = Array(repeating: false, count: graph.nodeCount)
    let stopCount = graph.firstStanding.count - 1
    access = Array(repeating: -1, count: stopCount)
    stops = (0..<stopCount).flatMap { repeatElement($0, count: graph.standing(at: $0).count) }
  }

  /// The trip that ends in the best of several ways, all at the same moment.
  ///
  /// - Parameters:
  ///   - walks: The walks from the origin to stops.
  ///   - isReached: Whether the origin reaches a position with this departure.
  func trip(
    from walks: Slice<Column<StopWalks.Walk>>, leaving moment: Int, taking time: Int,
    _ last: [TransitDestinations.End], _ isReached: (Int) -> Bool
  ) -> TransitTrip {
    for walk in walks { access[Int(walk.stop)] = Int(walk.milliseconds) }
    defer {
      for walk in walks { access[Int(walk.stop)] = -1 }
      for position in marked { (costs[position], isMarked[position]) = (.infinity, false) }
      marked.removeAll(keepingCapacity: true)
    }
    let ends = last.map { position(of: $0) }
    for end in ends { mark(end) }
    var next = 0
    while next < marked.count {
      for source in trips.arcs[marked[next]] where !isMarked[Int(source)] && isReached(Int(source)) {
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
    return trip(endingAt: ends[best], taking: time, rides: Int(totals[best].rides), egress: Int(last[best].walked))
  }

  /// The position of an arrival's own riding node, which may be within a cycle.
  private func position(of end: TransitDestinations.End) -> Int {
    let node = UInt32(stops.count) + end.event
    return trips.nodes[Int(graph.ridingPositions[Int(end.event)])...].firstIndex(of: node)!
  }

  /// The positions of the cycle that a position is in; the position alone outside cycles.
  private func cycle(of position: Int) -> Range<Int> {
    let first = trips.representatives[position]
    var end = position + 1
    while end < trips.representatives.count, trips.representatives[end] == first { end += 1 }
    return Int(first)..<end
  }

  private func mark(_ position: Int) {
    for position in cycle(of: position) where !isMarked[position] {
      isMarked[position] = true
      marked.append(position)
    }
  }

  /// Computes the costs of marked nodes in their order; within cycles over and over again until none changes.
  private func relax(leaving moment: Int) {
    let (low, high) = (marked.min()!, marked.max()!)
    var position = low
    while position <= high {
      guard isMarked[position] else {
        position += 1
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

  /// Lowers the cost of a position by what its sources cost; returns whether it was lowered.
  private func relax(_ position: Int, leaving moment: Int) -> Bool {
    let node = Int(trips.nodes[position])
    let isStanding = node < stops.count
    let own = costs[position]
    var (best, from) = (own, before[position])
    if isStanding, access[stops[node]] >= 0 {
      let (walk, departure) = (access[stops[node]], Int(graph.standingTimes[node]) * 1000)
      if moment + walk + graph.window.boardingSlack * 1000 <= departure {
        let cost = Cost(rides: 0, start: Int32(walk - departure), walked: UInt32(walk))
        if cost < best { (best, from) = (cost, UInt32(position)) }
      }
    }
    for source in trips.arcs[position] {
      var cost = costs[Int(source)]
      guard cost.rides != .max else { continue }
      let sourceNode = Int(trips.nodes[Int(source)])
      switch (sourceNode < stops.count, isStanding) {
      case (true, false): cost.rides += 1
      case (false, true): cost.walked += walked(from: sourceNode - stops.count, to: stops[node])
      default: break
      }
      if cost < best { (best, from) = (cost, source) }
    }
    guard best < own else { return false }
    (costs[position], before[position]) = (best, from)
    return true
  }

  /// The walk between two rides in milliseconds.
  private func walked(from event: Int, to stop: Int) -> UInt32 {
    trips.transfers[Int(graph.events[event].nextStop)].first { $0.to == stop }!.walked
  }

  /// Adds up the parts of the trip, from its end to its start.
  private func trip(endingAt end: Int, taking time: Int, rides: Int, egress: Int) -> TransitTrip {
    var trip = TransitTrip(rides: rides, access: 0, waiting: 0, riding: 0, transfer: 0, egress: egress)
    var position = end
    var alighting = graph.events[Int(trips.nodes[end]) - stops.count].arrival
    while true {
      let source = Int(before[position])
      let (node, sourceNode) = (Int(trips.nodes[position]), Int(trips.nodes[source]))
      if node >= stops.count {
        if sourceNode < stops.count {
          trip.riding += Int(alighting - graph.events[node - stops.count].departure) * 1000
        }
      } else if source == position {
        trip.access = access[stops[node]]
        break
      } else if sourceNode >= stops.count {
        trip.transfer += Int(walked(from: sourceNode - stops.count, to: stops[node]))
        alighting = graph.events[sourceNode - stops.count].arrival
      }
      position = source
    }
    trip.waiting = time - (trip.access + trip.riding + trip.transfer + trip.egress)
    return trip
  }
}
