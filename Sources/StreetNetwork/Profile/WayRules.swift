import Geography

/// What a way of the map is under a profile.
struct UsableWay {
  var kind: StreetKind
  var roadClass: RoadClass
  var name: String
  var ref: String
  /// What its signs point to, and the number of its exit.
  var destination: String
  var exit: String
  /// How it is used as it is drawn, and against; nil where it is not.
  var forward: Travel?
  var backward: Travel?
  /// Seconds for the whole way where tagged (ferries); it then decides the speed.
  var duration: Double?
  /// Of ferries and trains.
  var boarding: Boarding?
  var traits: StreetTraits
  /// Metres that are added to its distance when the street nearest to a place is searched.
  var snapPenalty: Double
  var isEndsOnly: Bool
  /// What holds at certain times only.
  var times: WayTimes
  /// Whether its traffic drives on the left.
  var drivesOnLeft: Bool
  /// Whether slopes change the speed on it.
  var feelsSlopes: Bool
  /// Whether it is a bridge, a tunnel or a ferry: the ground's height is not its own.
  var isOffGround: Bool
  /// Whether it has a speed limit that nobody can have meant.
  var hasImpossibleLimit: Bool
  var details: WayDetails
  var sidepath = SidepathRole.other
  /// Known where paths take the names of streets.
  var level = WayLevel()

  struct Travel: Equatable {
    var metresPerSecond: Double
    var isPushed = false
  }
}

extension Profile {
  /// Ways without any of these keys are skipped.
  var wayKeys: [String] {
    let keys = speeds.wayKeys
    return keys + (pushing?.otherWays.rules.map(\.key).filter { !keys.contains($0) } ?? [])
  }

  /// Whether a way with these tags can be used somewhere on earth.
  func mayUse(_ tags: Tags) -> Bool {
    guard let way = classify(tags) else { return false }
    var conditional = ConditionalTags(tags, for: vehicle)
    return [Direction.forward, .backward].contains { travel(&conditional, way, nil, $0) != nil }
  }

  /// Whether a way with these tags is used in a direction, somewhere on earth, where no time is given.
  func isUsed(_ tags: Tags, _ direction: Direction) -> Bool {
    guard let way = classify(tags) else { return false }
    var conditional = ConditionalTags(tags, for: vehicle)
    return travel(&conditional, way, nil, direction)?.isClosed == false
  }

