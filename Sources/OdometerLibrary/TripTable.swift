import COdometer
import Geography
import Hierarchy
import Jobs
import OdometerCommand
import Routing
import StreetNetwork
import Tables

/// Pairs of places with their departures, divided into chunks for threads.
struct TripTable: Sendable {
  let origins: [Coordinate]
  let destinations: [Coordinate]
  /// The departures, with nil for each trip without one; nil if there are none.
  let times: [TripTime?]?
  /// The departures as passed from C: milliseconds since 1970 in the map's local time, `.min` for none.
  let departures: [Int64]?
  let network: OpenNetwork

  /// Computes each chunk of trips on one thread, and returns the results in order.
  @discardableResult
  func run<Answer: Sendable>(
    chunk size: Int, _ compute: @escaping @Sendable (Trips, Router) throws -> Answer
  ) throws -> [Answer] {
    let isCancelled = network.directions.cancellation()
    return try network.run(origins.indices.batches(of: size), isCancelled) {
      { rows in
        try network.directions.withRouter(isCancelled) { router, _ in
          try compute(Trips(rows: rows, self, router), router)
        }
      }
    }
  }

  /// The snapped trips of a chunk.
  struct Trips {
    let rows: Range<Int>
    /// The trip ends, indexed within the chunk.
    let origins: [TripEnd?]
    let destinations: [TripEnd?]
    /// The chunk's rows in the order of computation: neighbours on the map in succession, so that caches stay warm.
    let order: [Int]
    private let table: TripTable

    fileprivate init(rows: Range<Int>, _ table: TripTable, _ router: Router) {
      (self.rows, self.table) = (rows, table)
      origins = router.ends(at: Array(table.origins[rows]))
      destinations = router.ends(at: Array(table.destinations[rows]))
      func along(_ place: Coordinate) -> UInt32 { place.isValid ? HilbertIndex(FixedCoordinate(place)).value : 0 }
      order = rows.map { (along(table.origins[$0]), along(table.destinations[$0]), $0) }.sorted(by: <).map(\.2)
    }

    func origin(_ row: Int) -> TripEnd? { origins[row - rows.lowerBound] }
    func destination(_ row: Int) -> TripEnd? { destinations[row - rows.lowerBound] }
    func time(_ row: Int) -> TripTime? { table.times?[row] ?? nil }
  }
}

extension OpenNetwork {
  /// Computes parts on the network's threads, or on the caller's if there is only one thread or part. Returns the
  /// results in order.
  ///
  /// *Throws*: `DirectionsError.cancelled`, and errors thrown by `makeWorker`.
  @discardableResult
  func run<Part: Sendable, Answer: Sendable>(
    _ parts: [Part], _ isCancelled: @escaping @Sendable () -> Bool,
    _ makeWorker: @escaping @Sendable () -> (Part) throws -> Answer
  ) throws -> [Answer] {
    var answers: [Answer] = []
    if workers == 1 || parts.count < 2 {
      let compute = makeWorker()
      for part in parts {
        guard !isCancelled() else { throw DirectionsError.cancelled }
        answers.append(try compute(part))
      }
    } else {
      try Pipeline.run(parts, workers: min(workers, parts.count), shouldStop: isCancelled, makeWorker: makeWorker) {
        answers += $0
      }
    }
    guard !isCancelled() else { throw DirectionsError.cancelled }
    return answers
  }
}

/// The points of all lines of an answer. The answer's text refers to the points by index.
struct Shapes {
  private(set) var points: [FixedCoordinate] = []

  /// Stores a line and writes `"shape":[first point, number of points]`.
  mutating func append(_ line: Polyline, to text: inout TextBuffer) {
    text.append("\"shape\":")
    append(points: line.points, to: &text)
  }

  /// Stores points and writes `[first point, number of points]`.
  mutating func append(points line: some Collection<FixedCoordinate>, to text: inout TextBuffer) {
    text.append(text: "[\(points.count),\(line.count)]")
    points += line
  }
}

/// The values of an `odometer_status`. Their names are those of results, which do not distinguish `tooLong`.
enum TripStatus: odometer_status, CaseIterable {
  case ok, directionsNotFound, placemarkNotFound, tooLong

  var row: RowStatus {
    switch self {
    case .ok: .ok
    case .directionsNotFound, .tooLong: .directionsNotFound
    case .placemarkNotFound: .placemarkNotFound
    }
  }

  /// Converts the error of a trip; nil for errors that do not concern a single trip.
  init?(_ error: DirectionsError) {
    switch error {
    case .placemarkNotFound, .offMap, .invalidPlace: self = .placemarkNotFound
    case .directionsNotFound: self = .directionsNotFound
    case .tooLong: self = .tooLong
    case .cancelled, .transportTypeUnavailable, .invalidDepartures, .invalidValue, .timeMissing: return nil
    }
  }

  /// Creates the status of a trip without a result.
  init(without origin: TripEnd?, _ destination: TripEnd?, _ router: Router) {
    if let origin, let destination {
      self = router.isTooLong(from: origin, to: destination) ? .tooLong : .directionsNotFound
    } else {
      self = .placemarkNotFound
    }
  }
}

extension TripTable {
  /// Returns the best trip by public transport, and its status. *Throws*: errors that do not concern a single trip.
  func transitRoute(_ row: Int) throws -> (route: Route?, status: TripStatus) {
    guard let milliseconds = departures?[row], milliseconds != .min else {
      throw .usage("departures: a trip by public transport needs a departure")
    }
    var request = DirectionsRequest(
      source: Place(coordinate: origins[row]), destination: Place(coordinate: destinations[row]))
    request.transportType = .transit
    request.departureDate = try network.moments([milliseconds], isArrival: false).dates[0]
    do {
      return (try network.directions.calculateAndWait(request)[0], .ok)
    } catch let error as DirectionsError {
      guard let status = TripStatus(error) else { throw error }
      return (nil, status)
    }
  }
}
