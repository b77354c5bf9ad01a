import Foundation
import Hierarchy
import StreetNetwork

/// A request for all trips between two lists of places.
///
///     let request = MatrixRequest(sources: depots, destinations: stops)
///     let matrix = try await directions.calculateMatrix(request)
///     matrix[0, 3]?.expectedTravelTime
public struct MatrixRequest: Hashable, Sendable, Codable {
  /// The starts of trips.
  public var sources: [Place]
  /// The ends of trips.
  public var destinations: [Place]
  /// The transport type, as in a `DirectionsRequest`; nil for the first of several networks.
  public var transportType: TransportType?
  /// The departure date; closures and speeds apply at the time when each street is reached.
  public var departureDate: Date?
  /// The arrival date; ignored if `departureDate` is given.
  public var arrivalDate: Date?
  /// The time zone of dates; nil for the map's.
  public var timeZone: TimeZone?
  /// Whether toll roads are used like other roads.
  public var tollPreference = RoutePreference.any
  /// Whether highways are used like other roads.
  public var highwayPreference = RoutePreference.any
  /// Whether to compute distances as well as times; without them a matrix takes two thirds of the time and half the
  /// memory. Transit trips have no distances.
  public var includesDistances = true

  /// A request without a date.
  public init(sources: [Place], destinations: [Place]) {
    self.sources = sources
    self.destinations = destinations
  }
}

/// Times and distances between two lists of places: rows are sources, columns are destinations.
public struct ETAMatrix: Hashable, Sendable {
  /// The number of sources.
  public let rows: Int
  /// The number of destinations.
  public let columns: Int
  private let times: [UInt32]
  private let lengths: [UInt32]?

  init(rows: Int, columns: Int, times: [UInt32], lengths: [UInt32]?) {
    (self.rows, self.columns, self.times, self.lengths) = (rows, columns, times, lengths)
  }

  /// A trip of a matrix.
  public struct Cell: Hashable, Sendable {
    /// The travel time in seconds.
    public var expectedTravelTime: Double
    /// The distance in metres; nil if distances were not requested.
    public var distance: Double?
  }

  /// The trip from a source to a destination; nil if there is no route, or an end has no street within the snap limit.
  public subscript(row: Int, column: Int) -> Cell? {
    precondition(row >= 0 && row < rows && column >= 0 && column < columns, "the matrix has no such cell")
    let time = times[row * columns + column]
    guard time < MatrixBlock.unreachable else { return nil }
    return Cell(
      expectedTravelTime: Double(time) / 1000, distance: lengths.map { Double($0[row * columns + column]) / 100 })
  }
}

/// A request for the nearest destinations of each source, by time.
///
///     var request = NearestRequest(sources: homes, destinations: stations, count: 3)
///     request.timeLimit = 900
///     for (home, found) in zip(homes, try await directions.calculateNearest(request)) { … }
public struct NearestRequest: Hashable, Sendable, Codable {
  /// The starts of trips.
  public var sources: [Place]
  /// The ends of trips.
  public var destinations: [Place]
  /// The maximum number of destinations per source, at least 1.
  public var count: Int
  /// The maximum time of a trip, in seconds; nil for no limit.
  public var timeLimit: Double?
  /// The transport type, as in a `DirectionsRequest`; nil for the first of several networks.
  public var transportType: TransportType?
  /// The departure date. Turns and streets are open or closed as of this instant or, with speeds by hour, as of the
  /// time when each street is reached, as in jobs.
  public var departureDate: Date?
  /// Like `departureDate`, for trips that end at this instant; ignored if `departureDate` is given.
  public var arrivalDate: Date?
  /// The time zone of dates; nil for the map's.
  public var timeZone: TimeZone?
  /// Whether toll roads are used like other roads.
  public var tollPreference = RoutePreference.any
  /// Whether highways are used like other roads.
  public var highwayPreference = RoutePreference.any

  /// A request without a limit or a date.
  public init(sources: [Place], destinations: [Place], count: Int) {
    self.sources = sources
    self.destinations = destinations
    self.count = count
  }
}

/// One of the nearest destinations.
public struct NearestPlace: Hashable, Sendable, Codable {
  /// Its index among the request's destinations.
  public var destination: Int
  /// The travel time in seconds.
  public var expectedTravelTime: Double
  /// The distance in metres.
  public var distance: Double
}
