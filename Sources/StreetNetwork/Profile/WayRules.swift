import COsmium
import Geography

/// The properties of a way for a profile.
struct UsableWay {
  var kind: StreetKind
  var roadClass: RoadClass
  var name: String
  var ref: String
  /// The destinations on the signs, and the exit number.
  var destination: String
  var exit: String
  /// The use in each direction; nil if the way is not used in that direction.
  var forward: Travel?
  var backward: Travel?
  /// The tagged duration of the whole way in seconds, if any (ferries); it then determines the speed.
  var duration: Double?
  /// The boarding of a ferry or a train; nil for other ways.
  var boarding: Boarding?
  var traits: StreetTraits
  /// Metres added to the way's distance when places are snapped.
  var snapPenalty: Double
  var isEndsOnly: Bool
  /// The time-dependent properties.
  var times: WayTimes
  var drivesOnLeft: Bool
  var isAffectedBySlopes: Bool
  /// Whether the way is off the ground (a bridge, a tunnel, a ferry), so its elevation is not that of the ground.
  var isOffGround: Bool
  /// Whether a speed limit of the way is implausible.
  var hasImpossibleLimit: Bool
  var details: WayDetails
  var sidepath = SidepathRole.other
  /// How a bicycle is pushed in the only direction in which riders must use a path; nil if it may not be.
  var pushed: Travel?
  /// Set only if paths take the names of streets.
  var level = WayLevel()
  /// The street name in a path's own tags, used if the path runs along a street.
  var streetName = ""

  struct Travel: Equatable {
    var metresPerSecond: Double
    var isPushed = false
  }
}

extension Profile {
  /// The tag keys that make a way relevant; ways with none of them are skipped.
  var wayKeys: [String] {
    let keys = speeds.wayKeys
    return keys + (pushing?.otherWays.rules.map(\.key).filter { !keys.contains($0) } ?? [])
  }

  /// Returns whether a way with these tags can be used in some locality.
  func mayUse(_ tags: Tags) -> Bool {
    guard let way = classify(tags) else { return false }
    var conditional = ConditionalTags(tags, for: vehicle)
    return [Direction.forward, .backward].contains { DirectedUse(uses(&conditional, way, nil, $0)) != nil }
  }

  /// Whether stairs without other tags are used.
  package var usesStairs: Bool {
    let tags = "highway\0steps\0"
    return tags.withCString { mayUse(Tags(COsmiumTags(bytes: $0, size: tags.utf8.count))) }
  }

  /// Returns whether a way with these tags is used in a direction in some locality, regardless of conditional tags.
  func isUsed(_ tags: Tags, _ direction: Direction) -> Bool {
    guard let way = classify(tags), let usable = usableWay(tags, in: Locality()),
      (direction == .forward ? usable.forward : usable.backward) != nil
    else { return false }
    var conditional = ConditionalTags(tags, for: vehicle)
    return uses(&conditional, way, nil, direction).usual?.isOpen == true
  }

