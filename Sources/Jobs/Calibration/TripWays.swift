import Hierarchy
import Routing
import StreetNetwork

/// Finds the fastest ways of trips, and what they take by the class of their streets. One object per thread.
final class TripWays {
  private let network: StreetNetwork
  private let closed: Closure?
  private lazy var freeFlow = PathQuery(network.hierarchy)
  /// The search at the last slowness that was asked for.
  private var slowed: (slowness: ClassSlowness, query: DetourQuery)?

  init(_ network: StreetNetwork) {
    self.network = network
    closed = network.closure(at: nil)
  }

  /// The fastest way in free flow; nil where there is none.
  func times(from origin: TripEnd, to destination: TripEnd) -> TripTimes? {
    times(from: origin, to: destination, weights: { $1 }) { sources, targets in
      freeFlow.path(from: sources, to: targets)
    }
  }

  /// The way that is fastest where each class has a slowness, still told in free flow.
  func times(from origin: TripEnd, to destination: TripEnd, at graph: SlowedGraph) -> TripTimes? {
    if slowed?.slowness != graph.slowness { slowed = (graph.slowness, DetourQuery(graph.arcs)) }
    let (query, slowness) = (slowed!.query, graph.slowness)
    return times(
      from: origin, to: destination, weights: { slowness.weight($1, self.network.attributes(of: $0.street).roadClass) }
    ) { sources, targets in query.path(from: sources, to: targets, without: closed?.arcs) }
  }

  private func times(
    from origin: TripEnd, to destination: TripEnd, weights: (DirectedStreet, Weight) -> Weight,
    _ search: ([Seed], [Seed]) -> Path?
  ) -> TripTimes? {
    let sources = network.sources(origin.snap)
    let targets = network.targets(destination.snap)
    func seeds(_ ends: SnapSeeds) -> [Seed] {
      zip(ends.seeds, ends.streets).map { Seed($0.state, weights($1, $0.weight)) }
    }
    let path = search(seeds(sources), seeds(targets))
    let direct = network.direct(origin.snap, destination.snap)
    var times = TripTimes()
    times.add(leg: origin.leg)
    times.add(leg: destination.leg)
    if let direct, weights(direct.street, direct.weight) <= path?.weight ?? .infinity {
      add(direct.weight, direct.street, isTurned: false, to: &times)
    } else if let path {
      let source = path.source
      add(sources.seeds[source].weight, sources.streets[source], isTurned: false, to: &times)
      for arc in path.arcs {
        let (street, weight) = network.travelled(by: arc)
        add(weight, street, to: &times)
      }
      addLast(targets.seeds[path.target].weight, targets.streets[path.target], to: &times)
    } else {
      return nil
    }
    return times
  }

  /// A whole street, with the turn into it unless the trip begins there.
  private func add(_ weight: Weight, _ street: DirectedStreet, isTurned: Bool = true, to times: inout TripTimes) {
    let whole = network.street(street.street).milliseconds(isReversed: street.isReversed)
    times.add(
      weight, ofStreet: isTurned ? min(whole, weight.milliseconds) : weight.milliseconds, roadClass(street))
  }

  /// The turn into the last street, and as much of it as its length says.
  private func addLast(_ weight: Weight, _ street: DirectedStreet, to times: inout TripTimes) {
    let whole = network.street(street.street).weight(isReversed: street.isReversed)
    let share = Double(weight.centimetres) / Double(max(1, whole.centimetres))
    let part = UInt32((Double(whole.milliseconds) * min(1, share)).rounded())
    times.add(weight, ofStreet: min(part, weight.milliseconds), roadClass(street))
  }

  private func roadClass(_ street: DirectedStreet) -> RoadClass { network.attributes(of: street.street).roadClass }
}
