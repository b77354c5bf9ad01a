/// A section of a directed street between two of its points.
struct SpeedStretch: Hashable {
  var street: DirectedStreet
  /// The first and the last of its points among the network's, from tail to head.
  var first: UInt32
  var last: UInt32
}

/// The match of a place of a file of speeds in a network.
struct SpeedMatch {
  var stretches: [SpeedStretch] = []
  var outcome: Outcome

  enum Outcome {
    case whole
    /// Part of it is closed in that direction.
    case part
    /// It is on the map, but closed in that direction.
    case notOpen
    case none
  }

  static let none = SpeedMatch(outcome: .none)

  /// The match of some sections, of which only open ones count.
  init(_ all: [SpeedStretch], of network: StreetNetwork) {
    stretches = all.filter { network.street($0.street.street).isOpen(isReversed: $0.street.isReversed) }
    outcome = stretches.count == all.count ? .whole : stretches.isEmpty ? .notOpen : .part
  }

  init(stretches: [SpeedStretch] = [], outcome: Outcome) { (self.stretches, self.outcome) = (stretches, outcome) }
}
