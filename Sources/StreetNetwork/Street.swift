import Geography
import Hierarchy

/// A street's index in its network.
package struct StreetID: Hashable, Comparable, Sendable, BitwiseCopyable {
  package let index: UInt32
  package init(_ index: UInt32) { self.index = index }
  package init(_ index: Int) { self.index = UInt32(index) }
  package static func < (a: StreetID, b: StreetID) -> Bool { a.index < b.index }
}

/// A stretch between two junctions, uniform along its length: one name, one kind, one speed per direction.
///
/// Undirected: `tail` and `head` are its ends as its shape is drawn; forward is from tail to head.
package struct Street: Sendable, BitwiseCopyable {
  package var tail: UInt32
  package var head: UInt32
  /// Where its points start among the network's; they end where the next street's start.
  var firstPoint: UInt32
  /// Its row among the network's attributes.
  package var attributes: UInt32
  var forwardMilliseconds: UInt32
  var backwardMilliseconds: UInt32
  package var centimetres: UInt32
  /// Headings in 1/65,536 of a turn clockwise from north: leaving the tail, and arriving at the head.
  var tailHeading: UInt16
  var headHeading: UInt16
  /// Its index among the street ends of the junction at its tail, and at its head.
  var tailEnd: UInt16
  var headEnd: UInt16
  package var flags: StreetFlags

  package func milliseconds(isReversed: Bool) -> UInt32 { isReversed ? backwardMilliseconds : forwardMilliseconds }

  package func weight(isReversed: Bool) -> Weight {
    Weight(milliseconds: milliseconds(isReversed: isReversed), centimetres: centimetres)
  }

  /// Gives it other times.
  mutating func slow(forward: UInt32, backward: UInt32) {
    (forwardMilliseconds, backwardMilliseconds) = (forward, backward)
  }

  /// Whether it may be used in a direction.
  package func isOpen(isReversed: Bool) -> Bool { flags.contains(isReversed ? .backward : .forward) }

  /// The junction that it is left from.
  func start(isReversed: Bool) -> UInt32 { isReversed ? head : tail }

  /// Whether it is the boarding of a ferry or a train, in the direction in which it takes time.
  package func isBoarding(isReversed: Bool) -> Bool {
    flags.contains(.gate) && milliseconds(isReversed: isReversed) > milliseconds(isReversed: !isReversed)
  }

  /// Whether a bicycle is pushed along it in a direction.
  package func isPushed(isReversed: Bool) -> Bool { flags.contains(isReversed ? .pushedBackward : .pushedForward) }

  /// The heading at its start, in degrees.
  package func leavingHeading(isReversed: Bool) -> Double {
    degrees(isReversed ? headHeading &+ 0x8000 : tailHeading)
  }

  /// The heading at its end, in degrees.
  package func arrivingHeading(isReversed: Bool) -> Double {
    degrees(isReversed ? tailHeading &+ 0x8000 : headHeading)
  }

  private func degrees(_ heading: UInt16) -> Double { Double(heading) * 360 / 65_536 }
}

/// What may be done on a street.
package struct StreetFlags: OptionSet, Sendable, BitwiseCopyable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  /// From tail to head.
  package static let forward = StreetFlags(rawValue: 1)
  /// From head to tail.
  package static let backward = StreetFlags(rawValue: 2)
  /// Only where a trip starts or ends; never as a shortcut.
  static let endsOnly = StreetFlags(rawValue: 4)
  /// The same at certain times only: both kinds of states have it, each when it is of that kind.
  static let endsOnlyAtTimes = StreetFlags(rawValue: 2048)
  /// Places may be snapped to it: it is reachable from most of the map, and most of the map from it.
  package static let snappable = StreetFlags(rawValue: 8)
  /// A bicycle is pushed from tail to head, from head to tail.
  static let pushedForward = StreetFlags(rawValue: 16)
  static let pushedBackward = StreetFlags(rawValue: 32)
  /// A gate, or the boarding of a ferry, rather than a street: it has no length.
  package static let gate = StreetFlags(rawValue: 64)
  /// Traffic drives on the left.
  static let drivesOnLeft = StreetFlags(rawValue: 128)
  /// Places are not snapped to it, but for its ends that are landings: a ferry or a train under way, a line across a
  /// square.
  package static let unsnapped = StreetFlags(rawValue: 256)
  /// A ferry or a train ends at its tail, at its head, where no street leads on.
  package static let landsAtTail = StreetFlags(rawValue: 512)
  package static let landsAtHead = StreetFlags(rawValue: 1024)

  /// Leaves a street to a trip's ends at all times.
  mutating func makeEndsOnly() {
    insert(.endsOnly)
    remove(.endsOnlyAtTimes)
  }

  /// The flags of the same street drawn the other way round.
  var reversed: StreetFlags {
    var reversed = subtracting([.forward, .backward, .pushedForward, .pushedBackward])
    if contains(.forward) { reversed.insert(.backward) }
    if contains(.backward) { reversed.insert(.forward) }
    if contains(.pushedForward) { reversed.insert(.pushedBackward) }
    if contains(.pushedBackward) { reversed.insert(.pushedForward) }
    return reversed
  }
}

/// A street in one of its directions: what an arc of the state graph travels.
package struct DirectedStreet: Hashable, Sendable, BitwiseCopyable {
  package let index: UInt32
  package init(index: UInt32) { self.index = index }
  package init(_ street: StreetID, isReversed: Bool) { index = street.index << 1 | (isReversed ? 1 : 0) }
  package var street: StreetID { StreetID(index >> 1) }
  package var isReversed: Bool { index & 1 == 1 }
  /// The same street in the other direction.
  package var opposite: DirectedStreet { DirectedStreet(index: index ^ 1) }
}

/// What a street is, and is called: shared by all streets that are alike. The record has no
/// padding, since it is written as it is.
package struct StreetAttributes: Hashable, Sendable, BitwiseCopyable {
  /// Indices of names; 0 is no name. All numbers of a road are one `ref` (`RoadNumbers`).
  package var name: UInt32
  package var ref: UInt32
  /// What its signs point to, and the number of the exit it starts with, as names.
  package var destination: UInt32
  package var exit: UInt32
  package var kind: StreetKind
  package var roadClass: RoadClass
  package var traits: StreetTraits
  /// Metres that are added to its distance when the street nearest to a place is searched.
  package var snapPenalty: UInt16
  /// Minutes of boarding and waiting for a ferry or a train, as a traveller is told.
  package var waiting: UInt16 = 0
}

/// Further properties of a street.
package struct StreetTraits: OptionSet, Hashable, Sendable, BitwiseCopyable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
  package static let unpaved = StreetTraits(rawValue: 1)
  package static let toll = StreetTraits(rawValue: 2)
  /// A highway in the traveller's sense.
  package static let motorway = StreetTraits(rawValue: 4)
  /// Private access only.
  package static let `private` = StreetTraits(rawValue: 8)
  package static let roundabout = StreetTraits(rawValue: 16)
  /// Joins two roads: ramps and slip roads.
  package static let link = StreetTraits(rawValue: 32)
  /// The outline of an area that is walked across, or a line across it.
  package static let square = StreetTraits(rawValue: 64)
}
