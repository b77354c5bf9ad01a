import StreetNetwork

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
  /// Where streets fork.
  case keepLeft = "keep_left"
  case keepStraight = "keep_straight"
  case keepRight = "keep_right"
  /// Onto a road that comes along.
  case merge
  /// Onto a highway's ramp.
  case rampLeft = "ramp_left"
  case rampRight = "ramp_right"
  /// Off a highway.
  case exitLeft = "exit_left"
  case exitRight = "exit_right"
  /// Through a roundabout; the step goes on along the street behind it.
  case roundabout
  /// Into a roundabout in which the route ends.
  case enterRoundabout = "enter_roundabout"
  /// Out of a roundabout in which the route starts.
  case leaveRoundabout = "leave_roundabout"
  case takeSteps = "take_steps"
  case takeFerry = "take_ferry"
  case takeCarTrain = "take_car_train"
  case takeElevator = "take_elevator"
  /// Off the bicycle, and on again.
  case push
  case ride
  case arrive
  case arriveLeft = "arrive_left"
  case arriveRight = "arrive_right"

  /// A number of its own, a byte as it lies in memory: hashed far more quickly than its name.
  var number: UInt8 { withUnsafeBytes(of: self) { $0[0] } }

  /// The maneuver that turns by `angle` degrees, right positive, -180…180; half around on one street is a U-turn.
  init(turning angle: Double, staysOnStreet: Bool) {
    self =
      abs(angle) > 160 && staysOnStreet ? .uTurn : Maneuver(TurnManeuver(angle: angle), onto: .road, isPushed: false)
  }

  /// The maneuver that was decided for a turn, onto a street of this kind.
  init(_ turn: TurnManeuver, onto kind: StreetKind, isPushed: Bool) {
    switch turn {
    case .none, .rename, .straight, .passExit, .stayInRoundabout: self = .continue
    case .slightLeft: self = .turnSlightLeft
    case .left: self = .turnLeft
    case .sharpLeft: self = .turnSharpLeft
    case .slightRight: self = .turnSlightRight
    case .right: self = .turnRight
    case .sharpRight: self = .turnSharpRight
    case .uTurn: self = .uTurn
    case .keepLeft: self = .keepLeft
    case .keepStraight: self = .keepStraight
    case .keepRight: self = .keepRight
    case .merge: self = .merge
    case .rampLeft: self = .rampLeft
    case .rampRight: self = .rampRight
    case .exitLeft: self = .exitLeft
    case .exitRight: self = .exitRight
    case .enterRoundabout: self = .enterRoundabout
    case .leaveRoundabout: self = .leaveRoundabout
    case .board:
      switch kind {
      case .steps: self = .takeSteps
      case .elevator: self = .takeElevator
      case .carTrain: self = .takeCarTrain
      default: self = .takeFerry
      }
    case .pushOrRide: self = isPushed ? .push : .ride
    }
  }

  /// Whether the maneuver is nothing but a turn, or none: such may be put together.
  var isPlain: Bool {
    switch self {
    case .continue, .turnSlightLeft, .turnLeft, .turnSharpLeft, .turnSlightRight, .turnRight, .turnSharpRight,
      .keepLeft, .keepStraight, .keepRight, .depart:
      true
    default: false
    }
  }
}
