import COsmium
import Geography
import Hierarchy

/// Reads a map for a profile: the usable ways, the turn restrictions, and the tags of the ways' nodes.
///
///     map ──ways──> ways and their tags ──nodes──> usable ways ──> pieces between junctions ──joined──> streets
///
/// Two passes over the file: ways and relations first, so that only the nodes on them are stored. Ways are classified
/// once their location is known. Memory: about 30 bytes per node and 100 per possibly usable way, regardless of the
/// file's other content.
struct OSMImport {
  private(set) var ways: [Way] = []
  /// Interned names; index 0 is the empty name.
  private var internedNames = Interner([""])
  private var internedAttributes = Interner<StreetAttributes>()
  /// The nodes on usable ways; all later stages refer to them by index.
  private var nodeIndex = NodeIndex()
  private(set) var points: [FixedCoordinate?] = []
  private(set) var passages: [PointRules.Passage] = []
  /// Delays at nodes, by node index.
  private(set) var delays: [UInt32: PointDelay] = [:]
  /// Pedestrian crossings of roads, by node index.
  private(set) var crossings: [UInt32: Crossing] = [:]
  let crossingRules: CrossingRules?
  /// The closures of gates, by node index.
  private(set) var gates: [UInt32: DirectionTimes<UInt32>] = [:]
  /// The directions of gates that are passable in one direction along their way only, by node index.
  private(set) var gateDirections: [UInt32: Direction] = [:]
  private(set) var tolls: Set<UInt32> = []
  private(set) var turningPoints: Set<UInt32> = []
  /// Lifts drawn as nodes.
  private(set) var lifts: Set<UInt32> = []
  /// The exit numbers and destinations (`exit_to`) of motorway junctions, as indices of names, by node index.
  private(set) var exits: [UInt32: (number: UInt32, destination: UInt32)] = [:]
  /// The nodes of the ways, way by way.
  private(set) var wayNodes: [UInt32] = []
  var restrictions: [TurnRestriction] = []
  var counts = StreetNetwork.ImportCounts()
  /// Indices of the ways that restrictions refer to, by ID.
  var restrictedWays: [Int64: Int] = [:]
  /// The closings that apply without a time, as indices of names.
  private(set) var closedWithoutDate: Set<UInt32> = []
  /// Unreadable time-dependent tags, which are ignored.
  private(set) var unreadable: [UnreadableTag] = []
  /// Unused streets whose names apply to paths alongside them.
  private var otherStreets: [(name: String, ref: String, level: WayLevel, nodes: Range<Int>)] = []
  /// Areas to which places snap, with the ways around each; and the area that each line crosses, by way index.
  private(set) var squareAreas: [(area: Squares.Area, ways: Set<Int64>)] = []
  private(set) var areasOfLines: [Int: Int] = [:]
  /// The country codes of the ways.
  private(set) var countries: Set<String> = []
  private var boundaries = Boundaries()
  private var ferryRoutes = FerryRoutes()
  /// Nodes at which trains cannot be boarded.
  private(set) var levelCrossings: Set<UInt32> = []

  struct Way {
    /// 0 for a line that crosses a square.
    var id: Int64
    var rules: UsableWay
    var nodes: Range<Int>
  }

