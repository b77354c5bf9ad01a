import Geography
import Hierarchy
import OpeningHours
import StreetNetwork
import Synchronization

/// A query of a `TripReach`. Each thread needs its own object.
package final class TripReachQuery {
  let reach: TripReach
  let network: StreetNetwork
  private let query: ReachQuery
  private let cover: StreetCover
  let list: StretchList

  package init(_ reach: TripReach) {
    self.reach = reach
    network = reach.network
    query = ReachQuery(reach.graph)
    cover = StreetCover(streetCount: network.streetCount)
    list = StretchList(streetCount: network.streetCount)
  }

  /// Returns the bytes for a network.
  package static func memory(of network: StreetNetwork) -> Int {
    ReachQuery.memory(stateCount: network.states.arcs.stateCount) + StreetCover.memory(streetCount: network.streetCount)
      + StretchList.memory(streetCount: network.streetCount)
  }

  /// Returns the states at most `limit` milliseconds away from the nearest of `ends`, nearest first.
  package func states(around ends: [TripEnd], within limit: UInt32) -> [Seed] {
    query.reached(from: ends.flatMap { reach.seeds($0) }, within: limit)
  }

  /// Returns the parts of streets within `limit` milliseconds of a place, by street. `states` are the states around the
  /// place, for this limit or a larger one.
  package func pieces(around end: TripEnd, _ states: [Seed], within limit: UInt32) -> [StreetPiece] {
    pieces(around: [(end, 0)], states, within: limit)
  }

  /// Returns the parts of streets within `limit` milliseconds of several places, each with a delay relative to the
  /// first.
  package func pieces(
    around ends: [(end: TripEnd, milliseconds: UInt32)], _ states: [Seed], within limit: UInt32
  ) -> [StreetPiece] {
    for seed in states where seed.weight.milliseconds <= limit {
      let rest = limit - seed.weight.milliseconds
      switch reach.direction {
      case .fromTargets: cover(from: seed.state, rest)
      case .toTargets: cover(to: seed.state, rest)
      }
    }
    for (end, start) in ends {
      for position in end.snap.positions where !position.isCorner {
        let nearTime = start + (end.leg + position.line).milliseconds
        if nearTime <= limit { cover(around: position, limit - nearTime) }
      }
    }
    return cover.takePieces()
  }

  /// Returns whether trips cross the square that a street represents.
  package func isOpen(_ square: StreetID) -> Bool {
    network.isOpen(DirectedStreet(square, isReversed: false), reach.closed)
  }

  /// Covers the streets that trips from the place enter from a state.
  private func cover(from state: StateID, _ rest: UInt32) {
    for arc in network.states.arcs.arcs(from: state) {
      guard reach.closed?.contains(ArcID(arc)) != true else { continue }
      let directed = network.states.streets[arc]
      let whole = network.milliseconds(of: directed)
      let turn = network.states.arcs.weights[arc].milliseconds - whole
      guard turn <= rest else { continue }
      cover.cover(directed, isFromEnd: false, part(of: whole, within: rest - turn))
    }
  }

  /// Covers the streets that lead to a state and on which trips to the place may start.
  private func cover(to state: StateID, _ rest: UInt32) {
    for directed in reach.starts[state.index] {
      let whole = network.milliseconds(of: directed)
      cover.cover(directed, isFromEnd: true, part(of: whole, within: rest))
    }
  }

  private func part(of whole: UInt32, within rest: UInt32) -> Double {
    rest >= whole ? 1 : Double(rest) / Double(whole)
  }

  /// Covers the reached parts of the place's own street; if the place is at a junction, of all streets on which trips
  /// may start.
  private func cover(around snap: StreetPosition, _ rest: UInt32) {
    let street = network.street(snap.street)
    // The part before the place is travelled against the shape if trips leave the place, and along it if they lead
    // there.
    let isLeaving = reach.direction == .fromTargets
    func part(isReversed: Bool) -> Double {
      guard network.isOpen(DirectedStreet(snap.street, isReversed: isReversed), reach.closed) else { return 0 }
      return self.part(of: street.milliseconds(isReversed: isReversed), within: rest)
    }
    if isLeaving {
      for directed in network.streetsLeaving(snap, closed: reach.closed) {
        let whole = network.milliseconds(of: directed)
        cover.cover(directed, isFromEnd: false, self.part(of: whole, within: rest))
      }
    }
    cover.cover(around: snap, before: part(isReversed: isLeaving), after: part(isReversed: !isLeaving))
  }
}

