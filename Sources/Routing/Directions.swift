import Foundation
import Geography
import Hierarchy
import StreetNetwork
import Synchronization

/// Answers requests for directions on a network.
///
///     let network = try StreetNetwork(map: "helsinki.osm.pbf", profile: .stock("walking"))
///     let directions = Directions(network: network)
///     let routes = try await directions.calculate(DirectionsRequest(source: home, destination: station))
///
/// Of several networks, one for each transport type, a request's `transportType` picks one; `.any` is answered by all of
/// them, the fastest first. Each function that is awaited has a blocking form, whose name ends with `AndWait`.
///
/// Safe to use from many tasks and threads at once. The first request that avoids tolls or highways builds a network
/// for that, or opens the one built before.
public final class Directions: Sendable {
  /// What requests are answered on; the first of several.
  public var network: StreetNetwork { networks[0] }
  /// What requests are answered on.
  public let networks: [StreetNetwork]
  /// How places are snapped, and which language is used.
  public let options: Options
  /// Of each network.
  private let routers: [RouterPool]
  /// How slow the streets of a network are; nil for free flow.
  private let speeds: @Sendable (StreetNetwork) throws -> StreetSpeeds?
  private let cancellations = Atomic<Int>(0)
  private let underWay = Atomic<Int>(0)

  /// How places are snapped to streets, and how routes are described.
  public struct Options: Hashable, Sendable {
    /// The longest distance from a place to a street, in metres.
    public var snapLimit: Double = 1000
    /// The largest `snapLimit` of a job or a command: beyond it, a straight walk means nothing.
    package static let largestSnapLimit = 100_000.0
    /// Whether the straight line between a place and its point on the street counts, in time, distance and shape; nil:
    /// as the profile says.
    public var countsSnapLegs: Bool?
    /// How long a trip at a time waits at most for a street that is closed when it comes there, in seconds: a street that
    /// opens later counts as closed for the trip. Ferries and trains are waited for as long as it takes.
    public var waitLimit: Double = 3600
    /// The same in milliseconds.
    package var waitMilliseconds: UInt32 { UInt32(max(0, min(waitLimit, Options.largestWaitLimit)) * 1000) }
    /// The largest `waitLimit` of a job or a command: a week.
    package static let largestWaitLimit = 604_800.0
    /// The language of instructions.
    public var language = Language.english
    /// The defaults.
    public init() {}
  }

  /// Directions on a network.
  public convenience init(network: StreetNetwork, options: Options = Options()) {
    self.init(network: network, options: options) { _ in nil }
  }

  /// Directions on several networks, one for each transport type. There must be one at least.
  public convenience init(networks: [StreetNetwork], options: Options = Options()) {
    self.init(networks: networks, options: options) { _ in nil }
  }

  /// Directions whose requests with a date count slowness by road class and hour, as a job with the key `traffic` does.
  ///
  /// - Parameter traffic: A traffic table: the path of a file, or the name of a stock table ("porto").
  /// - Throws: An error that names the file, the line and the key.
  public convenience init(networks: [StreetNetwork], traffic: String, options: Options = Options()) throws {
    let table = try TrafficTable(named: traffic)
    self.init(networks: networks, options: options) { network in
      try StreetSpeeds.known(of: network, SpeedSources(digest: [], uses: [], traffic: table) { _ in }).0
    }
  }

  /// Directions on a network whose streets are as slow as `speeds` says; it is asked once per network, also for those that
  /// avoid something.
  package convenience init(
    network: StreetNetwork, options: Options = Options(),
    speeds: @escaping @Sendable (StreetNetwork) throws -> StreetSpeeds?
  ) {
    self.init(networks: [network], options: options, speeds: speeds)
  }

  private init(
    networks: [StreetNetwork], options: Options, speeds: @escaping @Sendable (StreetNetwork) throws -> StreetSpeeds?
  ) {
    precondition(!networks.isEmpty, "directions need a network")
    self.networks = networks
    self.options = options
    self.speeds = speeds
    routers = networks.map { RouterPool($0, options, speeds) }
  }

  /// Directions that avoid something in every request.
  ///
  /// - Throws: Errors of building a network for that.
  package func avoiding(_ avoids: Profile.Avoidance) throws -> Directions {
    Directions(network: try network.avoiding(avoids), options: options, speeds: speeds)
  }

