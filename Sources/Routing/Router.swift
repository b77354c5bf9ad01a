import Geography
import Hierarchy
import OpeningHours
import StreetNetwork

/// A router that computes trips on a network, with working memory for searches. Each thread needs its own object.
package final class Router {
  package let network: StreetNetwork
  package var transportType: TransportType { network.profile.transportType }
  /// Polled in long searches: true ends them without a result.
  package var isCancelled: () -> Bool = { false }
  let limit: Double
  private let legs: SnapLegs
  private let search: StreetSearch
  private(set) lazy var islands = StreetSearch(network, among: network.islands)
  /// This query and the ones below are created on first use; snapping does not need them.
  var query: PathQuery { created.query.value { PathQuery(network.hierarchy) } }
  /// Replaces `query` if only weights are needed; nil without labels.
  private var labelQuery: LabelQuery? { labels.map { labels in created.labelQuery.value { LabelQuery(labels) } } }
  private let labels: UpperLabels?
  var detour: DetourQuery { created.detour.value { DetourQuery(network.states.arcs) } }
  var stepSearch: StepSearch { created.stepSearch.value { StepSearch(network) } }
  private var created: (query: PathQuery?, labelQuery: LabelQuery?, detour: DetourQuery?, stepSearch: StepSearch?)
  private(set) lazy var candidateSearch = CandidateSearch(network)
  /// Queries on hierarchies without closed arcs, by `Closure.key`. They share the memory of `query`.
  private var closedQueries: [[Bool]: PathQuery] = [:]
  /// A place in the largest strongly connected part of the network; nil if there is none.
  package private(set) lazy var mainEnd = findMainEnd()
  private let reachCache: TripReachCache
  private var reachQueries: [NearestTable.Direction: TripReachQuery] = [:]
  let hours: TimedNetworks
  /// Created for the first time-dependent trip.
  var timedQuery: TimedPathQuery?
  /// The query for paths by the most recent minimum times.
  var minimumQuery: PathQuery?
  var instructions: Instructions
  /// The length of the streets with each name index, in centimetres; all zero between routes.
  var lengths: [UInt64]

  /// - Parameters:
  ///   - hours: The speeds by hour, shared by all routers; nil for free flow.
  ///   - reachCache: The graphs for isochrones, shared by all routers.
  ///   - labels: The labels of the network's hierarchy, shared by all routers: worth building for tens of thousands of
  ///     pairs.
  init(
    _ network: StreetNetwork, _ options: Directions.Options, _ hours: TimedNetworks?, reachCache: TripReachCache,
    labels: UpperLabels? = nil
  ) {
    (self.network, self.labels, self.reachCache) = (network, labels, reachCache)
    self.hours = hours ?? TimedNetworks(network, nil, waitLimit: options.waitMilliseconds)
    limit = options.snapLimit
    legs = SnapLegs(network, options)
    search = StreetSearch(network)
    instructions = Instructions(network, options.language)
    lengths = Array(repeating: 0, count: network.nameCount)
  }

  /// A router that does not share its graphs for isochrones.
  package convenience init(
    _ network: StreetNetwork, _ options: Directions.Options, _ hours: TimedNetworks? = nil, labels: UpperLabels? = nil
  ) { self.init(network, options, hours, reachCache: TripReachCache(), labels: labels) }

  /// The bytes of the searches used so far.
  package var memory: Int {
    let states = network.states.arcs.stateCount
    return (created.query == nil ? 0 : PathQuery.memory(stateCount: states))
      + (created.labelQuery == nil ? 0 : LabelQuery.memory(stateCount: states))
      + [created.detour?.memory, created.stepSearch?.memory, timedQuery?.memory].reduce(0) { $0 + ($1 ?? 0) }
      + lengths.count * MemoryLayout<UInt64>.stride
  }

  /// Returns the bytes of the searches for time-dependent trips, without the labels of reached states.
  package static func timedMemory(on network: StreetNetwork) -> Int {
    let states = network.states.arcs.stateCount
    return PathQuery.memory(stateCount: states) + TimedPathQuery.memory(stateCount: states)
  }

  /// Returns the query for isochrones without a time.
  func reachQuery(_ direction: NearestTable.Direction) -> TripReachQuery {
    if let known = reachQueries[direction] { return known }
    let query = TripReachQuery(reachCache.reach(direction, on: network))
    reachQueries[direction] = query
    return query
  }

  /// Snaps `place` to the nearest street; nil if none is within the limit.
  package func end(at place: Coordinate) -> TripEnd? {
    // Places are stored as precisely as the map: 1e-7 degrees, about a centimetre.
    place.isValid ? end(at: FixedCoordinate(place)) : nil
  }

  func end(at place: FixedCoordinate) -> TripEnd? {
    guard let snap = search.snap(place.coordinate, limit: limit) else { return nil }
    return TripEnd(place: place, snap: snap, leg: legs.weight(of: snap))
  }

  /// Returns the time and length of the best trip; nil if there is no route.
  ///
  /// With a time it is the fastest time-dependent trip, which waits at closed streets within the wait limit.
  package func weight(from source: TripEnd, to destination: TripEnd, at time: TripTime? = nil) -> Weight? {
    if let time, isTimed(time) { return timedWeight(from: source, to: destination, at: time)?.weight }
    let closed = network.closure(at: nil)
    let direct = network.directWeight(from: source, to: destination, closed: closed)
    guard direct != .zero else { return direct }
    let sources = network.sourceSeeds(source.snap, closed: closed)
    let targets = network.targetSeeds(destination.snap, closed: closed)
    let path =
      if let labelQuery, closed?.isDefault != false {
        labelQuery.weight(from: sources, to: targets)
      } else {
        query(without: closed).weight(from: sources, to: targets)
      }
    let best = min(path.map { source.leg + $0 + destination.leg } ?? .infinity, direct ?? .infinity)
    return best.isFinite ? best : nil
  }

  /// Returns the best trip with its shape and steps; nil if there is no route.
  package func route(from source: TripEnd, to destination: TripEnd, at time: TripTime? = nil) -> Route? {
    routes(from: source, to: destination, at: time, withAlternates: false).first
  }

  /// Returns the best route first, then its alternates; empty if there is no route.
  package func routes(
    from source: TripEnd, to destination: TripEnd, at time: TripTime? = nil, withAlternates: Bool
  ) -> [Route] {
    if let time, isTimed(time) {
      return timedRoutes(from: source, to: destination, at: time, withAlternates: withAlternates)
    }
    var routes = routes(from: source, to: destination, closed: network.closure(at: nil), withAlternates: withAlternates)
    // If nothing depends on the time, trips are as fast as in free flow.
    if time != nil, let freeFlow = routes.first?.weight {
      for index in routes.indices { (routes[index].waiting, routes[index].freeFlow) = (0, freeFlow) }
    }
    return routes
  }

  /// Returns the best trip if only the streets open at one instant may be used.
  package func route(from source: TripEnd, to destination: TripEnd, frozenAt time: LocalTime?) -> Route? {
    routes(from: source, to: destination, closed: network.closure(at: time), withAlternates: false).first
  }

  private func routes(
    from source: TripEnd, to destination: TripEnd, closed: Closure?, withAlternates: Bool
  ) -> [Route] {
    trips(from: source, to: destination, closed: closed, withAlternates: withAlternates).map {
      route(along: $0, from: source, to: destination)
    }
  }

  private func trips(
    from source: TripEnd, to destination: TripEnd, closed: Closure?, withAlternates: Bool
  ) -> [Trip] {
    guard !source.isAtPlace(of: destination) else { return [Trip(at: source, and: destination)] }
    let search = search(from: source, to: destination, closed: closed)
    let path = search.query.path(from: search.sources.seeds, to: search.targets.seeds).flatMap {
      (source.leg + $0.weight + destination.leg).isFinite ? $0 : nil
    }
    let direct = network.direct(source.snap, destination.snap, closed: closed)
    var trips: [Trip] = []
    if let direct, direct.weight <= path?.weight ?? .infinity {
      trips.append(Trip(direct, taking: direct.weight))
    } else if let path {
      trips.append(trip(along: path, search, from: source, to: destination))
    }
    // A trip along one street that is faster than all others has no alternates.
    if withAlternates, let path, path.weight <= direct?.weight ?? .infinity {
      trips += alternates(to: path, search).map { trip(along: $0, search, from: source, to: destination) }
    }
    return trips
  }

  /// Returns the streets of the best trip in the order of travel, the first and the last partial; empty if there is no
  /// route.
  package func streets(from source: TripEnd, to destination: TripEnd, at time: TripTime? = nil) -> [DirectedStreet] {
    if let time, isTimed(time) { return timedStreets(from: source, to: destination, at: time) }
    let closed = network.closure(at: nil)
    return trips(from: source, to: destination, closed: closed, withAlternates: false).first?.streets ?? []
  }

  private func search(from source: TripEnd, to destination: TripEnd, closed: Closure?) -> TripSearch {
    TripSearch(
      sources: network.sources(source.snap, closed: closed), targets: network.targets(destination.snap, closed: closed),
      closed: closed, query: query(without: closed), weights: network.states.arcs.weights)
  }

  private func query(without closed: Closure?) -> PathQuery {
    guard let closed, !closed.isDefault else { return query }
    let known = closedQueries[closed.key] ?? PathQuery(network.hierarchy(without: closed), sharing: query)
    closedQueries[closed.key] = known
    return known
  }

  private func trip(
    along path: Path, _ search: TripSearch, from source: TripEnd, to destination: TripEnd
  ) -> Trip {
    let (sources, targets) = (search.sources, search.targets)
    var pieces: [TripPiece] = []
    pieces.reserveCapacity(path.arcs.count + 2)
    pieces.append(
      TripPiece(
        street: sources.streets[path.source], weight: sources.seeds[path.source].weight,
        isWhole: sources.isWhole[path.source]))
    for arc in path.arcs {
      let (street, weight) = network.travelled(by: arc)
      pieces.append(TripPiece(street: street, weight: weight, isWhole: true))
    }
    pieces.append(TripPiece(street: targets.streets[path.target], weight: targets.seeds[path.target].weight))
    return Trip(
      pieces: pieces, from: sources.position(ofSeed: path.source, source.snap),
      to: targets.position(ofSeed: path.target, destination.snap))
  }
}

