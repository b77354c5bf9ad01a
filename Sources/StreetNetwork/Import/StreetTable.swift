import Geography
import Hierarchy

/// Streets and junctions as plain tables, sorted along a Hilbert curve: neighbours have similar indices.
struct StreetTable: Sendable {
  private(set) var streets: [Street] = []
  /// The points of all streets, including both ends, street by street.
  private(set) var points: [FixedCoordinate] = []
  /// The OpenStreetMap node ID of each point.
  private(set) var pointNodes: [Int64] = []
  private(set) var junctionCount = 0
  /// The number of streets longer than 2,684 km or 198 hours, which weights cannot represent.
  private(set) var tooLongCount = 0
  /// Properties of each street that are needed only during the build.
  private(set) var delays: [(head: UInt32, tail: UInt32)] = []
  private(set) var ways: [(tail: UInt32, head: UInt32)] = []
  private(set) var hours: [PieceTimes] = []
  /// For each street, the number of junctions in its strongly connected component: few on an island.
  private(set) var componentSizes: [UInt32] = []
  /// For each junction of the pieces, its index in this table.
  let junctionIndices: [UInt32]

  /// The parts of all streets, street by street, and the index of each street's first, then the number of all.
  private(set) var parts: [StreetParts.Record] = []
  private(set) var firstPart: [UInt32] = [0]
  /// The climb of each street, the elevation of each point in centimetres, and the samples between points, with the
  /// index of each street's first; empty without a DEM.
  private(set) var climbs: [Climb] = []
  private(set) var heights: [Int32] = []
  private(set) var firstSample: [UInt32] = []
  private(set) var samples: [Int32] = []

  init(
    _ chains: Chains, junctionCount: Int, of map: OSMImport, avoiding avoids: Profile.Avoidance, on terrain: Terrain?,
    workers: Int
  ) throws {
    let (indices, count) = hilbertOrder(of: chains, junctionCount: junctionCount, map)
    let keys = (0..<chains.count).map { chain in
      let (first, last) = chains.ends(of: chain)
      return UInt64(indices[Int(first.tail)]) << 32 | UInt64(indices[Int(last.head)])
    }
    let order = (0..<UInt32(chains.count)).sorted { (keys[Int($0)], $0) < (keys[Int($1)], $1) }
    // Only one thread may read elevations.
    let shares = workers > 1 && terrain == nil ? order.shares(workers * 4) : [order[...]]
    if shares.count > 1 {
      let tables = inParallel(shares, workers: workers) { StreetTable($0, of: chains, indices, map, slopes: nil) }
      self = tables[0]
      for table in tables.dropFirst() { append(table) }
    } else {
      self = try StreetTable(
        order[...], of: chains, indices, map,
        slopes: terrain.map { terrain in { try terrain.slopes(along: $0, $1, of: map) } })
    }
    self.junctionCount = count
    if let terrain { heights = pointNodes.map { terrain.centimetres(at: map.index(ofNode: $0)!) } }
    let attributes = map.attributes
    markComponents(map.closedWithoutDate, workers) { street in
      let traits = attributes[Int(street.attributes)].traits
      return !traits.contains(.private)
        && (avoids.contains(.tolls) && traits.contains(.toll)
          || avoids.contains(.highways) && traits.contains(.motorway))
    }
  }

  /// Returns the ends of all streets by junction, and stores their indices in the streets.
  mutating func makeEnds() -> StreetEnds {
    let ends = StreetEnds(&streets, junctionCount: junctionCount)
    for index in streets.indices where streets[index].centimetres < 10_00 && !streets[index].flags.contains(.gate) {
      for isReversed in [false, true] {
        guard let line = continued(DirectedStreet(StreetID(index), isReversed: isReversed), ends) else { continue }
        let heading = StreetTable.heading(ofDegrees: line[...].initialHeading)
        if isReversed { streets[index].headHeading = heading &+ 0x8000 } else { streets[index].tailHeading = heading }
      }
    }
    return ends
  }

  /// Returns the points of a street of a few metres, such as that from a junction to its stop line, and of the only
  /// street that continues it; nil if there is none.
  private func continued(_ street: DirectedStreet, _ ends: StreetEnds) -> [FixedCoordinate]? {
    let junction = streets.end(of: street).junction
    guard junction != streets.start(of: street).junction, ends.count(at: junction) == 2 else { return nil }
    let next = ends[junction].first { $0.street != street.street }
    return next.map { line(of: street) + line(of: $0) }
  }