  /// The routes from the request's source to its destination, the fastest first: one, or up to three if the request
  /// asks for alternates; of each network, if the request's transport type is `.any`. Blocks the thread.
  ///
  /// - Throws: `DirectionsError`; errors of building a network that avoids something.
  public func calculateAndWait(_ request: DirectionsRequest) throws -> [Route] {
    let answers = try answers(request) { router, source, destination in
      var routes = router.routes(
        from: source, to: destination, at: request.tripTime(on: router.network),
        withAlternates: request.requestsAlternateRoutes)
      for index in routes.indices {
        (routes[index].expectedDepartureDate, routes[index].expectedArrivalDate) =
          request.dates(taking: routes[index].expectedTravelTime)
      }
      return routes.isEmpty ? nil : routes
    }
    guard answers.count > 1 else { return answers[0] }
    return answers.joined().enumerated()
      .sorted { ($0.1.weight, $0.0) < ($1.1.weight, $1.0) }.map(\.1)
  }

  /// How long the trip takes and how far it is: of the fastest one, if the request's transport type is `.any`. Blocks the
  /// thread.
  ///
  /// - Throws: as `calculate` does.
  public func calculateETAAndWait(_ request: DirectionsRequest) throws -> ETA {
    let answers = try answers(request) { router, source, destination in
      let time = request.tripTime(on: router.network)
      let eta = time.flatMap { router.eta(from: source, to: destination, at: $0) }
      let weight = time == nil ? router.weight(from: source, to: destination) : eta?.weight
      return weight.map { weight in
        let dates = request.dates(taking: weight.seconds)
        return ETA(
          transportType: router.transportType, expectedDepartureDate: dates.departure,
          expectedArrivalDate: dates.arrival, weight: weight, waiting: eta?.waiting, freeFlow: eta?.freeFlow)
      }
    }
    return answers.min { $0.weight < $1.weight } ?? answers[0]
  }

  /// Whether a request is being calculated, in any task or thread.
  public var isCalculating: Bool { underWay.load(ordering: .relaxed) > 0 }

  /// Ends all requests that are being calculated, in any thread: they throw `DirectionsError.cancelled`. A request that
  /// runs in a task ends when its task is cancelled, too.
  public func cancel() { cancellations.add(1, ordering: .relaxed) }

  /// The answer of each network that the request is for, of those that have one.
  private func answers<Answer>(
    _ request: DirectionsRequest, _ body: (Router, TripEnd, TripEnd) throws -> Answer?
  ) throws -> [Answer] {
    let indices = try indices(of: request.transportType)
    guard indices.count > 1 else { return [try answer(request, indices[0], body)] }
    var (answers, failure): ([Answer], DirectionsError?) = ([], nil)
    for index in indices {
      do {
        answers.append(try answer(request, index, body))
      } catch let error as DirectionsError where error != .cancelled {
        failure = failure ?? error
      }
    }
    if let failure, answers.isEmpty { throw failure }
    return answers
  }

  /// The networks for a transport type, by number; all of them for nil. *Throws*: `DirectionsError`.
  func indices(of type: TransportType?) throws -> [Int] {
    guard let type else { return Array(networks.indices) }
    let found = networks.indices.filter { networks[$0].profile.transportType == type }
    guard !found.isEmpty else { throw DirectionsError.transportTypeUnavailable(type) }
    return found
  }

  private func answer<Answer>(
    _ request: DirectionsRequest, _ index: Int, _ body: (Router, TripEnd, TripEnd) throws -> Answer?
  ) throws -> Answer {
    try withRouter(on: index, avoiding: request.avoids) { router, isCancelled in
      let source = try router.end(of: request.source, isSource: true)
      let destination = try router.end(of: request.destination, isSource: false)
      let answer = try body(router, source, destination)
      guard !isCancelled() else { throw DirectionsError.cancelled }
      guard let answer else {
        throw router.isTooLong(from: source, to: destination)
          ? DirectionsError.tooLong : DirectionsError.directionsNotFound
      }
      return answer
    }
  }

  /// Whether requests were cancelled since this was called.
  package func cancellation() -> @Sendable () -> Bool {
    let start = cancellations.load(ordering: .relaxed)
    return { Task.isCancelled || self.cancellations.load(ordering: .relaxed) != start }
  }

  /// Borrows a router; `body` may poll whether the request has been cancelled. *Throws*:
  /// `DirectionsError.cancelled`, and what `body` throws.
  ///
  /// - Parameters:
  ///   - index: Of the network.
  ///   - avoids: What the network's profile avoids, if nil.
  ///   - cancellation: Of a request with several parts; nil for one that begins now.
  package func withRouter<R>(
    on index: Int = 0, avoiding avoids: Profile.Avoidance? = nil, _ cancellation: (() -> Bool)? = nil,
    _ body: (_ router: Router, _ isCancelled: () -> Bool) throws -> R
  ) throws -> R {
    let isCancelled = cancellation ?? self.cancellation()
    guard !isCancelled() else { throw DirectionsError.cancelled }
    underWay.add(1, ordering: .relaxed)
    defer { underWay.subtract(1, ordering: .relaxed) }
    return try routers[index].withRouter(avoiding: avoids ?? networks[index].profile.avoids) { router in
      router.isCancelled = isCancelled
      defer { router.isCancelled = { false } }
      return try body(router, isCancelled)
    }
  }
}

