import Geography

/// A street's number in its network.
package struct StreetID: Hashable, Comparable, Sendable, BitwiseCopyable {
  package let index: UInt32
  package init(_ index: UInt32) { self.index = index }
  package init(_ index: Int) { self.index = UInt32(index) }
  package static func < (a: StreetID, b: StreetID) -> Bool { a.index < b.index }
}

/// A stretch between two junctions, alike all along: one name, one kind, one speed.
///
/// Undirected: `tail` and `head` are its ends as its shape is drawn. Its weight holds for both directions.
package struct Street: Sendable, BitwiseCopyable {
  package var tail: UInt32
  package var head: UInt32
  /// Where its points start among the network's; they end where the next street's start.
  package var firstPoint: UInt32
  /// Its row among the network's attributes.
  package var attributes: UInt32
  package var milliseconds: UInt32
  package var centimetres: UInt32
  /// Headings in 1/65,536 of a turn clockwise from north: leaving the tail, and arriving at the head.
  package var tailHeading: UInt16
  package var headHeading: UInt16
  package var flags: StreetFlags
}

/// What may be done on a street.
package struct StreetFlags: OptionSet, Sendable, BitwiseCopyable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  /// From tail to head.
  package static let forward = StreetFlags(rawValue: 1)
  /// From head to tail.
  package static let backward = StreetFlags(rawValue: 2)
  /// Only where a trip starts or ends; never as a short cut.
  package static let endsOnly = StreetFlags(rawValue: 4)
  /// Places may be put on it: both its ends lie in large components.
  package static let snappable = StreetFlags(rawValue: 8)
}

/// A street in one of its directions: what an arc of the state graph travels.
package struct DirectedStreet: Hashable, Sendable, BitwiseCopyable {
  package let index: UInt32
  package init(_ street: StreetID, isReversed: Bool) { index = street.index << 1 | (isReversed ? 1 : 0) }
  package var street: StreetID { StreetID(index >> 1) }
  package var isReversed: Bool { index & 1 == 1 }
}

/// What a street is, and is called: shared by all streets that are alike.
package struct StreetAttributes: Hashable, Sendable, BitwiseCopyable {
  /// Names by their number; 0 is no name.
  package var name: UInt32
  package var ref: UInt32
  package var metresPerSecond: Float
  package var kind: StreetKind
  package var surface: Surface
  /// Metres that are added to its distance when the street nearest to a place is sought. No byte of a record may be
  /// left to chance, for it is written as it is: this one fills the last two.
  package var snapPenalty: UInt16

  package enum Surface: UInt8, Sendable, BitwiseCopyable { case paved, unpaved }
}

/// What a street looks like to the traveller.
package enum StreetKind: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  case road, service, pedestrian, track, footway, path, cycleway, bridleway, corridor, steps, platform, pier, elevator
  case ferry

  init(highway: String) {
    switch highway {
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
    default: self = .road
    }
  }
}
