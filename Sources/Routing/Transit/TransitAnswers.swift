import Foundation
import Geography
import Hierarchy
import Settings
import StreetNetwork

/// A source of answers to requests by public transport on a walking network. Implemented by module `TransitNetwork`,
/// since this module has no timetables.
package protocol TransitAnswers: Sendable {
  /// The walking network.
  var network: StreetNetwork { get }

  /// Returns the best trip between two places for the first of the given moments; nil if there is none within the
  /// limit. *Throws*: errors about feeds and dates.
  func route(
    at moments: TransitMoments, from source: TripEnd, to destination: TripEnd, _ router: Router
  ) throws -> Route?

  /// Returns the times from all places to all others: one row per origin and moment, or per origin and percentile of
  /// the times at all moments.
  ///
  /// - Parameter percentiles: The percentiles; nil for one row per moment.
  func matrix(
    at moments: TransitMoments, from sources: [TripEnd?], to destinations: [TripEnd?], percentiles: [Int]?
  ) throws -> any MatrixEngine
}

/// Departures or arrivals that are requested together.
package struct TransitMoments: Hashable, Sendable {
  /// The dates; at least one.
  package let dates: [Date]
  package let isArrival: Bool
  /// The time zone; nil for the map's.
  package let timeZone: TimeZone?

  package init(dates: [Date], isArrival: Bool, timeZone: TimeZone?) {
    (self.dates, self.isArrival, self.timeZone) = (dates, isArrival, timeZone)
  }
}

/// A request for all trips by public transport between two lists of places: for each of several departures, or as
/// percentiles of the times at all departures.
///
///     var request = TransitMatrixRequest(sources: homes, destinations: jobs)
///     request.departureDates = (0..<60).map { seven.addingTimeInterval(Double($0) * 60) }
///     request.percentiles = [25, 50, 75]
///     let median = try await directions.calculateTransitMatrices(request)[1]
public struct TransitMatrixRequest: Hashable, Sendable, Codable {
  /// The starts of trips.
  public var sources: [Place]
  /// The ends of trips.
  public var destinations: [Place]
  /// The departures, all on one day.
  public var departureDates: [Date] = []
  /// The arrivals, all on one day; ignored if there are departures.
  public var arrivalDates: [Date] = []
  /// The time zone of the day; nil for the map's.
  public var timeZone: TimeZone?
  /// Percentiles of the times at all departures, from 0 (the fastest) to 100: the ⌈p·n/100⌉-th of n sorted times, where
  /// a missing trip counts as longer than any other. If empty, there is one matrix per departure.
  public var percentiles: [Int] = []

  /// Creates a request without departures or arrivals; at least one is required.
  public init(sources: [Place], destinations: [Place]) {
    self.sources = sources
    self.destinations = destinations
  }
}

extension Directions {
  /// Returns all trips by public transport between the request's places: one matrix per percentile, or per departure or
  /// arrival, in the order of the request. Cells have no distances. Blocks the thread.
  ///
  /// - Throws: `DirectionsError`; an error if a timetable has no service on the day.
  public func calculateTransitMatricesAndWait(_ request: TransitMatrixRequest) throws -> [ETAMatrix] {
    try request.sources.check(isSource: true)
    try request.destinations.check(isSource: false)
    return try counted { try transitMatrices(request) }
  }

  private func transitMatrices(_ request: TransitMatrixRequest) throws -> [ETAMatrix] {
    let isArrival = request.departureDates.isEmpty
    let moments = TransitMoments(
      dates: isArrival ? request.arrivalDates : request.departureDates, isArrival: isArrival,
      timeZone: request.timeZone)
    let percentiles = request.percentiles.isEmpty ? nil : request.percentiles
    let isCancelled = cancellation()
    let matrix = try prepareTransitMatrix(
      from: request.sources.map(\.coordinate), to: request.destinations.map(\.coordinate), at: moments,
      percentiles: percentiles, isCancelled)
    let count = percentiles?.count ?? moments.dates.count
    var times = [[UInt32]](repeating: [], count: count)
    for row in times.indices { times[row].reserveCapacity(request.sources.count * request.destinations.count) }
    let fill = matrix.makeFill()
    for origins in matrix.blocks {
      guard !isCancelled() else { throw DirectionsError.cancelled }
      let block = fill(origins)
      for origin in 0..<origins.count {
        for row in 0..<count { times[row] += block.times(row: origin * count + row) }
      }
    }
    return times.map {
      ETAMatrix(rows: request.sources.count, columns: request.destinations.count, times: $0, lengths: nil)
    }
  }

  /// Snaps the places of a matrix by public transport, and returns the engine for it. *Throws*: `DirectionsError`; an
  /// error if a timetable has no service on the day.
  ///
  /// - Parameter percentiles: The percentiles; nil for one row per moment.
  package func prepareTransitMatrix(
    from origins: [Coordinate], to destinations: [Coordinate], at moments: TransitMoments, percentiles: [Int]?,
    _ isCancelled: @escaping () -> Bool
  ) throws -> any MatrixEngine {
    guard !moments.dates.isEmpty else { throw DirectionsError.invalidDepartures }
    let type = SettingType.wholeNumber(0...100)
    for percentile in percentiles ?? [] { try type.check(Double(percentile), "percentiles") }
    return try withTransit(isCancelled) { transit, router, _ in
      try transit.matrix(
        at: moments, from: router.ends(at: origins), to: router.ends(at: destinations), percentiles: percentiles)
    }
  }

  /// Returns all trips by public transport between the request's places: one matrix per percentile, or per departure or
  /// arrival.
  ///
  /// - Throws: The same errors as `calculateTransitMatricesAndWait`; `CancellationError` if the task is cancelled.
  @concurrent
  public func calculateTransitMatrices(_ request: TransitMatrixRequest) async throws -> [ETAMatrix] {
    try inTask { try calculateTransitMatricesAndWait(request) }
  }

  /// Returns the matrix of a request for a single departure or arrival, by default for a departure now.
  func transitMatrix(_ request: MatrixRequest) throws -> ETAMatrix {
    var all = TransitMatrixRequest(sources: request.sources, destinations: request.destinations)
    (all.timeZone, all.arrivalDates) = (request.timeZone, [request.arrivalDate].compactMap(\.self))
    all.departureDates = [request.departureDate ?? (request.arrivalDate == nil ? .now : nil)].compactMap(\.self)
    return try calculateTransitMatricesAndWait(all)[0]
  }

  /// Returns the best trip by public transport.
  func transitRoute(_ request: DirectionsRequest) throws -> Route {
    try withTransit(cancellation()) { transit, router, isCancelled in
      var dated = request
      if request.departureDate == nil, request.arrivalDate == nil { dated.departureDate = .now }
      let date = dated.departureDate ?? dated.arrivalDate
      let moments = TransitMoments(
        dates: [date].compactMap(\.self), isArrival: dated.departureDate == nil, timeZone: request.timeZone)
      let source = try router.end(of: request.source, isSource: true)
      let destination = try router.end(of: request.destination, isSource: false)
      let found = try transit.route(at: moments, from: source, to: destination, router)
      guard !isCancelled() else { throw DirectionsError.cancelled }
      guard var route = found else { throw DirectionsError.directionsNotFound }
      (route.expectedDepartureDate, route.expectedArrivalDate) = dated.dates(taking: route.expectedTravelTime)
      return route
    }
  }
}