extension Router {
  /// A place of a request on its street. *Throws*: `DirectionsError`.
  func end(of place: Place, isSource: Bool) throws -> TripEnd {
    guard place.coordinate.isValid else { throw DirectionsError.invalidPlace(source: isSource) }
    if let end = end(at: place.coordinate) { return end }
    let distance = network.box.distance(to: place.coordinate)
    throw distance > limit
      ? DirectionsError.offMap(source: isSource, distance: distance) : .placemarkNotFound(source: isSource)
  }
}

extension DirectionsRequest {
  fileprivate func dates(taking seconds: Double) -> (departure: Date?, arrival: Date?) {
    if let departureDate { return (departureDate, departureDate.addingTimeInterval(seconds)) }
    return (arrivalDate?.addingTimeInterval(-seconds), arrivalDate)
  }
}

extension Directions {
  /// The streets that a trace followed, with its times, breaks and stops.
  ///
  ///     let match = try await directions.match(locations.map { Fix(coordinate: $0.coordinate, timestamp: $0.timestamp) })
  ///     for part in match.parts { print(part.distance, part.expectedTravelTime, part.observedTime ?? 0) }
  ///
  /// Fixes are cleaned as a breadcrumb is (`BreadcrumbPath`); each is in the answer, with what became of it.
  ///
  /// Blocks the thread.
  ///
  /// - Parameter fixes: In the order in which they were recorded.
  /// - Throws: `DirectionsError.cancelled`.
  public func matchAndWait(_ fixes: [Fix], options: MatchOptions = MatchOptions()) throws -> Match {
    try withRouter { router, isCancelled in
      let match = TraceMatcher(router, options).match(fixes)
      guard !isCancelled() else { throw DirectionsError.cancelled }
      return match
    }
  }
}

extension Directions {
  /// The areas within the request's times of its place, in their order; each holds those of shorter times. A point of a
  /// street is within one if and only if its trip takes no longer, to the millisecond.
  ///
  /// Costs a search of what lies within the longest time, and as many areas. Blocks the thread.
  ///
  /// - Throws: `DirectionsError`.
  public func calculateIsochronesAndWait(_ request: IsochroneRequest) throws -> [Isochrone] {
    try calculateIsochronesAndWait(request, cancellation())
  }

  /// The same, as a part of a request that may be cancelled.
  package func calculateIsochronesAndWait(_ request: IsochroneRequest, _ isCancelled: @escaping () -> Bool) throws
    -> [Isochrone]
  {
    let index = try indices(of: request.transportType)[0]
    let avoids = request.avoids(on: networks[index])
    return try withRouter(on: index, avoiding: avoids, isCancelled) { router, isCancelled in
      let network = router.network
      let end = try router.end(of: request.place, isSource: request.direction == .fromPlace)
      let time = request.date.map { Timestamp($0, request.timeZone, on: network).localTime }
      let direction = request.direction == .fromPlace ? NearestTable.Direction.fromTargets : .toTargets
      let query = TripReachQuery(TripReach(network.slowed(at: time), direction, at: time))
      let limits = request.travelTimes.map { UInt32(min(max(0, $0 * 1000), Double(MatrixBlock.unreachable - 1))) }
      let states = query.states(around: [end], within: limits.max() ?? 0)
      // From the shortest time to the longest, each area the one before it and what is new: as jobs do.
      let builder = AreaBuilder(around: end.place, buffer: request.buffer, AreaContext())
      var drawn: Set<StreetPiece> = []
      var isochrones = [Isochrone?](repeating: nil, count: limits.count)
      for index in limits.indices.sorted(by: { (limits[$0], $0) < (limits[$1], $1) }) {
        guard !isCancelled() else { throw DirectionsError.cancelled }
        let pieces = query.pieces(around: end, states, within: limits[index])
        let area = builder.add(
          pieces.filter { !drawn.contains($0) }.map(network.points)
            + network.lines(overSquareAround: end, within: limits[index]))
        drawn.formUnion(pieces)
        isochrones[index] = Isochrone(
          travelTime: request.travelTimes[index], polygons: area.polygons.map { $0.map { $0.map(\.coordinate) } },
          area: area.squareMetres, streetLength: pieces.reduce(0) { $0 + network.length(of: $1) })
      }
      return isochrones.compactMap(\.self)
    }
  }
}

