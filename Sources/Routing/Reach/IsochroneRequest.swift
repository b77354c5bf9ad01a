import Foundation
import Geography
import Hierarchy
import Settings
import StreetNetwork

/// A request for the areas within given travel times of a place.
///
///     var request = IsochroneRequest(place: station, travelTimes: [300, 600])
///     request.direction = .toPlace
public struct IsochroneRequest: Hashable, Sendable, Codable {
  /// The direction of trips.
  public enum Direction: String, Hashable, Sendable, CaseIterable, Codable {
    /// From the place.
    case fromPlace
    /// To the place.
    case toPlace
  }

  /// The place around which areas are computed.
  public var place: Place
  /// The maximum travel time of each area, in seconds.
  public var travelTimes: [Double]
  /// The direction of trips.
  public var direction = Direction.fromPlace
  /// The buffer radius around the reached streets, in metres.
  public var buffer: Double = 30
  /// The transport type, as in a `DirectionsRequest`; nil for the first of several networks.
  public var transportType: TransportType?
  /// The departure date. Turns and streets are open or closed as of this instant; with speeds by hour, trips from the
  /// place start at this time, as in jobs.
  public var departureDate: Date?
  /// Like `departureDate`, for trips that end at this instant; ignored if `departureDate` is given. With speeds by
  /// hour, trips to the place end at this time.
  public var arrivalDate: Date?
  /// The time zone of dates; nil for the map's.
  public var timeZone: TimeZone?
  /// Whether toll roads are used like other roads.
  public var tollPreference = RoutePreference.any
  /// Whether highways are used like other roads.
  public var highwayPreference = RoutePreference.any

  /// A request without a date.
  public init(place: Place, travelTimes: [Double]) {
    self.place = place
    self.travelTimes = travelTimes
  }

  func avoidances(on network: StreetNetwork) -> Profile.Avoidance {
    network.profile.avoids.union(Profile.Avoidance(tolls: tollPreference, highways: highwayPreference))
  }
}

/// The area within a travel time of a place.
public struct Isochrone: Hashable, Sendable, Codable {
  /// The maximum travel time, in seconds.
  public var travelTime: Double
  /// Polygons with an outer ring (counterclockwise) and holes (clockwise); rings are closed. Empty if the place is
  /// farther from its street than the time allows, or if the place is closed.
  public var polygons: [[[Coordinate]]]
  /// Whether the place's street or square is closed at the request's time.
  public var isClosed: Bool
  /// The area in square metres.
  public var area: Double
  /// The total length of the streets reached, in metres, without ferries and trains.
  public var streetLength: Double
}

extension Directions {
  /// Returns the areas within the request's travel times, in order; each area contains the areas of shorter times. A
  /// point on a street is within an area if and only if its trip takes no longer, to the millisecond.
  ///
  /// Runs one search up to the longest time, and draws one area per time. Blocks the thread.
  ///
  /// - Throws: `DirectionsError`.
  public func calculateIsochronesAndWait(_ request: IsochroneRequest) throws -> [Isochrone] {
    try calculateIsochronesAndWait(request, cancellation())
  }

  /// Returns the areas, as part of a request that may be cancelled.
  package func calculateIsochronesAndWait(_ request: IsochroneRequest, _ isCancelled: @escaping () -> Bool) throws
    -> [Isochrone]
  {
    try request.check()
    let index = try indices(of: request.transportType)[0]
    let avoids = request.avoidances(on: networks[index])
    return try withRouter(on: index, avoiding: avoids, isCancelled) { router, isCancelled in
      let network = router.network
      let place = try router.end(of: request.place, isSource: request.direction == .fromPlace)
      let limits = request.travelTimes.map { UInt32(min($0 * 1000, Double(MatrixBlock.unreachable - 1))) }
      let longest = limits.max() ?? 0
      let query = try router.reachQuery(of: request)
      let states = query.states(around: [place], within: longest)[0]
      let squares = query.squares()
      let stretches =
        network.squareCorners.isEmpty ? [] : query.stretches(around: [(place, 0)], states, within: longest)
      var rays = squares.rays(around: place, stretches, within: longest, buffer: request.buffer)
      // From the shortest time to the longest, each area is the previous one plus the new part, as in jobs.
      let builder = AreaBuilder(around: place.place, buffer: request.buffer, Geos())
      var drawn: [StreetPiece] = []
      var isochrones = [Isochrone?](repeating: nil, count: limits.count)
      for index in limits.indices.sorted(by: { (limits[$0], $0) < (limits[$1], $1) }) {
        guard !isCancelled() else { throw DirectionsError.cancelled }
        let pieces = query.pieces(around: [(place, 0)], states, within: limits[index])
        let area = builder.add(
          network.lines(of: pieces.without(drawn), rays, squares, around: place, within: limits[index]))
        drawn = pieces
        rays.removeAll { $0.end <= limits[index] }
        let isClosed =
          pieces.isEmpty && !squares.contain(place, within: limits[index]) && place.leg.milliseconds < limits[index]
        isochrones[index] = Isochrone(
          travelTime: request.travelTimes[index], polygons: area.polygons.map { $0.map { $0.map(\.coordinate) } },
          isClosed: isClosed, area: area.squareMetres, streetLength: pieces.reduce(0) { $0 + network.length(of: $1) })
      }
      return isochrones.compactMap(\.self)
    }
  }
}

extension IsochroneRequest {
  /// The permitted values of `buffer`.
  package static let bufferType = SettingType.number(of: "metres", over: 0, atMost: 1000)

  fileprivate var reachDirection: NearestTable.Direction { direction == .toPlace ? .toTargets : .fromTargets }

  /// *Throws*: `DirectionsError.invalidValue`.
  fileprivate func check() throws(DirectionsError) {
    for time in travelTimes { try time.checkDuration("travelTimes") }
    try IsochroneRequest.bufferType.check(buffer, "buffer")
  }
}

extension Router {
  /// Returns the query for a request: by the clock if there are speeds by hour. *Throws*:
  /// `DirectionsError.timeMissing`.
  fileprivate func reachQuery(of request: IsochroneRequest) throws -> TripReachQuery {
    let isArriving = request.direction == .toPlace
    let time = try TripTime(
      departure: request.departureDate, arrival: request.arrivalDate, request.timeZone, on: network)
    guard let time, hours.speeds != nil else {
      return time.map { TripReachQuery(TripReach(network.slowed(at: $0.day), request.reachDirection, at: $0.day)) }
        ?? reachQuery(request.reachDirection)
    }
    guard time.isArrival == isArriving else { throw DirectionsError.timeMissing(isArrival: isArriving) }
    return TripReachQuery(TripReach(hours.network(at: time), at: [time]))
  }
}
