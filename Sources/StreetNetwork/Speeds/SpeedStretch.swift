/// A part of a street in a direction, between two of its points.
struct SpeedStretch: Hashable {
  var street: DirectedStreet
  /// The first and the last of its points among the network's, from tail to head.
  var first: UInt32
  var last: UInt32
}

/// Where a place of a file of speeds is in a network.
struct SpeedMatch {
  var stretches: [SpeedStretch] = []
  var outcome: Outcome

  enum Outcome {
    case whole
    /// Part of it is not open in that direction.
    case part
    /// It is on the map, but not open in that direction.
    case notOpen
    case none
  }

  static let none = SpeedMatch(outcome: .none)

  /// Of stretches, of which only those count that are open.
  init(_ all: [SpeedStretch], of network: StreetNetwork) {
    stretches = all.filter { network.street($0.street.street).isOpen(isReversed: $0.street.isReversed) }
    outcome = stretches.count == all.count ? .whole : stretches.isEmpty ? .notOpen : .part
  }

  init(stretches: [SpeedStretch] = [], outcome: Outcome) { (self.stretches, self.outcome) = (stretches, outcome) }
}
