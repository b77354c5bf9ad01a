import Geography

extension StreetNetwork {
  /// The range of the points' elevations; empty if none is known.
  private var heightFacts: [(String, String)] {
    let known = heights.filter { $0 != .min }
    guard let low = known.min(), let high = known.max() else { return [] }
    return [("heights", "\(low / 100) to \(high / 100) m, known for \(known.count) of \(heights.count) points")]
  }

  /// The contents of the network, as names and values for display.
  package var facts: [(String, String)] {
    let kilometres = streets.reduce(0.0) { $0 + Double($1.centimetres) } / 100_000
    let endsOnly = streets.count { $0.flags.contains(.endsOnly) }
    let notSnapped = streets.count { !$0.flags.contains(.snappable) }
    let (west, east) = box.edges(around: points)
    let (southWest, northEast) = (
      FixedCoordinate(longitude: west, latitude: box.minLatitude).coordinate,
      FixedCoordinate(longitude: east, latitude: box.maxLatitude).coordinate
    )
    return [
      ("ways used", "\(counts.ways), \(counts.incompleteWays) of them with nodes missing from the file"),
      ("  left out as seasonal", "\(counts.seasonalWays) winter and ice roads without opening hours"),
      ("not read", notRead),
    ] + (counts.relations == 0 ? [("relations", "none: \(StreetNetwork.withoutRelations)")] : []) + [
      ("streets", "\(streets.count), \(Int(kilometres.rounded())) km"),
      ("  access-restricted", "\(endsOnly)"),
      ("  off the network", "\(notSnapped) on islands and stubs, which places are not snapped to"),
      ("  left out as too long", "\(counts.tooLongStreets)"),
      ("squares", squares),
      ("sidepaths", sidepaths),
    ] + (accessibility.map { [("accessibility", $0)] } ?? []) + [
      ("junctions", "\(junctionCount)"),
      ("countries", countries.isEmpty ? "none known" : countries),
      ("time zone", timeZone),
      ("driving side", drivingSide),
      ("speed limits ignored", "\(counts.impossibleLimits), beyond the range of their class or country"),
      ("durations ignored", "\(counts.impossibleDurations), of ferry trips faster than 130 km/h or longer than a week"),
      ("turn restrictions", restrictionsUsed),
      ("  not used", restrictionsNotUsed),
      ("closed at times", closings),
    ] + heightFacts + unreadableFacts + [
      ("states, arcs", "\(states.arcs.stateCount), \(states.arcs.arcCount)"),
      ("upward arcs", "\(hierarchy.arcCount)"),
      ("area", "\(southWest.latitude),\(southWest.longitude) to \(northEast.latitude),\(northEast.longitude)"),
      ("map date", mapDate.isEmpty ? "not given in the map" : mapDate),
      ("map sha-256", fingerprints.map),
      ("profile sha-256", fingerprints.profile),
      ("network sha-256", fingerprints.network),
    ]
  }

  /// The data that a map without relations lacks.
  static let withoutRelations =
    "turn restrictions, ferry routes and multipolygons are missing; was the extract made without them?"

  private var notRead: String {
    "\(counts.nodesWithoutPosition.counted("node")) without a position, "
      + "\(counts.overlongTags.counted("overlong tag")), "
      + "all tags of \(counts.objectsWithNUL.counted("object")) with a NUL in one of them"
  }

  /// A summary of the map's data for wheelchairs or prams; nil for other profiles.
  package var accessibility: String? { profile.vehicle.hasKerbLimit ? counts.accessibility.text : nil }

  private var streetsOnLeft: Int { streets.count { $0.flags.contains(.drivesOnLeft) } }

  /// Whether most streets have left-hand traffic.
  package var drivesOnLeft: Bool { streetsOnLeft * 2 > streets.count }

  private var drivingSide: String {
    let left = streetsOnLeft
    if left == 0 { return "right" }
    return left == streets.count ? "left" : "left on \(left) streets, right on \(streets.count - left)"
  }

  private var restrictionsUsed: String {
    "\(counts.restrictions.used) used, \(counts.restrictions.conditional) of them at certain times only"
  }

  private var restrictionsNotUsed: String {
    let counts = counts.restrictions
    return "\(counts.broken) broken, \(counts.unknown) unknown, \(counts.redLights) for turns on red, "
      + "\(counts.others) for other transport types, \(counts.unreadable) with times that cannot be read"
  }

  private var sidepaths: String {
    "\(counts.namedSidepaths) named after their street; "
      + "\(counts.replacedByPaths) streets closed to through traffic in favour of a path along them"
  }

  private var squares: String {
    let counts = counts.squares
    return "\(counts.crossed) crossed, \(counts.walkedAround) via their outline (too many corners), "
      + "\(counts.broken) broken"
  }

  private var closings: String {
    let closed = conditions.closings.count { $0.isClosed(at: nil) }
    return
      "\(conditions.arcs.count) arcs, depending on \(conditions.closings.count) conditions and the departure date; "
      + "\(closed) of the conditions close them if no date is given"
  }

  private var unreadableFacts: [(String, String)] {
    let ways = counts.timedWayCounts
    let changes = [
      (ways.directions, "open in other directions"), (ways.limits, "with other speed limits"),
      (ways.pushed, "with bicycles pushed at certain hours"), (ways.ridden, "with bicycles ridden at certain hours"),
      (ways.ends, "access-restricted"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let known = changes.isEmpty ? [] : [("  time-dependent ways", changes)]
    guard !unreadable.isEmpty else { return known }
    return known + [("  cannot be read", "\(unreadable.count) time-dependent tags, ignored in whole or in part")]
      + unreadableTags.prefix(3).map { ("", $0) }
  }
}
