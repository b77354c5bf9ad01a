import Hierarchy
import StreetNetwork

/// Lengths in centimetres below which a stretch does not get its own step.
enum Short {
  /// An unnamed link between two streets.
  static let link: UInt32 = 15_00
  /// A jog along a crossing street, after which the trip continues on its previous street.
  static let jog: UInt32 = 30_00
  /// A link between the carriageways of a street, or between two of its parts.
  static let median: UInt32 = 50_00
  /// A slip road around a corner.
  static let slipRoad: UInt32 = 150_00
  /// Too short for a step, except at a trip's ends.
  static let step: UInt32 = 10_00
  /// Too short for a step at a trip's ends.
  static let end: UInt32 = 5_00
  /// Metres within which a bend and a change of the street's name are one maneuver.
  static let bend = 10.0
}

extension Router {
  /// Merges stretches that are too short for a step into the next one, with the combined turn.
  func mergeShortStretches(_ stretches: inout [Stretch]) {
    var merged: [Stretch] = []
    merged.reserveCapacity(stretches.count)
    var pending: Stretch?
    for var stretch in stretches {
      if let link = pending {
        pending = nil
        if !join(link, to: &stretch, after: merged[merged.count - 1]) { append(link, to: &merged) }
      }
      if mayJoin(stretch) && !merged.isEmpty { pending = stretch } else { append(stretch, to: &merged) }
    }
    if let pending { append(pending, to: &merged) }
    mergeShortEnds(of: &merged)
    stretches = merged
  }

  // MARK: Links

  /// Merges a link into the stretch after it if travellers would see both as one step; returns whether they are merged.
  private func join(_ link: Stretch, to stretch: inout Stretch, after last: Stretch) -> Bool {
    guard isShort(link) || isLink(link, to: stretch, after: last) else { return false }
    let maneuver = isShort(link) ? mainManeuver(link, stretch, after: last) : turn(stretch, after: last, over: link)
    if maneuver != stretch.maneuver { stretch.exits = link.exits }
    stretch.maneuver = maneuver
    stretch.isNameless = stretch.isNameless && maneuver == .continue
    var link = link
    // A bicycle that is pushed over the link was already pushed before it.
    if maneuver == .ride { link.notices.remove(.push) }
    stretch.prepend(link)
    return true
  }

  /// Returns whether a stretch of more than a few metres is only a link between two streets.
  private func isLink(_ link: Stretch, to stretch: Stretch, after last: Stretch) -> Bool {
    guard stretch.maneuver.isPlain || (stretch.maneuver == .merge && isSlipRoad(link)) else { return false }
    if isSlipRoad(link) || (isUnnamed(link) && link.weight.centimetres < Short.link) { return true }
    guard link.weight.centimetres < Short.median, isNamed(last), isSameStreet(last.attributes, stretch.attributes)
    else { return false }
    let angle = turnAngle(from: last.arriving, to: stretch.leaving)
    return isMedian(last, stretch) || (isUnnamed(link) && abs(angle) > 45)
  }

  /// Returns whether two turns lead back along the same street: a U-turn across a median.
  private func isMedian(_ before: Stretch, _ after: Stretch) -> Bool {
    before.endsOneway && after.startsOneway
      && abs(turnAngle(from: before.arriving, to: after.leaving)) >= TurnManeuver.uTurnAngleOnStreet
  }

  /// Returns whether a trip makes a U-turn where `next` extends the last stretch: across a median, on a link with the
  /// street's name.
  func turnsAround(_ stretches: [Stretch], onto next: Stretch) -> Bool {
    guard stretches.count > 1 else { return false }
    let (before, link) = (stretches[stretches.count - 2], stretches[stretches.count - 1])
    return link.weight.centimetres < Short.median && link.maneuver.isPlain && isNamed(before)
      && isSameStreet(before.attributes, next.attributes) && isMedian(before, next)
  }

  /// Returns the turn from one street over a link onto another. Two turns to the same side of more than 180 degrees
  /// together are a turn to that side.
  private func turn(_ stretch: Stretch, after last: Stretch, over link: Stretch) -> Maneuver {
    let isSame = isSameStreet(last.attributes, stretch.attributes)
    let both = turnAngle(from: last.arriving, to: link.leaving) + turnAngle(from: link.arriving, to: stretch.leaving)
    let combined = turnAngle(from: last.arriving, to: stretch.leaving)
    let angle = abs(both) > 180 ? abs(combined) * (both < 0 ? -1 : 1) : combined
    guard abs(angle) <= 45 else { return Maneuver(turning: angle, staysOnStreet: isSame) }
    if last.isPushed != stretch.isPushed { return stretch.isPushed ? .push : .ride }
    return isSame ? .continue : Maneuver(turning: angle, staysOnStreet: false)
  }