  init(_ source: OSMSource, profile: Profile, workers: Int = 1) throws {
    crossingRules = profile.crossings
    var squareRelations = SquareRelations()
    var classes = WayClasses(profile)
    // The tables of countries and time zones are needed later; loading them takes as long as reading the ways.
    var (raw, seen) = try inParallel(workers: workers) {
      try readWays(source, profile, &classes, &squareRelations)
    } _: {
      _ = (CountryTable.stock, TimeZoneTable.stock)
    }.0
    let borders = boundaries.assembled { raw.nodes(of: $0) }
    var references = raw.takeReferences()
    try squareRelations.readOutlines(source, &references)
    nodeIndex = NodeIndex(references, borders.flatMap { $0.rings.joined() })
    let index = nodeIndex
    wayNodes = inParallel(references.shares(workers > 1 ? workers * 4 : 1), workers: workers) { share in
      share.map { UInt32(index[$0]!) }
    }.flatMap(\.self)
    references = []
    try readNodes(source, profile)
    var localities = Localities(raw, wayNodes: wayNodes, points: points, territories: territories(borders))
    selectWays(raw, &localities, profile, workers)
    guard !ways.isEmpty else { throw OdometerError(noWayOpenIn: source, for: profile) }
    let (sidepaths, squares) = inParallel(workers: workers) {
      findSidepaths(profile, workers: max(1, workers - 1))
    } _: { [self, squareRelations] in
      findSquares(squareRelations, profile)
    }
    otherStreets = []
    addSidepaths(sidepaths)
    selectRestrictions(seen: &seen)
    counts.ways = UInt32(ways.count)
    addSquares(squares, squareRelations)
    ways.unifySpellings(nodes: wayNodes, points: points, workers: workers)
    counts.incompleteWays = UInt32(ways.count { way in wayNodes[way.nodes].contains { points[Int($0)] == nil } })
  }

  /// Returns whether the shorter path between two nodes crosses longitude 180.
  func crossesAntimeridian(_ from: UInt32, _ to: UInt32) -> Bool {
    guard let from = points[Int(from)], let to = points[Int(to)] else { return false }
    return abs(Int(from.longitude) - Int(to.longitude)) > 1_800_000_000
  }

  /// Reads restrictions, and returns possibly usable ways and the IDs of all ways.
  private mutating func readWays(
    _ source: OSMSource, _ profile: Profile, _ classes: inout WayClasses, _ squareRelations: inout SquareRelations
  ) throws -> (RawWays, seen: [Int64]) {
    var raw = RawWays(hasClassPerObject: profile.readsNames)
    var seen: [Int64] = []
    let omissions = try source.readWays(having: profile.wayKeys + [Boundaries.key]) { object in
      switch object {
      case .way(let way):
        seen.append(way.id)
        raw.append(way) { kind, known in
          let (properties, isUsed) = classes.properties(of: way, kind, known)
          if properties.mayBeBorder { boundaries.read(way, Tags(way.tags)) }
          if properties.isOutOfSeason { counts.seasonalWays += 1 }
          if isUsed && properties.isSquare { squareRelations.add(way) }
          return isUsed
        }
      case .relation(let relation):
        boundaries.read(relation, Tags(relation.tags))
        squareRelations.read(relation, profile)
        ferryRoutes.add(relation)
        guard Tags(relation.tags)["type"]?.hasPrefix("restriction") == true else { return }
        for reading in TurnRestriction.read(relation, profile.turns, for: profile.vehicle) {
          switch reading {
          case .restriction(let restriction): restrictions.append(restriction)
          case .ignored(let kind): counts.restrictions[keyPath: kind] += 1
          case .unreadableTimes(let tag):
            counts.restrictions.unreadable += 1
            note(tag, of: .relation, relation.id)
          }
        }
      }
    }
    counts.overlongTags += omissions.overlong_tags
    counts.objectsWithNUL += omissions.objects_with_nul
    counts.relations = omissions.relations
    // In a sorted map without repetitions, IDs ascend.
    if zip(seen, seen.dropFirst()).contains(where: >=) {
      let sorted = seen.sorted()
      if let index = sorted.indices.dropFirst().first(where: { sorted[$0] == sorted[$0 - 1] }) {
        throw .input(source.name, repeated("way", sorted[index]))
      }
    }
    return (raw, seen)
  }

  private func repeated(_ type: String, _ id: Int64) -> String {
    "\(type) \(id) occurs several times in the map; expected each object once, e.g. from osmium merge"
  }