  /// Returns the properties of a way with these tags for this profile in its locality; nil if it cannot be used.
  func usableWay(_ tags: Tags, in locality: Locality) -> UsableWay? {
    guard let way = classify(tags) else { return nil }
    let (kind, highway) = (way.kind, way.highway)
    var conditional = ConditionalTags(tags, for: vehicle)
    var forward = DirectedUse(uses(&conditional, way, locality, .forward))
    var backward = DirectedUse(uses(&conditional, way, locality, .backward))
    if let ahead = forward, let back = backward, ahead.access != back.access {
      // A way that is access-restricted in one direction is restricted in both. But a restricted direction in which a
      // bicycle would be pushed is dropped, so that through traffic may ride in the other.
      switch (ahead.travel.isPushed, back.travel.isPushed) {
      case (true, false) where ahead.access == .endsOnly: forward = nil
      case (false, true) where back.access == .endsOnly: backward = nil
      default:
        forward?.setEndsOnly()
        backward?.setEndsOnly()
      }
    }
    guard let either = forward ?? backward else { return nil }
    var isEndsOnly = either.access == .endsOnly
    var traits = self.traits(tags, highway)
    if kind.isVehicle { traits.remove(.motorway) }
    if isEndsOnly && access.decision(tags)?.value == "private" { traits.insert(.private) }
    if avoids.contains(.tolls) && traits.contains(.toll) { isEndsOnly = true }
    if avoids.contains(.highways) && traits.contains(.motorway) { isEndsOnly = true }
    let isOneway = forward == nil || backward == nil
    return UsableWay(
      kind: kind.refined(by: tags), roadClass: RoadClass(highway: highway, kind: kind), name: name(of: tags),
      ref: RoadNumbers(tag: tags["ref"]).text,
      destination: isOneway ? destination(tags) : "", exit: RoadNumbers(tag: tags["junction:ref"]).text,
      forward: forward?.travel, backward: backward?.travel,
      duration: kind.isVehicle ? tags["duration"].flatMap(durationSeconds) : durations?.meanings(of: tags).max(),
      boarding: kind.isVehicle ? boarding.boarding(tags) : nil, traits: traits,
      snapPenalty: snapPenalties.meanings(of: tags).max() ?? 0, isEndsOnly: isEndsOnly,
      times: times(&conditional, forward, backward), drivesOnLeft: turns.drivesOnLeft(tags, in: locality),
      isAffectedBySlopes: isAffectedBySlopes(tags), isOffGround: tags.isOffGround || isConveyance(tags),
      hasImpossibleLimit: speeds.limits?.hasImpossibleLimit(tags, highway, in: locality) ?? false,
      details: WayDetails(tags))
  }

  private func classify(_ tags: Tags) -> WayClass? {
    guard let way = speeds.classify(tags) ?? pushing?.classify(tags), !isOutOfSeason(tags) else { return nil }
    return way
  }

  /// Returns the use of a way in a direction by time: riding or driving where open, otherwise pushing on foot, or nil
  /// for no use. If `locality` is nil, a use allowed in some locality counts.
  private func uses(
    _ conditional: inout ConditionalTags, _ way: WayClass, _ locality: Locality?, _ direction: Direction
  ) -> Timed<Use?> {
    let isForbidden = forbidden.matching(&conditional, direction)
    guard isForbidden.values.contains(false) else { return Timed(nil) }
    let ridden = riding(&conditional, way, locality, direction)
    let uses =
      ridden.values.allSatisfy { $0?.isOpen == true }
      ? ridden
      : ridden.combined(walking(&conditional, way, locality, direction)) { $0?.isOpen == true ? $0 : $1 ?? $0 }
    return uses.combined(isForbidden) { $1 ? $0?.closed : $0 }
  }

  private func riding(
    _ conditional: inout ConditionalTags, _ way: WayClass, _ locality: Locality?, _ direction: Direction
  ) -> Timed<Use?> {
    let tags = conditional.tags
    let limited = conditional.access(underLimitsFor: access.classes, direction)
    guard let speed = way.speed, limited.values.contains(where: { $0 != .forbidden }) else { return Timed(nil) }
    let directions = oneway.directions(at: &conditional)
    var usual = access.access(toWay: tags, highway: way.highway, in: locality, direction)
    // A car train carries cars, regardless of the tags for other vehicles.
    if way.highway == nil, way.kind != .carTrain, access.decision(tags, direction)?.isGeneral != false,
      onlyForOthers.matches(tags)
    {
      usual = .forbidden
    }
    let access = access(at: &conditional, direction, highway: way.highway, in: locality, usual: usual)
    let isOpen = directions.combined(access) { $0.contains(direction) ? $1 : .forbidden }
      .combined(limited) { max($0, $1) }
    guard isOpen.values.contains(where: { $0 != .forbidden }) else { return Timed(nil) }
    // Limits and caps also apply downhill.
    let metresPerSecond = speeds.metresPerSecond(
      &conditional, way.highway, from: speed * (locality == nil ? 1 : speedFactor(tags, direction)), in: locality,
      direction)
    return isOpen.combined(metresPerSecond) { Use(travel: .init(metresPerSecond: $1), access: $0) }
  }

