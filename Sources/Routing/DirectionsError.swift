import Foundation
import Geography
import StreetNetwork

/// The reason why a request has no result.
public enum DirectionsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Both places are on the map, but there is no route from the source to the destination.
  case directionsNotFound
  /// There is a route, but it takes more than 597 hours.
  case tooLong
  /// A place has no street within the snap limit; `source` is true for the source.
  case placemarkNotFound(source: Bool)
  /// A place is outside the map by `distance` metres, more than the snap limit.
  case offMap(source: Bool, distance: Double)
  /// A place has a latitude or a longitude that is not a number or is out of range.
  case invalidPlace(source: Bool)
  /// `Directions.cancel()` was called while the request was being calculated. A request that ends because its task was
  /// cancelled throws `CancellationError`.
  case cancelled
  /// The network was built for another transport type.
  case transportTypeUnavailable(TransportType)
  /// A request by public transport has no departures or arrivals, or has them on several days, or a percentile outside
  /// 0 to 100.
  case invalidDepartures
  /// A property of a request is out of range; the text names it, its value, and the expected ones.
  case invalidValue(String)
  /// With speeds by hour, isochrones from a place need a departure time, and isochrones to a place an arrival time.
  case timeMissing(isArrival: Bool)

  /// The reason, in one sentence.
  public var description: String {
    func end(_ isSource: Bool) -> String { isSource ? "the source" : "the destination" }
    return switch self {
    case .directionsNotFound: "no route from the source to the destination"
    case .tooLong: "the route from the source to the destination takes more than 597 hours"
    case .placemarkNotFound(let isSource): "no street within the snap limit of \(end(isSource))"
    case .offMap(let isSource, let distance):
      "\(end(isSource)) lies \(MeasureText.metres(distance)) outside the map"
    case .invalidPlace(let isSource):
      "\(end(isSource)) is not a valid place, expected a latitude of -90…90 and a longitude of -180…180"
    case .cancelled: "the request was cancelled"
    case .transportTypeUnavailable(let type): "the network was not built for \(type.rawValue)"
    case .invalidDepartures: "expected departures or arrivals on one day, and percentiles from 0 to 100"
    case .invalidValue(let problem): problem
    case .timeMissing(let isArrival):
      isArrival
        ? "with speeds by hour, isochrones to a place need an arrival time; expected an arrivalDate"
        : "with speeds by hour, isochrones from a place need a departure time; expected a departureDate"
    }
  }
}

// Makes Foundation describe these errors with the same sentence.
extension DirectionsError: LocalizedError {
  /// The reason, in one sentence.
  public var errorDescription: String? { description }
}
extension LinkError: LocalizedError {
  /// The reason, in one sentence.
  public var errorDescription: String? { description }
}
extension CoverageError: LocalizedError {
  /// File and problem.
  public var errorDescription: String? { description }
}

extension DirectionsError: CausedError {
  package var cause: ErrorCause {
    switch self {
    case .directionsNotFound, .tooLong, .placemarkNotFound, .offMap: .notAllOK
    case .transportTypeUnavailable, .invalidPlace, .invalidDepartures, .invalidValue, .timeMissing: .usage
    case .cancelled: .interrupted
    }
  }
}