  /// Returns the areas within borders whose nodes are all in the file.
  private func territories(_ borders: [Boundaries.Boundary]) -> [Territory] {
    borders.compactMap { border in
      let rings = border.rings.map { ring in ring.compactMap { nodeIndex[$0].flatMap { points[$0] } } }
      guard zip(rings, border.rings).allSatisfy({ $0.count == $1.count }) else { return nil }
      return Territory(
        outline: Outline(rings: rings), country: border.code.flatMap { CountryTable.stock[$0] },
        drivesOnLeft: border.drivesOnLeft)
    }
  }

  /// Classifies each way, now that its locality is known.
  private mutating func selectWays(
    _ raw: RawWays, _ localities: inout Localities, _ profile: Profile, _ workers: Int
  ) {
    // Squares add a few more ways.
    ways.reserveCapacity(raw.ways.count + raw.ways.count / 8)
    let wayLocalities = localities.atMiddleNodes(of: raw.ways)
    // In batches, since the results take as much memory as the ways.
    WayClassifier.classify(raw, wayLocalities, profile, localities, workers: workers) { index, classification in
      let way = raw.ways[index]
      switch classification {
      case .usable(let rules):
        if rules.hasImpossibleLimit { counts.impossibleLimits += 1 }
        counts.accessibility.addWay(rules.details)
        if let code = wayLocalities[index].country?.code { countries.insert(code) }
        counts.timedWayCounts.count(rules.times.changes)
        for tag in rules.times.unreadable { note(tag, of: .way, way.id) }
        ways.append(Way(id: way.id, rules: rules, nodes: way.nodes))
      case .unusable(let name, let ref, let level):
        if profile.sidepaths != nil { otherStreets.append((name, ref, level, way.nodes)) }
      }
    }
    dropImpossibleDurations()
    let (wayNodes, points) = (wayNodes, points)
    ferryRoutes.complete(&ways) { way in
      let shape = wayNodes[way.nodes].compactMap { points[Int($0)] }
      return shape.count == way.nodes.count ? Polyline(points: shape[...]).length : nil
    }
    dropImpossibleDurations()
  }

  /// Drops the durations of ferries and trains that are implausible for their length in the map.
  private mutating func dropImpossibleDurations() {
    for index in ways.indices where ways[index].rules.kind.isVehicle {
      guard let seconds = ways[index].rules.duration else { continue }
      let length = Polyline(points: wayNodes[ways[index].nodes].compactMap { points[Int($0)] }[...]).length
      guard seconds > longestPassage || length / seconds > fastestPassage else { continue }
      ways[index].rules.duration = nil
      counts.impossibleDurations += 1
    }
  }

  private func findSidepaths(_ profile: Profile, workers: Int) -> Sidepaths? {
    guard profile.sidepaths != nil else { return nil }
    var lines: [Sidepaths.Line] = []
    lines.reserveCapacity(ways.count + otherStreets.count)
    for index in ways.indices { lines.append(Sidepaths.Line(ways[index].rules, nodes: ways[index].nodes)) }
    for street in otherStreets {
      lines.append(Sidepaths.Line(name: street.name, ref: street.ref, level: street.level, nodes: street.nodes))
    }
    return Sidepaths(lines, nodes: wayNodes, points: points, workers: workers)
  }

  /// Names paths after the streets alongside them, and restricts access to streets that have such paths.
  private mutating func addSidepaths(_ found: Sidepaths?) {
    guard let found else { return }
    for (way, name, ref) in found.names {
      let known = ways[way].rules.streetName
      (ways[way].rules.name, ways[way].rules.ref) = known.isEmpty ? (name, ref) : (known, "")
    }
    for way in found.replacedByPaths { ways[way].rules.yieldToPath() }
    (counts.namedSidepaths, counts.replacedByPaths) = (UInt32(found.names.count), UInt32(found.replacedByPaths.count))
  }

  /// Areas with the lines that cross them, and the outlines that are not yet streets.
  private typealias FoundSquares = (squares: Squares, newOutlines: [(square: Int, way: Int64, nodes: Range<Int>)])

