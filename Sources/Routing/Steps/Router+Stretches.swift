import Hierarchy
import StreetNetwork

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
      let isPushed = street.isPushed(isReversed: piece.street.isReversed)
      let attributes = network.attributes(row: street.attributes)
      var notices = Notices(attributes, isPushed: isPushed)
      if street.isBoarding(isReversed: piece.street.isReversed) { notices.insert(.waiting) }
      let isOneway = !street.isOpen(isReversed: !piece.street.isReversed)
      let stretch = Stretch(
        attributes: street.attributes,
        maneuver: isFirst ? .depart : Maneuver(maneuver, onto: attributes.kind, isPushed: isPushed),
        exits: maneuver == .enterPastExit ? 1 : 0, isInRoundabout: attributes.traits.contains(.roundabout),
        isPushed: isPushed, isForced: maneuver == .forcedRename, isNameless: maneuver == .fade,
        notices: notices, weight: piece.weight, climb: climb(of: piece, street),
        startsOneway: isOneway, endsOneway: isOneway, start: shape.starts[index],
        leaving: isFirst
          ? shape.points[shape.starts[index]...shape.end(ofPiece: index)].initialHeading
          : street.leavingHeading(isReversed: piece.street.isReversed),
        arriving: street.arrivingHeading(isReversed: piece.street.isReversed))
      if isFirst || isWorthAStep(maneuver, stretch, after: stretches[stretches.count - 1]) {
        stretches.append(stretch)
      } else {
        if turnsAround(stretches, onto: stretch) { stretches[stretches.count - 1].maneuver = .uTurn }
        stretches[stretches.count - 1].extend(by: stretch, maneuver)
        if maneuver == .leaveRoundabout && transportType == .walking { tellSide(&stretches) }
      }
    }
    tellForcedBends(of: &stretches, shape)
    mergeShortStretches(&stretches)
    return stretches
  }

  /// What a piece climbs: of a part of a street the share of its length.
  private func climb(of piece: TripPiece, _ street: Street) -> Climb {
    guard let whole = network.climb(of: piece.street) else { return Climb() }
    return piece.isWhole ? whole : whole.share(piece.weight.centimetres, of: street.centimetres)
  }

  private func isWorthAStep(_ maneuver: TurnManeuver, _ stretch: Stretch, after last: Stretch) -> Bool {
    switch maneuver {
    case .none, .passExit, .stayInRoundabout: false
    // The exit of a roundabout that was entered belongs to its step.
    case .leaveRoundabout: !(last.isInRoundabout && last.maneuver == .enterRoundabout)
    // A street without a name in between may have hidden that it is the same.
    case .rename, .forcedRename: !isSameStreet(last.attributes, stretch.attributes)
    default: true
    }
  }

  /// Where a street bends by more than 60 degrees without a choice, near the point at which its name changes, the change is
  /// a turn.
  private func tellForcedBends(of stretches: inout [Stretch], _ shape: TripShape) {
    for index in stretches.indices.dropFirst() where stretches[index].isForced {
      let start = stretches[index].start
      let end = index + 1 < stretches.count ? stretches[index + 1].start : shape.end
      let (before, after) = (shape.points[stretches[index - 1].start...start], shape.points[start...max(start, end)])
      guard before.count > 1, after.count > 1 else { continue }
      let bend = turnAngle(from: before.headingBeforeEnd(by: Short.bend), to: after.headingAfterStart(by: Short.bend))
      guard abs(bend) > 60 else { continue }
      stretches[index].maneuver = Maneuver(TurnManeuver(angle: bend), onto: .road, isPushed: false)
    }
  }

  /// On foot a roundabout is a street that one follows around to one side.
  private func tellSide(_ stretches: inout [Stretch]) {
    let last = stretches.count - 1
    guard last > 0, stretches[last].maneuver == .roundabout else { return }
    let angle = turnAngle(from: stretches[last - 1].arriving, to: stretches[last].leaving)
    stretches[last].maneuver = angle < 0 ? .roundaboutLeft : .roundaboutRight
  }

  func isSameStreet(_ a: UInt32, _ b: UInt32) -> Bool {
    a == b || network.attributes(row: a).isSameStreet(as: network.attributes(row: b)) { network.name($0) }
  }
}
