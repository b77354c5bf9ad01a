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
  var traits: StreetTraits
  /// Metres that are added to its distance when the street nearest to a place is searched.
  var snapPenalty: Double
  var isEndsOnly: Bool
  /// When the way is closed (`Conditions`), if that depends on the time.
  var closing: String?
  /// The driving side, where the way states it.
  var drivesOnLeft: Bool?

  struct Travel: Equatable {
    var metresPerSecond: Double
    var isPushed = false
  }
}

extension Profile {
  /// Ways without any of these keys are skipped.
  var wayKeys: [String] { speeds.wayKeys }

  /// Whether a way with these tags can be used somewhere on earth.
  func mayUse(_ tags: Tags) -> Bool {
    guard let way = classify(tags) else { return false }
    return [Direction.forward, .backward].contains { travel(tags, way, nil, $0) != nil }
  }

  /// What a way with these tags is under this profile where it lies, or nil where it cannot be used.
  func usableWay(_ tags: Tags, in locality: Locality) -> UsableWay? {
    guard let way = classify(tags) else { return nil }
    let (kind, highway) = (way.kind, way.highway)
    var forward = travel(tags, way, locality, .forward)
    var backward = travel(tags, way, locality, .backward)
    // A way that only serves a trip's ends in one direction is not used in that direction.
    if forward?.access == .allowed && backward?.access == .endsOnly { backward = nil }
    if backward?.access == .allowed && forward?.access == .endsOnly { forward = nil }
    guard let either = forward ?? backward else { return nil }
    var isEndsOnly = either.access == .endsOnly
    var traits = self.traits(tags, highway)
    if isEndsOnly && access.decision(tags)?.value == "private" { traits.insert(.private) }
    if avoids.contains(.tolls) && traits.contains(.toll) { isEndsOnly = true }
    if avoids.contains(.highways) && traits.contains(.motorway) { isEndsOnly = true }
    let isOneway = forward == nil || backward == nil
    return UsableWay(
      kind: kind.refined(by: tags), roadClass: RoadClass(highway: highway, kind: kind), name: name(of: tags),
      ref: RoadNumbers(tag: tags["ref"]).text,
      destination: isOneway ? destination(tags) : "", exit: tags["junction:ref"] ?? "",
      forward: forward?.travel, backward: backward?.travel,
      duration: kind == .ferry || kind == .carTrain ? tags["duration"].flatMap(durationSeconds) : nil, traits: traits,
      snapPenalty: snapPenalties.meanings(of: tags).max() ?? 0, isEndsOnly: isEndsOnly,
      closing: closing(tags, kind), drivesOnLeft: tags["driving_side"].flatMap(drivingSide))
  }

  /// What a way is as a whole.
  private struct Classified {
    var kind: StreetKind
    var highway: String?
    /// Its speed without limits, in the directions in which it is ridden or driven.
    var speed: Double?
    var open: OnewayRules.Directions
  }

  private func classify(_ tags: Tags) -> Classified? {
    guard let (kind, highway, speed) = speeds.classify(tags) ?? pushing?.classify(tags), !forbidden.matches(tags),
      !isOutOfSeason(tags)
    else { return nil }
    return Classified(kind: kind, highway: highway, speed: speed, open: oneway.directions(tags))
  }

  /// How a way is used in a direction, and by whom: ridden or driven, else pushed along on foot. Without a locality, as
  /// anywhere on earth.
  private func travel(
    _ tags: Tags, _ way: Classified, _ locality: Locality?, _ direction: Direction
  ) -> (travel: UsableWay.Travel, access: AccessRules.Access)? {
    let highway = way.highway
    if let speed = way.speed, direction == .forward ? way.open.forward : way.open.backward {
      var access = access.access(toWay: tags, highway: highway, direction)
      if highway == nil, self.access.tagged(tags, direction) == nil, onlyForOthers.matches(tags) { access = .forbidden }
      if access != .forbidden {
        return (.init(metresPerSecond: speeds.metresPerSecond(tags, from: speed, direction)), access)
      }
    }
    guard let pushing, let highway, let speed = pushing.speeds[highway] else { return nil }
    let open = pushing.oneway.directions(tags)
    guard direction == .forward ? open.forward : open.backward else { return nil }
    let access = pushing.access.access(toWay: tags, highway: highway, direction)
    return access == .forbidden ? nil : (.init(metresPerSecond: speed, isPushed: true), access)
  }

  private func traits(_ tags: Tags, _ highway: String?) -> StreetTraits {
    var traits: StreetTraits = []
    if unpaved.matches(tags) { traits.insert(.unpaved) }
    if tolls.matches(tags) { traits.insert(.toll) }
    if motorways.matches(tags) { traits.insert(.motorway) }
    if highway?.hasSuffix("_link") == true { traits.insert(.link) }
    if tags.isRoundabout { traits.insert(.roundabout) }
    return traits
  }

  /// Road numbers and places on the signs: "A 28, Viana do Castelo".
  private func destination(_ tags: Tags) -> String {
    let texts = ["destination:ref", "destination"].compactMap { key in
      tags[key] ?? tags[key + ":forward"] ?? tags[key + ":backward"]
    }
    return texts.flatMap { $0.split(separator: ";").map(\.trimmingSpaces) }.joined(separator: ", ")
  }

  /// Hours of a ferry, or the times at which a way is closed.
  private func closing(_ tags: Tags, _ kind: StreetKind) -> String? {
    if kind == .ferry || kind == .carTrain, let hours = tags["opening_hours"] { return "~" + hours }
    return seasonalClosing(tags) ?? access.closingCondition(tags)
  }

  /// True for `left`, false for `right`, nil for anything else.
  func drivingSide(_ value: String) -> Bool? { value == "left" ? true : value == "right" ? false : nil }
}
