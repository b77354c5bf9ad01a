import Hierarchy
import Routing
import StreetNetwork

/// A search for the fastest routes of trips, and their times by road class. One object per thread.
final class FastestRouteSearch {
  private let network: StreetNetwork
  private let closed: Closure?
  private lazy var freeFlow = PathQuery(network.hierarchy)
  /// The search at the last requested slowness.
  private var slowed: (slowness: ClassSlowness, query: DetourQuery)?

  init(_ network: StreetNetwork) {
    self.network = network
    closed = network.closure(at: nil)
  }

  /// Returns the times of the fastest route in free flow; nil if there is none.
  func times(from origin: TripEnd, to destination: TripEnd) -> TripTimes? {
    times(from: origin, to: destination, weights: { $1 }) { sources, targets in
      freeFlow.path(from: sources, to: targets)
    }
  }

  /// Returns the free-flow times of the route that is fastest with a slowness per class; nil if there is none.
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
      times.add(direct.weight, roadClass(direct.street))
    } else if let path {
      let source = path.source
      times.add(sources.seeds[source].weight, roadClass(sources.streets[source]))
      for arc in path.arcs {
        let (street, weight) = network.travelled(by: arc)
        times.add(weight, roadClass(street))
      }
      times.add(targets.seeds[path.target].weight, roadClass(targets.streets[path.target]))
    } else {
      return nil
    }
    return times
  }

  private func roadClass(_ street: DirectedStreet) -> RoadClass { network.attributes(of: street.street).roadClass }
}

/// The free-flow times of a trip's route by road class, to be multiplied by slownesses.
struct TripTimes: Sendable {
  /// Seconds on the streets of each class, including the turns into them; by `RoadClass`'s raw value.
  private(set) var streets = [Double](repeating: 0, count: RoadClass.allCases.count)
  /// Seconds that do not depend on the hour: ferries, and straight lines between places and streets.
  private(set) var fixed = 0.0
  /// In metres.
  private(set) var length = 0.0

  /// In seconds.
  var freeFlow: Double { streets.reduce(fixed, +) }

  /// Adds a part of a street, including the turn before it.
  mutating func add(_ weight: Weight, _ roadClass: RoadClass) {
    length += weight.metres
    if roadClass == .other { fixed += weight.seconds } else { streets[Int(roadClass.rawValue)] += weight.seconds }
  }

  /// Adds the straight line between a place and its street.
  mutating func add(leg: Weight) {
    fixed += leg.seconds
    length += leg.metres
  }

  /// Returns the travel time in seconds with a slowness per class.
  func seconds(_ slowness: (RoadClass) -> Double) -> Double {
    RoadClass.allCases.reduce(fixed) { $0 + slowness($1) * streets[Int($1.rawValue)] }
  }
}

struct ClassSlowness: Hashable, Sendable {
  /// By `RoadClass`'s raw value.
  private var values = [Double](repeating: 1, count: RoadClass.allCases.count)

  subscript(roadClass: RoadClass) -> Double {
    get { values[Int(roadClass.rawValue)] }
    set { values[Int(roadClass.rawValue)] = newValue }
  }

  /// Returns a free-flow weight, slowed by the slowness of its class.
  func weight(_ weight: Weight, _ roadClass: RoadClass) -> Weight {
    let time = (Double(weight.milliseconds) * self[roadClass]).rounded()
    // A nonzero time remains at least a millisecond.
    let minimum = Double(min(1, weight.milliseconds))
    return Weight(
      milliseconds: UInt32(min(max(minimum, time), Double(Weight.arcTimeLimit))), centimetres: weight.centimetres)
  }
}

/// The arcs of a network with a slowness per road class.
struct SlowedGraph: Sendable {
  let slowness: ClassSlowness
  let arcs: ArcGraph

  init(_ network: StreetNetwork, _ slowness: ClassSlowness) {
    self.slowness = slowness
    let arcs = network.states.arcs
    let weights = (0..<arcs.arcCount).map { arc in
      let (street, weight) = network.travelled(by: ArcID(arc))
      return slowness.weight(weight, network.attributes(of: street.street).roadClass)
    }
    self.arcs = ArcGraph(firstArc: arcs.firstArc, heads: arcs.heads, weights: Column(weights))
  }
}
