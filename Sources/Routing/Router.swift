import Geography
import Hierarchy
import StreetNetwork

/// Computes trips on a network, with working memory for searches: one object per thread.
package final class Router {
  package let network: StreetNetwork
  package var transportType: TransportType { network.profile.transportType }
  /// Polled in long searches: true ends them without an answer.
  package var isCancelled: () -> Bool = { false }
  let limit: Double
  private let legs: SnapLegs
  private let search: StreetSearch
  private(set) lazy var islands = StreetSearch(network, among: network.islands)
  /// Made for the first trip: snapping needs none.
  private(set) lazy var query = PathQuery(network.hierarchy)
  /// Answers in place of `query` where weights alone are asked for; nil without labels.
  private lazy var labelQuery = labels.map { LabelQuery($0) }
  private let labels: UpperLabels?
  private(set) lazy var detour = DetourQuery(network.states.arcs)
  private(set) lazy var candidateSearch = CandidateSearch(network)
  private(set) lazy var stepSearch = StepSearch(network)
  /// Queries without what is closed, by the conditions that close it.
  private var closedQueries: [[Bool]: PathQuery] = [:]
  /// A place of the largest part of the network whose streets are all reached from one another; nil where none can be snapped to.
  package private(set) lazy var mainEnd = findMainEnd()
  let hours: TimedNetworks
  /// Made for the first trip at an hour.
  var timedQuery: TimedPathQuery?
  /// On the last least times that were searched for paths.
  var leastQuery: PathQuery?
  var instructions: Instructions
  /// Centimetres by index of a name, all zero between routes.
  var lengths: [UInt64]

  /// - Parameters:
  ///   - hours: How slow streets are when, shared by all routers; nil for free flow.
  ///   - labels: Of the network's hierarchy, shared by all routers: worth making for pairs by the ten thousand.
  package init(
    _ network: StreetNetwork, _ options: Directions.Options, _ hours: TimedNetworks? = nil, labels: UpperLabels? = nil
  ) {
    self.network = network
    self.labels = labels
    self.hours = hours ?? TimedNetworks(network, nil, waitLimit: options.waitMilliseconds)
    limit = options.snapLimit
    legs = SnapLegs(network, options)
    search = StreetSearch(network)
    instructions = Instructions(network, options.language)
    lengths = Array(repeating: 0, count: network.nameCount)
  }

  /// `place` snapped to the nearest street, or nil where none is within the limit.
  package func end(at place: Coordinate) -> TripEnd? {
    // Places are stored as precisely as the map is: 1e-7 degrees, about a centimetre.
    place.isValid ? end(at: FixedCoordinate(place)) : nil
  }

  func end(at place: FixedCoordinate) -> TripEnd? {
    guard let snap = search.snap(place.coordinate, limit: limit) else { return nil }
    return TripEnd(place: place, snap: snap, leg: legs.weight(of: snap))
  }

  /// Time and length of the best trip; nil where there is no route.
  ///
  /// With a time it is the quickest on the clock: it waits for a closed street, within the limit of waiting.
  package func weight(from source: TripEnd, to destination: TripEnd, at time: TripTime? = nil) -> Weight? {
    if let time, isTimed(time) { return times(from: source, to: destination, at: time)?.weight }
    let closed = network.closure(at: nil)
    let direct = network.directWeight(from: source, to: destination, closed: closed)
    guard direct != .zero else { return direct }
    let sources = network.sourceSeeds(source.snap, closed: closed)
    let targets = network.targetSeeds(destination.snap, closed: closed)
    let path =
      if let labelQuery, closed?.isDefault != false {
        labelQuery.weight(from: sources, to: targets)
      } else {
        query(without: closed).weight(from: sources, to: targets)
      }
    return [path.map { source.leg + $0 + destination.leg }, direct].compactMap(\.self).filter(\.isFinite).min()
  }

  /// The best trip with its shape and steps; nil where there is no route.
  package func route(from source: TripEnd, to destination: TripEnd, at time: TripTime? = nil) -> Route? {
    routes(from: source, to: destination, at: time, withAlternates: false).first
  }

  /// The best route first, then its alternates; empty where there is no route.
  package func routes(
    from source: TripEnd, to destination: TripEnd, at time: TripTime? = nil, withAlternates: Bool
  ) -> [Route] {
    if let time, isTimed(time) {
      return timedRoutes(from: source, to: destination, at: time, withAlternates: withAlternates)
    }
    return routes(from: source, to: destination, closed: network.closure(at: nil), withAlternates: withAlternates)
  }

  /// The best trip as if all stayed as it is at a moment: closed or open.
  package func route(from source: TripEnd, to destination: TripEnd, frozenAt time: LocalTime?) -> Route? {
    routes(from: source, to: destination, closed: network.closure(at: time), withAlternates: false).first
  }

  private func routes(
    from source: TripEnd, to destination: TripEnd, closed: Closure?, withAlternates: Bool
  ) -> [Route] {
    func route(_ trip: Trip) -> Route { self.route(along: trip, from: source, to: destination) }
    guard source.place != destination.place else { return [route(Trip(at: source, and: destination))] }
    let search = search(from: source, to: destination, closed: closed)
    let path = search.query.path(from: search.sources.seeds, to: search.targets.seeds).flatMap {
      (source.leg + $0.weight + destination.leg).isFinite ? $0 : nil
    }
    let direct = network.direct(source.snap, destination.snap, closed: closed)
    var trips: [Trip] = []
    if let direct, direct.weight <= path?.weight ?? .infinity {
      trips.append(Trip(direct, taking: direct.weight))
    } else if let path {
      trips.append(trip(along: path, search, from: source, to: destination))
    }
    // A trip along one street that beats all others has no alternates.
    if withAlternates, let path, path.weight <= direct?.weight ?? .infinity {
      trips += alternates(to: path, search).map { trip(along: $0, search, from: source, to: destination) }
    }
    return trips.map(route)
  }

  private func search(from source: TripEnd, to destination: TripEnd, closed: Closure?) -> TripSearch {
    TripSearch(
      sources: network.sources(source.snap, closed: closed), targets: network.targets(destination.snap, closed: closed),
      closed: closed, query: query(without: closed), weights: network.states.arcs.weights)
  }

  private func query(without closed: Closure?) -> PathQuery {
    guard let closed, !closed.isDefault else { return query }
    let known = closedQueries[closed.key] ?? PathQuery(network.hierarchy(without: closed))
    closedQueries[closed.key] = known
    return known
  }

  private func trip(
    along path: Path, _ search: TripSearch, from source: TripEnd, to destination: TripEnd
  ) -> Trip {
    let (sources, targets) = (search.sources, search.targets)
    var pieces: [TripPiece] = []
    pieces.reserveCapacity(path.arcs.count + 2)
    pieces.append(
      TripPiece(
        street: sources.streets[path.source], weight: sources.seeds[path.source].weight,
        isWhole: sources.isWhole[path.source]))
    for arc in path.arcs {
      let (street, weight) = network.travelled(by: arc)
      pieces.append(TripPiece(street: street, weight: weight, isWhole: true))
    }
    pieces.append(TripPiece(street: targets.streets[path.target], weight: targets.seeds[path.target].weight))
    return Trip(
      pieces: pieces, from: sources.position(ofSeed: path.source, source.snap),
      to: targets.position(ofSeed: path.target, destination.snap))
  }
}
