import StreetNetwork

/// Classes of road that share a slowness when it is calibrated: single classes have too few kilometres in most trips.
enum RoadGroup: Int, CaseIterable, Sendable {
  case fast, main, street, minor

  /// Ferries and trains, which are `other`, are not slowed.
  var classes: [RoadClass] {
    switch self {
    case .fast: [.motorway, .trunk]
    case .main: [.primary, .secondary]
    case .street: [.tertiary, .street]
    case .minor: [.livingStreet, .service, .track, .path]
    }
  }

  var name: String {
    switch self {
    case .fast: "motorway, trunk"
    case .main: "primary, secondary"
    case .street: "tertiary, street"
    case .minor: "living street, service, less"
    }
  }
}
