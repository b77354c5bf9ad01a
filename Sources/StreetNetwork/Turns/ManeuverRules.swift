/// Rules for announcing turns: only those at which travellers have a choice and the route does not take the obvious
/// one.
final class ManeuverRules: Sendable {
  let streets: [Street]
  let ends: StreetEnds
  let attributes: [StreetAttributes]
  let names: [String]
  /// The delays by signs and signals at both ends of each street, in milliseconds.
  let delays: [(head: UInt32, tail: UInt32)]
  /// The junctions that are lifts.
  private let lifts: Set<Int>
  /// Whether ramps and merging are announced, and unnamed roads continue named ones: not for pedestrians.
  let usesRoadManeuvers: Bool

  init(_ table: StreetTable, _ ends: StreetEnds, _ map: OSMImport, lifts: Set<Int>, usesRoadManeuvers: Bool) {
    (streets, self.ends, attributes, self.lifts) = (table.streets, ends, map.attributes, lifts)
    (names, delays, self.usesRoadManeuvers) = (map.names, table.delays, usesRoadManeuvers)
  }

  func attributes(of street: DirectedStreet) -> StreetAttributes { attributes[Int(streets[street].attributes)] }

  /// A street that leaves a junction.
  fileprivate struct Exit {
    var street: DirectedStreet
    var attributes: StreetAttributes
    /// Degrees from the arrival heading, positive to the right.
    var angle: Double
    var bend: Double { abs(angle) }
  }

  /// Working memory, reused for all junctions.
  struct Scratch {
    fileprivate var exits: [Exit] = []
    fileprivate var isOpen: [Bool] = []
    fileprivate var others: [Exit] = []
  }

  /// Appends the maneuvers of all turns at a junction, from every end to every end.
  func append(at junction: Int, to maneuvers: inout [TurnManeuver], _ scratch: inout Scratch) {
    scratch.exits.removeAll(keepingCapacity: true)
    scratch.isOpen.removeAll(keepingCapacity: true)
    let count = ends.count(at: junction)
    for index in 0..<count {
      let street = ends[junction, index]
      scratch.exits.append(Exit(street: street, attributes: attributes(of: street), angle: 0))
      scratch.isOpen.append(streets.isOpen(street))
    }
    for arriving in 0..<count { append(at: junction, from: arriving, to: &maneuvers, &scratch) }
  }

  private func append(
    at junction: Int, from arriving: Int, to maneuvers: inout [TurnManeuver], _ scratch: inout Scratch
  ) {
    let from = ends[junction, arriving].opposite
    let count = scratch.exits.count
    guard streets.isOpen(from) else {
      maneuvers.append(contentsOf: repeatElement(.none, count: count))
      return
    }
    let before = attributes(of: from)
    // Closed streets are not exits.
    for index in 0..<count where scratch.isOpen[index] {
      scratch.exits[index].angle = streets.angle(from: from, to: scratch.exits[index].street)
    }
    for leaving in 0..<count {
      guard scratch.isOpen[leaving] else {
        maneuvers.append(.none)
        continue
      }
      if arriving == leaving {
        maneuvers.append(.uTurn)
        continue
      }
      let exit = scratch.exits[leaving]
      if before.isSameSquare(as: exit.attributes) {
        maneuvers.append(.none)
        continue
      }
      scratch.others.removeAll(keepingCapacity: true)
      for index in 0..<count where index != arriving && index != leaving && scratch.isOpen[index] {
        let other = scratch.exits[index].attributes
        guard !before.isSameSquare(as: other), !exit.attributes.isSameSquare(as: other) else { continue }
        scratch.others.append(scratch.exits[index])
      }
      maneuvers.append(maneuver(before, exit, scratch.others, at: junction, from, arriving))
    }
  }

  private func maneuver(
    _ before: StreetAttributes, _ exit: Exit, _ others: [Exit], at junction: Int, _ from: DirectedStreet,
    _ arriving: Int
  ) -> TurnManeuver {
    if lifts.contains(junction), before.kind != .elevator, exit.attributes.kind != .elevator { return .lift }
    if let special = boarding(before, exit, from) ?? roundabout(before, exit, others) { return special }
    let isSame = isSameStreet(before, exit.attributes)
    if exit.bend >= TurnManeuver.uTurnAngle, !others.isEmpty || !isSame { return .uTurn }
    if exit.bend >= TurnManeuver.uTurnAngleOnStreet, !others.isEmpty, isSame, isOneWayStreet(from),
      isOneWayStreet(exit.street)
    {
      return .uTurn
    }
    if usesRoadManeuvers, let link = link(before, exit, others, at: junction, from, arriving) { return link }
    return turn(before, exit, others)
  }

  // MARK: Special turns

