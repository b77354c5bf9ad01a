/// What one does at the start of a step.
public enum Maneuver: String, Sendable, Hashable, CaseIterable {
  case depart
  /// Straight on, onto a street of another name.
  case `continue`
  case turnSlightLeft = "turn_slight_left"
  case turnLeft = "turn_left"
  case turnSharpLeft = "turn_sharp_left"
  case turnSlightRight = "turn_slight_right"
  case turnRight = "turn_right"
  case turnSharpRight = "turn_sharp_right"
  case uTurn = "u_turn"
  case takeSteps = "take_steps"
  case takeFerry = "take_ferry"
  case takeElevator = "take_elevator"
  case arrive
  case arriveLeft = "arrive_left"
  case arriveRight = "arrive_right"

  /// The maneuver that turns by `angle` degrees, right positive, -180…180.
  init(turning angle: Double) {
    switch angle {
    case ..<(-160): self = .uTurn
    case ..<(-120): self = .turnSharpLeft
    case ..<(-55): self = .turnLeft
    case ..<(-25): self = .turnSlightLeft
    case ...25: self = .continue
    case ...55: self = .turnSlightRight
    case ...120: self = .turnRight
    case ...160: self = .turnSharpRight
    default: self = .uTurn
    }
  }
}
