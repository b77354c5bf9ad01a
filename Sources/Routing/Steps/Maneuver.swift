import StreetNetwork

/// What to do at the start of a step. Raw values are what tables hold.
public enum Maneuver: String, Sendable, Hashable, CaseIterable, Codable {
  /// Set out; the first step of every route.
  case depart
  /// Straight on, onto a street of another name.
  case `continue`
  /// A turn by 25 to 55 degrees.
  case turnSlightLeft = "turn_slight_left"
  /// A turn by 55 to 120 degrees.
  case turnLeft = "turn_left"
  /// A turn by more than 120 degrees.
  case turnSharpLeft = "turn_sharp_left"
  /// A turn by 25 to 55 degrees.
  case turnSlightRight = "turn_slight_right"
  /// A turn by 55 to 120 degrees.
  case turnRight = "turn_right"
  /// A turn by more than 120 degrees.
  case turnSharpRight = "turn_sharp_right"
  /// Around, and back along the same street.
  case uTurn = "u_turn"
  /// Where streets fork.
  case keepLeft = "keep_left"
  /// The middle of three or more.
  case keepStraight = "keep_straight"
  /// Where streets fork.
  case keepRight = "keep_right"
  /// Onto a road that runs alongside.
  case merge
  /// Onto a highway's ramp.
  case rampLeft = "ramp_left"
  /// Onto a highway's ramp.
  case rampRight = "ramp_right"
  /// Off a highway.
  case exitLeft = "exit_left"
  /// Off a highway.
  case exitRight = "exit_right"
  /// Through a roundabout; the step continues along the street behind it.
  case roundabout
  /// Along a roundabout on foot, to the left; the step continues along the street behind it.
  case roundaboutLeft = "roundabout_left"
  /// Along a roundabout on foot, to the right.
  case roundaboutRight = "roundabout_right"
  /// Into a roundabout in which the route ends.
  case enterRoundabout = "enter_roundabout"
  /// Out of a roundabout in which the route starts.
  case leaveRoundabout = "leave_roundabout"
  /// Onto steps.
  case takeSteps = "take_steps"
  /// Onto a ferry.
  case takeFerry = "take_ferry"
  /// Onto a train that carries cars.
  case takeCarTrain = "take_car_train"
  /// Onto a train, with the bicycle.
  case takeTrain = "take_train"
  /// Into an elevator.
  case takeElevator = "take_elevator"
  /// Off the bicycle, and on foot.
  case push
  /// Back onto the bicycle.
  case ride
  /// At a stop, until a vehicle leaves; by public transport at the destination, too, until the arrival asked for.
  case wait
  /// Into a vehicle of public transport.
  case board
  /// In a vehicle of public transport, which goes on as another line.
  case staySeated = "stay_seated"
  /// To another stop in a straight line.
  case transfer
  /// At the destination, which lies on the street; the last step of every route.
  case arrive
  /// At the destination, on the left.
  case arriveLeft = "arrive_left"
  /// At the destination, on the right.
  case arriveRight = "arrive_right"

  /// Its byte in memory: hashed far more quickly than its name.
  var rawByte: UInt8 { withUnsafeBytes(of: self) { $0[0] } }

  /// The maneuver that turns by `angle` degrees, right positive, -180…180; around is a U-turn, on one street a little
  /// less than around, too.
  init(turning angle: Double, staysOnStreet: Bool) {
    let isAround = abs(angle) >= (staysOnStreet ? TurnManeuver.aroundOnStreet : TurnManeuver.around)
    self = isAround ? .uTurn : Maneuver(TurnManeuver(angle: angle), onto: .road, isPushed: false)
  }

  /// The maneuver that was decided for a turn, onto a street of this kind.
  init(_ turn: TurnManeuver, onto kind: StreetKind, isPushed: Bool) {
    switch turn {
    case .none, .rename, .forcedRename, .fade, .straight, .passExit, .stayInRoundabout: self = .continue
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
    case .enterRoundabout, .enterPastExit: self = .enterRoundabout
    case .leaveRoundabout: self = .leaveRoundabout
    case .board:
      switch kind {
      case .steps: self = .takeSteps
      case .elevator: self = .takeElevator
      case .carTrain: self = .takeCarTrain
      case .train: self = .takeTrain
      default: self = .takeFerry
      }
    case .pushOrRide: self = isPushed ? .push : .ride
    }
  }

  /// Which of two maneuvers within a few metres is told: the one that matters more. Turns make one turn together.
  enum Importance: Comparable {
    case turn, fork, merging, ramp, stairs, roundabout, elevator, vessel
  }

  var importance: Importance {
    switch self {
    case .keepLeft, .keepStraight, .keepRight: .fork
    case .merge: .merging
    case .rampLeft, .rampRight, .exitLeft, .exitRight: .ramp
    case .takeSteps: .stairs
    case .roundabout, .roundaboutLeft, .roundaboutRight, .enterRoundabout, .leaveRoundabout: .roundabout
    case .takeElevator: .elevator
    case .takeFerry, .takeCarTrain, .takeTrain: .vessel
    default: .turn
    }
  }

  /// Whether the maneuver is nothing but a turn, or none: such may be merged.
  var isPlain: Bool {
    switch self {
    case .continue, .turnSlightLeft, .turnLeft, .turnSharpLeft, .turnSlightRight, .turnRight, .turnSharpRight,
      .keepLeft, .keepStraight, .keepRight, .depart:
      true
    default: false
    }
  }
}