  /// What a way with these tags is under this profile where it lies, or nil where it cannot be used.
  func usableWay(_ tags: Tags, in locality: Locality) -> UsableWay? {
    guard let way = classify(tags) else { return nil }
    let (kind, highway) = (way.kind, way.highway)
    var conditional = ConditionalTags(tags, for: vehicle)
    var forward = travel(&conditional, way, locality, .forward)
    var backward = travel(&conditional, way, locality, .backward)
    if let ahead = forward, let back = backward, ahead.access != back.access {
      // What serves a trip's ends in one direction does so in both; nobody pushes where one may ride the other way.
      switch (ahead.travel.isPushed, back.travel.isPushed) {
      case (true, false): forward = nil
      case (false, true): backward = nil
      default:
        forward?.access = .endsOnly
        backward?.access = .endsOnly
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
      destination: isOneway ? destination(tags) : "", exit: tags["junction:ref"] ?? "",
      forward: forward?.travel, backward: backward?.travel,
      duration: kind.isVehicle ? tags["duration"].flatMap(durationSeconds) : durations?.meanings(of: tags).max(),
      boarding: kind.isVehicle ? boarding.boarding(tags) : nil, traits: traits,
      snapPenalty: snapPenalties.meanings(of: tags).max() ?? 0, isEndsOnly: isEndsOnly,
      times: times(
        &conditional, forward?.closings ?? [], backward?.closings ?? [], from: way.speed,
        isForEndsAtTimes: [forward, backward].contains { $0?.isForEndsAtTimes == true }),
      drivesOnLeft: turns.side.isLeft(tags, in: locality),
      feelsSlopes: feelsSlopes(tags), isOffGround: tags.isOffGround || isCarried(tags),
      hasImpossibleLimit: speeds.hasImpossibleLimit(tags, highway, in: locality), details: WayDetails(tags))
  }

  /// What a way is as a whole.
  private struct Classified {
    var kind: StreetKind
    var highway: String?
    /// Its speed without limits where it is ridden or driven; nil where it is only walked.
    var speed: Double?
  }

  private func classify(_ tags: Tags) -> Classified? {
    guard let (kind, highway, speed) = speeds.classify(tags) ?? pushing?.classify(tags), !forbidden.matches(tags),
      !isOutOfSeason(tags)
    else { return nil }
    return Classified(kind: kind, highway: highway, speed: speed)
  }

  /// How a way is used in one direction.
  private struct Use {
    var travel: UsableWay.Travel
    var access: AccessRules.Access
    /// When it is not.
    var closings: [String] = []
    /// Whether it is not used when no time is known.
    var isClosed = false
    /// Whether it is open to all at some times, and for a trip's ends at others.
    var isForEndsAtTimes = false
  }

  /// How a way is used in a direction, and by whom: ridden or driven, else pushed along on foot. Without a locality, as
  /// anywhere on earth.
  private func travel(
    _ conditional: inout ConditionalTags, _ way: Classified, _ locality: Locality?, _ direction: Direction
  ) -> Use? {
    let ridden = riding(&conditional, way, locality, direction)
    // What is ridden at certain hours is walked at all.
    return ridden?.isClosed == false ? ridden : walking(conditional.tags, way, locality, direction) ?? ridden
  }

  private func riding(
    _ conditional: inout ConditionalTags, _ way: Classified, _ locality: Locality?, _ direction: Direction
  ) -> Use? {
    let tags = conditional.tags
    guard let speed = way.speed, vehicle.fits(tags, by: access.classes, direction) else { return nil }
    func isOpen(_ directions: OnewayRules.Directions) -> Bool {
      direction == .forward ? directions.forward : directions.backward
    }
    let directions = oneway.directions(at: &conditional)
    var usual = access.access(toWay: tags, highway: way.highway, in: locality, direction)
    // A car train is for cars, whoever else may take it.
    if way.highway == nil, way.kind != .carTrain, access.decision(tags, direction)?.isGeneral != false,
      onlyForOthers.matches(tags)
    {
      usual = .forbidden
    }
    let access = access.access(at: &conditional, direction, highway: way.highway, in: locality, usual: usual)
    guard directions.values.contains(where: isOpen), let whenOpen = access.whenOpen else { return nil }
    return Use(
      travel: .init(
        // Limits and caps hold downhill, too.
        metresPerSecond: speeds.metresPerSecond(
          tags, way.highway, from: speed * (locality == nil ? 1 : effort(tags, direction)), in: locality, direction)),
      access: whenOpen,
      closings: [directions.closing(isOpen), access.closing { $0 != .forbidden }].compactMap(\.self),
      isClosed: !isOpen(directions.usual) || access.usual == .forbidden,
      isForEndsAtTimes: access.values.contains(.allowed) && access.values.contains(.endsOnly))
  }

  private func walking(
    _ tags: Tags, _ way: Classified, _ locality: Locality?, _ direction: Direction
  ) -> Use? {
    guard let pushing, let speed = pushing.speed(tags, highway: way.highway) else { return nil }
    let open = pushing.oneway.directions(tags)
    guard direction == .forward ? open.forward : open.backward else { return nil }
    let access = pushing.access.access(toWay: tags, highway: way.highway, in: locality, direction)
    return access == .forbidden ? nil : Use(travel: .init(metresPerSecond: speed, isPushed: true), access: access)
  }

  private func traits(_ tags: Tags, _ highway: String?) -> StreetTraits {
    var traits: StreetTraits = []
    if unpaved.matches(tags) { traits.insert(.unpaved) }
    if tolls.matches(tags) { traits.insert(.toll) }
    if motorways.matches(tags) { traits.insert(.motorway) }
    if highway?.hasSuffix("_link") == true { traits.insert(.link) }
    if tags.isRoundabout { traits.insert(.roundabout) }
    if let squares, squares.ways.matches(tags) { traits.insert(.square) }
    return traits
  }

  /// Road numbers and places on the signs: "A 28, Viana do Castelo".
  private func destination(_ tags: Tags) -> String {
    let texts = ["destination:ref", "destination"].compactMap { key in
      tags[key] ?? tags[key + ":forward"] ?? tags[key + ":backward"]
    }
    return texts.flatMap { $0.split(separator: ";").map(\.trimmingSpaces) }.joined(separator: ", ")
  }

}
