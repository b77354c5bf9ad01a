import Settings

/// What passing a point on a way means: barriers, signals, signs, tolls.
struct PointRules: Sendable {
  private let impassable: TagSet
  /// What makes a barrier passable all the same, by its kind; `*` is any.
  private let passable: [String: TagSet]
  private let delays: TagTable<Double>
  private let tolls: TagSet
  private let turningPoints: TagSet

  enum Passage: UInt8, Sendable {
    case open
    /// Passed only by trips that start or end behind.
    case endsOnly
    /// Passed at times.
    case gated
    /// Passed along a road, but not by people who cross the road there.
    case closedAcross
    case closed
  }

  init(_ root: SettingsObject) throws {
    impassable = try TagSet(root.object("impassable"))
    let passable = try root.object("passable")
    self.passable = try Dictionary(uniqueKeysWithValues: passable.keys.map { ($0, try TagSet(passable.object($0))) })
    delays = try TagTable(root.object("delays")) { try $0.seconds($1) }
    tolls = try TagSet(root.object("tollPoints"))
    turningPoints = try TagSet(root.object("turningPoints"))
  }

  /// Whether a point can be passed: its access tags decide, then its kind.
  func passage(_ tags: Tags, _ access: AccessRules) -> Passage {
    switch access.decision(tags)?.access {
    // That others pass (foot=yes at a stile) opens nothing to whom no key is about.
    case .allowed where !access.classes.isEmpty: return .open
    case .endsOnly: return .endsOnly
    case .forbidden: return .closed
    case .allowed, nil: return impassable.matches(tags) && !isPassable(tags) ? .closed : .open
    }
  }

  /// Whether access tags and kerbs of a point are about those who cross the street there, not about traffic along it.
  func isAboutThoseWhoCross(_ tags: Tags) -> Bool {
    guard let highway = tags["highway"], highway != "elevator" else { return false }
    let barrier = tags["barrier"]
    return barrier == nil || barrier == "kerb"
  }

  private func isPassable(_ tags: Tags) -> Bool {
    if passable["*"]?.matches(tags) == true { return true }
    return tags["barrier"].flatMap { passable[$0] }?.matches(tags) == true
  }

  /// What it costs to pass the point, in milliseconds; of several reasons the largest.
  func delay(_ tags: Tags) -> UInt32 {
    let seconds = delays.meanings(of: tags, without: isAboutThoseWhoCross(tags) ? "kerb" : nil).max() ?? 0
    return UInt32((seconds * 1000).rounded())
  }

  func isToll(_ tags: Tags) -> Bool { tolls.matches(tags) }
  func isTurningPoint(_ tags: Tags) -> Bool { turningPoints.matches(tags) }
}