/// Idle routers, by what their networks avoid: each is lent to one request at a time, and may change threads in
/// between.
final class RouterPool: Sendable {
  private let network: StreetNetwork
  private let options: Directions.Options
  /// How slow the streets of a network are when; nil for free flow.
  private let speeds: @Sendable (StreetNetwork) throws -> StreetSpeeds?
  private let variants: Mutex<[Profile.Avoidance: Variant]>

  /// A network on the clock, and the routers on it that are idle.
  private struct Variant: @unchecked Sendable {
    let hours: TimedNetworks
    var idle: [Router] = []
  }

  /// A router on its way through the lock.
  private struct Loan: @unchecked Sendable { let router: Router }

  init(
    _ network: StreetNetwork, _ options: Directions.Options,
    _ speeds: @escaping @Sendable (StreetNetwork) throws -> StreetSpeeds?
  ) {
    (self.network, self.options, self.speeds) = (network, options, speeds)
    variants = Mutex([:])
  }

  /// Lends a router to `body`. The first that avoids something opens or builds a network for it.
  func withRouter<R>(avoiding avoids: Profile.Avoidance, _ body: (Router) throws -> R) throws -> R {
    let hours = try variant(avoiding: avoids)
    let idle = variants.withLock { $0[avoids]?.idle.popLast().map(Loan.init) }
    let loan = idle ?? Loan(router: Router(hours.network, options, hours))
    defer { variants.withLock { $0[avoids]?.idle.append(loan.router) } }
    return try body(loan.router)
  }

  private func variant(avoiding avoids: Profile.Avoidance) throws -> TimedNetworks {
    if let known = variants.withLock({ $0[avoids]?.hours }) { return known }
    // Not under the lock: building takes seconds. Of two that are built at once one is kept.
    let avoiding = try network.avoiding(avoids)
    let built = TimedNetworks(avoiding, try speeds(avoiding), waitLimit: options.waitMilliseconds)
    return variants.withLock { variants in
      if let known = variants[avoids] { return known.hours }
      variants[avoids] = Variant(hours: built)
      return built
    }
  }
}

extension Directions {
  // Each is the blocking function off the caller's actor: an `await` on the main actor does not block it. Their work is all
  // computing, and polls whether their task is cancelled.

  /// The routes from the request's source to its destination, the fastest first: one, or up to three if the request asks
  /// for alternates; of each network, if the request's transport type is `.any`.
  ///
  /// - Throws: `DirectionsError`; `CancellationError` if the task is cancelled; errors of building a network that avoids
  ///   something.
  @concurrent
  public func calculate(_ request: DirectionsRequest) async throws -> [Route] {
    try inTask { try calculateAndWait(request) }
  }

  /// How long the trip takes and how far it is: of the fastest one, if the request's transport type is `.any`.
  ///
  /// - Throws: as `calculate` does.
  @concurrent
  public func calculateETA(_ request: DirectionsRequest) async throws -> ETA {
    try inTask { try calculateETAAndWait(request) }
  }

  /// All trips from the request's origins to its destinations, in memory: 4 bytes per cell, 8 with distances.
  ///
  /// - Throws: `DirectionsError`; `CancellationError` if the task is cancelled.
  @concurrent
  public func calculateMatrix(_ request: MatrixRequest) async throws -> ETAMatrix {
    try inTask { try calculateMatrixAndWait(request) }
  }

  /// For each of the request's origins its nearest destinations, nearest first.
  ///
  /// - Throws: `DirectionsError`; `CancellationError` if the task is cancelled.
  @concurrent
  public func calculateNearest(_ request: NearestRequest) async throws -> [[NearestPlace]] {
    try inTask { try calculateNearestAndWait(request) }
  }

  /// The areas within the request's times of its place, in their order.
  ///
  /// - Throws: `DirectionsError`; `CancellationError` if the task is cancelled.
  @concurrent
  public func calculateIsochrones(_ request: IsochroneRequest) async throws -> [Isochrone] {
    try inTask { try calculateIsochronesAndWait(request) }
  }

  /// The streets that a trace followed, with its times, breaks and stops.
  ///
  /// - Throws: `DirectionsError`; `CancellationError` if the task is cancelled.
  @concurrent
  public func match(_ fixes: [Fix], options: MatchOptions = MatchOptions()) async throws -> Match {
    try inTask { try matchAndWait(fixes, options: options) }
  }

  /// A task that is cancelled ends as tasks do.
  private func inTask<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch DirectionsError.cancelled where Task.isCancelled {
      throw CancellationError()
    }
  }
}
