import Geography
import Hierarchy
import StreetNetwork

extension Router {
  /// The route along a trip, with steps: a step starts where there is something to do.
  func route(along trip: Trip, from source: TripEnd, to destination: TripEnd) -> Route {
    let shape = TripShape(trip, from: source, to: destination, on: network)
    let drafts = drafts(of: stretches(of: trip, shape), shape, from: source, to: destination)
    let points = shape.points[...]
    var steps: [RouteStep] = []
    steps.reserveCapacity(drafts.count)
    for (index, draft) in drafts.enumerated() {
      let end = index + 1 < drafts.count ? drafts[index + 1].start : points.count - 1
      let phrase = instructions.phrase(for: draft)
      steps.append(
        RouteStep(
          instructions: phrase.instructions, notice: phrase.notice, maneuver: draft.maneuver, street: phrase.street,
          transportType: draft.isPushed ? .walking : transportType,
          polyline: Polyline(points: points[draft.start...max(draft.start, end)]), weight: draft.weight,
          climb: network.knowsHeights ? draft.climb : nil, phrase: phrase.index))
    }
    let notices = drafts.reduce(into: Notices()) { $0.formUnion($1.notices) }
    return Route(
      name: name(of: drafts), advisoryNotices: instructions.advisories(notices), transportType: transportType,
      polyline: Polyline(points: points), steps: steps, hasTolls: notices.contains(.toll),
      hasHighways: hasHighways(trip), weight: drafts.reduce(.zero) { $0 + $1.weight },
      climb: network.knowsHeights ? drafts.reduce(Climb()) { $0 + $1.climb } : nil,
      heights: shape.heights)
  }

  private func drafts(
    of stretches: [Stretch], _ shape: TripShape, from source: TripEnd, to destination: TripEnd
  ) -> [StepDraft] {
    var drafts: [StepDraft] = []
    drafts.reserveCapacity(stretches.count + 1)
    for (index, stretch) in stretches.enumerated() {
      drafts.append(
        StepDraft(
          maneuver: stretch.maneuver, attributes: stretch.attributes, notices: stretch.notices,
          heading: index == 0 ? stretch.leaving : 0, exits: stretch.exits,
          staysOnStreet: index > 0 && staysOnStreet(stretches[index - 1].attributes, stretch.attributes),
          isPushed: stretch.isPushed, weight: stretch.weight, climb: stretch.climb, start: stretch.start))
    }
    drafts.append(
      StepDraft(
        maneuver: arrivalManeuver(at: destination, shape),
        attributes: network.street(destination.snap.street).attributes, start: shape.end))
    // Snap legs belong to the first and the last step: the steps add up to the route.
    if source.place != destination.place {
      drafts[0].weight = drafts[0].weight + source.leg
      drafts[drafts.count - 1].weight = drafts[drafts.count - 1].weight + destination.leg
    }
    drafts[0].start = 0
    return drafts
  }

  /// Whether one stays on a street in words, too: unnamed ones are called by what they are.
  private func staysOnStreet(_ before: UInt32, _ after: UInt32) -> Bool {
    let (a, b) = (network.attributes(row: before), network.attributes(row: after))
    if a.isNamed && a.label == b.label { return true }
    return isSameStreet(before, after) && (a.isNamed || b.isNamed || a.kind == b.kind)
  }

  /// The side on which the destination lies, if it lies clear of the street.
  private func arrivalManeuver(at destination: TripEnd, _ shape: TripShape) -> Maneuver {
    let end = shape.end
    guard destination.snap.position.line == .zero, destination.snap.distance >= 3, end > 0,
      shape.points[end - 1] != shape.points[end]
    else { return .arrive }
    let arriving = shape.points[end - 1].coordinate.heading(to: shape.points[end].coordinate)
    let aside = destination.snap.point.coordinate.heading(to: destination.place.coordinate)
    switch turnAngle(from: arriving, to: aside) {
    case 30...150: return .arriveRight
    case -150...(-30): return .arriveLeft
    default: return .arrive
    }
  }

  private func hasHighways(_ trip: Trip) -> Bool {
    trip.pieces.contains { piece in
      let attributes = network.attributes(row: network.street(piece.street.street).attributes)
      return attributes.traits.contains(.motorway) && piece.weight > .zero
    }
  }

  // MARK: Name

  /// What a street is called: its name, or else a description.
  package func name(of street: StreetID) -> String { instructions.name(of: network.attributes(of: street)) }

  /// The one or two named streets with the largest shares of the route, in the order they are used; else the
  /// description of the largest share.
  func name(of drafts: [StepDraft]) -> String {
    for draft in drafts { lengths[Int(label(draft))] += UInt64(draft.weight.centimetres) }
    defer { for draft in drafts { lengths[Int(label(draft))] = 0 } }
    lengths[0] = 0
    let longest = drafts.map { (length: lengths[Int(label($0))], name: label($0)) }
    guard let first = longest.max(by: { ($0.length, $1.name) < ($1.length, $0.name) }), first.length > 0 else {
      return drafts.max { $0.weight < $1.weight }.map { instructions.name(of: network.attributes(row: $0.attributes)) }
        ?? ""
    }
    let others = longest.filter { $0.name != first.name }
    let second = others.max { ($0.length, $1.name) < ($1.length, $0.name) }
    guard let second, second.length * 3 >= first.length else {
      return instructions.routeName([network.name(first.name)])
    }
    let isFirstMet = longest.first { $0.name == first.name || $0.name == second.name }!.name == first.name
    return instructions.routeName((isFirstMet ? [first, second] : [second, first]).map { network.name($0.name) })
  }

  private func label(_ draft: StepDraft) -> UInt32 { network.attributes(row: draft.attributes).labelName }
}