  private func findSquares(_ relations: SquareRelations, _ profile: Profile) -> FoundSquares? {
    guard let rules = profile.squares else { return nil }
    let found = squares(relations)
    let streets = ways.indices.lazy.filter { !found.outlineWays.contains($0) }.map { wayNodes[ways[$0].nodes] }
    let squares = Squares(found.squares, streets: streets, points: points, mostCorners: rules.mostCorners)
    return (squares, found.newOutlines)
  }

  /// Adds the outlines of areas, and the lines that cross areas, as streets.
  private mutating func addSquares(_ found: FoundSquares?, _ relations: SquareRelations) {
    guard let (squares, newOutlines) = found else { return }
    for relation in relations.relations {
      for tag in relation.rules?.times.unreadable ?? [] { note(tag, of: .relation, relation.id) }
    }
    func rules(of square: Int) -> UsableWay {
      switch squares.squares[square].origin {
      case .relation(let rules): rules.across
      case .way(let way): ways[way].rules.across
      }
    }
    for (square, way, nodes) in newOutlines { ways.append(Way(id: way, rules: rules(of: square), nodes: nodes)) }
    squareAreas = squares.areas.map { ($0, squares.squares[$0.square].ways) }
    for (area, from, to) in squares.lines {
      wayNodes += [from, to]
      areasOfLines[ways.count] = area
      ways.append(Way(id: 0, rules: rules(of: squares.areas[area].square), nodes: wayNodes.count - 2..<wayNodes.count))
    }
    counts.squares = squares.counts
  }

  private mutating func readNodes(_ source: OSMSource, _ profile: Profile) throws {
    points = Array(repeating: nil, count: nodeIDs.count)
    passages = Array(repeating: .open, count: nodeIDs.count)
    let nodes = nodeIndex
    var movedNode: Int64?
    let omissions = try source.readNodes { node in
      guard let index = nodes[node.id] else { return }
      let point = FixedCoordinate(longitude: node.longitude, latitude: node.latitude)
      if let known = points[index], known != point { movedNode = movedNode ?? node.id }
      points[index] = point
      let tags = Tags(node.tags)
      if !tags.isEmpty { readPoint(UInt32(index), node.id, tags, profile) }
    }
    counts.overlongTags += omissions.overlong_tags
    counts.objectsWithNUL += omissions.objects_with_nul
    counts.nodesWithoutPosition = omissions.nodes_without_position
    if let movedNode { throw .input(source.name, repeated("node", movedNode)) }
  }

  private mutating func readPoint(_ node: UInt32, _ id: Int64, _ tags: Tags, _ profile: Profile) {
    counts.accessibility.addPoint(tags)
    let passage = profile.passage(tags)
    passages[Int(node)] = passage.passage
    if passage.times != DirectionTimes(all: "") { gates[node] = names(passage.times) }
    gateDirections[node] = passage.direction
    for tag in passage.unreadable { note(tag, of: .node, id) }
    let delay = PointDelay(milliseconds: profile.points.delay(tags), tags)
    if delay.milliseconds > 0 {
      delays[node] = delay
      if tags["highway"] == "elevator" { lifts.insert(node) }
    }
    if let crossing = profile.crossings?.crossing(tags) { crossings[node] = crossing }
    if profile.boarding.never.matches(tags) { levelCrossings.insert(node) }
    if profile.points.tolls.matches(tags) { tolls.insert(node) }
    if profile.points.turningPoints.matches(tags) { turningPoints.insert(node) }
    if tags["highway"] == "motorway_junction" {
      exits[node] = (
        index(ofName: RoadNumbers(tag: tags["ref"]).text),
        index(ofName: tags["exit_to"]?.signs.joined(separator: ", ") ?? "")
      )
    }
  }