  private func line(of street: DirectedStreet) -> [FixedCoordinate] {
    let line = points[streets.shape(of: Int(street.street.index), points.count)]
    return street.isReversed ? line.reversed() : Array(line)
  }

  /// Returns a heading in the unit of `Street`.
  static func heading(ofDegrees degrees: Double) -> UInt16 {
    UInt16(truncatingIfNeeded: Int((degrees / 360 * 65_536).rounded()))
  }

  /// Marks streets that are reachable only via access-restricted streets (a park behind a gate) as access-restricted as
  /// well. In each component, the streets reachable only in this way are those outside the largest part that is
  /// connected without access-restricted streets. Streets that are connected with this part in one direction without
  /// access-restricted streets are restricted for trips in the other direction only.
  private mutating func markComponents(_ closed: Set<UInt32>, _ workers: Int, isAvoided: (Street) -> Bool) {
    let ((whole, counted), open) = inParallel(workers: workers) {
      let whole = StrongComponents(graph(closed) { _ in true })
      return (whole, sizes(of: whole))
    } _: { [self] in
      StrongComponents(graph(closed) { !$0.flags.contains(.endsOnly) })
    }
    componentSizes = counted
    let isMain = mainParts(open, of: whole)
    // Avoided streets first: a private street stays closed to through traffic where a toll road leads.
    openOnlyLinks(whole, open, isMain, closed, where: isAvoided)
    openOnlyLinks(whole, open, isMain, closed) { _ in true }
    let isAtTimes = streets.contains { $0.flags.contains(.endsOnlyAtTimes) }
    guard isAtTimes || isMain.contains(false) else { return }
    let isOpen = { (street: Street) in street.flags.isDisjoint(with: [.endsOnly, .endsOnlyAtTimes]) }
    let parts = isAtTimes ? StrongComponents(graph(closed, of: isOpen)) : open
    let isAlwaysMain = isAtTimes ? zip(isMain, mainParts(parts, of: whole)).map { $0 && $1 } : isMain
    let free = graph(closed) { isOpen($0) && whole.ofState[Int($0.tail)] == whole.ofState[Int($0.head)] }
    let main = isAlwaysMain.indices.filter { isAlwaysMain[$0] }
    let (reached, reaching) = (reachable(from: main, free), reachable(from: main, free.reversed()))
    /// Returns the restriction of a street outside the main part.
    func restriction(_ street: Street) -> StreetFlags {
      guard isOpen(street) else { return .endsOnly }
      func areAll(_ isMarked: [Bool], _ forward: UInt32, _ backward: UInt32) -> Bool {
        (!street.isOpen(isReversed: false) || isMarked[Int(forward)])
          && (!street.isOpen(isReversed: true) || isMarked[Int(backward)])
      }
      var flags: StreetFlags = []
      if !areAll(reached, street.tail, street.head) { flags.insert(.restrictedEntry) }
      if !areAll(reaching, street.head, street.tail) { flags.insert(.restrictedExit) }
      return flags
    }
    for index in streets.indices where !isMain[Int(streets[index].tail)] || !isMain[Int(streets[index].head)] {
      streets[index].flags.formUnion(restriction(streets[index]))
      if streets[index].flags.contains(.endsOnly) { streets[index].flags.makeEndsOnly() }
    }
    if isAtTimes { markPartsAtTimes(parts, of: whole, restriction) }
  }

