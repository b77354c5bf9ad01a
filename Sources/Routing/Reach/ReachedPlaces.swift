import Geography
import Hierarchy
import StreetNetwork

/// Places to be reached: which of them lie within a time of some others, and how far. Immutable, shared by all threads.
///
/// Each place is kept at its states: a search that settles one of them reaches it. So a query costs what is around it,
/// and a sum over all stations is linear in the pairs of a place and a station within the limit.
package struct ReachedPlaces: Sendable {
  private let reach: TripReach
  private let places: [TripEnd?]
  /// The indices of the places at state `s` are `seeds[first[s] ..< first[s + 1]]`.
  private let first: [UInt32]
  private let seeds: [(index: UInt32, weight: Weight)]
  private let placesOnStreets: StreetPlaces

  /// - Parameter places: Nil for those that are not on a street, which are never reached.
  package init(_ reach: TripReach, _ places: [TripEnd?]) {
    self.reach = reach
    self.places = places
    placesOnStreets = StreetPlaces(places)
    let network = reach.network
    let table = SeedTable(count: places.count) { index in
      guard let place = places[index] else { return [] }
      // Places are at the other end of the trips.
      return reach.direction == .toTargets
        ? network.sources(place, closed: reach.closed) : network.targets(place, closed: reach.closed)
    }
    var first = [UInt32](repeating: 0, count: reach.graph.stateCount + 1)
    for seed in table.seeds { first[Int(seed.state.index) + 1] += 1 }
    for state in 0..<reach.graph.stateCount { first[state + 1] += first[state] }
    var next = first
    var seeds = [(index: UInt32, weight: Weight)](repeating: (0, .zero), count: table.seeds.count)
    for index in 0..<table.count {
      for seed in table[index] {
        seeds[Int(next[Int(seed.state.index)])] = (UInt32(index), seed.weight)
        next[Int(seed.state.index)] += 1
      }
    }
    (self.first, self.seeds) = (first, seeds)
  }

  /// Working memory for queries: one object per thread.
  package final class Query {
    private let reached: ReachedPlaces
    private let query: TripReachQuery
    private var best: [Weight]
    private var touched: [UInt32] = []

    package init(_ reached: ReachedPlaces) {
      self.reached = reached
      query = TripReachQuery(reached.reach)
      best = Array(repeating: .infinity, count: reached.places.count)
    }

    /// Calls `body` with each place at most `limit` milliseconds from the nearest of `ends`, and the trip's weight, in
    /// the order in which they are reached, which is always the same.
    package func forEachPlace(around ends: [TripEnd], within limit: UInt32, _ body: (_ index: Int, Weight) -> Void) {
      for state in query.states(around: ends, within: limit) {
        let id = Int(state.state.index)
        for seed in reached.seeds[Int(reached.first[id])..<Int(reached.first[id + 1])] {
          reach(seed.index, state.weight + seed.weight, limit)
        }
      }
      for end in ends { reached.forEachDirect(to: end) { reach(UInt32($0), $1, limit) } }
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

  /// Places whose trip needs no search.
  private func forEachDirect(to end: TripEnd, _ body: (_ index: Int, Weight) -> Void) {
    let network = reach.network
    let isTo = reach.direction == .toTargets
    let streets = isTo ? network.directStreets(to: end.snap) : network.directStreets(from: end.snap)
    placesOnStreets.forEach(on: streets) { index in
      let place = places[index]!
      let (from, to) = isTo ? (place, end) : (end, place)
      let weight = network.directWeight(from: from, to: to, closed: reach.closed)
      if let weight { body(index, weight) }
    }
  }
}
