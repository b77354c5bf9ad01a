import StreetNetwork

/// Why a request has no answer.
public enum DirectionsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Both places are on the map, and no way leads from the one to the other.
  case directionsNotFound
  /// A place has no street within the limit. `source` tells which place.
  case placemarkNotFound(source: Bool)
  /// The request was cancelled while it was being calculated.
  case cancelled
  /// The network was built for travellers of another kind.
  case transportTypeUnavailable(TransportType)

  public var description: String {
    switch self {
    case .directionsNotFound: "No way leads from the source to the destination."
    case .placemarkNotFound(source: true): "There is no street near enough to the source."
    case .placemarkNotFound(source: false): "There is no street near enough to the destination."
    case .cancelled: "The request was cancelled."
    case .transportTypeUnavailable(let type): "The network is not one for \(type.rawValue)."
    }
  }
}