  /// Opens restricted streets that lead from one component to another and never back, with the boarding of ferries
  /// among them, to through traffic where no other streets lead from one large part of the map to another.
  private mutating func openOnlyLinks(
    _ whole: StrongComponents, _ open: StrongComponents, _ isMain: [Bool], _ closed: Set<UInt32>,
    where isIncluded: (Street) -> Bool
  ) {
    let restricted = streets.indices.filter { streets[$0].flags.contains(.endsOnly) && isIncluded(streets[$0]) }
    let links = restricted.filter { whole.ofState[Int(streets[$0].tail)] != whole.ofState[Int(streets[$0].head)] }
    guard !links.isEmpty else { return }
    // A part with a single junction is a bend in a one-way road, which no trip needs to reach.
    let limit = max(2, min(1_000, (open.sizes.max() ?? 0) / 50))
    let large = (0..<junctionCount).filter { isMain[$0] && open.sizes[Int(open.ofState[$0])] >= limit }
    let parts = linkedParts(Dictionary(grouping: large) { whole.ofState[$0] }, of: whole)
    guard !parts.isEmpty else { return }
    let (all, free) = (graph(closed) { _ in true }, graph(closed) { !$0.flags.contains(.endsOnly) })
    let reversed = all.reversed()
    var linked: Set<UInt32> = []
    for part in parts {
      let (reached, freelyReached) = (reachable(from: part, all), reachable(from: part, free))
      let reaching = reachable(from: large.filter { reached[$0] && !freelyReached[$0] }, reversed)
      for index in links {
        let isForward = streets[index].flags.contains(.forward)
        let (tail, head) = (streets[index].tail, streets[index].head)
        guard reached[Int(isForward ? tail : head)], reaching[Int(isForward ? head : tail)] else { continue }
        streets[index].flags.remove(.endsOnly)
        linked.formUnion([tail, head])
      }
    }
    // The pieces of a gate meet in its centre: the first at the link, then the others.
    for _ in 0..<2 {
      let gates = restricted.filter {
        streets[$0].flags.contains(.gate) && (linked.contains(streets[$0].tail) || linked.contains(streets[$0].head))
      }
      for index in gates {
        streets[index].flags.remove(.endsOnly)
        linked.formUnion([streets[index].tail, streets[index].head])
      }
    }
  }

  /// Returns the parts from which streets lead to another part's component; most maps have none.
  ///
  /// - Parameter parts: The junctions of the largest part of some components.
  private func linkedParts(_ parts: [UInt32: [Int]], of whole: StrongComponents) -> [[Int]] {
    var next: [UInt32: Set<UInt32>] = [:]
    for street in streets {
      let (tail, head) = (whole.ofState[Int(street.tail)], whole.ofState[Int(street.head)])
      guard tail != head else { continue }
      if street.flags.contains(.forward) { next[tail, default: []].insert(head) }
      if street.flags.contains(.backward) { next[head, default: []].insert(tail) }
    }
    return parts.filter { component, _ in
      var (reached, open) = (Set([component]), [component])
      while let last = open.popLast() {
        for component in next[last] ?? [] where reached.insert(component).inserted {
          if parts[component] != nil { return true }
          open.append(component)
        }
      }
      return false
    }.map(\.value)
  }

  /// Marks streets that are reachable only via streets with access restrictions at certain times. If all restricted
  /// streets around a part have the same times, its streets get those times. Otherwise its streets are open at all
  /// times, to through traffic and to trips that start or end there. Streets that are always connected with the main
  /// part in one direction are restricted for trips in the other direction, at all times.
  private mutating func markPartsAtTimes(
    _ parts: StrongComponents, of whole: StrongComponents, _ restriction: (Street) -> StreetFlags
  ) {
    let isMain = mainParts(parts, of: whole)
    var around: [UInt32: Set<[UInt32]>] = [:]
    for (street, times) in zip(streets, hours) where street.flags.contains(.endsOnlyAtTimes) {
      for junction in [Int(street.tail), Int(street.head)] where !isMain[junction] {
        for times in [times.forward, times.backward] where times.isRestrictedAtTimes {
          around[UInt32(parts.ofState[junction]), default: []].insert([times.closingAsThrough, times.closingAsEnds])
        }
      }
    }
    for (index, street) in streets.enumerated() where street.flags.isDisjoint(with: [.endsOnly, .endsOnlyAtTimes]) {
      guard let junction = [Int(street.tail), Int(street.head)].first(where: { !isMain[$0] }) else { continue }
      let flags = restriction(street)
      guard flags.contains(.endsOnly) else {
        streets[index].flags.formUnion(flags)
        continue
      }
      streets[index].flags.insert(.endsOnlyAtTimes)
      guard let times = around[UInt32(parts.ofState[junction])], times.count == 1, let only = times.first else {
        continue
      }
      (hours[index].forward.closingAsThrough, hours[index].forward.closingAsEnds) = (only[0], only[1])
      (hours[index].backward.closingAsThrough, hours[index].backward.closingAsEnds) = (only[0], only[1])
    }
  }

  /// Returns whether each junction is in the largest part of its component.
  private func mainParts(_ parts: StrongComponents, of whole: StrongComponents) -> [Bool] {
    var main: [UInt32: UInt32] = [:]
    for junction in 0..<junctionCount {
      let (component, part) = (whole.ofState[junction], parts.ofState[junction])
      guard let known = main[component] else {
        main[component] = part
        continue
      }
      let (size, knownSize) = (parts.sizes[Int(part)], parts.sizes[Int(known)])
      if (size, known) > (knownSize, part) { main[component] = part }
    }
    return (0..<junctionCount).map { main[whole.ofState[$0]] == parts.ofState[$0] }
  }

