import Settings

/// How fast ways are used: by class, by speed limits, by surface.
struct WaySpeeds: Sendable {
  private let highways: [String: Double]
  private let otherWays: TagTable<Double>
  let limits: SpeedLimits?
  private let caps: TagTable<Double>
  private let slowdowns: TagTable<Double>

  /// Ways without any of these keys are skipped.
  var wayKeys: [String] { ["highway"] + otherWays.rules.map(\.key) }

  init(_ root: SettingsObject) throws {
    highways = try root.speedsByName("highways")
    otherWays = try root.speeds("otherWays")
    limits = root.has("maxspeed") ? try SpeedLimits(root.object("maxspeed")) : nil
    caps = try root.speeds("speedCaps")
    slowdowns = try TagTable(root.object("slowdowns")) { try $0.number($1, over: 0, unit: "a factor") }
  }

  /// What a way is, and its speed without limits; nil for what is never used.
  func classify(_ tags: Tags) -> (kind: StreetKind, highway: String?, speed: Double?)? {
    let other = otherWays.firstMatch(tags).map { (kind: StreetKind(key: $0.key, value: $0.value), speed: $0.meaning) }
    // A ferry that is also tagged as a road is a ferry; rails in a street leave it a street.
    if let highway = tags["highway"], let speed = highways[highway], other?.kind != .ferry, other?.kind != .carTrain {
      return (StreetKind(highway: highway), highway, speed)
    }
    return other.map { ($0.kind, nil, $0.speed) }
  }

  /// Metres per second in a direction by the time, where the way lies.
  func metresPerSecond(
    _ conditional: inout ConditionalTags, _ highway: String?, from classSpeed: Double, in locality: Locality?,
    _ direction: Direction
  ) -> Timed<Double> {
    // Anywhere on earth: only whether it is used is asked.
    guard let locality else { return Timed(classSpeed) }
    let tags = conditional.tags
    let limited = limits?.apply(to: classSpeed, &conditional, highway, in: locality, direction)
    return (limited ?? Timed(classSpeed)).map { slowed($0, tags) }
  }

  private func slowed(_ speed: Double, _ tags: Tags) -> Double {
    var speed = speed
    for cap in caps.meanings(of: tags) { speed = min(speed, cap) }
    for factor in slowdowns.meanings(of: tags) { speed *= factor }
    return speed
  }

  /// Whether a limit is posted that is beyond what its class and country have.
  func hasImpossibleLimit(_ tags: Tags, _ highway: String?, in locality: Locality) -> Bool {
    limits?.hasImpossible(tags, highway, in: locality) ?? false
  }
}
