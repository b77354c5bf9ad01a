import Geography
import Hierarchy

/// A street's index in its network.
package struct StreetID: Hashable, Comparable, Sendable, BitwiseCopyable, Codable {
  package let index: UInt32
  package init(_ index: UInt32) { self.index = index }
  package init(_ index: Int) { self.index = UInt32(index) }
  package static func < (a: StreetID, b: StreetID) -> Bool { a.index < b.index }
}

/// A section between two junctions with one name, one kind, and one speed per direction.
///
/// Undirected: `tail` and `head` are its ends in the direction of its shape; forward is from tail to head.
package struct Street: Sendable, BitwiseCopyable {
  package var tail: UInt32
  package var head: UInt32
  /// The index of the street's first point among the network's; its points end where the next street's start.
  var firstPoint: UInt32
  /// The index of the street's row among the network's attributes.
  package var attributes: UInt32
  var forwardMilliseconds: UInt32
  var backwardMilliseconds: UInt32
  package var centimetres: UInt32
  /// Headings in 1/65,536 of a turn clockwise from north: leaving the tail, and arriving at the head.
  var tailHeading: UInt16
  var headHeading: UInt16
  /// The index among the street ends of the junction at the tail, and at the head.
  var tailEnd: UInt16
  var headEnd: UInt16
  package var flags: StreetFlags

  package func milliseconds(isReversed: Bool) -> UInt32 { isReversed ? backwardMilliseconds : forwardMilliseconds }

  package func weight(isReversed: Bool) -> Weight {
    Weight(milliseconds: milliseconds(isReversed: isReversed), centimetres: centimetres)
  }

  mutating func setMilliseconds(forward: UInt32, backward: UInt32) {
    (forwardMilliseconds, backwardMilliseconds) = (forward, backward)
  }

  /// Returns whether the street may be used in a direction.
  package func isOpen(isReversed: Bool) -> Bool { flags.contains(isReversed ? .backward : .forward) }

  /// Returns the junction at the street's start in a direction.
  func start(isReversed: Bool) -> UInt32 { isReversed ? head : tail }

  /// Returns whether the street is the boarding of a ferry or a train, in the direction in which boarding takes time.
  package func isBoarding(isReversed: Bool) -> Bool {
    flags.contains(.gate) && milliseconds(isReversed: isReversed) > milliseconds(isReversed: !isReversed)
  }

  /// Returns whether a bicycle is pushed along the street in a direction.
  package func isPushed(isReversed: Bool) -> Bool { flags.contains(isReversed ? .pushedBackward : .pushedForward) }

  /// Returns the heading at the street's start, in degrees.
  package func leavingHeading(isReversed: Bool) -> Double { degrees(isReversed ? headHeading &+ 0x8000 : tailHeading) }

  /// Returns the heading at the street's end, in degrees.
  package func arrivingHeading(isReversed: Bool) -> Double { degrees(isReversed ? tailHeading &+ 0x8000 : headHeading) }

  private func degrees(_ heading: UInt16) -> Double { Double(heading) * 360 / 65_536 }
}

extension RandomAccessCollection where Element == Street, Index == Int {
  /// Returns the indices of a street's points, including both ends, from its tail to its head. `pointCount` is the
  /// number of points of all streets.
  func shape(of street: Int, _ pointCount: Int) -> Range<Int> {
    Int(self[street].firstPoint)..<(street + 1 < count ? Int(self[street + 1].firstPoint) : pointCount)
  }

  subscript(_ directed: DirectedStreet) -> Street { self[Int(directed.street.index)] }

  /// Returns whether a street may be used in its direction.
  func isOpen(_ directed: DirectedStreet) -> Bool { self[directed].isOpen(isReversed: directed.isReversed) }

  /// Returns the junction at the start of a street, and the street's index among the ends there.
  func start(of directed: DirectedStreet) -> (junction: Int, end: Int) {
    let street = self[directed]
    return directed.isReversed
      ? (Int(street.head), Int(street.headEnd)) : (Int(street.tail), Int(street.tailEnd))
  }

  /// Returns the junction at the end of a street, and the street's index among the ends there.
  func end(of directed: DirectedStreet) -> (junction: Int, end: Int) { start(of: directed.opposite) }
}

