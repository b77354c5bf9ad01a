import StreetNetwork

/// The maneuver at the start of a step. Raw values are used in tables.
public enum Maneuver: String, Sendable, Hashable, CaseIterable, Codable {
  /// Departure; the first step of every route, except of transit trips that begin at a stop.
  case depart
  /// Straight on, onto a street with another name.
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
  /// A turn by at least 170 degrees, or 150 between the carriageways of one street.
  case uTurn = "u_turn"
  /// To the left at a fork.
  case keepLeft = "keep_left"
  /// Along a middle road at a fork of three or more roads.
  case keepStraight = "keep_straight"
  /// To the right at a fork.
  case keepRight = "keep_right"
  /// Onto a parallel road.
  case merge
  /// Onto a highway's ramp, on the left.
  case rampLeft = "ramp_left"
  /// Onto a highway's ramp, on the right.
  case rampRight = "ramp_right"
  /// Off a highway, on the left.
  case exitLeft = "exit_left"
  /// Off a highway, on the right.
  case exitRight = "exit_right"
  /// Through a roundabout; the step continues along the street after it.
  case roundabout
  /// Along a roundabout on foot, to the left; the step continues along the street after it.
  case roundaboutLeft = "roundabout_left"
  /// Along a roundabout on foot, to the right.
  case roundaboutRight = "roundabout_right"
  /// Into a roundabout in which the route ends.
  case enterRoundabout = "enter_roundabout"
  /// Out of a roundabout in which the route starts.
  case leaveRoundabout = "leave_roundabout"
  /// Onto steps.
  case takeSteps = "take_steps"
  /// Onto an escalator.
  case takeEscalator = "take_escalator"
  /// Onto a ferry.
  case takeFerry = "take_ferry"
  /// Onto a train that carries cars.
  case takeCarTrain = "take_car_train"
  /// Onto a train, with the bicycle.
  case takeTrain = "take_train"
  /// Into an elevator.
  case takeElevator = "take_elevator"
  /// Dismount and push the bicycle.
  case push
  /// Mount the bicycle again.
  case ride
  /// Waiting at a stop until a vehicle leaves or, if the arrival time is given, at the destination until then.
  case wait
  /// Boarding a public transport vehicle.
  case board
  /// Staying in a public transport vehicle that continues as another line.
  case staySeated = "stay_seated"
  /// Walking to another stop within a station or in a straight line.
  case transfer
  /// At the destination, which lies on the street. The last step is one of the three arrivals, or `wait`.
  case arrive
  /// At the destination, on the left.
  case arriveLeft = "arrive_left"
  /// At the destination, on the right.
  case arriveRight = "arrive_right"

  /// The byte that represents the maneuver in memory, which is hashed much faster than the raw string.
  var rawByte: UInt8 { withUnsafeBytes(of: self) { $0[0] } }

  /// The maneuver for a turn by `angle` degrees, -180…180, positive to the right. On the same street, a smaller turn is
  /// already a U-turn.
  init(turning angle: Double, staysOnStreet: Bool) {
    let isAround = abs(angle) >= (staysOnStreet ? TurnManeuver.uTurnAngleOnStreet : TurnManeuver.uTurnAngle)
    self = isAround ? .uTurn : Maneuver(TurnManeuver(angle: angle), onto: .road, isPushed: false)
  }

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
      case .escalator: self = .takeEscalator
      case .elevator: self = .takeElevator
      case .carTrain: self = .takeCarTrain
      case .train: self = .takeTrain
      default: self = .takeFerry
      }
    case .pushOrRide: self = isPushed ? .push : .ride
    case .lift: self = .takeElevator
    }
  }

  /// The importance of a maneuver: of two within a few metres, the more important one is kept; two turns are combined.
  enum Importance: Comparable {
    case turn, fork, merging, ramp, stairs, roundabout, elevator, vehicle
  }

  var importance: Importance {
    switch self {
    case .keepLeft, .keepStraight, .keepRight: .fork
    case .merge: .merging
    case .rampLeft, .rampRight, .exitLeft, .exitRight: .ramp
    case .takeSteps, .takeEscalator: .stairs
    case .roundabout, .roundaboutLeft, .roundaboutRight, .enterRoundabout, .leaveRoundabout: .roundabout
    case .takeElevator: .elevator
    case .takeFerry, .takeCarTrain, .takeTrain: .vehicle
    default: .turn
    }
  }

  /// Whether the maneuver is a departure, a turn, a fork or straight on; such maneuvers may be merged.
  var isPlain: Bool {
    switch self {
    case .continue, .turnSlightLeft, .turnLeft, .turnSharpLeft, .turnSlightRight, .turnRight, .turnSharpRight,
      .keepLeft, .keepStraight, .keepRight, .depart:
      true
    default: false
    }
  }
}