extension Router {
  /// Returns the middle of a street in the largest part of the network.
  func findMainEnd() -> TripEnd? {
    let sizes = (0..<network.streetCount).map { network.componentSize(of: StreetID($0)) }
    guard let largest = sizes.max() else { return nil }
    for street in sizes.indices where sizes[street] == largest {
      let shape = network.shape(of: StreetID(street))
      guard !shape.isEmpty else { continue }
      let end = end(at: network.point(shape[shape.startIndex + shape.count / 2]).coordinate)
      // Another street may have the same point.
      if let end, network.componentSize(of: end.snap.street) == largest { return end }
    }
    return nil
  }

  /// Returns whether two places have no route only because their path takes more than 596 hours, the limit of weights.
  ///
  /// On large maps only distant places are checked, since the search covers everything reachable. *Complexity*:
  /// O(arcs).
  package func isTooLong(from source: TripEnd, to destination: TripEnd) -> Bool {
    let graph = network.states.arcs
    guard
      graph.stateCount <= Router.smallGraphStates
        || source.place.distance(to: destination.place) > Router.longTripMetres
    else {
      return false
    }
    // A path that is only closed at the requested time is not too long.
    guard weight(from: source, to: destination) == nil else { return false }
    let closed = network.closure(at: nil)
    let targets = Set(network.targets(destination.snap, closed: closed).seeds.map(\.state.index))
    var isReached = [Bool](repeating: false, count: graph.stateCount)
    var pending = network.sources(source.snap, closed: closed).seeds.map(\.state.index)
    while let state = pending.popLast() {
      guard !isReached[Int(state)] else { continue }
      if targets.contains(state) { return true }
      isReached[Int(state)] = true
      for arc in graph.arcs(from: StateID(state)) where closed?.contains(ArcID(UInt32(arc))) != true {
        pending.append(graph.heads[arc])
      }
    }
    return false
  }

