import COsmium
import Geography
import Hierarchy

/// Builds a network's columns from a map and a profile: first the import, then the hierarchy.
func buildNetwork(
  from source: OSMSource, profile: Profile, workers: Int
) throws -> NetworkFile.Contents {
  if profile.elevationDigest != nil, profile.elevation == nil {
    throw .input(source.name, "the network must be built with a DEM; set the key elevation")
  }
  let imported = try ImportedNetwork(from: source, profile: profile, workers: workers)
  cosmium_release_memory()
  try Task.checkCancellation()
  let customizable = CustomizableHierarchy(imported.arcs, ranks: imported.ranks, workers: workers)
  try Task.checkCancellation()
  let hierarchy = customizable.hierarchy(without: imported.closed, workers: workers)
  return imported.contents(with: hierarchy)
}

/// A network without its hierarchy: the import's results that the network file needs, and an order of its states;
/// everything else has been freed.
private struct ImportedNetwork {
  let arcs: ArcGraph
  /// The arcs that are closed without a date.
  let closed: ArcSet?
  let ranks: Column<UInt32>
  /// All columns except the hierarchy's.
  private var columns = NetworkFile.Contents()
  private let index: StreetIndex
  private let islands: StreetIndex
  private let componentSizes: [UInt32]

  init(from source: OSMSource, profile: Profile, workers: Int) throws {
    var (map, table): (OSMImport, StreetTable)
    let squares: SquareTable
    var junctionOfNode: (UInt32) -> UInt32?
    let read: Result<MapFeatures, any Error>
    // Basemap features other than streets do not depend on the network.
    ((map, table, squares, junctionOfNode), read) = try inParallel(workers: workers) {
      var map = try OSMImport(source, profile: profile, workers: workers)
      try Task.checkCancellation()
      let (table, junctionOfNode) = try streetTable(of: &map, source, profile, workers)
      let squares = SquareTable(map, table)
      map.releasePoints()
      return (map, table, squares, junctionOfNode)
    } _: {
      Result { try MapFeatures(of: source) }
    }
    let mapFeatures = try read.get()
    cosmium_release_memory()
    try Task.checkCancellation()
    let ends = table.makeEnds()
    let lifts = Set(map.lifts.compactMap(junctionOfNode).map(Int.init))
    let rules = ManeuverRules(table, ends, map, lifts: lifts, usesRoadManeuvers: profile.usesRoadManeuvers)
    let points = table.points
    // The basemap does not depend on states and arcs.
    let ((states, closings), backdrop) = inParallel(workers: workers) {
      turnedStates(of: table, rules, &map, profile, junctionOfNode)
    } _: {
      basemap(of: rules, points, mapFeatures)
    }
    junctionOfNode = { _ in nil }
    map.releaseNodes()
    try Task.checkCancellation()
    let (searchData, maneuvers) = try inParallel(workers: workers) {
      try streetSearchData(of: table, ends, states, closings, map, source, profile, workers: workers)
    } _: {
      ManeuverTable(rules)
    }
    (ranks, index, islands) = (searchData.ranks, searchData.indices.snapped, searchData.indices.islands)
    let conditionNames = closings.strings.map { map.index(ofName: $0) }

    columns.add(.streets, searchData.streets)
    columns.add(.points, table.points)
    columns.add(.pointNodes, table.pointNodes)
    columns.add(.firstPart, table.firstPart)
    columns.add(.parts, table.parts)
    columns.add(.climbs, table.climbs)
    columns.add(.heights, table.heights)
    columns.add(.firstSample, table.firstSample)
    columns.add(.samples, table.samples)
    columns.add(.attributes, map.attributes)
    columns.add(.mapDate, try Array(source.date().utf8))
    columns.add(.countries, Array(map.countries.sorted().joined(separator: ", ").utf8))
    columns.add(.nameBytes, map.names.flatMap(\.utf8))
    columns.add(.nameEnds, nameEnds(map.names))
    let box = BoundingBox(around: table.points)
    columns.add(.box, [box])
    columns.add(.timeZone, Array(TimeZoneTable.timeZone(at: box.centre(of: table.points).coordinate).utf8))
    map.counts.tooLongStreets = UInt32(table.tooLongCount)
    columns.add(.counts, [map.counts])
    columns.add(.firstEnd, ends.first)
    columns.add(.ends, ends.ends)
    columns.add(.firstManeuver, maneuvers.first)
    columns.add(.maneuvers, maneuvers.maneuvers)
    columns.add(.firstArc, states.arcs.firstArc)
    columns.add(.arcHeads, states.arcs.heads)
    columns.add(.arcWeights, states.arcs.weights)
    columns.add(.arcStreets, states.streets)
    columns.add(.junctions, states.junctions)
    columns.add(.starts, states.starts)
    columns.add(.startsThrough, states.startsThrough)
    columns.add(.closedArcs, closings.arcs)
    columns.add(.closedStreets, closings.streets)
    columns.add(.conditions, conditionNames)
    columns.add(.conditionalLimits, table.conditionalLimits)
    columns.add(.unreadableTags, map.unreadable)
    columns.add(.squares, squares.areas)
    columns.add(.squareRings, squares.rings)
    columns.add(.squarePoints, squares.points)
    columns.add(.squareCorners, squares.corners)
    columns.add(.squareRuns, squares.index.runs)
    columns.add(.squareBoxes, squares.index.boxes)
    columns.add(.backdropRecords, backdrop.records)
    columns.add(.backdropText, backdrop.text)
    columns.add(.backdropKinds, Array(backdrop.kinds.utf8))
    (arcs, closed, componentSizes) = (states.arcs, searchData.closed, table.componentSizes)
  }

