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
  private let countsSnapLegs: Bool
  private let search: StreetSearch
  private(set) lazy var islands = StreetSearch(network, among: network.islands)
  /// Made for the first trip: snapping needs none.
  private(set) lazy var query = PathQuery(network.hierarchy)
  private(set) lazy var detour = DetourQuery(network.states.arcs)
  private(set) lazy var candidateSearch = CandidateSearch(network)
  private(set) lazy var stepSearch = StepSearch(network)
  /// What is closed, by the conditions that close it: the same at most hours.
  private var closures: [[Bool]: Closure] = [:]
  private let hierarchies: TimedHierarchies
  /// Queries on `hierarchies`, by what is closed.
  private var timedQueries: [[Bool]: PathQuery] = [:]
  var instructions: Instructions
  /// Centimetres by index of a name, all zero between routes.
  var lengths: [UInt64]

  package init(_ network: StreetNetwork, _ options: Directions.Options, _ hierarchies: TimedHierarchies = .none) {
    self.network = network
    self.hierarchies = hierarchies
    limit = options.snapLimit
    countsSnapLegs = options.countsSnapLegs ?? network.profile.countsSnapLegs
    search = StreetSearch(network)
    instructions = Instructions(network, options.language)
    lengths = Array(repeating: 0, count: network.nameCount)
  }

  /// `place` snapped to the nearest street, or nil where none is within the limit.
  package func end(at place: Coordinate) -> TripEnd? {
    guard place.isValid else { return nil }
    // Places are stored as precisely as the map is: 1e-7 degrees, about a centimetre.
    let place = FixedCoordinate(place)
    guard let snap = search.snap(place.coordinate, limit: limit) else { return nil }
    return TripEnd(place: place, snap: snap, leg: countsSnapLegs ? leg(of: snap.distance) : .zero)
  }

  /// Many places, each as `end(at:)` snaps it; in the order of the map, so that neighbours find the caches warm.
  package func ends(at places: [Coordinate]) -> [TripEnd?] {
    let order = places.indices
      .map { (along: places[$0].isValid ? HilbertIndex(FixedCoordinate(places[$0])).value : 0, index: $0) }
      .sorted { ($0.along, $0.index) < ($1.along, $1.index) }
    var ends = [TripEnd?](repeating: nil, count: places.count)
    for (_, index) in order { ends[index] = end(at: places[index]) }
    return ends
  }

  /// The weight of a straight line of `distance` metres, on foot; at most what an arc may cost.
  private func leg(of distance: Double) -> Weight {
    let limit = Double(Weight.arcLimit)
    return Weight(
      milliseconds: UInt32(min(limit, (distance / network.profile.snapLegSpeed * 1000).rounded())),
      centimetres: UInt32(min(limit, (distance * 100).rounded())))
  }

  /// Time and length of the best trip; nil where there is no route. `time` decides which turns and streets are open.
  package func weight(from source: TripEnd, to destination: TripEnd, at time: LocalTime? = nil) -> Weight? {
    let search = search(from: source, to: destination, at: time)
    let direct = network.directWeight(from: source, to: destination, closed: search.closed)
    guard direct != .zero else { return direct }
    // The path itself is needed only to check it for closed arcs.
    let path =
      search.isExact
      ? search.query.weight(from: search.sources.seeds, to: search.targets.seeds) : path(search)?.weight
    return [path.map { source.leg + $0 + destination.leg }, direct].compactMap(\.self).min()
  }

  /// The best trip with its shape and steps; nil where there is no route.
  package func route(from source: TripEnd, to destination: TripEnd, at time: LocalTime? = nil) -> Route? {
    routes(from: source, to: destination, at: time, withAlternates: false).first
  }

  /// The best route first, then its alternates; empty where there is no route.
  package func routes(
    from source: TripEnd, to destination: TripEnd, at time: LocalTime? = nil, withAlternates: Bool
  ) -> [Route] {
    func route(_ trip: Trip) -> Route { self.route(along: trip, from: source, to: destination) }
    guard source.place != destination.place else {
      return [route(Trip(pieces: [], from: source.snap.position, to: destination.snap.position))]
    }
    let search = search(from: source, to: destination, at: time)
    let path = path(search)
    let direct = network.direct(source.snap, destination.snap, closed: search.closed)
    var trips: [Trip] = []
    if let direct, direct.weight <= path?.weight ?? .infinity {
      let start = TripPiece(
        street: DirectedStreet(direct.from.street, isReversed: direct.from.fraction == 0), weight: .zero)
      let piece = TripPiece(street: direct.street, weight: direct.weight)
      trips.append(Trip(pieces: direct.fromJunction ? [start, piece] : [piece], from: direct.from, to: direct.to))
    } else if let path {
      trips.append(trip(along: path, search, from: source, to: destination))
    }
    // A trip along one street that beats all others has no alternates.
    if withAlternates, let path, path.weight <= direct?.weight ?? .infinity {
      trips += alternates(to: path, search).map { trip(along: $0, search, from: source, to: destination) }
    }
    return trips.map(route)
  }

  private func search(from source: TripEnd, to destination: TripEnd, at time: LocalTime?) -> TripSearch {
    let closed = closure(at: time)
    let (query, isExact) = closed.map(query(without:)) ?? (query, true)
    return TripSearch(
      sources: network.sources(source.snap, closed: closed), targets: network.targets(destination.snap, closed: closed),
      closed: closed, query: query, isExact: isExact)
  }

  /// The query that knows most of what is open, and whether that is all.
  private func query(without closed: Closure) -> (PathQuery, isExact: Bool) {
    guard let hierarchy = hierarchies[closed] else { return (query, closed.isDefault) }
    let known = timedQueries[closed.key] ?? PathQuery(hierarchy)
    timedQueries[closed.key] = known
    return (known, true)
  }

  private func path(_ search: TripSearch) -> Path? {
    let (sources, targets) = (search.sources.seeds, search.targets.seeds)
    guard let closed = search.closed, !search.isExact else { return search.query.path(from: sources, to: targets) }
    if !closed.opensMore {
      let path = search.query.path(from: sources, to: targets)
      // The shortest path of all that is open without a date is the shortest of this hour if it is open.
      guard let path, path.arcs.contains(where: { closed.contains($0) }) else { return path }
    }
    return detour.path(from: sources, to: targets, without: closed.arcs, isCancelled: isCancelled)
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

  /// What is closed at a time; nil for nothing.
  private func closure(at time: LocalTime?) -> Closure? {
    guard time != nil, let key = network.conditions.key(at: time) else { return network.closure(at: nil) }
    if let known = closures[key] { return known }
    let closure = network.closure(key)
    closures[key] = closure
    return closure
  }
}
