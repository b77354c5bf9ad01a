import Geography
import Hierarchy
import StreetNetwork

extension Router {
  /// Whether there is a way between places of which no route was found: one of more than 597 hours, which has no weight.
  ///
  /// On large maps only places far apart are looked at: the search goes over all that can be reached. *Complexity*:
  /// O(arcs).
  package func isTooLong(from source: TripEnd, to destination: TripEnd) -> Bool {
    let graph = network.states.arcs
    guard graph.stateCount <= Router.fewStates || source.place.distance(to: destination.place) > Router.farMetres else {
      return false
    }
    // What is only closed when one comes there is not too long.
    guard weight(from: source, to: destination) == nil else { return false }
    let closed = network.closure(at: nil)
    let targets = Set(network.targets(destination.snap, closed: closed).seeds.map(\.state.index))
    var isReached = [Bool](repeating: false, count: graph.stateCount)
    var waiting = network.sources(source.snap, closed: closed).seeds.map(\.state.index)
    while let state = waiting.popLast() {
      guard !isReached[Int(state)] else { continue }
      if targets.contains(state) { return true }
      isReached[Int(state)] = true
      for arc in graph.arcs(from: StateID(state)) where closed?.contains(ArcID(UInt32(arc))) != true {
        waiting.append(graph.heads[arc])
      }
    }
    return false
  }

  private static let fewStates = 10_000
  private static let farMetres = 200_000.0
}