  private static let smallGraphStates = 10_000
  private static let longTripMetres = 200_000.0

  /// Returns the stretches of a trip; each starts with a maneuver. Stretches too short for a step are merged.
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
      if maneuver == .lift { notices.insert(.elevator) }
      let isOneway = !street.isOpen(isReversed: !piece.street.isReversed)
      let stretch = Stretch(
        attributes: street.attributes,
        maneuver: isFirst ? .depart : Maneuver(maneuver, onto: attributes.kind, isPushed: isPushed),
        exits: maneuver == .enterPastExit ? 1 : 0, isInRoundabout: attributes.traits.contains(.roundabout),
        isPushed: isPushed, isForced: maneuver == .forcedRename, isNameless: maneuver == .fade,
        notices: notices, weight: piece.weight, climb: climb(ofPiece: index, in: trip),
        startsOneway: isOneway, endsOneway: isOneway, start: shape.starts[index],
        leaving: isFirst
          ? shape.points[shape.starts[index]...shape.end(ofPiece: index)].initialHeading
          : street.leavingHeading(isReversed: piece.street.isReversed),
        arriving: street.arrivingHeading(isReversed: piece.street.isReversed))
      if isFirst || startsStep(maneuver, stretch, after: stretches[stretches.count - 1]) {
        stretches.append(stretch)
      } else {
        if turnsAround(stretches, onto: stretch) { stretches[stretches.count - 1].maneuver = .uTurn }
        stretches[stretches.count - 1].extend(by: stretch, maneuver)
        if maneuver == .leaveRoundabout && transportType == .walking { setRoundaboutSide(&stretches) }
      }
    }
    announceForcedBends(of: &stretches, shape)
    mergeShortStretches(&stretches)
    return stretches
  }

  /// Returns the ascent and descent of a piece, from its start to its end.
  private func climb(ofPiece index: Int, in trip: Trip) -> Climb {
    let piece = trip.pieces[index]
    let (start, end) = piece.street.isReversed ? (1.0, 0.0) : (0, 1)
    guard !piece.isWhole else { return network.climb(of: piece.street) ?? Climb() }
    return network.climb(
      of: piece.street.street, from: index == 0 ? trip.from.fraction : start,
      to: index == trip.pieces.count - 1 ? trip.to.fraction : end) ?? Climb()
  }

  private func startsStep(_ maneuver: TurnManeuver, _ stretch: Stretch, after last: Stretch) -> Bool {
    switch maneuver {
    case .none, .passExit, .stayInRoundabout: false
    // The exit of a roundabout belongs to the step that entered it.
    case .leaveRoundabout: !(last.isInRoundabout && last.maneuver == .enterRoundabout)
    // An unnamed street in between may have hidden that both are the same street.
    case .rename, .forcedRename: !isSameStreet(last.attributes, stretch.attributes)
    default: true
    }
  }

  /// Turns a forced bend of more than 60 degrees near a change of name into a turn.
  private func announceForcedBends(of stretches: inout [Stretch], _ shape: TripShape) {
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

  /// Sets the side on which a roundabout is followed on foot.
  private func setRoundaboutSide(_ stretches: inout [Stretch]) {
    let last = stretches.count - 1
    guard last > 0, stretches[last].maneuver == .roundabout else { return }
    let angle = turnAngle(from: stretches[last - 1].arriving, to: stretches[last].leaving)
    stretches[last].maneuver = angle < 0 ? .roundaboutLeft : .roundaboutRight
  }

  func isSameStreet(_ a: UInt32, _ b: UInt32) -> Bool {
    a == b || network.attributes(row: a).isSameStreet(as: network.attributes(row: b)) { network.name($0) }
  }

  /// Returns the route along a trip, with a step for each maneuver.
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
          climb: network.hasElevations ? draft.climb : nil, phrase: phrase.index))
    }
    let notices = drafts.reduce(into: Notices()) { $0.formUnion($1.notices) }
    let name = name(of: drafts)
    return Route(
      name: name.streets, title: name.title, advisoryNotices: instructions.advisories(notices),
      transportType: transportType, polyline: Polyline(points: points), steps: steps, hasTolls: notices.contains(.toll),
      hasHighways: hasHighways(trip), weight: drafts.reduce(.zero) { $0 + $1.weight },
      climb: network.hasElevations ? drafts.reduce(Climb()) { $0 + $1.climb } : nil,
      heights: shape.heights, streets: trip.streets)
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
    // Snap legs belong to the first and the last step, so that the steps add up to the route.
    if !source.isAtPlace(of: destination) {
      drafts[0].weight = drafts[0].weight + source.leg
      drafts[drafts.count - 1].weight = drafts[drafts.count - 1].weight + destination.leg
    }
    drafts[0].start = 0
    return drafts
  }

  /// Returns whether instructions treat two streets as the same one; unnamed streets are compared by type.
  private func staysOnStreet(_ before: UInt32, _ after: UInt32) -> Bool {
    let (a, b) = (network.attributes(row: before), network.attributes(row: after))
    if a.isNamed && a.label == b.label { return true }
    return isSameStreet(before, after) && (a.isNamed || b.isNamed || a.kind == b.kind)
  }

  /// Returns the arrival maneuver, with the destination's side of the street if that is clear.
  private func arrivalManeuver(at destination: TripEnd, _ shape: TripShape) -> Maneuver {
    let end = shape.end
    guard destination.snap.position.line == .zero, destination.snap.distance >= 3, end > 0,
      shape.points[end - 1] != shape.points[end]
    else { return .arrive }
    let arriving = shape.points[end - 1].coordinate.heading(to: shape.points[end].coordinate)
    let toPlace = destination.snap.point.coordinate.heading(to: destination.place.coordinate)
    switch turnAngle(from: arriving, to: toPlace) {
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

  /// Returns the name of a street, or a description if it has none.
  package func name(of street: StreetID) -> String { instructions.name(of: network.attributes(of: street)) }

  /// Returns the one or two named streets with the largest shares of the route, in order of use, or else the
  /// description of the street with the largest share.
  ///
  /// - Returns: The streets ("Yrjönkatu and Eerikinkatu"), and the phrase for sentences ("via …").
  func name(of drafts: [StepDraft]) -> (streets: String, title: String) {
    for draft in drafts { lengths[Int(label(draft))] += UInt64(draft.weight.centimetres) }
    defer { for draft in drafts { lengths[Int(label(draft))] = 0 } }
    lengths[0] = 0
    let longest = drafts.map { (length: lengths[Int(label($0))], name: label($0)) }
    guard let first = longest.max(by: { ($0.length, $1.name) < ($1.length, $0.name) }), first.length > 0 else {
      let longest = drafts.max { $0.weight < $1.weight }
      let name = longest.map { instructions.name(of: network.attributes(row: $0.attributes)) } ?? ""
      return (name, name)
    }
    let others = longest.filter { $0.name != first.name }
    let second = others.max { ($0.length, $1.name) < ($1.length, $0.name) }
    guard let second, second.length * 3 >= first.length else {
      return instructions.routeName([network.name(first.name)])
    }
    let startsWithFirst = longest.first { $0.name == first.name || $0.name == second.name }!.name == first.name
    return instructions.routeName((startsWithFirst ? [first, second] : [second, first]).map { network.name($0.name) })
  }

  private func label(_ draft: StepDraft) -> UInt32 { network.attributes(row: draft.attributes).labelName }
}

/// The input of a search on a hierarchy: the ends of trips, and the closed arcs.
struct TripSearch {
  var sources: SnapSeeds
  var targets: SnapSeeds
  /// The closed arcs; nil for none.
  var closed: Closure?
  var query: PathQuery
  /// The arc weights of the graph in the query's hierarchy.
  var weights: Column<Weight>

  /// Returns the path along `arcs` between two seeds, with its weight in this search.
  func path(along arcs: [ArcID], from source: Int, to target: Int) -> Path {
    let ends = sources.seeds[source].weight + targets.seeds[target].weight
    return Path(weight: arcs.reduce(ends) { $0 + weights[Int($1.index)] }, arcs: arcs, source: source, target: target)
  }
}

extension Optional {
  /// Returns the value; creates it if it is nil.
  fileprivate mutating func value(_ make: () -> Wrapped) -> Wrapped {
    if let self { return self }
    let made = make()
    self = made
    return made
  }
}
