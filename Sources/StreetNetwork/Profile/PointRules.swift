import Settings

/// What passing a point on a way means: barriers, signals, signs, tolls.
struct PointRules: Sendable {
  private let impassable: TagSet
  private let passable: TagSet
  private let delays: TagTable<Double>
  private let tolls: TagSet
  private let turningPoints: TagSet

  enum Passage: UInt8, Sendable {
    case open
    /// Passed only by trips that start or end behind.
    case endsOnly
    case closed
  }

  init(_ root: SettingsObject) throws {
    impassable = try TagSet(root.object("impassable"))
    passable = try TagSet(root.object("passable"))
    delays = try TagTable(root.object("delays")) { try $0.number($1, over: 0, unit: "a number of seconds") }
    tolls = try TagSet(root.object("tollPoints"))
    turningPoints = try TagSet(root.object("turningPoints"))
  }

  /// Whether a point can be passed: its access tags decide, then its kind.
  func passage(_ tags: Tags, _ access: AccessRules) -> Passage {
    // The tags of a crossing are about those who cross, not about traffic along the street.
    if tags["barrier"] == nil, tags["highway"] != nil { return .open }
    switch access.tagged(tags) {
    case .allowed: return .open
    case .endsOnly: return .endsOnly
    case .forbidden: return .closed
    case nil: return impassable.matches(tags) && !passable.matches(tags) ? .closed : .open
    }
  }

  /// What it costs to pass the point, in milliseconds; of several reasons the largest.
  func delay(_ tags: Tags) -> UInt32 { UInt32(((delays.meanings(of: tags).max() ?? 0) * 1000).rounded()) }

  func isToll(_ tags: Tags) -> Bool { tolls.matches(tags) }
  func isTurningPoint(_ tags: Tags) -> Bool { turningPoints.matches(tags) }
}