  private func boarding(_ before: StreetAttributes, _ exit: Exit, _ from: DirectedStreet) -> TurnManeuver? {
    if exit.attributes.kind.isBoarded && exit.attributes.kind != before.kind { return .board }
    // From one ferry to another.
    if streets[exit.street].isBoarding(isReversed: exit.street.isReversed) { return .board }
    if before.kind == exit.attributes.kind && before.kind.isVehicle {
      return isSameStreet(before, exit.attributes) ? TurnManeuver.none : .board
    }
    if before.kind.isBoarded && !exit.attributes.kind.isBoarded { return TurnManeuver(angle: exit.angle) }
    if isPushed(from) != isPushed(exit.street) {
      return exit.bend <= 45 ? .pushOrRide : TurnManeuver(angle: exit.angle)
    }
    return nil
  }

  private func roundabout(_ before: StreetAttributes, _ exit: Exit, _ others: [Exit]) -> TurnManeuver? {
    switch (before.traits.contains(.roundabout), exit.attributes.traits.contains(.roundabout)) {
    case (false, true):
      // An exit at the entry itself is passed if it leaves on the side of the turn.
      others.contains {
        isCounted($0) && !isSameStreet(before, $0.attributes)
          && (exit.angle > 0 ? $0.angle > exit.angle : $0.angle < exit.angle)
      } ? .enterPastExit : .enterRoundabout
    case (true, false): .leaveRoundabout
    case (true, true): others.contains(where: isCounted) ? .passExit : .stayInRoundabout
    case (false, false): nil
    }
  }

  /// Returns whether drivers count a street as a roundabout exit: not a factory gate, a track or a car park.
  private func isCounted(_ exit: Exit) -> Bool {
    let way = exit.attributes
    guard !way.traits.contains(.roundabout), way.roadClass < .track, !isPushed(exit.street) else { return false }
    guard way.roadClass == .service else { return true }
    let isOpenToAll = !streets[exit.street].flags.contains(.endsOnly) && !way.traits.contains(.private)
    return isOpenToAll && way.kind != .carPark && way.kind != .driveway
  }

  /// Returns the maneuver onto, along or off link roads.
  private func link(
    _ before: StreetAttributes, _ exit: Exit, _ others: [Exit], at junction: Int, _ from: DirectedStreet,
    _ arriving: Int
  ) -> TurnManeuver? {
    switch (before.traits.contains(.link), exit.attributes.traits.contains(.link)) {
    case (false, true) where exit.attributes.kind == .ramp && !others.isEmpty:
      let straightest = others.min { $0.bend < $1.bend }!
      let isRight = straightest.bend < 60 ? exit.angle > straightest.angle : exit.angle > 0
      let leavesHighway = before.roadClass <= .trunk && straightest.attributes.roadClass <= .trunk
      return leavesHighway ? (isRight ? .exitRight : .exitLeft) : (isRight ? .rampRight : .rampLeft)
    case (true, false) where canMerge(from, exit) && (before.kind == .ramp || !isSameStreet(before, exit.attributes)):
      let hasThroughTraffic = (0..<ends.count(at: junction)).contains { index in
        let other = ends[junction, index].opposite
        return index != arriving && streets.isOpen(other) && other.street != exit.street.street
          && abs(streets.angle(from: other, to: exit.street)) < 45
          && attributes(of: other).roadClass <= exit.attributes.roadClass
          && !attributes(of: other).traits.contains(.link)
      }
      return hasThroughTraffic ? .merge : nil
    default: return nil
    }
  }

  /// Returns whether a trip joins the traffic without stopping: at a small angle, and either onto a motorway or without
  /// a sign or signal.
  private func canMerge(_ from: DirectedStreet, _ exit: Exit) -> Bool {
    guard exit.bend < 35 else { return false }
    return exit.attributes.roadClass == .motorway || !stops(at: from)
  }

  /// Returns whether a trip stops at the end of a street, or a few metres before it.
  private func stops(at street: DirectedStreet) -> Bool {
    if delays.atEnd(of: street) >= ManeuverRules.minimumStopDelay { return true }
    guard streets[street].centimetres < 30_00 else { return false }
    return ends[streets.start(of: street).junction].lazy.map(\.opposite).contains { before in
      before != street.opposite && streets.isOpen(before) && abs(streets.angle(from: before, to: street)) < 45
        && delays.atEnd(of: before) >= ManeuverRules.minimumStopDelay
    }
  }

  /// The delay in milliseconds that distinguishes a sign or a signal from a crossing.
  private static let minimumStopDelay: UInt32 = 1500

  // MARK: Turns

