import Hierarchy
import StreetNetwork

/// Shorter pieces are not worth a step: an unnamed link between two streets, the jog by which one crosses to continue
/// along the same street, a slip road around a corner, and the last metres. Centimetres.
private let shortLink: UInt32 = 15_00
private let shortJog: UInt32 = 30_00
private let shortSlipRoad: UInt32 = 150_00
private let shortEnd: UInt32 = 5_00

extension Router {
  /// The stretches of a trip: its turns filtered for those at which there is something to do, with stretches that are
  /// too short for a step merged.
  func stretches(of trip: Trip, _ shape: TripShape) -> [Stretch] {
    var stretches: [Stretch] = []
    stretches.reserveCapacity(32)
    var before: DirectedStreet?
    for (index, piece) in trip.pieces.enumerated() where piece.weight > .zero {
      let street = network.street(piece.street.street)
      let maneuver = before.map { network.maneuver(from: $0, to: piece.street) } ?? .none
      let isFirst = before == nil
      before = piece.street
      let isPushed = street.flags.contains(piece.street.isReversed ? .pushedBackward : .pushedForward)
      let attributes = network.attributes(row: street.attributes)
      let stretch = Stretch(
        attributes: street.attributes,
        maneuver: isFirst ? .depart : Maneuver(maneuver, onto: attributes.kind, isPushed: isPushed),
        isInRoundabout: attributes.traits.contains(.roundabout), isPushed: isPushed,
        notices: Notices(attributes, isPushed: isPushed), weight: piece.weight, start: shape.starts[index],
        leaving: isFirst
          ? shape.points[shape.starts[index]...].initialHeading
          : street.leavingHeading(isReversed: piece.street.isReversed),
        arriving: street.arrivingHeading(isReversed: piece.street.isReversed))
      if isFirst || isWorthAStep(maneuver, stretch, after: stretches[stretches.count - 1]) {
        stretches.append(stretch)
      } else {
        stretches[stretches.count - 1].extend(by: stretch, maneuver)
      }
    }
    mergeShortStretches(&stretches)
    return stretches
  }

  private func isWorthAStep(_ maneuver: TurnManeuver, _ stretch: Stretch, after last: Stretch) -> Bool {
    switch maneuver {
    case .none, .fade, .passExit, .stayInRoundabout: false
    // The exit of a roundabout that was entered belongs to its step.
    case .leaveRoundabout: !(last.isInRoundabout && last.maneuver == .enterRoundabout)
    // A street without a name in between may have hidden that it is the same.
    case .rename: !isSameStreet(last.attributes, stretch.attributes)
    default: true
    }
  }

  // MARK: Short stretches

  private func mergeShortStretches(_ stretches: inout [Stretch]) {
    var merged: [Stretch] = []
    merged.reserveCapacity(stretches.count)
    var link: Stretch?
    for var stretch in stretches {
      if let pending = link {
        link = nil
        if stretch.maneuver.isPlain || (stretch.maneuver == .merge && isSlipRoad(pending)) {
          let last = merged[merged.count - 1]
          let angle = turnAngle(from: last.arriving, to: stretch.leaving)
          stretch.take(pending)
          stretch.maneuver = Maneuver(
            turning: angle, staysOnStreet: isSameStreet(last.attributes, stretch.attributes))
        } else {
          append(pending, to: &merged)
        }
      }
      if isLink(stretch) && !merged.isEmpty { link = stretch } else { append(stretch, to: &merged) }
    }
    if let link { append(link, to: &merged) }
    mergeShortEnds(of: &merged)
    stretches = merged
  }

  /// A few metres around a corner at either end are not worth a step.
  private func mergeShortEnds(of stretches: inout [Stretch]) {
    if stretches.count > 1, let last = stretches.last, last.weight.centimetres < shortEnd, last.maneuver.isPlain {
      stretches.removeLast()
      stretches[stretches.count - 1].extend(by: last, .none)
    }
    if stretches.count > 1, stretches[0].weight.centimetres < shortEnd, stretches[1].maneuver.isPlain,
      !network.attributes(row: stretches[0].attributes).kind.isBoarded
    {
      let first = stretches.removeFirst()
      stretches[0].take(first)
      stretches[0].maneuver = .depart
    }
  }

  private func append(_ stretch: Stretch, to stretches: inout [Stretch]) {
    let count = stretches.count
    if count >= 1, stretch.maneuver == .continue, continues(stretches[count - 1], stretch) {
      stretches[count - 1].extend(by: stretch, .none)
    } else if count >= 2, stretches[count - 1].weight.centimetres < shortJog, stretches[count - 1].maneuver.isPlain,
      stretch.maneuver.isPlain, continues(stretches[count - 2], stretch)
    {
      let jog = stretches.removeLast()
      stretches[count - 2].extend(by: jog, .none)
      stretches[count - 2].extend(by: stretch, .none)
    } else {
      stretches.append(stretch)
    }
  }

  /// Whether `next` continues the street of `stretch`, and in its direction.
  private func continues(_ stretch: Stretch, _ next: Stretch) -> Bool {
    isSameStreet(stretch.attributes, next.attributes) && stretch.isPushed == next.isPushed
      && abs(turnAngle(from: stretch.arriving, to: next.leaving)) < 45
  }

  private func isLink(_ stretch: Stretch) -> Bool {
    guard stretch.maneuver.isPlain, network.attributes(row: stretch.attributes).name == 0 else { return false }
    let isPlain = !network.attributes(row: stretch.attributes).kind.isBoarded
    return isPlain && (stretch.weight.centimetres < shortLink || isSlipRoad(stretch))
  }

  /// A road that cuts a corner between two others.
  private func isSlipRoad(_ stretch: Stretch) -> Bool {
    let attributes = network.attributes(row: stretch.attributes)
    return attributes.traits.contains(.link) && attributes.kind != .ramp && !attributes.isNamed
      && attributes.destination == 0 && stretch.weight.centimetres < shortSlipRoad
  }

  func isSameStreet(_ a: UInt32, _ b: UInt32) -> Bool {
    a == b || network.attributes(row: a).isSameStreet(as: network.attributes(row: b)) { network.name($0) }
  }
}
