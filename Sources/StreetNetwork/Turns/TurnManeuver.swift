/// What a traveller does at a turn, decided when the network is built: steps are a filter over a route's turns.
package enum TurnManeuver: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// Nothing.
  case none
  /// Nothing, but the street has another name from here.
  case rename
  /// The same where only minor streets lead off: a turn in words if the street bends nearby.
  case forcedRename
  /// Nothing, but the street has no name from here: worth a step if one soon turns back onto the named one.
  case fade
  /// Straight on, which has to be announced.
  case straight
  case slightLeft, left, sharpLeft, slightRight, right, sharpRight
  case uTurn
  /// Two or more streets fork.
  case keepLeft, keepStraight, keepRight
  /// Onto a road that runs alongside.
  case merge
  /// Onto a ramp that leads to a highway.
  case rampLeft, rampRight
  /// Off a highway.
  case exitLeft, exitRight
  /// Into a roundabout; into it, past an exit next to the entry; along it, past a street that leads off; along it, past
  /// nothing; off it.
  case enterRoundabout, enterPastExit, passExit, stayInRoundabout, leaveRoundabout
  /// Onto a ferry, a car train, steps or into an elevator.
  case board
  /// On or off the bicycle.
  case pushOrRide

  /// The turn by `angle` degrees, right positive.
  package init(angle: Double) {
    switch angle {
    case ..<(-120): self = .sharpLeft
    case ..<(-55): self = .left
    case ..<(-TurnManeuver.straightest): self = .slightLeft
    case ...TurnManeuver.straightest: self = .straight
    case ...55: self = .slightRight
    case ...120: self = .right
    default: self = .sharpRight
    }
  }

  /// Degrees up to which one goes straight on.
  package static let straightest = 25.0
  /// Degrees from which a turn is a U-turn, whatever the streets are called.
  package static let around = 170.0
  /// Degrees from which a turn between the carriageways of one street is a U-turn.
  package static let aroundOnStreet = 150.0
}
