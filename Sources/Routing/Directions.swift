import Foundation
import Geography
import Hierarchy
import Settings
import StreetNetwork
import Synchronization

/// A service that answers requests for directions on a network.
///
///     let network = try StreetNetwork(map: "helsinki.osm.pbf", profile: .stock("walking"))
///     let directions = Directions(network: network)
///     let routes = try await directions.calculate(DirectionsRequest(source: home, destination: station))
///
/// With several networks, one per transport type, a request's `transportType` selects one; `.any` uses all of them, and
/// the fastest result comes first. Module `TransitNetwork` adds timetables for requests with `.transit`. Each
/// asynchronous function has a blocking variant whose name ends in `AndWait`.
///
/// Safe to use from many tasks and threads at once. The first request that avoids tolls or highways builds a network
/// without them, or opens an existing one.
public final class Directions: Sendable {
  /// The network used for requests; the first one if there are several.
  public var network: StreetNetwork { networks[0] }
  /// The networks used for requests.
  public let networks: [StreetNetwork]
  /// Options for snapping and language.
  public let options: Options
  /// The routers of each network, then the routers of the network for walks to stops.
  private let routers: [RouterPool]
  /// The timetables, if any.
  private let transit: (any TransitAnswers)?
  /// The speeds of a network; nil for free flow.
  private let speeds: @Sendable (StreetNetwork) throws -> StreetSpeeds?
  private let cancellations = Atomic<Int>(0)
  private let activeRequests = Atomic<Int>(0)

  /// Options for snapping places and describing routes.
  public struct Options: Hashable, Sendable {
    /// The maximum distance from a place to a street, in metres, at most 100,000.
    public var snapLimit: Double = 1000
    /// The maximum `snapLimit` in metres: a longer straight walk would be meaningless.
    package static let largestSnapLimit = 100_000.0
    /// The permitted values of `snapLimit`.
    package static let snapLimitType = SettingType.number(of: "metres", over: 0, atMost: largestSnapLimit)
    /// Whether the straight line between a place and its street is included in time, distance and shape; nil for the
    /// profile's setting.
    public var countsSnapLegs: Bool?
    /// The maximum wait at a closed street for trips with a time, in seconds, at most a week. A street that opens later
    /// counts as closed for the trip. There is no limit for ferries and trains.
    public var waitLimit: Double = 3600
    /// The wait limit in milliseconds.
    package var waitMilliseconds: UInt32 { UInt32(waitLimit * 1000) }
    /// The maximum `waitLimit`: a week in seconds.
    package static let largestWaitLimit = 604_800.0
    private static let waitLimitType = SettingType.number(of: "seconds", atLeast: 0, atMost: largestWaitLimit)
    /// The language of instructions.
    public var language = Language.english
    /// Creates the default options.
    public init() {}

    /// *Throws*: `DirectionsError.invalidValue`.
    fileprivate func check() throws(DirectionsError) {
      try Options.snapLimitType.check(snapLimit, "snapLimit")
      try Options.waitLimitType.check(waitLimit, "waitLimit")
    }
  }

  /// Creates directions on a network.
  public convenience init(network: StreetNetwork, options: Options = Options()) {
    self.init(networks: [network], options: options)
  }

  /// Creates directions on several networks, one for each transport type. There must be at least one.
  public convenience init(networks: [StreetNetwork], options: Options = Options()) {
    self.init(networks: networks, options: options) { _ in nil }
  }

  /// Creates directions that apply a traffic table (slowness by road class and hour) to requests with a date, like a
  /// job with the key `traffic`.
  ///
  /// - Parameter traffic: A traffic table: the path of a file, or the name of a stock table ("porto").
  /// - Throws: An error that names the file, the line and the key.
  public convenience init(networks: [StreetNetwork], traffic: String, options: Options = Options()) throws {
    let table = try TrafficTable(named: traffic)
    self.init(networks: networks, options: options) { network in
      try StreetSpeeds.load(for: network, digest: Digest.of([]), uses: [], traffic: table) { _ in }.0
    }
  }

