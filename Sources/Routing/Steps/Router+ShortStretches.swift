import Hierarchy
import StreetNetwork

/// Lengths below which something is not worth a step, in centimetres.
private enum Short {
  /// An unnamed link between two streets.
  static let link: UInt32 = 15_00
  /// The jog by which one crosses to continue along the same street.
  static let jog: UInt32 = 30_00
  /// What joins the carriageways of a street, or two parts of it.
  static let median: UInt32 = 50_00
  /// A slip road around a corner.
  static let slipRoad: UInt32 = 150_00
  /// Nobody can act within such a distance.
  static let step: UInt32 = 5_00
}

extension Router {
  /// Merges stretches that are too short for a step into the one behind them, by the turn that both make together.
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

  /// Makes a link and the stretch it leads to one, if nobody would take them for two steps.
  private func join(_ link: Stretch, to stretch: inout Stretch, after last: Stretch) -> Bool {
    let isSame = isSameStreet(last.attributes, stretch.attributes)
    let angle = turnAngle(from: last.arriving, to: stretch.leaving)
    guard stretch.maneuver.isPlain || (stretch.maneuver == .merge && isSlipRoad(link)) else { return false }
    let isLink = isTiny(link) || isSlipRoad(link) || (isUnnamed(link) && link.weight.centimetres < Short.link)
    // Two turns that lead back along the same street are one: a U-turn across a median.
    let isMedian = last.endsOneway && stretch.startsOneway && abs(angle) >= Maneuver.aroundOnStreet
    let isTurn = isSame && isNamed(last) && (isMedian || (isUnnamed(link) && abs(angle) > 45))
    guard isLink || (isTurn && link.weight.centimetres < Short.median) else { return false }
    stretch.take(link)
    stretch.maneuver = isSame && abs(angle) <= 45 ? .continue : Maneuver(turning: angle, staysOnStreet: isSame)
    stretch.isNameless = false
    return true
  }

  private func mayJoin(_ stretch: Stretch) -> Bool {
    guard stretch.weight.centimetres < Short.median || isSlipRoad(stretch) else { return false }
    return isTiny(stretch)
      || (stretch.maneuver.isPlain && !network.attributes(row: stretch.attributes).kind.isBoarded)
  }

  /// Whether a stretch is over before one could read its step. Who is carried reads it all the same.
  private func isTiny(_ stretch: Stretch) -> Bool {
    guard stretch.weight.centimetres < Short.step else { return false }
    return stretch.maneuver.isPlain || (stretch.maneuver == .takeSteps && transportType == .walking)
  }

  private func isNamed(_ stretch: Stretch) -> Bool { network.attributes(row: stretch.attributes).isNamed }

  private func isUnnamed(_ stretch: Stretch) -> Bool { network.attributes(row: stretch.attributes).name == 0 }

  /// A road that cuts a corner between two others.
  private func isSlipRoad(_ stretch: Stretch) -> Bool {
    let attributes = network.attributes(row: stretch.attributes)
    return attributes.traits.contains(.link) && attributes.kind != .ramp && !attributes.isNamed
      && attributes.destination == 0 && stretch.weight.centimetres < Short.slipRoad
  }

  // MARK: Neighbours

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
    } else if count >= 1, transportType == .walking,
      isTiny(stretch) || (isStairs(stretch) && isStairs(stretches[count - 1]))
    {
      stretches[count - 1].extend(by: stretch, .none)
    } else {
      stretches.append(stretch)
    }
  }

  private func isStairs(_ stretch: Stretch) -> Bool { network.attributes(row: stretch.attributes).kind == .steps }

  /// A few metres around a corner at either end are not worth a step.
  private func mergeShortEnds(of stretches: inout [Stretch]) {
    if stretches.count > 1, let last = stretches.last, isTiny(last) {
      stretches.removeLast()
      stretches[stretches.count - 1].extend(by: last, .none)
    }
    if stretches.count > 1, stretches[0].weight.centimetres < Short.step,
      !network.attributes(row: stretches[0].attributes).kind.isBoarded,
      stretches[1].maneuver.isPlain || (transportType == .walking && isStairs(stretches[1]))
    {
      let first = stretches.removeFirst()
      stretches[0].take(first)
      stretches[0].maneuver = .depart
    }
  }

  /// Whether `next` continues the street of `stretch`, and in its direction.
  private func continues(_ stretch: Stretch, _ next: Stretch) -> Bool {
    isSameStreet(stretch.attributes, next.attributes) && stretch.isPushed == next.isPushed
      && abs(turnAngle(from: stretch.arriving, to: next.leaving)) < 45
  }
}