  /// Returns the number of junctions in each street's component. Junctions are counted by node: a gate, or the boarding
  /// of a ferry, has several at one node. A street between two components gets the size of the smaller one.
  private func sizes(of components: StrongComponents) -> [UInt32] {
    var nodes = [(node: Int64, component: UInt32)?](repeating: nil, count: junctionCount)
    for (index, street) in streets.enumerated() {
      let shape = streets.shape(of: index, pointNodes.count)
      for (junction, point) in [(Int(street.tail), shape.lowerBound), (Int(street.head), shape.upperBound - 1)] {
        nodes[junction] = (pointNodes[point], UInt32(components.ofState[junction]))
      }
    }
    let sorted = nodes.compactMap(\.self).sorted { ($0.component, $0.node) < ($1.component, $1.node) }
    var sizes = [UInt32](repeating: 0, count: components.sizes.count)
    for (index, entry) in sorted.enumerated() where index == 0 || sorted[index - 1] != entry {
      sizes[Int(entry.component)] += 1
    }
    return streets.map { street in
      min(sizes[Int(components.ofState[Int(street.tail)])], sizes[Int(components.ofState[Int(street.head)])])
    }
  }

  /// Returns a graph with the junctions as states and the included streets as arcs, in the directions that are open
  /// without a time.
  private func graph(_ closed: Set<UInt32>, of isIncluded: (Street) -> Bool) -> ArcGraph {
    var arcs: [ArcGraph.Arc] = []
    arcs.reserveCapacity(streets.count * 2)
    let any = Weight(milliseconds: 1, centimetres: 0)
    for (index, street) in streets.enumerated() where isIncluded(street) {
      func isClosed(_ isReversed: Bool) -> Bool { closed.contains(hours[index][isReversed: isReversed].closing) }
      let (tail, head) = (StateID(street.tail), StateID(street.head))
      if street.flags.contains(.forward) && !isClosed(false) { arcs.append(.init(from: tail, to: head, weight: any)) }
      if street.flags.contains(.backward) && !isClosed(true) { arcs.append(.init(from: head, to: tail, weight: any)) }
    }
    return ArcGraph(stateCount: junctionCount, arcs: arcs)
  }
}

/// Returns the index of each junction in the order of a Hilbert curve over the map, `UInt32.max` for junctions without
/// chains, and the number of junctions with chains.
private func hilbertOrder(
  of chains: Chains, junctionCount: Int, _ map: OSMImport
) -> (indices: [UInt32], count: Int) {
  var points = [FixedCoordinate?](repeating: nil, count: junctionCount)
  for chain in 0..<chains.count {
    let (first, last) = chains.ends(of: chain)
    points[Int(first.tail)] = map.points[Int(chains.list.tailNode(of: first))]
    points[Int(last.head)] = map.points[Int(chains.list.headNode(of: last))]
  }
  let sorted = HilbertIndex.order(of: points).filter { points[$0] != nil }
  var indices = [UInt32](repeating: .max, count: points.count)
  for (index, junction) in sorted.enumerated() { indices[junction] = UInt32(index) }
  return (indices, sorted.count)
}

