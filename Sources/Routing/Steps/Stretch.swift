import Hierarchy
import StreetNetwork

/// Consecutive pieces of a trip that are one to the traveller: what becomes a step.
struct Stretch {
  /// A row of the network's attributes.
  var attributes: UInt32
  /// What one does at its start.
  var maneuver: Maneuver
  /// Of a roundabout: how many exits are passed, the one taken included; and whether the stretch is still within it.
  var exits: UInt8 = 0
  var isInRoundabout = false
  var isPushed: Bool
  /// Whether it continues the stretch before it, and nothing but minor streets leads off there.
  var isForced = false
  /// Whether it continues the stretch before it, on wheels, without its name.
  var isNameless = false
  var notices: Notices
  var weight: Weight
  var climb: Climb
  /// Whether its first street, and its last, leads one way: a carriageway.
  var startsOneway: Bool
  var endsOneway: Bool
  /// Its first point.
  var start: Int
  /// Headings in degrees: setting out on it, and at its end.
  var leaving: Double
  var arriving: Double
}

extension Stretch {
  mutating func extend(by next: Stretch, _ turn: TurnManeuver) {
    switch turn {
    case .passExit: exits = min(exits, 254) + 1
    case .leaveRoundabout:
      exits = min(exits, 254) + 1
      maneuver = .roundabout
      attributes = next.attributes
      isInRoundabout = false
    default: break
    }
    weight = weight + next.weight
    climb = climb + next.climb
    notices.formUnion(next.notices)
    arriving = next.arriving
    endsOneway = next.endsOneway
  }

  /// Starts where `link`, which leads to it, starts.
  mutating func take(_ link: Stretch) {
    weight = weight + link.weight
    climb = climb + link.climb
    notices.formUnion(link.notices)
    start = link.start
  }
}