  /// Returns the index of a way's attributes; ways with equal attributes share an index.
  mutating func attributes(of way: UsableWay, exit: UInt32, exitDestination: UInt32, isToll: Bool) -> UInt32 {
    var traits = way.traits
    if isToll { traits.insert(.toll) }
    let row = StreetAttributes(
      name: index(ofName: way.name), ref: index(ofName: way.ref),
      destination: exitDestination != 0 ? exitDestination : index(ofName: way.destination), exit: exit, kind: way.kind,
      roadClass: way.roadClass, traits: traits, snapPenalty: UInt16(min(way.snapPenalty.rounded(), 60_000)),
      waiting: UInt16(min(((way.boarding?.seconds ?? 0) / 60).rounded(), 60_000)))
    return UInt32(internedAttributes.index(of: row))
  }

  mutating func index(ofName name: String) -> UInt32 { name.isEmpty ? 0 : UInt32(internedNames.index(of: name)) }

  /// Returns the index of a closing's text, which is empty for an object that never closes.
  mutating func index(ofClosing text: String) -> UInt32 {
    let index = index(ofName: text)
    if !text.isEmpty, Closing(text)?.isClosed(at: nil) == true { closedWithoutDate.insert(index) }
    return index
  }

  private mutating func note(_ tag: String, of kind: UnreadableTag.Kind, _ id: Int64) {
    unreadable.append(UnreadableTag(id: id, kind: kind, tag: index(ofName: tag)))
  }

  /// Frees node coordinates, which are no longer needed once streets are known.
  mutating func releasePoints() { (points, passages) = ([], []) }

  /// Frees the ways, which are no longer needed once restricted turns are known.
  mutating func releaseWays() { (ways, wayNodes) = ([], []) }

  /// Frees the nodes, which are no longer needed once turns are known.
  mutating func releaseNodes() { nodeIndex = NodeIndex() }

  /// The IDs of the nodes, sorted.
  var nodeIDs: [Int64] { nodeIndex.ids }

  var names: [String] { internedNames.values }
  var attributes: [StreetAttributes] { internedAttributes.values }

  /// Returns the index of a node among the nodes of the ways; nil for other nodes.
  func index(ofNode id: Int64) -> UInt32? { nodeIndex[id].map(UInt32.init) }
}

/// The time for passing a node, and the direction of travel along its way in which it applies; nil if not tagged.
struct PointDelay {
  var milliseconds: UInt32
  var direction: Direction?
  /// Whether the node is a sign, which applies to the minor road or toward the nearer junction.
  var isSign: Bool
  /// Whether the node is a traffic signal, including one at a crossing.
  var isSignal: Bool

  init(milliseconds: UInt32, _ tags: Tags) {
    self.milliseconds = milliseconds
    direction = (tags["traffic_signals:direction"] ?? tags["direction"]).flatMap(Direction.init)
    let highway = tags["highway"]
    isSign =
      (highway == "stop" || highway == "give_way") && tags["stop"] != "all" && tags["direction"] != "both"
    isSignal =
      highway == "traffic_signals" || tags["crossing"] == "traffic_signals" || tags["crossing:signals"] == "yes"
  }
}

extension OSMImport {
  /// Keeps the restrictions whose ways are all used. Restrictions on ways of other transport types do not apply.
  mutating func selectRestrictions(seen: inout [Int64]) {
    let wanted = Set(restrictions.flatMap(\.wayIDs))
    let seenAndWanted = Set(seen.lazy.filter(wanted.contains))
    seen = []
    for (index, way) in ways.enumerated() where wanted.contains(way.id) { restrictedWays[way.id] = index }
    restrictions = restrictions.compactMap { restriction in
      if let usable = restriction.keeping({ restrictedWays[$0] != nil }) { return usable }
      let unusable = restriction.wayIDs.filter { restrictedWays[$0] == nil }
      if unusable.allSatisfy(seenAndWanted.contains) {
        counts.restrictions.others += 1
      } else {
        counts.restrictions.broken += 1
      }
      return nil
    }
  }
}
