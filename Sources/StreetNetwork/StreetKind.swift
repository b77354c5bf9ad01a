/// What a street looks like to the traveller.
package enum StreetKind: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  case road, service, pedestrian, track, footway, path, cycleway, bridleway, corridor, steps, platform, pier, elevator
  case ferry, ramp, carTrain, train
  /// Roads that are told by what they are where they have no name.
  case roundabout, linkRoad, carPark, driveway, alley

  init(highway: String) {
    switch highway {
    case "motorway_link", "trunk_link": self = .ramp
    case "service", "services", "rest_area": self = .service
    case "pedestrian": self = .pedestrian
    case "track": self = .track
    case "footway": self = .footway
    case "path", "trail": self = .path
    case "cycleway": self = .cycleway
    case "bridleway": self = .bridleway
    case "corridor": self = .corridor
    case "steps": self = .steps
    case "platform": self = .platform
    case "elevator": self = .elevator
    case "primary_link", "secondary_link", "tertiary_link": self = .linkRoad
    default: self = .road
    }
  }

  /// Of a way without `highway`.
  init(key: String, value: String) {
    switch (key, value) {
    case ("route", "shuttle_train"): self = .carTrain
    case ("route", "ferry"): self = .ferry
    case (_, "pier"): self = .pier
    case (_, "platform"): self = .platform
    default: self = .train
    }
  }

  /// What it is more closely, by the tags that divide its class.
  func refined(by tags: Tags) -> StreetKind {
    if self == .road || self == .service || self == .linkRoad, tags.isRoundabout { return .roundabout }
    guard self == .service else { return self }
    return switch tags["service"] {
    case "parking_aisle", "parking": .carPark
    case "driveway": .driveway
    case "alley": .alley
    default: .service
    }
  }

  /// Whether the traveller is carried, or climbs.
  package var isBoarded: Bool { isVehicle || self == .steps || self == .elevator }

  /// Whether the traveller is carried over water or by rail.
  package var isVehicle: Bool { self == .ferry || self == .carTrain || self == .train }
}

extension Tags {
  /// Whether the way is part of a ring that traffic goes around.
  var isRoundabout: Bool { self["junction"].map { $0 == "roundabout" || $0 == "circular" } ?? false }
}

/// How important a road is: the smallest raw value is the most important.
package enum RoadClass: UInt8, Sendable, BitwiseCopyable, Comparable {
  case motorway, trunk, primary, secondary, tertiary, street, livingStreet, service, track, path, other

  init(highway: String?, kind: StreetKind) {
    switch highway.map({ $0.hasSuffix("_link") ? String($0.dropLast(5)) : $0 }) {
    case "motorway": self = .motorway
    case "trunk": self = .trunk
    case "primary": self = .primary
    case "secondary": self = .secondary
    case "tertiary": self = .tertiary
    case "unclassified", "residential", "road", "busway": self = .street
    case "living_street", "pedestrian": self = .livingStreet
    case "service", "services", "rest_area": self = .service
    case "track": self = .track
    case nil: self = .other
    default: self = .path
    }
  }

  package static func < (a: RoadClass, b: RoadClass) -> Bool { a.rawValue < b.rawValue }
}
