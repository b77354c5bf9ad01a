import Geography
import Hierarchy
import StreetNetwork

extension Router {
  /// Puts the streets of a trip into words: a step begins where there is something to do.
  func route(along trip: Trip, from source: TripEnd, to destination: TripEnd) -> Route {
    let shape = TripShape(trip, from: source, to: destination, on: network)
    let stretches = stretches(of: trip, shape)
    let drafts = drafts(of: stretches, trip, shape, from: source, to: destination)
    let points = shape.points[...]
    var steps: [RouteStep] = []
    steps.reserveCapacity(drafts.count)
    for (index, draft) in drafts.enumerated() {
      let end = index + 1 < drafts.count ? drafts[index + 1].start : points.count - 1
      let phrase = phrase(for: draft)
      steps.append(
        RouteStep(
          instructions: phrase.instructions, notice: draft.notice, maneuver: draft.maneuver, street: phrase.street,
          transportType: transportType, polyline: Polyline(points: points[draft.start...max(draft.start, end)]),
          weight: draft.weight, phrase: phrase.number))
    }
    return Route(
      name: Instructions.routeName(significantStreets(of: drafts)), advisoryNotices: advisories(of: drafts),
      transportType: transportType, polyline: Polyline(points: points), steps: steps, hasTolls: false,
      hasHighways: false, weight: drafts.reduce(.zero) { $0 + $1.weight })
  }

  /// A step before it is put into words.
  struct Draft {
    var maneuver: Maneuver
    /// A row of the network's attributes.
    var attributes: UInt32
    var notice: String?
    /// Of a departure, in degrees.
    var heading = 0.0
    var staysOnStreet = false
    var weight = Weight.zero
    /// Its first point.
    var start: Int
  }

  private func drafts(
    of stretches: [Stretch], _ trip: Trip, _ shape: TripShape, from source: TripEnd, to destination: TripEnd
  ) -> [Draft] {
    var drafts: [Draft] = []
    drafts.reserveCapacity(stretches.count + 1)
    for (index, stretch) in stretches.enumerated() {
      let attributes = network.attributes(row: stretch.attributes)
      var draft = Draft(
        maneuver: .depart, attributes: stretch.attributes, notice: Instructions.notice(attributes),
        heading: index == 0 ? stretch.leaving : 0, weight: stretch.weight, start: stretch.start)
      if index > 0 {
        let isSame = isSameStreet(stretches[index - 1].attributes, stretch.attributes)
        draft.maneuver = maneuver(
          turning: turn(from: stretches[index - 1].arriving, to: stretch.leaving), onto: attributes.kind, isSame: isSame
        )
        draft.staysOnStreet = isSame
      }
      drafts.append(draft)
    }
    drafts.append(
      Draft(
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

  /// The side on which the destination lies, if it lies clear of the street.
  private func arrivalManeuver(at destination: TripEnd, _ shape: TripShape) -> Maneuver {
    let end = shape.end
    guard destination.snap.distance >= 3, end > 0, shape.points[end - 1] != shape.points[end] else { return .arrive }
    let arriving = shape.points[end - 1].coordinate.heading(to: shape.points[end].coordinate)
    let aside = destination.snap.point.coordinate.heading(to: destination.place.coordinate)
    switch turn(from: arriving, to: aside) {
    case 30...150: return .arriveRight
    case -150...(-30): return .arriveLeft
    default: return .arrive
    }
  }

  private func maneuver(turning angle: Double, onto kind: StreetKind, isSame: Bool) -> Maneuver {
    switch kind {
    case .steps where !isSame: .takeSteps
    case .ferry where !isSame: .takeFerry
    case .elevator where !isSame: .takeElevator
    default: Maneuver(turning: angle)
    }
  }

  // MARK: Words

  private func phrase(for draft: Draft) -> PhraseCache.Phrase {
    let key = PhraseCache.Key(
      draft.maneuver, attributes: draft.attributes, eighth: Instructions.eighth(of: draft.heading),
      staysOnStreet: draft.staysOnStreet)
    if let known = phrases.phrases[key] { return known }
    let street = network.label(network.attributes(row: draft.attributes))
    let phrase = PhraseCache.Phrase(
      number: phrases.phrases.count,
      instructions: Instructions.text(
        draft.maneuver, street: street, heading: draft.heading, staysOnStreet: draft.staysOnStreet),
      street: street.text)
    phrases.phrases[key] = phrase
    return phrase
  }

  /// The one or two named streets with most of the way, in the order they are met; else what most of the way looks
  /// like.
  private func significantStreets(of drafts: [Draft]) -> [String] {
    for draft in drafts { phrases.lengths[Int(name(of: draft))] += draft.weight.centimetres }
    defer { for draft in drafts { phrases.lengths[Int(name(of: draft))] = 0 } }
    phrases.lengths[0] = 0
    let longest = drafts.map { (length: phrases.lengths[Int(name(of: $0))], name: name(of: $0)) }
    guard let first = longest.max(by: { ($0.length, $1.name) < ($1.length, $0.name) }), first.length > 0 else {
      return drafts.max { $0.weight < $1.weight }.map { [network.label(network.attributes(row: $0.attributes)).text] }
        ?? []
    }
    let others = longest.filter { $0.name != first.name }
    let second = others.max { ($0.length, $1.name) < ($1.length, $0.name) }
    guard let second, second.length * 3 >= first.length else { return [network.name(first.name)] }
    let isFirstMet = longest.first { $0.name == first.name || $0.name == second.name }!.name == first.name
    return (isFirstMet ? [first, second] : [second, first]).map { network.name($0.name) }
  }

  private func name(of draft: Draft) -> UInt32 { network.attributes(row: draft.attributes).name }

  private func advisories(of drafts: [Draft]) -> [String] {
    var notices: [String] = []
    for draft in drafts {
      if let notice = draft.notice, !notices.contains(notice) { notices.append(notice) }
    }
    return notices.map(Instructions.advisory)
  }
}