/// The permitted uses and other properties of a street.
package struct StreetFlags: OptionSet, Sendable, BitwiseCopyable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  /// From tail to head.
  package static let forward = StreetFlags(rawValue: 1)
  /// From head to tail.
  package static let backward = StreetFlags(rawValue: 2)
  /// Trips from here may have to use access-restricted streets until they are on streets that are open to all.
  static let restrictedExit = StreetFlags(rawValue: 4)
  /// Trips to here may have to use access-restricted streets once they have left streets that are open to all.
  static let restrictedEntry = StreetFlags(rawValue: 4096)
  /// Access-restricted: only for trips that start or end there; never as a shortcut.
  static let endsOnly: StreetFlags = [.restrictedExit, .restrictedEntry]
  /// Access-restricted at certain times only: the street has states for both uses, each with its times.
  static let endsOnlyAtTimes = StreetFlags(rawValue: 2048)
  /// Used for snapping: reachable from most of the map, and most of the map is reachable from it.
  package static let snappable = StreetFlags(rawValue: 8)
  /// A bicycle is pushed from tail to head, or from head to tail.
  static let pushedForward = StreetFlags(rawValue: 16)
  static let pushedBackward = StreetFlags(rawValue: 32)
  /// A gate, or the boarding of a ferry, rather than a street: it has zero length.
  package static let gate = StreetFlags(rawValue: 64)
  static let drivesOnLeft = StreetFlags(rawValue: 128)
  /// Not used for snapping, except at ends that are landings: a ferry or train line, or a line across a square.
  package static let unsnapped = StreetFlags(rawValue: 256)
  /// A ferry or a train ends at the tail, or at the head, without a connecting street.
  package static let landsAtTail = StreetFlags(rawValue: 512)
  package static let landsAtHead = StreetFlags(rawValue: 1024)

  /// Restricts access to the street at all times.
  mutating func makeEndsOnly() {
    insert(.endsOnly)
    remove(.endsOnlyAtTimes)
  }

  var reversed: StreetFlags {
    var reversed = subtracting([.forward, .backward, .pushedForward, .pushedBackward])
    if contains(.forward) { reversed.insert(.backward) }
    if contains(.backward) { reversed.insert(.forward) }
    if contains(.pushedForward) { reversed.insert(.pushedBackward) }
    if contains(.pushedBackward) { reversed.insert(.pushedForward) }
    return reversed
  }
}

/// A street in one of its directions, as travelled by an arc of the state graph.
package struct DirectedStreet: Hashable, Sendable, BitwiseCopyable, Codable {
  package let index: UInt32
  package init(index: UInt32) { self.index = index }
  package init(_ street: StreetID, isReversed: Bool) { index = street.index << 1 | (isReversed ? 1 : 0) }
  package var street: StreetID { StreetID(index >> 1) }
  package var isReversed: Bool { index & 1 == 1 }
  /// The same street in the other direction.
  package var opposite: DirectedStreet { DirectedStreet(index: index ^ 1) }
}

/// The class and names of a street; streets with equal values share one record. It has no padding, since it is written
/// as bytes.
package struct StreetAttributes: Hashable, Sendable, BitwiseCopyable {
  /// Indices of names; 0 for none. All road numbers form one `ref` (`RoadNumbers`).
  package var name: UInt32
  package var ref: UInt32
  /// The destinations on the street's signs, and the number of the exit at its start, as indices of names.
  package var destination: UInt32
  package var exit: UInt32
  package var kind: StreetKind
  package var roadClass: RoadClass
  package var traits: StreetTraits
  /// Metres added to the street's distance when places are snapped.
  package var snapPenalty: UInt16
  /// Minutes of boarding and waiting for a ferry or a train, for instructions.
  package var waiting: UInt16 = 0
}

/// Further properties of a street.
package struct StreetTraits: OptionSet, Hashable, Sendable, BitwiseCopyable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
  package static let unpaved = StreetTraits(rawValue: 1)
  package static let toll = StreetTraits(rawValue: 2)
  /// A highway from the traveller's point of view.
  package static let motorway = StreetTraits(rawValue: 4)
  /// Private access only.
  package static let `private` = StreetTraits(rawValue: 8)
  package static let roundabout = StreetTraits(rawValue: 16)
  /// A link between two roads: a ramp or a slip road.
  package static let link = StreetTraits(rawValue: 32)
  /// The outline of an area that is walked across, or a line across it.
  package static let square = StreetTraits(rawValue: 64)
}

extension StreetAttributes {
  /// Returns whether both are on the same square, where corners are not announced and all lines across form one way.
  func isSameSquare(as other: StreetAttributes) -> Bool {
    traits.contains(.square) && other.traits.contains(.square) && name == other.name && kind == other.kind
  }
}

