import Geography
import Hierarchy

/// Builds a network's columns from a map and a profile: the import from top to bottom.
///
/// - Parameter isCustomized: Whether the hierarchy is made from order and weights instead of contracted.
func builtNetwork(
  from source: OSMSource, profile: Profile, workers: Int, isCustomized: Bool = false
) throws -> NetworkFile.Contents {
  var map = try OSMImport(source, profile: profile)
  let pieces = Pieces(&map, avoidsTolls: profile.avoids.contains(.tolls))
  guard !pieces.pieces.isEmpty else {
    throw MapError(
      noWayOpenIn: source, for: profile,
      because: "the file lacks the nodes of ways that would be (\(map.ways.count)); is the extract complete?")
  }
  let table = StreetTable(
    joinedChains(pieces.pieces, isPinned: pieces.isPinned), junctionCount: pieces.junctionCount, of: map)
  var streets = table.streets
  let ends = StreetEnds(&streets, junctionCount: table.junctionCount)
  let finder = RestrictedStreetFinder(streets: streets, ends: ends, ways: table.ways) { node in
    pieces.junction(ofNode: node).map { table.junctionIndices[Int($0)] }
  }
  var restricted = RestrictedTurns(&map, finder)
  restricted.locate { table.sunPlace(of: $0.street) }
  let turningJunctions = Set(map.turningPoints.compactMap(finder.junction).map(Int.init))
  let isWalked = { [streets] (street: DirectedStreet) in
    streets[street].isPushed(isReversed: street.isReversed)
      || map.attributes[Int(streets[street].attributes)].traits.contains(.square)
  }
  let costs = TurnCosts(streets, ends, delays: table.delays, rules: profile.turns, isWalked: isWalked)
  let medians = MedianTurns(
    streets: streets, ends: ends, attributes: map.attributes, names: map.names, delays: table.delays, costs: costs,
    uTurn: profile.turns.uTurnMilliseconds)
  for pattern in medians.patterns() { restricted.append(pattern) }
  var builder = StateBuilder(streets, ends, costs, restricted) {
    profile.turns.allowsUTurnsEverywhere || turningJunctions.contains($0) || isWalked($1)
  }
  let names = map.names
  let (states, closed) = builder.build { table.closing(of: $0, names) }
  let closedWithoutDate = closed.withoutDate(arcCount: states.arcs.arcCount)
  markSnappable(&streets, states, closed: closedWithoutDate) { street in
    map.closedWithoutDate.contains(table.hours[Int(street.street.index)].closing(isReversed: street.isReversed))
  }
  // Ways may be usable, but all too long, or all beyond gates: no trip could start anywhere.
  guard streets.contains(where: { $0.flags.contains(.snappable) }) else {
    throw MapError(
      noWayOpenIn: source, for: profile,
      because: table.tooLong > 0
        ? "ways that would be are too long for streets (\(table.tooLong))"
        : "those that would be are behind closed barriers")
  }
  let order = Column(states.order(streets, points: table.points))
  let hierarchy =
    isCustomized
    ? CustomizableHierarchy(states.arcs, ranks: order).hierarchy(without: closedWithoutDate)
    : Hierarchy(contracting: states.arcs, without: closedWithoutDate, workers: workers)
  let index = StreetIndex(streets, points: table.points) { $0.contains(.snappable) }
  let islands = StreetIndex(streets, points: table.points) { $0.isDisjoint(with: [.snappable, .gate]) }
  let maneuvers = ManeuverTable(
    ManeuverRules(
      streets: streets, ends: ends, attributes: map.attributes, names: map.names, delays: table.delays,
      usesRoadManeuvers: profile.usesRoadManeuvers))
  let conditionNames = closed.texts.map { map.index(ofName: $0) }

  var contents = NetworkFile.Contents()
  contents.add(.streets, streets)
  contents.add(.points, table.points)
  contents.add(.pointNodes, table.pointNodes)
  contents.add(.firstPart, table.parts.first)
  contents.add(.parts, table.parts.records)
  contents.add(.attributes, map.attributes)
  contents.add(.mapDate, try Array(source.date().utf8))
  contents.add(.countries, Array(map.countries.sorted().joined(separator: ", ").utf8))
  contents.add(.nameBytes, map.names.flatMap(\.utf8))
  contents.add(.nameEnds, nameEnds(map.names))
  let box = BoundingBox(around: table.points)
  contents.add(.box, [box])
  contents.add(.timeZone, Array(TimeZoneFinder().timeZone(at: box.centre.coordinate).utf8))
  contents.add(
    .counts,
    [
      StreetNetwork.ImportCounts(
        ways: UInt32(map.ways.count - map.squares.lines), incompleteWays: UInt32(map.incompleteWays),
        nodesWithoutPosition: map.nodesWithoutPosition, overlongTags: map.overlongTags,
        tooLongStreets: UInt32(table.tooLong), seasonalWays: UInt32(map.seasonalWays),
        endsOnlyAtTimes: UInt32(map.endsOnlyAtTimes),
        impossibleLimits: UInt32(map.impossibleLimits), restrictions: map.restrictionCounts,
        squares: map.squares.counts, sidepaths: map.sidepaths)
    ])
  contents.add(.firstEnd, ends.first)
  contents.add(.ends, ends.ends)
  contents.add(.firstManeuver, maneuvers.first)
  contents.add(.maneuvers, maneuvers.maneuvers)
  contents.add(.firstArc, states.arcs.firstArc)
  contents.add(.arcHeads, states.arcs.heads)
  contents.add(.arcWeights, states.arcs.weights)
  contents.add(.arcStreets, states.streets)
  contents.add(.junctions, states.junctions)
  contents.add(.starts, states.starts)
  contents.add(.closedArcs, closed.arcs)
  contents.add(.closedStreets, closed.streets)
  contents.add(.conditions, conditionNames)
  contents.add(.conditionalLimits, table.conditionalLimits)
  contents.add(.unreadableTags, map.unreadable)
  contents.add(.order, order)
  contents.add(.ranks, hierarchy.ranks)
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
  contents.add(.componentSizes, table.componentSizes)
  return contents
}

/// The end of each name among the bytes of all.
private func nameEnds(_ names: [String]) -> [UInt32] {
  var end: UInt32 = 0
  return names.map { name in
    end += UInt32(name.utf8.count)
    return end
  }
}
