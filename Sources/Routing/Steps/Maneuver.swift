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

  /// Its place in the list: compared and hashed far more quickly than its name.
  var number: UInt8 {
    switch self {
    case .depart: 0
    case .continue: 1
    case .turnSlightLeft: 2
    case .turnLeft: 3
    case .turnSharpLeft: 4
    case .turnSlightRight: 5
    case .turnRight: 6
    case .turnSharpRight: 7
    case .uTurn: 8
    case .takeSteps: 9
    case .takeFerry: 10
    case .takeElevator: 11
    case .arrive: 12
    case .arriveLeft: 13
    case .arriveRight: 14
    }
  }

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