  /// Returns the vehicle's access by time, including the restrictions on hazardous goods.
  func access(
    at conditional: inout ConditionalTags, _ direction: Direction?, highway: String?, in locality: Locality? = nil,
    usual: AccessRules.Access
  ) -> Timed<AccessRules.Access> {
    let all = access.access(at: &conditional, direction, highway: highway, in: locality, usual: usual)
    guard vehicle.isHazardous else { return all }
    return access.accessWithHazards(at: &conditional, direction).reduce(all) { $0.combined($1) { max($0, $1) } }
  }

  private func walking(
    _ conditional: inout ConditionalTags, _ way: WayClass, _ locality: Locality?, _ direction: Direction
  ) -> Timed<Use?> {
    guard let pushing, let speed = pushing.speed(conditional.tags, highway: way.highway) else { return Timed(nil) }
    let usual =
      pushing.openedBy.matches(conditional.tags)
      ? .allowed : pushing.access.access(toWay: conditional.tags, highway: way.highway, in: locality, direction)
    let access = pushing.access.access(at: &conditional, direction, highway: way.highway, in: locality, usual: usual)
    return pushing.oneway.directions(at: &conditional).combined(access) { directions, access in
      directions.contains(direction) && access != .forbidden
        ? Use(travel: .init(metresPerSecond: speed, isPushed: true), access: access) : nil
    }
  }

  /// Returns how a bicycle is usually pushed along a way; nil if it may not be.
  func pushed(_ tags: Tags, in locality: Locality, _ direction: Direction) -> UsableWay.Travel? {
    guard let way = classify(tags) else { return nil }
    var conditional = ConditionalTags(tags, for: vehicle)
    return walking(&conditional, way, locality, direction).usual?.travel
  }

  /// Returns the time-dependent properties of each direction, and the opening hours of the whole way.
  private func times(
    _ conditional: inout ConditionalTags, _ forward: DirectedUse?, _ backward: DirectedUse?
  ) -> WayTimes {
    let hours = [seasonalClosing(conditional.tags) ?? conditional.openingHours()].compactMap(\.self)
    var times = WayTimes()
    for (direction, use) in [(Direction.forward, forward), (.backward, backward)] {
      guard let use else { continue }
      times[direction] = use.times
      times[direction].closing = Closing.text(anyOf: [use.times.closing].filter { !$0.isEmpty } + hours)
      times.changes.formUnion(use.changes)
    }
    if let forward, let backward {
      let kinds: WayTimes.Changes = [.pushed, .ridden]
      if forward.times.closing != backward.times.closing
        || forward.changes.intersection(kinds) != backward.changes.intersection(kinds)
      {
        times.changes.insert(.directions)
      }
    }
    times.unreadable = conditional.unreadable
    return times
  }

  private func traits(_ tags: Tags, _ highway: String?) -> StreetTraits {
    var traits: StreetTraits = []
    if unpaved.matches(tags) { traits.insert(.unpaved) }
    if isToll(tags) { traits.insert(.toll) }
    if motorways.matches(tags) { traits.insert(.motorway) }
    if highway?.hasSuffix("_link") == true { traits.insert(.link) }
    if tags.isRoundabout { traits.insert(.roundabout) }
    if let squares, squares.ways.matches(tags) { traits.insert(.square) }
    return traits
  }

  /// Returns whether the vehicle pays a toll. Its most specific tag (`toll:motorcar=no`) overrides general ones.
  private func isToll(_ tags: Tags) -> Bool {
    tolls.matches(tags) && access.classes.reversed().lazy.compactMap { tags["toll:\($0)"] }.first != "no"
  }

  /// Returns the road numbers and places on the signs: "A 28, Viana do Castelo".
  private func destination(_ tags: Tags) -> String {
    func signs(_ key: String) -> [String] {
      (tags[key] ?? tags[key + ":forward"] ?? tags[key + ":backward"])?.signs ?? []
    }
    let places = signs("destination")
    return (signs("destination:ref") + (places.isEmpty ? signs("destination:street") : places)).joined(separator: ", ")
  }
}

/// The use of a way in one direction. A vehicle that is on the way when the way closes continues at this speed.
private struct Use: Equatable {
  var travel: UsableWay.Travel
  var access: AccessRules.Access

  var isOpen: Bool { access != .forbidden }
  var closed: Use { Use(travel: travel, access: .forbidden) }
}