  /// Creates directions with the timetables, if any, of `transit`, and with the speeds that `speeds` returns. `speeds`
  /// is called once per network, including networks with avoidances.
  package init(
    networks: [StreetNetwork], answering transit: (any TransitAnswers)? = nil, options: Options,
    speeds: @escaping @Sendable (StreetNetwork) throws -> StreetSpeeds?
  ) {
    precondition(!networks.isEmpty, "directions need a network")
    self.networks = networks
    self.transit = transit
    self.options = options
    self.speeds = speeds
    // Walks to stops do not depend on the hour.
    routers =
      networks.map { RouterPool($0, options, speeds) }
      + [transit].compactMap(\.self).map { RouterPool($0.network, options) { _ in nil } }
  }

  /// Returns directions with the given avoidances in every request.
  ///
  /// - Throws: Errors from building the network.
  package func avoiding(_ avoids: Profile.Avoidance) throws -> Directions {
    Directions(networks: [try network.avoiding(avoids)], options: options, speeds: speeds)
  }

  /// Returns the routes from the request's source to its destination, fastest first: one, or up to three if the request
  /// asks for alternates. If the transport type is `.any`, returns the routes of all networks. Blocks the thread.
  ///
  /// - Throws: `DirectionsError`; errors from building a network with avoidances.
  public func calculateAndWait(_ request: DirectionsRequest) throws -> [Route] {
    if isByTransit(request.transportType) { return [try transitRoute(request)] }
    let answers = try answers(request) { router, source, destination in
      var routes = try router.routes(
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

  /// Returns the travel time and distance of the trip; if the request's transport type is `.any`, of the fastest trip
  /// on any network. Blocks the thread.
  ///
  /// - Throws: The same errors as `calculate`.
  public func calculateETAAndWait(_ request: DirectionsRequest) throws -> ETA {
    if isByTransit(request.transportType) {
      let route = try transitRoute(request)
      return ETA(
        transportType: route.transportType, expectedDepartureDate: route.expectedDepartureDate,
        expectedArrivalDate: route.expectedArrivalDate, weight: route.weight, waiting: route.waiting, freeFlow: nil)
    }
    let answers = try answers(request) { router, source, destination in
      let time = try request.tripTime(on: router.network)
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
  public var isCalculating: Bool { activeRequests.load(ordering: .relaxed) > 0 }

  /// Cancels all requests in progress, in any thread: they throw `DirectionsError.cancelled`. Cancelling a task also
  /// cancels its request.
  public func cancel() { cancellations.add(1, ordering: .relaxed) }

  /// Returns the result of each of the request's networks that has one.
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

  /// Returns the indices of the networks for a transport type; those of all networks for nil. *Throws*:
  /// `DirectionsError`.
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

  /// Returns a function that checks whether requests have been cancelled since this call.
  package func cancellation() -> @Sendable () -> Bool {
    let start = cancellations.load(ordering: .relaxed)
    return { Task.isCancelled || self.cancellations.load(ordering: .relaxed) != start }
  }

  /// Lends a router to `body`, which may poll whether the request has been cancelled. *Throws*:
  /// `DirectionsError.cancelled`, and errors from `body`.
  ///
  /// - Parameters:
  ///   - index: The index of the network.
  ///   - avoids: The kinds of road to avoid; nil for the avoidances of the network's profile.
  ///   - cancellation: The cancellation check of a request with several parts; nil for a new request.
  package func withRouter<R>(
    on index: Int = 0, avoiding avoids: Profile.Avoidance? = nil, _ cancellation: (() -> Bool)? = nil,
    _ body: (_ router: Router, _ isCancelled: () -> Bool) throws -> R
  ) throws -> R {
    let isCancelled = cancellation ?? self.cancellation()
    guard !isCancelled() else { throw DirectionsError.cancelled }
    try options.check()
    let routers = routers[index]
    return try counted {
      try routers.withRouter(avoiding: avoids ?? routers.network.profile.avoids) { router in
        router.isCancelled = isCancelled
        defer { router.isCancelled = { false } }
        return try body(router, isCancelled)
      }
    }
  }

  /// Calls `body`, and counts it as a request in progress.
  func counted<R>(_ body: () throws -> R) rethrows -> R {
    activeRequests.add(1, ordering: .relaxed)
    defer { activeRequests.subtract(1, ordering: .relaxed) }
    return try body()
  }

  /// Returns whether requests of a transport type use timetables.
  func isByTransit(_ type: TransportType?) -> Bool { type == .transit && transit != nil }

  /// Lends a router of the network for walks to stops. *Throws*: `DirectionsError`, and errors from `body`.
  func withTransit<R>(
    _ cancellation: @escaping () -> Bool,
    _ body: (_ transit: any TransitAnswers, _ router: Router, _ isCancelled: () -> Bool) throws -> R
  ) throws -> R {
    guard let transit else { throw DirectionsError.transportTypeUnavailable(.transit) }
    return try withRouter(on: networks.count, cancellation) { router, _ in try body(transit, router, cancellation) }
  }
}

extension Router {
  /// Returns a place of a request, snapped to its street. *Throws*: `DirectionsError`.
  func end(of place: Place, isSource: Bool) throws -> TripEnd {
    guard place.coordinate.isValid else { throw DirectionsError.invalidPlace(source: isSource) }
    if let end = end(at: place.coordinate) { return end }
    let distance = network.box.distance(to: place.coordinate)
    throw distance > limit
      ? DirectionsError.offMap(source: isSource, distance: distance) : .placemarkNotFound(source: isSource)
  }
}

extension DirectionsRequest {
  func dates(taking seconds: Double) -> (departure: Date?, arrival: Date?) {
    if let departureDate { return (departureDate, departureDate.addingTimeInterval(seconds)) }
    return (arrivalDate?.addingTimeInterval(-seconds), arrivalDate)
  }
}

extension Directions {
  /// Finds the streets that a trace followed, with its times, breaks and stops.
  ///
  ///     let fixes = locations.map { Fix(coordinate: $0.coordinate, timestamp: $0.timestamp) }
  ///     let match = try await directions.match(fixes)
  ///     for part in match.parts { print(part.distance, part.expectedTravelTime, part.observedTime ?? 0) }
  ///
  /// Fixes are cleaned by the rules of `BreadcrumbPath`; the result has the outcome of each fix. Blocks the thread.
  ///
  /// - Parameter fixes: The fixes in the order in which they were recorded.
  /// - Throws: `DirectionsError.cancelled`, `.invalidValue`.
  public func matchAndWait(_ fixes: [Fix], options: MatchOptions = MatchOptions()) throws -> Match {
    try options.check()
    return try withRouter { router, isCancelled in
      let match = TraceMatcher(router, options).match(fixes)
      guard !isCancelled() else { throw DirectionsError.cancelled }
      return match
    }
  }
}

/// Idle routers, grouped by the avoidances of their networks. Each is lent to one request at a time, and may be used on
/// different threads.
final class RouterPool: Sendable {
  let network: StreetNetwork
  private let options: Directions.Options
  /// The speeds of a network; nil for free flow.
  private let speeds: @Sendable (StreetNetwork) throws -> StreetSpeeds?
  private let variants: Mutex<[Profile.Avoidance: Variant]>

  /// A timed network and its idle routers.
  private struct Variant: @unchecked Sendable {
    let hours: TimedNetworks
    let reachCache = TripReachCache()
    var idle: [Router] = []
  }

  /// Carries a router out of the lock, although `Router` is not `Sendable`.
  private struct Loan: @unchecked Sendable { let router: Router }

  init(
    _ network: StreetNetwork, _ options: Directions.Options,
    _ speeds: @escaping @Sendable (StreetNetwork) throws -> StreetSpeeds?
  ) {
    (self.network, self.options, self.speeds) = (network, options, speeds)
    variants = Mutex([:])
  }

  /// Lends a router to `body`. The first request with a new avoidance opens or builds its network.
  func withRouter<R>(avoiding avoids: Profile.Avoidance, _ body: (Router) throws -> R) throws -> R {
    let (hours, reachCache) = try variant(avoiding: avoids)
    let idle = variants.withLock { $0[avoids]?.idle.popLast().map(Loan.init) }
    let loan = idle ?? Loan(router: Router(hours.network, options, hours, reachCache: reachCache))
    defer { variants.withLock { $0[avoids]?.idle.append(loan.router) } }
    return try body(loan.router)
  }

  private func variant(avoiding avoids: Profile.Avoidance) throws -> (TimedNetworks, TripReachCache) {
    if let known = variants.withLock({ $0[avoids] }) { return (known.hours, known.reachCache) }
    // Outside the lock, since building takes seconds. If two threads build at once, only one network is kept.
    let avoiding = try network.avoiding(avoids)
    let built = TimedNetworks(avoiding, try speeds(avoiding), waitLimit: options.waitMilliseconds)
    return variants.withLock { variants in
      let variant = variants[avoids] ?? Variant(hours: built)
      variants[avoids] = variant
      return (variant.hours, variant.reachCache)
    }
  }
}

extension Directions {
  // These functions run the blocking ones off the caller's actor, so an `await` on the main actor does not block it.
  // The work is pure computation that polls whether the task is cancelled.

  /// Returns the routes from the request's source to its destination, fastest first: one, or up to three if the request
  /// asks for alternates. If the transport type is `.any`, returns the routes of all networks.
  ///
  /// - Throws: `DirectionsError`; `CancellationError` if the task is cancelled; errors from building a network with
  ///   avoidances.
  @concurrent
  public func calculate(_ request: DirectionsRequest) async throws -> [Route] {
    try inTask { try calculateAndWait(request) }
  }

  /// Returns the travel time and distance of the trip; if the request's transport type is `.any`, of the fastest trip
  /// on any network.
  ///
  /// - Throws: The same errors as `calculate`.
  @concurrent
  public func calculateETA(_ request: DirectionsRequest) async throws -> ETA {
    try inTask { try calculateETAAndWait(request) }
  }

  /// Returns the travel times from all origins to all destinations. Takes 4 bytes of memory per cell, 8 with distances.
  ///
  /// - Throws: `DirectionsError`; `CancellationError` if the task is cancelled.
  @concurrent
  public func calculateMatrix(_ request: MatrixRequest) async throws -> ETAMatrix {
    try inTask { try calculateMatrixAndWait(request) }
  }

  /// Returns the nearest destinations of each origin, nearest first.
  ///
  /// - Throws: `DirectionsError`; `CancellationError` if the task is cancelled.
  @concurrent
  public func calculateNearest(_ request: NearestRequest) async throws -> [[NearestPlace]] {
    try inTask { try calculateNearestAndWait(request) }
  }

  /// Returns one area per travel time of the request, in the same order: the area within that time of the place.
  ///
  /// - Throws: `DirectionsError`; `CancellationError` if the task is cancelled.
  @concurrent
  public func calculateIsochrones(_ request: IsochroneRequest) async throws -> [Isochrone] {
    try inTask { try calculateIsochronesAndWait(request) }
  }

  /// Finds the streets that a trace followed, with its times, breaks and stops.
  ///
  /// - Throws: `DirectionsError`; `CancellationError` if the task is cancelled.
  @concurrent
  public func match(_ fixes: [Fix], options: MatchOptions = MatchOptions()) async throws -> Match {
    try inTask { try matchAndWait(fixes, options: options) }
  }

  /// Converts the cancellation of a task into `CancellationError`.
  func inTask<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch DirectionsError.cancelled where Task.isCancelled {
      throw CancellationError()
    }
  }
}