  func contents(with hierarchy: Hierarchy) -> NetworkFile.Contents {
    var contents = columns
    contents.add(.ranks, hierarchy.ranks)
    contents.add(.parents, hierarchy.parents)
    contents.add(.firstOutgoing, hierarchy.outgoing.first)
    contents.add(.outgoing, hierarchy.outgoing.arcs)
    contents.add(.outgoingParts, hierarchy.outgoing.parts)
    contents.add(.firstIncoming, hierarchy.incoming.first)
    contents.add(.incoming, hierarchy.incoming.arcs)
    contents.add(.incomingParts, hierarchy.incoming.parts)
    contents.add(.runs, index.runs)
    contents.add(.boxes, index.boxes)
    contents.add(.islandRuns, islands.runs)
    contents.add(.islandBoxes, islands.boxes)
    contents.add(.componentSizes, componentSizes)
    return contents
  }
}

/// Returns the streets of a map, and a function from nodes to their junctions. Frees the source data.
private func streetTable(
  of map: inout OSMImport, _ source: OSMSource, _ profile: Profile, _ workers: Int
) throws -> (StreetTable, junctionOfNode: (UInt32) -> UInt32?) {
  var pieces = Pieces(&map, avoidsTolls: profile.avoids.contains(.tolls))
  guard !pieces.list.pieces.isEmpty else {
    throw OdometerError(
      noWayOpenIn: source, for: profile,
      because: "the file lacks the nodes of the open ways (\(map.ways.count)), or their coordinates are invalid; "
        + "is the extract complete?")
  }
  let terrain = try profile.elevation.map { try Terrain(map, $0, hills: profile.hills) }
  let table = try StreetTable(
    Chains(pieces.takeList(), isPinned: pieces.isPinned), junctionCount: pieces.junctionCount, of: map,
    avoiding: profile.avoids, on: terrain, workers: workers)
  let (junctions, indices) = (pieces.junctions, table.junctionIndices)
  return (table, { node in junctions[Int(node)] == .max ? nil : indices[Int(junctions[Int(node)])] })
}

/// Returns the states and arcs of streets, and their closures. Frees the ways.
private func turnedStates(
  of table: StreetTable, _ rules: ManeuverRules, _ map: inout OSMImport, _ profile: Profile,
  _ junctionOfNode: @escaping (UInt32) -> UInt32?
) -> (StateGraph, ClosedParts) {
  let (streets, ends, attributes, names) = (table.streets, rules.ends, map.attributes, map.names)
  let finder = RestrictedStreetFinder(streets: streets, ends: ends, ways: table.ways, junction: junctionOfNode)
  var restricted = RestrictedTurns(&map, finder)
  map.releaseWays()
  restricted.locate { table.sunPlace(of: $0.street) }
  let turningJunctions = Set(map.turningPoints.compactMap(junctionOfNode).map(Int.init))
  let isWalked = { (street: DirectedStreet) in
    streets[street].isPushed(isReversed: street.isReversed)
      || attributes[Int(streets[street].attributes)].traits.contains(.square)
  }
  let costs = TurnCosts(streets, ends, delays: table.delays, rules: profile.turns, isWalked: isWalked)
  let medians = MedianTurns(rules: rules, costs: costs, uTurn: profile.turns.uTurnMilliseconds)
  for pattern in medians.patterns() { restricted.append(pattern) }
  var builder = StateBuilder(streets, ends, costs, restricted) {
    profile.turns.allowsUTurnsEverywhere || turningJunctions.contains($0) || isWalked($1)
  }
  return builder.build { table.closings(of: $0, names) }
}

/// Returns the end of each name in the concatenated bytes of all names.
private func nameEnds(_ names: [String]) -> [UInt32] {
  var end: UInt32 = 0
  return names.map { name in
    end += UInt32(name.utf8.count)
    return end
  }
}

/// Returns the basemap: the streets of the network, and other features of the map.
private func basemap(
  of map: ManeuverRules, _ points: [FixedCoordinate], _ mapFeatures: MapFeatures
) -> (records: [Backdrop.Record], text: [UInt8], kinds: String) {
  var builder = BackdropBuilder()
  builder.add(map.streets, points: points, map.attributes) { map.names[Int($0)] }
  // Excludes ferries, which cross the sea.
  let land = map.streets.lazy.filter { map.attributes[Int($0.attributes)].roadClass != .other }
  let places = land.map { points[Int($0.firstPoint)] }
  for feature in mapFeatures.features(around: BoundingBox(around: points), streets: places) { builder.add(feature) }
  return builder.columns()
}

