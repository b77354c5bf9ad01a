import Geography
import Hierarchy
import StreetNetwork

/// What can be reached from a place within a time, or from where the place can be reached. Immutable, shared by all
/// threads; each has a `TripReachQuery` of its own.
///
/// Times are those of `Router.weight`, to the millisecond: a point of a street is reached within a limit if and only if
/// the trip between it and the place takes no longer.
package struct TripReach: Sendable {
  package let network: StreetNetwork
  package let direction: NearestTable.Direction
  /// Without closed arcs; backwards if trips lead to the place.
  let graph: ArcGraph
  let closed: Closure?
  /// The streets on which trips to the place may start, by the state at their end: the streets of state `s` are
  /// `starts[firstStart[s] ..< firstStart[s + 1]]`.
  let firstStart: [UInt32]
  let starts: [DirectedStreet]

  /// - Parameters:
  ///   - direction: Whether trips lead to the places of queries, or from them.
  ///   - time: Decides which turns and streets are open.
  package init(_ network: StreetNetwork, _ direction: NearestTable.Direction, at time: LocalTime? = nil) {
    self.network = network
    self.direction = direction
    closed = network.closure(at: time)
    let open = network.arcs(without: closed)
    graph = direction == .toTargets ? open.reversed() : open
    var first = [UInt32](repeating: 0, count: graph.stateCount + 1)
    var placed: [(state: UInt32, street: DirectedStreet)] = []
    if direction == .toTargets {
      for index in 0..<UInt32(network.streetCount * 2) {
        let street = DirectedStreet(index: index)
        for (state, use) in network.states.starts(of: street) where network.isOpen(street, closed, as: use) {
          placed.append((state, street))
          first[Int(state) + 1] += 1
        }
      }
    }
    for state in 0..<graph.stateCount { first[state + 1] += first[state] }
    firstStart = first
    starts = placed.sorted { ($0.state, $0.street.index) < ($1.state, $1.street.index) }.map(\.street)
  }
}