extension StreetTable {
  /// Creates the rows of some consecutive chains.
  ///
  /// - Parameters:
  ///   - junctions: For each junction of the pieces, its index in the table.
  ///   - slopes: Returns the slopes along nodes, given their parts; nil without a DEM.
  private init(
    _ order: ArraySlice<UInt32>, of chains: Chains, _ junctions: [UInt32], _ map: OSMImport,
    slopes: (([UInt32], [PiecePart]) throws -> Terrain.Slopes)?
  ) rethrows {
    junctionIndices = junctions
    parts.reserveCapacity(order.count)
    firstPart.reserveCapacity(order.count + 1)
    streets.reserveCapacity(order.count + 1)
    delays.reserveCapacity(order.count)
    ways.reserveCapacity(order.count)
    hours.reserveCapacity(order.count)
    let share = order.count == chains.count ? chains.nodeCount : 0
    points.reserveCapacity(share)
    pointNodes.reserveCapacity(share)
    let (positions, nodeIDs) = (map.points, map.nodeIDs)
    var (nodes, pieceParts, shape): ([UInt32], [PiecePart], [FixedCoordinate]) = ([], [], [])
    for chain in order.lazy.map({ Int($0) }) {
      let piece = chains.whole(chain)
      chains.get(chain, &nodes, &pieceParts)
      shape.removeAll(keepingCapacity: true)
      for node in nodes { shape.append(positions[Int(node)]!) }
      // A gate has no length, but its arc takes at least a millisecond, since arcs that take no time have no closing
      // times.
      let isGate = piece.flags.contains(.gate)
      let metres = isGate ? 0 : shape[...].length
      let slope = isGate ? nil : try slopes?(nodes, pieceParts)
      // A pushed bicycle has the same speed on every slope.
      let ahead = piece.flags.contains(.pushedForward) ? 1 : slope?.forward ?? 1
      let back = piece.flags.contains(.pushedBackward) ? 1 : slope?.backward ?? 1
      let forward = StreetTable.milliseconds(metres * ahead, piece.forwardSpeed, piece.forwardWait)
      let backward = StreetTable.milliseconds(metres * back, piece.backwardSpeed, piece.backwardWait)
      guard metres * 100 < Double(Weight.arcLimit), max(forward, backward) < StreetTable.maximumMilliseconds else {
        tooLongCount += 1
        continue
      }
      streets.append(
        Street(
          tail: junctions[Int(piece.tail)], head: junctions[Int(piece.head)], firstPoint: UInt32(points.count),
          attributes: piece.attributes, forwardMilliseconds: UInt32(forward), backwardMilliseconds: UInt32(backward),
          centimetres: UInt32((metres * 100).rounded()),
          tailHeading: piece.heading ?? StreetTable.heading(ofDegrees: shape[...].initialHeading),
          headHeading: piece.heading ?? StreetTable.heading(ofDegrees: shape[...].reversedHeading) &+ 0x8000,
          tailEnd: 0, headEnd: 0, flags: piece.flags))
      points += shape
      for node in nodes { pointNodes.append(nodeIDs[Int(node)]) }
      if slopes != nil {
        climbs.append(slope?.climb ?? Climb())
        firstSample.append(UInt32(samples.count))
        samples += slope?.samples ?? []
      }
      delays.append((piece.headDelay, piece.tailDelay))
      let ends = chains.ends(of: chain)
      ways.append((ends.first.way, ends.last.way))
      appendParts(isGate ? [] : pieceParts, of: map)
      hours.append(piece.times)
    }
  }

  /// The maximum time of a street in milliseconds, enough for a week-long crossing with boarding; the rest of the
  /// range is for turns with all delays of a profile.
  private static let maximumMilliseconds = Double(Weight.arcTimeLimit) * 2 / 3

  /// Returns the time for a length, plus waiting; 0 if the street is not used in that direction.
  private static func milliseconds(_ metres: Double, _ speed: Double, _ wait: UInt32) -> Double {
    speed > 0 ? max(1, (metres / speed * 1000).rounded() + Double(wait)) : 0
  }

  /// Appends the parts of a street; merges successive parts that continue along the same way.
  private mutating func appendParts(_ pieces: [PiecePart], of map: OSMImport) {
    var point: UInt32 = 0
    var last: PiecePart?
    for part in pieces {
      if last?.continues(in: part, on: map) != true {
        parts.append(.init(way: map.ways[Int(part.way)].id, firstPoint: point, flags: part.isReversed ? 1 : 0))
      }
      point += part.segments
      last = part
    }
    firstPart.append(UInt32(parts.count))
  }

  /// Appends the rows of the next share. With a DEM there is only one share, so neither has climbs or samples.
  private mutating func append(_ other: StreetTable) {
    for var street in other.streets {
      street.firstPoint += UInt32(points.count)
      streets.append(street)
    }
    points += other.points
    pointNodes += other.pointNodes
    delays += other.delays
    ways += other.ways
    hours += other.hours
    for end in other.firstPart.dropFirst() { firstPart.append(UInt32(parts.count) + end) }
    parts += other.parts
    tooLongCount += other.tooLongCount
  }
}

/// The parts of all streets, street by street, in the format of the network file.
struct StreetParts: Sendable {
  /// The index of each street's first part, then the total number of parts.
  let first: Column<UInt32>
  let records: Column<Record>

  /// The record has no padding, since it is written as bytes.
  struct Record: Sendable, BitwiseCopyable {
    var way: Int64
    /// An index within the street's shape.
    var firstPoint: UInt32
    var flags: UInt32

    var isReversed: Bool { flags & 1 == 1 }
  }
}