/// Returns the streets as marked for snapping, the arcs that are closed without a date, the ranks of states, and the
/// indices for finding streets near a place. *Throws*: `OdometerError` if no trip could start anywhere.
private func streetSearchData(
  of table: StreetTable, _ ends: StreetEnds, _ states: StateGraph, _ closings: ClosedParts, _ map: OSMImport,
  _ source: OSMSource, _ profile: Profile, workers: Int
) throws -> (
  streets: [Street], closed: ArcSet?, ranks: Column<UInt32>, indices: (snapped: StreetIndex, islands: StreetIndex)
) {
  var streets = table.streets
  let closed = closings.withoutDate(arcCount: states.arcs.arcCount)
  markSnappable(&streets, states, closed: closed) { street in
    map.closedWithoutDate.contains(table.hours[Int(street.street.index)][isReversed: street.isReversed].closing)
  }
  markLandings(&streets, ends)
  // All usable ways may be too long, or behind gates; then no trip could start anywhere.
  guard streets.contains(where: { $0.flags.contains(.snappable) }) else {
    throw OdometerError(
      noWayOpenIn: source, for: profile,
      because: table.tooLongCount > 0
        ? "the open ways are too long for streets (\(table.tooLongCount))"
        : "the open ways are behind closed barriers")
  }
  let (marked, points) = (streets, table.points)
  let (ranks, indices) = inParallel(workers: workers) {
    Column(states.ranks(marked, points: points, workers: workers))
  } _: {
    (
      StreetIndex(marked, points: points) { $0.contains(.snappable) },
      StreetIndex(marked, points: points) { $0.isDisjoint(with: [.snappable, .gate, .unsnapped]) }
    )
  }
  return (streets, closed, ranks, indices)
}

/// U-turns across a median: from one carriageway of a street over a short link onto the other.
///
///     <───────c───────┬───────
///                     l          a, l, c together cost as much as a U-turn
///     ────────a───────┴──────>
///
/// Whether the turn off the link completes a U-turn depends on the trip's previous streets, so it cannot be a cost of
/// the junction. The sequence of streets is tracked as for a turn restriction, and its last turn costs the difference.
struct MedianTurns {
  let rules: ManeuverRules
  let costs: TurnCosts
  /// The cost of a U-turn in milliseconds.
  let uTurn: UInt32

  /// The maximum length of the link, in centimetres.
  private static let maximumLinkLength: UInt32 = 50_00

  func patterns() -> [RestrictedTurns.Pattern] {
    guard uTurn > 0 else { return [] }
    var patterns: [RestrictedTurns.Pattern] = []
    for index in rules.streets.indices {
      for isReversed in [false, true] {
        let street = DirectedStreet(StreetID(index), isReversed: isReversed)
        if isOneWayStreet(street) { append(after: [street], length: 0, cost: 0, to: &patterns) }
      }
    }
    return patterns
  }

  /// Appends the U-turns that start with `path`: a carriageway, followed by links with a total length of `length`.
  private func append(
    after path: [DirectedStreet], length: UInt32, cost: UInt32, to patterns: inout [RestrictedTurns.Pattern]
  ) {
    let (first, last, streets, ends) = (path[0], path[path.count - 1], rules.streets, rules.ends)
    let (junction, arriving) = streets.end(of: last)
    for leaving in 0..<ends.count(at: junction) {
      let next = ends[junction, leaving]
      guard next.street != last.street, streets.isOpen(next) else { continue }
      let cost = cost + costs[junction, arriving, leaving] - rules.delays.atEnd(of: last)
      let turned = abs(streets.angle(from: first, to: next))
      if path.count > 1, turned >= TurnManeuver.uTurnAngleOnStreet, isOneWayStreet(next),
        rules.isSameStreet(rules.attributes(of: first), rules.attributes(of: next))
      {
        guard cost < uTurn else { continue }
        patterns.append(.init(streets: path + [next], isOnly: false, condition: nil, delay: uTurn - cost))
      } else if path.count < 4, turned > 30, isLink(next), !path.contains(where: { $0.street == next.street }) {
        let length = length + streets[next].centimetres
        guard length < MedianTurns.maximumLinkLength else { continue }
        append(after: path + [next], length: length, cost: cost, to: &patterns)
      }
    }
  }

  /// Returns whether a street is for traffic in one direction only.
  private func isOneWayStreet(_ street: DirectedStreet) -> Bool {
    let way = rules.attributes(of: street)
    return rules.isOneWayStreet(street) && way.roadClass < .service && !way.traits.contains(.roundabout)
      && !rules.streets[street].flags.contains(.gate)
  }

  private func isLink(_ street: DirectedStreet) -> Bool {
    let way = rules.attributes(of: street)
    return !way.traits.contains(.roundabout) && !way.kind.isBoarded && !rules.streets[street].flags.contains(.gate)
  }
}