/// The use of a way in one direction as stored for streets: the usual use and its exceptions. The properties of a way
/// that is usually closed are those when it is open.
private struct DirectedUse {
  var travel: UsableWay.Travel
  /// `endsOnly` only if the way is never open to all.
  var access: AccessRules.Access
  var times = DirectionTimes(all: "")
  var changes: WayTimes.Changes = []

  /// Returns nil for a direction in which the way is never used.
  init?(_ uses: Timed<Use?>) {
    let open = uses.values.compactMap(\.self).filter(\.isOpen)
    guard
      let usual = open.first(where: { $0 == uses.usual }) ?? open.first(where: { !$0.travel.isPushed }) ?? open.first
    else { return nil }
    travel = usual.travel
    access = open.contains { $0.access == .allowed } ? .allowed : .endsOnly
    guard !uses.clauses.isEmpty else { return }
    times.closing = uses.closing { $0?.isOpen == true } ?? ""
    if access == .allowed, open.contains(where: { $0.access == .endsOnly }) {
      times.closingAsThrough = uses.closing { $0?.access == .allowed } ?? ""
      times.closingAsEnds = uses.closing { $0?.access == .endsOnly } ?? ""
      changes.insert(.ends)
    }
    // Closures do not change the speed, so only open clauses set limits on a usually open way.
    let isUsuallyOpen = uses.usual?.isOpen == true
    times.limits = ConditionalLimits.text(
      uses.clauses.compactMap { clause in
        clause.value.flatMap { !isUsuallyOpen || $0.isOpen ? ($0.travel.metresPerSecond, clause.condition) : nil }
      }, usual: travel.metresPerSecond)
    if open.contains(where: { $0.travel.isPushed != travel.isPushed }) {
      changes.insert(travel.isPushed ? .ridden : .pushed)
    }
    let isPushed = travel.isPushed
    if Set(open.filter { $0.travel.isPushed == isPushed }.map(\.travel.metresPerSecond)).count > 1 {
      changes.insert(.limits)
    }
  }

  mutating func setEndsOnly() {
    access = .endsOnly
    (times.closingAsThrough, times.closingAsEnds) = ("", "")
    changes.remove(.ends)
  }
}

/// Counts of the map data relevant to wheelchairs: kerbs, and used ways with a tagged surface, width or incline.
struct AccessibilityCounts: Sendable, BitwiseCopyable {
  private var ways: UInt32 = 0
  private var kerbs: UInt32 = 0
  private var surfaces: UInt32 = 0
  private var widths: UInt32 = 0
  private var inclines: UInt32 = 0

  mutating func addPoint(_ tags: Tags) {
    if tags["barrier"] == "kerb" || tags.hasKey(beginningWith: "kerb") { kerbs += 1 }
  }

  mutating func addWay(_ details: WayDetails) {
    ways += 1
    if details.contains(.surface) { surfaces += 1 }
    if details.contains(.width) { widths += 1 }
    if details.contains(.incline) { inclines += 1 }
  }

  /// The counts as text: "kerbs at 12 points; of 340 ways, 120 with surface data, 5 with a width, 9 with an incline".
  var text: String {
    "kerbs at \(kerbs.counted("point")); of \(ways.counted("way")), \(surfaces) with surface data, "
      + "\(widths) with a width, \(inclines) with an incline"
  }
}

/// The details relevant to wheelchairs that a way's tags state.
struct WayDetails: OptionSet {
  let rawValue: UInt8
  static let surface = WayDetails(rawValue: 1)
  static let width = WayDetails(rawValue: 2)
  static let incline = WayDetails(rawValue: 4)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ tags: Tags) {
    self = []
    if tags["surface"] != nil || tags["smoothness"] != nil { insert(.surface) }
    if ["width", "est_width", "maxwidth"].contains(where: { tags[$0] != nil }) { insert(.width) }
    if tags["incline"] != nil { insert(.incline) }
  }
}

extension Profile {
  /// Returns the most familiar name of a way: the first nonblank value of the keys `names`.
  func name(of tags: Tags) -> String {
    names.lazy.compactMap { tags[$0]?[...].trimmingSpaces }.first { !$0.isEmpty } ?? ""
  }
}