  private func turn(_ before: StreetAttributes, _ exit: Exit, _ others: [Exit]) -> TurnManeuver {
    let isSame = isSameStreet(before, exit.attributes)
    guard !others.isEmpty else {
      // Without a choice, only a change of name matters.
      if isSame || isUnremarkable(before, exit.attributes) { return unannounced(before, exit.attributes) }
      return exit.bend > 45 ? TurnManeuver(angle: exit.angle) : .forcedRename
    }
    if exit.bend <= 60, let fork = fork(before, exit, others, isSame) { return fork }
    if exit.bend <= TurnManeuver.straightLimit {
      if isSame { return unannounced(before, exit.attributes) }
      // Going straight on where the street turns off must be announced.
      let bendsAway = others.contains { isSameStreet(before, $0.attributes) && before.isNamed && $0.bend < 100 }
      if bendsAway { return .straight }
      if isUnremarkable(before, exit.attributes) { return unannounced(before, exit.attributes) }
      return others.allSatisfy { isMinor($0, comparedTo: exit) } ? .forcedRename : .rename
    }
    if isSame, exit.bend <= 45, others.allSatisfy({ $0.bend > exit.bend + 10 }) {
      return unannounced(before, exit.attributes)
    }
    return TurnManeuver(angle: exit.angle)
  }

  /// Returns the maneuver at a fork, where other streets could be taken as well; nil if there is no fork.
  private func fork(_ before: StreetAttributes, _ exit: Exit, _ others: [Exit], _ isSame: Bool) -> TurnManeuver? {
    var (rivals, leftmost, rightmost, turnsOff) = (0, true, true, false)
    for other in others where other.bend <= 60 && !isObvious(exit, before, isSame, over: other) {
      rivals += 1
      leftmost = leftmost && other.angle > exit.angle
      rightmost = rightmost && other.angle < exit.angle
      turnsOff =
        turnsOff || (exit.bend > TurnManeuver.straightLimit && other.bend <= 15 && !isNarrowFork(exit, other))
    }
    guard rivals > 0, !turnsOff else { return nil }
    return leftmost ? .keepLeft : rightmost ? .keepRight : .keepStraight
  }

  /// Returns whether a traveller would never take `other` without an instruction.
  private func isObvious(_ exit: Exit, _ before: StreetAttributes, _ isSame: Bool, over other: Exit) -> Bool {
    let (way, otherWay) = (exit.attributes, other.attributes)
    if otherWay.traits.contains(.link) && !way.traits.contains(.link) && !before.traits.contains(.link) { return true }
    if isMinor(other, comparedTo: exit) && other.bend + 10 >= exit.bend { return true }
    // The street continues, and the other one is smaller or bends more.
    if isSame, !isSameStreet(before, otherWay) {
      if otherWay.roadClass > way.roadClass && exit.bend <= 45 { return true }
      if before.isNamed && exit.bend + 15 <= other.bend && !isNarrowFork(exit, other) { return true }
    }
    return otherWay.roadClass >= way.roadClass && exit.bend <= 20 && other.bend >= exit.bend + 25
  }

  /// Returns whether two streets leave in almost the same direction.
  private func isNarrowFork(_ exit: Exit, _ other: Exit) -> Bool {
    abs(turnAngle(from: exit.angle, to: other.angle)) < ManeuverRules.narrowFork
  }

  /// The angle in degrees between the streets of a fork below which neither of them is a turn.
  private static let narrowFork = 20.0

  private func isMinor(_ other: Exit, comparedTo exit: Exit) -> Bool {
    other.attributes.roadClass.rawValue >= exit.attributes.roadClass.rawValue + 2
  }

  /// Returns the maneuver where the street stays the same. If the labels differ, the route decides: along "A 3",
  /// "A 3, A 28" and "A 28", each road continues the one before it, but the last does not continue the first.
  private func unannounced(_ before: StreetAttributes, _ after: StreetAttributes) -> TurnManeuver {
    guard before.label != after.label, before.isNamed else { return .none }
    return after.isNamed ? .rename : .fade
  }

  /// Returns whether the change of street is negligible: in vehicles, an unnamed road counts as the same road.
  private func isUnremarkable(_ before: StreetAttributes, _ after: StreetAttributes) -> Bool {
    usesRoadManeuvers && !after.isNamed && after.kind.displayedKind == before.kind.displayedKind
  }

  func isSameStreet(_ a: StreetAttributes, _ b: StreetAttributes) -> Bool {
    a.isSameStreet(as: b) { names[Int($0)] }
  }

  /// Returns whether a street is for traffic in one direction only.
  func isOneWayStreet(_ street: DirectedStreet) -> Bool {
    streets.isOpen(street) && !streets.isOpen(street.opposite)
  }

  private func isPushed(_ street: DirectedStreet) -> Bool { streets[street].isPushed(isReversed: street.isReversed) }
}