/// A section of a street on one OpenStreetMap way: between the street's ends and the nodes where one way ends and the
/// next begins.
///
///     a══way 7══b══way 7══c──way 8──d        one street from a to d, in two parts: b does not matter
///
/// The parts of a street cover it from tail to head. A line across a square is drawn by Odometer, not by a mapper: its
/// way is 0, but its nodes are real. Gates and boardings have zero length and no parts.
package struct StreetPart: Hashable, Sendable {
  /// OpenStreetMap IDs; a part is a run of the way's nodes, in order or reversed.
  package var way: Int64
  package var tailNode: Int64
  package var headNode: Int64
  /// Whether the part runs, from tail to head, against the way's direction.
  package var isReversed: Bool
  /// The part's points among the network's, including both ends.
  package var points: Range<Int>
  /// The part's share of the street's length: the shares of all parts add up to that length.
  package var centimetres: UInt32
}

extension StreetNetwork {
  /// Returns the parts of a street, from its tail to its head; none for a gate or a boarding.
  package func parts(of street: StreetID) -> [StreetPart] {
    let records = partRecords(of: street)
    let shape = shape(of: street)
    var (metres, before) = (0.0, 0.0)
    return records.map { index in
      let record = parts.records[index]
      let first = shape.lowerBound + Int(record.firstPoint)
      let isLast = index + 1 == records.upperBound
      let last = isLast ? shape.upperBound - 1 : shape.lowerBound + Int(parts.records[index + 1].firstPoint)
      for point in first..<last { metres += points[point].distance(to: points[point + 1]) }
      // Rounded like the street's length, so that the shares add up.
      let after = isLast ? Double(self.street(street).centimetres) : (metres * 100).rounded()
      defer { before = after }
      return StreetPart(
        way: record.way, tailNode: pointNodes[first], headNode: pointNodes[last], isReversed: record.isReversed,
        points: first..<last + 1, centimetres: UInt32(max(0, after - before)))
    }
  }

  private func partRecords(of street: StreetID) -> Range<Int> {
    Int(parts.first[Int(street.index)])..<Int(parts.first[Int(street.index) + 1])
  }
}

/// The kind of a street as it appears to travellers.
package enum StreetKind: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  case road, service, pedestrian, track, footway, path, cycleway, bridleway, corridor, steps, platform, pier, elevator
  case ferry, ramp, carTrain, train
  /// Roads that are described by their type if they have no name.
  case roundabout, linkRoad, carPark, driveway, alley
  case escalator

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

  /// Creates the kind of a way without `highway`.
  init(key: String, value: String) {
    switch (key, value) {
    case ("route", "shuttle_train"): self = .carTrain
    case ("route", "ferry"): self = .ferry
    case (_, "pier"): self = .pier
    case (_, "platform"): self = .platform
    default: self = .train
    }
  }

  /// Returns a more specific kind, according to the tags that subdivide it.
  func refined(by tags: Tags) -> StreetKind {
    if self == .road || self == .service || self == .linkRoad, tags.isRoundabout { return .roundabout }
    if self == .steps, tags.isConveying { return .escalator }
    guard self == .service else { return self }
    return switch tags["service"] {
    case "parking_aisle", "parking": .carPark
    case "driveway": .driveway
    case "alley": .alley
    default: .service
    }
  }

  /// Whether travellers board a vehicle or a lift, or climb steps.
  package var isBoarded: Bool { isVehicle || isStairs || self == .elevator }

  package var isStairs: Bool { self == .steps || self == .escalator }

  package var isVehicle: Bool { self == .ferry || self == .carTrain || self == .train }
}

extension Tags {
  /// Whether the way is part of a ring around which traffic circulates.
  var isRoundabout: Bool { self["junction"].map { $0 == "roundabout" || $0 == "circular" } ?? false }

  /// Whether the way is an escalator or a moving walkway.
  var isConveying: Bool { self["conveying"].map { $0 != "no" } ?? false }
}

/// The importance of a road: the smaller the raw value, the more important.
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

extension RoadClass: CaseIterable {
  package static let allCases: [RoadClass] = (0...RoadClass.other.rawValue).compactMap(RoadClass.init)

  /// The name used in tables: `primary`, `livingStreet`.
  package var name: String { "\(self)" }

  /// Creates the class from its name, or from a value of `highway`: `residential`, `primary_link`.
  init?(named name: String) {
    if let known = RoadClass.allCases.first(where: { $0.name == name }) {
      self = known
    } else if RoadClass.highways.contains(name) {
      self.init(highway: name, kind: StreetKind(highway: name))
    } else {
      return nil
    }
  }

  private static let highways: Set = [
    "motorway_link", "trunk_link", "primary_link", "secondary_link", "tertiary_link", "unclassified", "residential",
    "road", "busway", "living_street", "pedestrian", "services", "rest_area", "footway", "cycleway", "bridleway",
    "steps", "corridor",
  ]
}
