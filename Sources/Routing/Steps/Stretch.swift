import Hierarchy
import StreetNetwork

/// Consecutive pieces of a trip that form one step for the traveller.
struct Stretch {
  /// A row of the network's attributes.
  var attributes: UInt32
  /// The maneuver at its start.
  var maneuver: Maneuver
  /// For a roundabout: the number of exits up to the one taken, and whether the stretch is still within it.
  var exits: UInt8 = 0
  var isInRoundabout = false
  var isPushed: Bool
  /// Whether it continues the previous stretch, with only minor streets branching off.
  var isForced = false
  /// Whether it is an unnamed street onto which a vehicle continues from the previous stretch without a maneuver.
  var isNameless = false
  var notices: Notices
  var weight: Weight
  var climb: Climb
  /// Whether its first and last streets are one-way carriageways.
  var startsOneway: Bool
  var endsOneway: Bool
  /// The index of its first point.
  var start: Int
  /// Headings in degrees at its start and at its end.
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

  /// Moves the start to the start of `link`, which leads to this stretch.
  mutating func prepend(_ link: Stretch) {
    weight = weight + link.weight
    climb = climb + link.climb
    notices.formUnion(link.notices)
    start = link.start
  }
}
