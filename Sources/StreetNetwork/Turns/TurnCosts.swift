import Hierarchy

extension [(head: UInt32, tail: UInt32)] {
  /// Returns the cost of passing the point at the end of a street; elements are the costs at each street's head and
  /// tail.
  func atEnd(of street: DirectedStreet) -> UInt32 {
    let delays = self[Int(street.street.index)]
    return street.isReversed ? delays.tail : delays.head
  }
}

/// The cost of each turn, by junction, arriving end and departing end.
///
/// Walkers, including those who push a bicycle, turn at no cost, so the ends of all lines across a square share one
/// state.
struct TurnCosts {
  /// The start of each junction's table, which has a row and a column for each end.
  let first: [Int]
  /// Milliseconds, at index `first[junction] + arriving * ends + leaving`.
  private let milliseconds: [UInt32]
  private let ends: StreetEnds

  init(
    _ streets: [Street], _ ends: StreetEnds, delays: [(head: UInt32, tail: UInt32)], rules: TurnRules,
    isWalked: (DirectedStreet) -> Bool
  ) {
    self.ends = ends
    var first: [Int] = []
    var milliseconds: [UInt32] = []
    first.reserveCapacity(ends.junctionCount)
    milliseconds.reserveCapacity(ends.pairCount)
    for junction in 0..<ends.junctionCount {
      first.append(milliseconds.count)
      let count = ends.count(at: junction)
      for arriving in 0..<count {
        let from = ends[junction, arriving].opposite
        let delay = delays.atEnd(of: from)
        let isLeft = streets[from].flags.contains(.drivesOnLeft)
        let isFree = isWalked(from)
        for leaving in 0..<count {
          let to = ends[junction, leaving]
          // Where a street only bends, there is no turn.
          guard !isFree && (count > 2 || to == from.opposite) else {
            milliseconds.append(delay)
            continue
          }
          let angle = streets.angle(from: from, to: to)
          let isUTurn = to == from.opposite || abs(angle) >= TurnManeuver.uTurnAngle
          let turn = rules.milliseconds(angle: angle, isUTurn: isUTurn, drivesOnLeft: isLeft)
          milliseconds.append(delay + turn)
        }
      }
    }
    self.first = first
    self.milliseconds = milliseconds
  }

  subscript(junction: Int, arriving: Int, leaving: Int) -> UInt32 {
    milliseconds[first[junction] + arriving * ends.count(at: junction) + leaving]
  }

  /// Returns the cost of each turn from one end, by departing end.
  func row(at junction: Int, from arriving: Int) -> ArraySlice<UInt32> {
    let count = ends.count(at: junction)
    let start = first[junction] + arriving * count
    return milliseconds[start..<start + count]
  }
}

/// The maneuver of a turn, decided when the network is built: steps are a selection of a route's turns.
package enum TurnManeuver: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// No maneuver.
  case none
  /// No maneuver, but the street's name changes.
  case rename
  /// A name change where only minor streets branch off: announced as a turn if the street bends nearby.
  case forcedRename
  /// No maneuver, but the street loses its name: a step if the trip soon turns back onto the named street.
  case fade
  /// Straight on, which must be announced.
  case straight
  case slightLeft, left, sharpLeft, slightRight, right, sharpRight
  case uTurn
  /// A fork of two or more streets.
  case keepLeft, keepStraight, keepRight
  /// Onto a parallel road.
  case merge
  /// Onto a ramp that leads to a highway.
  case rampLeft, rampRight
  /// Off a highway.
  case exitLeft, exitRight
  /// At a roundabout: entering it; entering it past an exit next to the entry; passing an exit; continuing without an
  /// exit; leaving it.
  case enterRoundabout, enterPastExit, passExit, stayInRoundabout, leaveRoundabout
  /// Onto a ferry, a car train or steps, or into an elevator.
  case board
  /// Getting on or off the bicycle.
  case pushOrRide
  /// Over a lift that is drawn as a node.
  case lift

  /// Creates the turn by `angle` degrees, positive to the right.
  package init(angle: Double) {
    switch angle {
    case ..<(-120): self = .sharpLeft
    case ..<(-55): self = .left
    case ..<(-TurnManeuver.straightLimit): self = .slightLeft
    case ...TurnManeuver.straightLimit: self = .straight
    case ...55: self = .slightRight
    case ...120: self = .right
    default: self = .sharpRight
    }
  }

  /// The angle in degrees up to which a turn is straight on.
  package static let straightLimit = 25.0
  /// The angle in degrees from which a turn is a U-turn, regardless of street names.
  package static let uTurnAngle = 170.0
  /// The angle in degrees from which a turn between the carriageways of one street is a U-turn.
  package static let uTurnAngleOnStreet = 150.0
}

/// The maneuver of every turn of a network: a square table per junction, indexed by the arriving and the departing
/// street end.
package struct ManeuverTable: Sendable {
  /// The start of each junction's table.
  let first: Column<UInt32>
  let maneuvers: Column<TurnManeuver>

  package func maneuver(junction: Int, arriving: Int, leaving: Int, ends: Int) -> TurnManeuver {
    maneuvers[Int(first[junction]) + arriving * ends + leaving]
  }
}

extension ManeuverTable {
  init(_ rules: ManeuverRules) {
    var first: [UInt32] = []
    var maneuvers: [TurnManeuver] = []
    first.reserveCapacity(rules.ends.junctionCount)
    maneuvers.reserveCapacity(rules.ends.pairCount)
    var scratch = ManeuverRules.Scratch()
    for junction in 0..<rules.ends.junctionCount {
      first.append(UInt32(maneuvers.count))
      rules.append(at: junction, to: &maneuvers, &scratch)
    }
    self.init(first: Column(first), maneuvers: Column(maneuvers))
  }
}