  /// Returns the more important of two maneuvers within a few metres, or the combined turn.
  private func mainManeuver(_ link: Stretch, _ stretch: Stretch, after last: Stretch) -> Maneuver {
    // A few stairs are mentioned only in the notice.
    let first = link.maneuver.importance == .stairs ? .continue : link.maneuver
    let main = first.importance > stretch.maneuver.importance ? first : stretch.maneuver
    let angle = abs(turnAngle(from: last.arriving, to: stretch.leaving))
    return switch main.importance {
    case .stairs...: main
    case .merging, .ramp: angle <= 45 && !isSlipRoad(link) ? main : turn(stretch, after: last, over: link)
    case .fork: angle <= TurnManeuver.straightLimit ? main : turn(stretch, after: last, over: link)
    default: turn(stretch, after: last, over: link)
    }
  }

  private func mayJoin(_ stretch: Stretch) -> Bool {
    if isShort(stretch) { return true }
    guard stretch.weight.centimetres < Short.median || isSlipRoad(stretch) else { return false }
    return stretch.maneuver.isPlain && !kind(stretch).isBoarded
  }

  /// Returns whether a stretch is too short for a traveller to read its step. Aboard ferries and trains, there is
  /// always enough time.
  private func isShort(_ stretch: Stretch) -> Bool {
    stretch.weight.centimetres < Short.step && stretch.maneuver.importance < .vehicle
  }

  private func isNamed(_ stretch: Stretch) -> Bool { network.attributes(row: stretch.attributes).isNamed }

  private func isUnnamed(_ stretch: Stretch) -> Bool { network.attributes(row: stretch.attributes).name == 0 }

  /// Returns whether a stretch is a slip road, which cuts the corner between two other roads.
  private func isSlipRoad(_ stretch: Stretch) -> Bool {
    let attributes = network.attributes(row: stretch.attributes)
    return attributes.traits.contains(.link) && attributes.kind != .ramp && !attributes.isNamed
      && attributes.destination == 0 && stretch.weight.centimetres < Short.slipRoad
  }

  // MARK: Neighbouring stretches

  private func append(_ stretch: Stretch, to stretches: inout [Stretch]) {
    let count = stretches.count
    if count >= 1, stretch.isNameless || (stretch.maneuver == .continue && continues(stretches[count - 1], stretch)) {
      stretches[count - 1].extend(by: stretch, .none)
    } else if count >= 2, stretches[count - 1].weight.centimetres < Short.jog, stretches[count - 1].maneuver.isPlain,
      stretch.maneuver.isPlain, continues(stretches[count - 2], stretch)
    {
      let jog = stretches.removeLast()
      stretches[count - 2].extend(by: jog, .none)
      stretches[count - 2].extend(by: stretch, .none)
    } else if count >= 1, transportType == .walking, isStairs(stretch), kind(stretch) == kind(stretches[count - 1]) {
      stretches[count - 1].extend(by: stretch, .none)
    } else {
      stretches.append(stretch)
    }
  }

  private func kind(_ stretch: Stretch) -> StreetKind { network.attributes(row: stretch.attributes).kind }

  private func isStairs(_ stretch: Stretch) -> Bool { kind(stretch).isStairs }

  /// Merges stretches of a few metres around a corner at either end, which do not get their own step.
  private func mergeShortEnds(of stretches: inout [Stretch]) {
    if stretches.count > 1, let last = stretches.last, last.weight.centimetres < Short.end,
      last.maneuver.isPlain || (last.maneuver.importance == .stairs && transportType == .walking)
    {
      stretches.removeLast()
      stretches[stretches.count - 1].extend(by: last, .none)
    }
    if stretches.count > 1, stretches[0].weight.centimetres < Short.end,
      !kind(stretches[0]).isBoarded,
      stretches[1].maneuver.isPlain || (transportType == .walking && isStairs(stretches[1]))
    {
      let first = stretches.removeFirst()
      stretches[0].prepend(first)
      stretches[0].maneuver = .depart
    }
  }

  /// Returns whether `next` continues the street of `stretch` in its direction.
  private func continues(_ stretch: Stretch, _ next: Stretch) -> Bool {
    isSameStreet(stretch.attributes, next.attributes) && stretch.isPushed == next.isPushed
      && abs(turnAngle(from: stretch.arriving, to: next.leaving)) < 45
  }
}

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
  /// Whether the stretch continues the previous one, with only minor streets branching off.
  var isForced = false
  /// Whether the stretch is an unnamed street onto which a vehicle continues from the previous one without a maneuver.
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
