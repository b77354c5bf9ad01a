import Geography
import Hierarchy
import StreetNetwork

/// Places that wait to be reached: which of them lie within a time of some others, and how far. Immutable, shared by all
/// threads.
///
/// Each place stands at its states; who reaches those reaches it. So a question costs what is around it, and a sum over
/// all stations no more than there are pairs of a place and a station within the limit.
package struct ReachedPlaces: Sendable {
  private let reach: TripReach
  private let places: [TripEnd?]
  /// The places at state `s` are `seeds[first[s] ..< first[s + 1]]`.
  private let first: [UInt32]
  private let seeds: [(place: UInt32, weight: Weight)]
  private let numbers: StreetPlaces

  /// - Parameter places: Nil for those off all streets, which nobody reaches.
  package init(_ reach: TripReach, _ places: [TripEnd?]) {
    self.reach = reach
    self.places = places
    numbers = StreetPlaces(places)
    let network = reach.network
    let table = SeedTable(count: places.count) { number in
      guard let place = places[number] else { return [] }
      // Places are at the other end of the trips.
      return reach.direction == .toTargets ? network.sources(place) : network.targets(place, closed: reach.closed)
    }
    var first = [UInt32](repeating: 0, count: reach.graph.stateCount + 1)
    for seed in table.seeds { first[Int(seed.state.index) + 1] += 1 }
    for state in 0..<reach.graph.stateCount { first[state + 1] += first[state] }
    var next = first
    var seeds = [(place: UInt32, weight: Weight)](repeating: (0, .zero), count: table.seeds.count)
    for place in 0..<table.count {
      for seed in table[place] {
        seeds[Int(next[Int(seed.state.index)])] = (UInt32(place), seed.weight)
        next[Int(seed.state.index)] += 1
      }
    }
    (self.first, self.seeds) = (first, seeds)
  }

  /// Room for questions: one a thread.
  package final class Query {
    private let waiting: ReachedPlaces
    private let query: TripReachQuery
    private var best: [Weight]
    private var touched: [UInt32] = []

    package init(_ waiting: ReachedPlaces) {
      self.waiting = waiting
      query = TripReachQuery(waiting.reach)
      best = Array(repeating: .infinity, count: waiting.places.count)
    }

    /// Calls `body` with each place at most `limit` milliseconds from the nearest of `ends`, and the trip's weight, in the
    /// order in which they are met: always the same.
    package func forEachPlace(around ends: [TripEnd], within limit: UInt32, _ body: (_ place: Int, Weight) -> Void) {
      for state in query.states(around: ends, within: limit) {
        let index = Int(state.state.index)
        for seed in waiting.seeds[Int(waiting.first[index])..<Int(waiting.first[index + 1])] {
          reach(seed.place, state.weight + seed.weight, limit)
        }
      }
      for end in ends { waiting.forEachDirect(to: end) { reach(UInt32($0), $1, limit) } }
      for place in touched {
        body(Int(place), best[Int(place)])
        best[Int(place)] = .infinity
      }
      touched.removeAll(keepingCapacity: true)
    }

    private func reach(_ place: UInt32, _ weight: Weight, _ limit: UInt32) {
      guard weight.milliseconds <= limit, weight < best[Int(place)] else { return }
      if best[Int(place)] == .infinity { touched.append(place) }
      best[Int(place)] = weight
    }
  }

  /// Places whose trip needs no search.
  private func forEachDirect(to end: TripEnd, _ body: (_ place: Int, Weight) -> Void) {
    let network = reach.network
    let isTo = reach.direction == .toTargets
    let streets = isTo ? network.directStreets(to: end.snap) : network.directStreets(from: end.snap)
    numbers.forEach(on: streets) { number in
      let place = places[number]!
      let weight = isTo ? network.directWeight(from: place, to: end) : network.directWeight(from: end, to: place)
      if let weight { body(number, weight) }
    }
  }
}
