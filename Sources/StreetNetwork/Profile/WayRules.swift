import Geography

/// What a way of the map is under a profile.
struct UsableWay {
  var kind: StreetKind
  var name: String
  var ref: String
  var metresPerSecond: Double
  /// Seconds for the whole way where the map says so (ferries); it then decides the speed.
  var duration: Double?
  var isUnpaved: Bool
  /// Metres that are added to its distance when the street nearest to a place is sought.
  var snapPenalty: Double
  /// `forward`, `backward`, `endsOnly`.
  var flags: StreetFlags
}

extension Profile {
  /// The keys of which a way must have one to be looked at.
  var wayKeys: [String] { ["highway", "route"] + otherWays.map(\.key) }

  /// What a way with these tags is under this profile, or nil where it cannot be used.
  func usableWay(_ tags: Tags) -> UsableWay? {
    guard let (kind, speed, highway) = classify(tags) else { return nil }
    var flags: StreetFlags = [.forward, .backward]
    switch access.access(toWay: tags, highway: highway) {
    case .forbidden: return nil
    case .endsOnly: flags.insert(.endsOnly)
    case .allowed: break
    }
    for rule in oneway {
      guard let direction = rule.meaning(of: tags) else { continue }
      flags.subtract(direction == .forward ? .backward : .forward)
    }
    guard !flags.isDisjoint(with: [.forward, .backward]) else { return nil }
    var factor = 1.0
    for rule in slowdowns { factor *= rule.meaning(of: tags) ?? 1 }
    return UsableWay(
      kind: kind, name: tags["name"] ?? "", ref: tags["ref"] ?? "", metresPerSecond: speed * factor,
      duration: kind == .ferry ? tags["duration"].flatMap(durationSeconds) : nil,
      isUnpaved: tags["surface"].map(unpaved.contains) ?? false,
      snapPenalty: snapPenalties.reduce(0) { max($0, $1.meaning(of: tags) ?? 0) }, flags: flags)
  }

  /// Whether nobody gets past a point with these tags.
  func isImpassable(_ tags: Tags) -> Bool {
    if let tagged = access.tagged(tags) { return impassableAccess.contains(tagged.value) }
    return impassable.contains { key, values in tags[key].map(values.contains) ?? false }
  }

  private func classify(_ tags: Tags) -> (kind: StreetKind, speed: Double, highway: String?)? {
    if let highway = tags["highway"], let speed = speeds[highway] {
      return (StreetKind(highway: highway), speed, highway)
    }
    if tags["route"] == "ferry" { return (.ferry, ferrySpeed, nil) }
    for rule in otherWays {
      if let speed = rule.meaning(of: tags) { return (tags[rule.key] == "pier" ? .pier : .platform, speed, nil) }
    }
    return nil
  }
}

extension Profile.Rule {
  fileprivate func meaning(of tags: Tags) -> Meaning? { tags[key].flatMap { meanings[$0] } }
}
