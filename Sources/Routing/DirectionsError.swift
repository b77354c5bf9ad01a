import Foundation
import Geography
import Settings
import StreetNetwork

/// The reason why a request has no result.
public enum DirectionsError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// Both places are on the map, but there is no route from the source to the destination.
  case directionsNotFound
  /// There is a route, but it takes more than 596 hours.
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
  /// No network was built for the transport type, or its network does not support this kind of request.
  case transportTypeUnavailable(TransportType)
  /// A request by public transport has no departures or arrivals, or has them on several days.
  case invalidDepartures
  /// A property of a request or of options is out of range; the string contains its name, its value and the expected
  /// values.
  case invalidValue(String)
  /// With speeds by hour, isochrones from a place need a departure time, and isochrones to a place an arrival time.
  case timeMissing(isArrival: Bool)

  /// The reason, in one sentence.
  public var description: String {
    func end(_ isSource: Bool) -> String { isSource ? "the source" : "the destination" }
    return switch self {
    case .directionsNotFound: "no route from the source to the destination"
    case .tooLong: "the route from the source to the destination takes more than 596 hours"
    case .placemarkNotFound(let isSource): "no street within the snap limit of \(end(isSource))"
    case .offMap(let isSource, let distance):
      "\(end(isSource)) lies \(MeasureText.metres(distance)) outside the map"
    case .invalidPlace(let isSource):
      "\(end(isSource)) is not a valid place; expected a latitude of -90…90 and a longitude of -180…180"
    case .cancelled: "the request was cancelled"
    case .transportTypeUnavailable(.transit):
      "transit needs Directions(transit:), which supports routes, ETAs and matrices; "
        + "jobs also support isochrones and access"
    case .transportTypeUnavailable(let type): "the network was not built for \(type.rawValue)"
    case .invalidDepartures: "a transit request needs departures or arrivals, all on one day"
    case .invalidValue(let problem): problem
    case .timeMissing(let isArrival):
      isArrival
        ? "with speeds by hour, isochrones to a place need an arrival time; expected an arrivalDate"
        : "with speeds by hour, isochrones from a place need a departure time; expected a departureDate"
    }
  }

  /// The same as `description`, for Foundation.
  public var errorDescription: String? { description }
}

extension SettingType {
  /// Checks a property of a request or of options. *Throws*: `DirectionsError.invalidValue`.
  package func check(_ number: Double, _ property: String) throws(DirectionsError) {
    if let problem = problem(with: number, in: property) { throw .invalidValue(problem) }
  }
}

extension Double {
  /// Checks a duration of a request, in seconds. *Throws*: `DirectionsError.invalidValue`.
  func checkDuration(_ property: String) throws(DirectionsError) {
    guard self >= 0, isFinite else {
      throw .invalidValue("\(property): got \(self), expected a number of seconds, at least 0")
    }
  }
}

extension [Place] {
  /// Checks that all places are valid. *Throws*: `DirectionsError.invalidPlace`.
  func check(isSource: Bool) throws(DirectionsError) {
    guard allSatisfy(\.coordinate.isValid) else { throw .invalidPlace(source: isSource) }
  }
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
