import Settings

/// How long people on foot wait before they cross a road: at signals, and for a gap in the traffic of a large one.
struct CrossingRules: Sendable {
  private let points: TagSet
  private let signals: TagTable<Double>
  private let yielding: TagSet
  private let shareWhereYielding: Double
  private let gaps: [RoadClass: Double]

  init(_ settings: SettingsObject) throws {
    points = try TagSet(settings.object("points"))
    signals = try TagTable(settings.object("signals")) { try $0.seconds($1) }
    yielding = try TagSet(settings.object("yielding"))
    shareWhereYielding = try settings.number("shareWhereYielding", atLeast: 0, unit: "a share")
    guard shareWhereYielding <= 1 else {
      throw settings.error("shareWhereYielding", "got \(shareWhereYielding), expected a share from 0 to 1")
    }
    let gaps = try settings.object("gaps")
    self.gaps = try Dictionary(
      gaps.keys.map { key in
        let road = RoadClass(highway: key, kind: .road)
        guard road < .path else { throw gaps.error(key, "no class of roads, expected one such as primary") }
        return (road, try gaps.seconds(key))
      }, uniquingKeysWith: max)
    try gaps.finish()
    try settings.finish()
  }

  /// What crossing at a point costs those who come to it along a path; nil where it is no crossing.
  func crossing(_ tags: Tags) -> Crossing? {
    guard points.matches(tags) else { return nil }
    let signal = signals.meanings(of: tags).min()
    return Crossing(signal: signal, gapShare: yielding.matches(tags) ? shareWhereYielding : 1)
  }

  /// Milliseconds before one crosses a road, whose class may not be known: nobody walks along it.
  func wait(at crossing: Crossing, of road: RoadClass?) -> UInt32 {
    let gap = road.flatMap { gaps[$0] } ?? 0
    return UInt32(((crossing.signal ?? gap * crossing.gapShare) * 1000).rounded())
  }
}

/// A point where people on foot cross a road.
struct Crossing {
  /// Seconds that its signals cost, by their kind; nil for none.
  var signal: Double?
  /// What part of the wait for a gap is left where traffic gives way.
  var gapShare: Double
}