/// The shared data for finding the streets within a travel time from or to a place. Immutable and shared by all
/// threads; each thread has its own `TripReachQuery`.
///
/// Times agree with `Router.weight` to the millisecond: a point on a street is reached within a limit if and only if
/// the trip between it and the place takes no longer.
package struct TripReach: Sendable {
  package let network: StreetNetwork
  package let direction: NearestTable.Direction
  /// The arcs that are not closed; reversed if trips lead to the place.
  let graph: ArcGraph
  let closed: Closure?
  /// The streets on which trips to the place may start, grouped by the state at their end.
  let starts: Grouped<DirectedStreet>

  /// - Parameters:
  ///   - direction: Whether trips lead to the places of queries, or from them.
  ///   - time: The time at which turns and streets must be open.
  package init(_ network: StreetNetwork, _ direction: NearestTable.Direction, at time: LocalTime? = nil) {
    self.network = network
    self.direction = direction
    let closed = network.closure(at: time)
    self.closed = closed
    let open = network.arcs(without: closed)
    graph = direction == .toTargets ? open.reversed() : open
    starts = Grouped(graph.stateCount) { add in
      guard direction == .toTargets else { return }
      network.forEachStart { if network.isOpen($1, closed, as: $2) { add($0, $1) } }
    }
  }

  /// Returns the seeds of a place of queries or, with `isFar`, of a place at the other end of the trips.
  func seeds(_ end: TripEnd, isFar: Bool = false) -> [Seed] {
    (direction == .fromTargets) != isFar ? network.sources(end, closed: closed) : network.targets(end, closed: closed)
  }
}

extension StreetNetwork {
  /// Calls `body` with each street on which trips may start, the state at its end, and the use.
  func forEachStart(_ body: (_ state: UInt32, DirectedStreet, StreetUse) -> Void) {
    for index in 0..<UInt32(streetCount * 2) {
      let street = DirectedStreet(index: index)
      for (state, use) in states.starts(of: street) { body(state, street, use) }
    }
  }
}

/// The graphs for isochrones of a network without a time, each built on first use. Shared by all threads.
final class TripReachCache: Sendable {
  private let known = Mutex<[NearestTable.Direction: TripReach]>([:])

  func reach(_ direction: NearestTable.Direction, on network: StreetNetwork) -> TripReach {
    known.value(for: direction) { TripReach(network, direction) }
  }
}

/// An index of places, for queries that find all places within a travel time of other places, and the weights of the
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

  /// - Parameter places: The places; nil for places that are not on a street, which are never reached.
  package init(_ reach: TripReach, _ places: [TripEnd?]) {
    self.reach = reach
    placesOnStreets = StreetPlaces(places)
    let table = SeedTable(count: places.count) { places[$0].map { reach.seeds($0, isFar: true) } ?? [] }
    seeds = Grouped(reach.graph.stateCount) { add in
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
      for state in query.states(around: ends, within: limit) {
        for seed in reached.seeds[state.state.index] { reach(seed.index, state.weight + seed.weight, limit) }
      }
      let trips = reached.reach
      for end in ends {
        reached.placesOnStreets.forEachDirect(
          end, leaves: trips.direction == .fromTargets, on: trips.network, trips.closed
        ) { reach(UInt32($0), $1, limit) }
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
