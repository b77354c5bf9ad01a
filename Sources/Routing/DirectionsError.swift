import Geography
import StreetNetwork

/// Why a request has no answer.
public enum DirectionsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Both places are on the map, but there is no route from the source to the destination.
  case directionsNotFound
  /// There is a route, but it takes more than 597 hours.
  case tooLong
  /// A place has no street within the snap limit; `source`: whether it is the source.
  case placemarkNotFound(source: Bool)
  /// The request was cancelled while it was being calculated.
  case cancelled
  /// The network was built for another transport type.
  case transportTypeUnavailable(TransportType)

  /// The reason, as one sentence.
  public var description: String {
    switch self {
    case .directionsNotFound: "no route from the source to the destination"
    case .tooLong: "the route from the source to the destination takes more than 597 hours"
    case .placemarkNotFound(source: true): "no street within the snap limit of the source"
    case .placemarkNotFound(source: false): "no street within the snap limit of the destination"
    case .cancelled: "the request was cancelled"
    case .transportTypeUnavailable(let type): "the network was not built for \(type.rawValue)"
    }
  }
}

extension DirectionsError: CausedError {
  package var cause: ErrorCause {
    switch self {
    case .directionsNotFound, .tooLong, .placemarkNotFound: .notAllOK
    case .transportTypeUnavailable: .usage
    case .cancelled: .interrupted
    }
  }
}
