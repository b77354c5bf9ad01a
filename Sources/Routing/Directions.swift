import StreetNetwork
import Foundation
import Geography
import Synchronization

/// Answers requests for directions on a network.
///
///     let network = try StreetNetwork(map: "helsinki.osm.pbf", profile: .stock("walking"))
///     let directions = Directions(network: network)
///     let routes = try directions.calculate(DirectionsRequest(source: home, destination: station))
///
/// Safe to use from many tasks and threads at once; each call borrows a `Router` and gives it back.
public final class Directions: Sendable {
  public let network: StreetNetwork
  public let options: Options
  private let idle = Mutex<[IdleRouter]>([])

  /// How places meet the streets.
  public struct Options: Hashable, Sendable {
    /// The farthest a street may be from a place, in metres.
    public var snapLimit: Double = 1000
    /// The most that `snapLimit` may be in a job or on the command line: farther, a straight walk means nothing.
    package static let largestSnapLimit = 100_000.0
    /// Whether the straight way between a place and its point on the street counts, in time, length and shape;
    /// nil: as the profile says.
    public var countsSnapLegs: Bool?
    /// In which instructions are written.
    public var language = Language.english
    public init() {}
  }

  public init(network: StreetNetwork, options: Options = Options()) {
    self.network = network
    self.options = options
  }

  /// The routes from the request's source to its destination, the fastest first.
  ///
  /// - Throws: `DirectionsError`.
  public func calculate(_ request: DirectionsRequest) throws -> [Route] {
    try withRouter { router in
      let (source, destination) = try ends(of: request, router)
      guard var route = router.route(from: source, to: destination) else { throw DirectionsError.directionsNotFound }
      (route.expectedDepartureDate, route.expectedArrivalDate) = request.dates(taking: route.expectedTravelTime)
      return [route]
    }
  }

  /// How long the trip takes and how far it is.
  ///
  /// - Throws: `DirectionsError`.
  public func calculateETA(_ request: DirectionsRequest) throws -> ETA {
    try withRouter { router in
      let (source, destination) = try ends(of: request, router)
      guard let weight = router.weight(from: source, to: destination) else {
        throw DirectionsError.directionsNotFound
      }
      let dates = request.dates(taking: weight.seconds)
      return ETA(
        transportType: router.transportType, expectedDepartureDate: dates.departure,
        expectedArrivalDate: dates.arrival, weight: weight)
    }
  }

  private func ends(of request: DirectionsRequest, _ router: Router) throws -> (TripEnd, TripEnd) {
    if let type = request.transportType, type != router.transportType {
      throw DirectionsError.transportTypeUnavailable(type)
    }
    guard let source = router.end(at: request.source.coordinate) else {
      throw DirectionsError.placemarkNotFound(source: true)
    }
    guard let destination = router.end(at: request.destination.coordinate) else {
      throw DirectionsError.placemarkNotFound(source: false)
    }
    return (source, destination)
  }

  private func withRouter<R>(_ body: (Router) throws -> R) rethrows -> R {
    let borrowed = idle.withLock { $0.popLast() } ?? IdleRouter(router: Router(network, options))
    defer { idle.withLock { $0.append(borrowed) } }
    return try body(borrowed.router)
  }

  /// A router that nobody uses: it may change threads.
  private struct IdleRouter: @unchecked Sendable {
    let router: Router
  }
}

extension DirectionsRequest {
  fileprivate func dates(taking seconds: Double) -> (departure: Date?, arrival: Date?) {
    if let departureDate { return (departureDate, departureDate.addingTimeInterval(seconds)) }
    return (arrivalDate?.addingTimeInterval(-seconds), arrivalDate)
  }
}
