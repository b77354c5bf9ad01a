import Geography
import Hierarchy

/// Cuts ways into pieces wherever they meet one another or themselves, end, or have a relevant node: a barrier, a
/// signal, the end of a turn restriction.
///
/// An impassable node has one junction per piece that ends there, so that no path leads through it. The same applies to
/// a gate with restricted access or closing times; its junctions are joined by streets of zero length with the same
/// restriction or closing times:
///
///     ───piece──A  gate  C  gate  B──piece───
///
/// A ferry has separate junctions where it meets the shore, joined to the streets' junctions by boarding pieces
/// (`FerryTerminals`).
struct Pieces {
  private(set) var list: PieceList
  var junctionCount: Int { isPinned.count }
  /// For each junction, whether streets end there even if a similar street continues.
  private(set) var isPinned: [Bool] = []
  /// The junction of each node at which ways meet or are cut; the maximum value if there is none, or several.
  private(set) var junctions: [UInt32]
  private let isCut: [Bool]
  private let isIntersection: [Bool]
  private let pinnedNodes: Set<UInt32>
  /// For each node, whether passing it may take time.
  private let hasDelay: [Bool]
  private let avoidsTolls: Bool
  private var terminals: FerryTerminals

  init(_ map: inout OSMImport, avoidsTolls: Bool) {
    self.avoidsTolls = avoidsTolls
    let runs = WayRuns(map)
    list = PieceList(nodes: runs.nodes)
    var uses = [UInt8](repeating: 0, count: map.points.count)
    for run in runs.bounds {
      for node in runs.nodes[run] { uses[Int(node)] = min(uses[Int(node)] + 1, 2) }
      uses[Int(runs.nodes[run.lowerBound])] = 2
      uses[Int(runs.nodes[run.upperBound - 1])] = 2
    }
    junctions = Array(repeating: .max, count: map.points.count)
    isIntersection = uses.map { $0 == 2 }
    pinnedNodes = map.pinnedNodes
    var isCut = uses.indices.map { uses[$0] == 2 || map.passages[$0] != .open }
    for node in pinnedNodes { isCut[Int(node)] = true }
    self.isCut = isCut
    var hasDelay = [Bool](repeating: false, count: map.points.count)
    for node in map.crossings.keys { hasDelay[Int(node)] = true }
    for node in map.delays.keys { hasDelay[Int(node)] = true }
    self.hasDelay = hasDelay
    terminals = FerryTerminals(map, runs)
    list.pieces.reserveCapacity(
      runs.bounds.reduce(0) { $0 + runs.nodes[$1].dropFirst().count { isCut[Int($0)] } } * 33 / 32)
    var gates: [UInt32: [Piece]] = [:]
    for (index, way) in map.ways.enumerated() {
      var duration: Double?
      if let seconds = way.rules.duration {
        let length = runs.bounds(ofWay: index).reduce(0) {
          $0 + Polyline(points: map.points(of: runs.nodes[$1])).length
        }
        duration = max(1e-6, length / seconds)
      }
      // A lift mapped as an area takes its full time between any two adjacent entrances.
      let nodes = map.wayNodes[way.nodes]
      let isOutline = !way.rules.kind.isVehicle && nodes.first == nodes.last
      var known: SharedProperties?
      for run in runs.bounds(ofWay: index) {
        var start = run.lowerBound
        for end in start + 1..<run.upperBound where isCut[Int(runs.nodes[end])] {
          // A ferry that the extract cuts off has no landing at the cut.
          guard !isCutOff(start...end, of: run, way, map) else {
            start = end
            continue
          }
          if isOutline, let seconds = way.rules.duration {
            duration = max(1e-6, Polyline(points: map.points(of: runs.nodes[start...end])).length / seconds)
          }
          let piece = piece(start...end, of: run, index, way, duration, &known, &map)
          list.pieces.append(piece)
          for (node, arriving) in [(runs.nodes[start], piece.reversed), (runs.nodes[end], piece)] {
            if terminals.separates(way, at: node) {
              terminals.add(arriving, way, at: node)
            } else if isGate(node, map) {
              gates[node, default: []].append(arriving)
            }
          }
          start = end
        }
      }
    }
    for terminal in terminals.used {
      let shore = terminal.isBoarded ? junction(at: terminal.node, isForPaths: false, map) : nil
      guard let shore, let first = terminal.first else { continue }
      // Travellers who change between two lines without names pass the junction and board again.
      isPinned[Int(shore)] = true
      // Leaving a ferry takes no time.
      var piece = pointPiece(atHeadOf: first, to: shore, map)
      piece.tail = terminal.junction
      piece.flags.subtract([.endsOnly, .endsOnlyAtTimes])
      piece.times = PieceTimes()
      if !terminal.isOpen { piece.flags.insert(.endsOnly) }
      piece.backwardWait = UInt32(min((terminal.boarding * 1000).rounded(), Double(UInt32.max)))
      list.pieces.append(piece)
      if isGate(terminal.node, map) { gates[terminal.node, default: []].append(piece) }
    }
    for (node, ends) in gates.sorted(by: { $0.key < $1.key }) where ends.count > 1 {
      addGate(ends, at: node, isEndsOnly: map.passages[Int(node)] == .endsOnly, map)
    }
    resolveSigns(map)
    joinSignals(map)
  }

  /// Returns whether a piece of a ferry or train ends where the rest of its way is missing from the file, and
  /// travellers cannot board or alight there.
  private func isCutOff(_ range: ClosedRange<Int>, of run: Range<Int>, _ way: OSMImport.Way, _ map: OSMImport) -> Bool {
    guard way.rules.boarding != nil else { return false }
    let (first, last) = (map.wayNodes[way.nodes.lowerBound], map.wayNodes[way.nodes.upperBound - 1])
    let (start, end) = (list.nodes[range.lowerBound], list.nodes[range.upperBound])
    return range.lowerBound == run.lowerBound && start != first && !terminals.separates(way, at: start)
      || range.upperBound == run.upperBound - 1 && end != last && !terminals.separates(way, at: end)
  }

  /// Returns the piece between two positions of a run.
  private mutating func piece(
    _ range: ClosedRange<Int>, of run: Range<Int>, _ index: Int, _ way: OSMImport.Way, _ duration: Double?,
    _ known: inout SharedProperties?, _ map: inout OSMImport
  ) -> Piece {
    let rules = way.rules
    let (start, end) = (range.lowerBound, range.upperBound)
    let (tail, head) = (list.nodes[start], list.nodes[end])
    let isToll = !map.tolls.isEmpty && list.nodes[range].contains(where: map.tolls.contains)
    let isLink = rules.traits.contains(.link)
    let sign = isLink ? map.exits[rules.forward != nil ? tail : head] : nil
    let number = sign?.number ?? 0
    let exit = number == 0 && isLink ? map.index(ofName: rules.exit) : number
    let isOneway = rules.forward == nil || rules.backward == nil
    let exitDestination = isOneway && rules.destination.isEmpty ? sign?.destination ?? 0 : 0
    var flags = rules.flags
    if way.id == 0 { flags.insert(.unsnapped) }
    if isToll && avoidsTolls { flags.makeEndsOnly() }
    // Almost all pieces of a way have the same attributes.
    if known?.exit != exit || known?.exitDestination != exitDestination || known?.isToll != isToll {
      let attributes = map.attributes(of: rules, exit: exit, exitDestination: exitDestination, isToll: isToll)
      known = (exit, exitDestination, isToll, attributes, known?.times ?? map.times(of: rules.times))
    }
    return Piece(
      tail: junction(at: tail, of: way, map), head: junction(at: head, of: way, map),
      firstNode: UInt32(start), nodeCount: UInt32(range.count), way: UInt32(index),
      attributes: known!.attributes, flags: flags,
      forwardSpeed: rules.forward.map { duration ?? $0.metresPerSecond } ?? 0,
      backwardSpeed: rules.backward.map { duration ?? $0.metresPerSecond } ?? 0,
      headDelay: delay(at: end, of: run, .forward, map), tailDelay: delay(at: start, of: run, .backward, map),
      times: known!.times)
  }

  /// The properties that are common to a way's pieces with the same exit and toll.
  private typealias SharedProperties = (
    exit: UInt32, exitDestination: UInt32, isToll: Bool, attributes: UInt32, times: PieceTimes
  )

  private func isGate(_ node: UInt32, _ map: OSMImport) -> Bool {
    [.endsOnly, .gated].contains(map.passages[Int(node)])
  }

  /// Returns the junction at which a way ends at a node.
  private mutating func junction(at node: UInt32, of way: OSMImport.Way, _ map: OSMImport) -> UInt32 {
    guard terminals.separates(way, at: node) else {
      return junction(at: node, isForPaths: way.rules.roadClass >= .path, map)
    }
    if let known = terminals.junction(of: way, at: node) { return known }
    let junction = newJunction(isPinned: true)
    terminals.add(junction, way, at: node)
    return junction
  }

  private mutating func junction(at node: UInt32, isForPaths: Bool, _ map: OSMImport) -> UInt32 {
    let isPassed =
      switch map.passages[Int(node)] {
      case .open: true
      // A closed crossing stops pedestrians on paths that cross the road, but not traffic along the road.
      case .closedAcross: !isForPaths
      case .endsOnly, .gated, .closed: false
      }
    guard junctions[Int(node)] == .max || !isPassed else { return junctions[Int(node)] }
    let junction = newJunction(isPinned: !isPassed || pinnedNodes.contains(node))
    if isPassed { junctions[Int(node)] = junction }
    return junction
  }

  private mutating func newJunction(isPinned pinned: Bool) -> UInt32 {
    isPinned.append(pinned)
    return UInt32(isPinned.count - 1)
  }

  /// Moves the list out, so that it can be freed once its pieces are joined.
  mutating func takeList() -> PieceList {
    defer { list = PieceList(nodes: []) }
    return list
  }

  /// Joins the heads of `ends` with gates.
  private mutating func addGate(_ ends: [Piece], at node: UInt32, isEndsOnly: Bool, _ map: OSMImport) {
    let centre = newJunction(isPinned: true)
    let times = map.gates[node] ?? DirectionTimes(all: 0)
    // Between ways drawn toward each other, or more than two, a direction has no meaning.
    let hasDirection = ends.count == 2 && ends[0].isReversed != ends[1].isReversed
    for end in ends {
      var gate = pointPiece(atHeadOf: end, to: centre, map)
      if times.isRestrictedAtTimes {
        if !gate.flags.contains(.endsOnly) { gate.flags.insert(.endsOnlyAtTimes) }
        gate.times = PieceTimes(forward: times, backward: times)
      } else {
        (gate.times.forward.closing, gate.times.backward.closing) = (times.closing, times.closing)
      }
      if isEndsOnly { gate.flags.makeEndsOnly() }
      if hasDirection, let direction = map.gateDirections[node] {
        gate.flags.remove((direction == .forward) != end.isReversed ? .backward : .forward)
      }
      list.pieces.append(gate)
    }
  }

  /// Returns a piece of zero length from the head of `end` to a junction at the same place, with the access
  /// restrictions of `end`.
  private mutating func pointPiece(atHeadOf end: Piece, to junction: UInt32, _ map: OSMImport) -> Piece {
    var flags = end.flags.subtracting([.pushedForward, .pushedBackward])
    flags.formUnion([.forward, .backward, .gate])
    let heading = map.points(of: list.nodes(of: end.reversed))[...].initialHeading + 180
    let node = list.headNode(of: end)
    list.nodes += [node, node]
    var times = end.times
    (times.forward.closing, times.forward.limits, times.backward.closing, times.backward.limits) = (0, 0, 0, 0)
    return Piece(
      tail: end.head, head: junction, firstNode: UInt32(list.nodes.count - 2), nodeCount: 2, way: end.way,
      attributes: end.attributes, flags: flags, forwardSpeed: 1, backwardSpeed: 1, headDelay: 0, tailDelay: 0,
      times: times, heading: StreetTable.heading(ofDegrees: heading))
  }

  // MARK: Delays

  private static let sign: UInt32 = 1 << 31
  private static let crossing: UInt32 = 1 << 30

  /// Returns the delay for passing the node at a position of a run in `direction`.
  private func delay(at position: Int, of run: Range<Int>, _ direction: Direction, _ map: OSMImport) -> UInt32 {
    let node = list.nodes[position]
    guard hasDelay[Int(node)] else { return 0 }
    guard map.crossings[node] == nil else { return Pieces.crossing }
    guard let delay = map.delays[node] else { return 0 }
    if let signDirection = delay.direction { return signDirection == direction ? delay.milliseconds : 0 }
    guard delay.isSign else { return delay.milliseconds }
    guard !isIntersection[Int(node)] else { return delay.milliseconds | Pieces.sign }
    // A sign just before a junction applies in the direction of that junction.
    let ahead = metres(from: position, along: run, by: 1, map)
    let behind = metres(from: position, along: run, by: -1, map)
    return (direction == .forward) == (ahead <= behind) ? delay.milliseconds : 0
  }

  /// Returns the distance in metres from a node of a run to the next node where streets meet.
  private func metres(from position: Int, along run: Range<Int>, by step: Int, _ map: OSMImport) -> Double {
    var (at, metres) = (position, 0.0)
    while run.contains(at + step) {
      metres += map.points[Int(list.nodes[at])]!.distance(to: map.points[Int(list.nodes[at + step])]!)
      at += step
      if isIntersection[Int(list.nodes[at])] { break }
    }
    return metres
  }

  /// Resolves signs and crossings. A sign at a junction applies only to the minor streets, if the streets differ in
  /// class. A crossing delays travellers who reach a road along a path.
  private mutating func resolveSigns(_ map: OSMImport) {
    let attributes = map.attributes
    var largest = [RoadClass](repeating: .other, count: junctionCount)
    var smallest = [RoadClass](repeating: .motorway, count: junctionCount)
    for piece in list.pieces {
      let roadClass = attributes[Int(piece.attributes)].roadClass
      for junction in [Int(piece.tail), Int(piece.head)] {
        largest[junction] = min(largest[junction], roadClass)
        smallest[junction] = max(smallest[junction], roadClass)
      }
    }
    func resolved(_ delay: UInt32, _ junction: UInt32, _ node: UInt32, _ roadClass: RoadClass) -> UInt32 {
      if delay == Pieces.crossing, let crossing = map.crossings[node], let rules = map.crossingRules {
        let isPath = [.livingStreet, .track, .path, .other].contains(roadClass)
        let road = largest[Int(junction)]
        return isPath ? rules.wait(at: crossing, of: road < roadClass ? road : nil) : 0
      }
      guard delay & Pieces.sign != 0 else { return delay }
      let isMajor = roadClass == largest[Int(junction)] && largest[Int(junction)] != smallest[Int(junction)]
      return isMajor ? 0 : delay & ~Pieces.sign
    }
    for index in list.pieces.indices {
      let piece = list.pieces[index]
      let roadClass = attributes[Int(piece.attributes)].roadClass
      list.pieces[index].headDelay = resolved(piece.headDelay, piece.head, list.headNode(of: piece), roadClass)
      list.pieces[index].tailDelay = resolved(piece.tailDelay, piece.tail, list.tailNode(of: piece), roadClass)
    }
  }

  /// Makes trips wait only once at the signals of one junction.
  private mutating func joinSignals(_ map: OSMImport) {
    for joined in SignalGroups(list, junctionCount: junctionCount, map)?.delays ?? [] {
      (list.pieces[joined.piece].headDelay, list.pieces[joined.piece].tailDelay) = (joined.head, joined.tail)
    }
  }
}

extension UsableWay {
  fileprivate var flags: StreetFlags {
    var flags: StreetFlags = []
    if let forward {
      flags.insert(.forward)
      if forward.isPushed { flags.insert(.pushedForward) }
    }
    if let backward {
      flags.insert(.backward)
      if backward.isPushed { flags.insert(.pushedBackward) }
    }
    if isEndsOnly {
      flags.insert(.endsOnly)
    } else if times.changes.contains(.ends) {
      flags.insert(.endsOnlyAtTimes)
    }
    if drivesOnLeft { flags.insert(.drivesOnLeft) }
    if kind.isVehicle { flags.insert(.unsnapped) }
    return flags
  }
}

extension OSMImport {
  /// Nodes at which streets must end: where passing takes time, where U-turns are allowed, where turn restrictions
  /// begin or end, and at the corners of squares.
  fileprivate var pinnedNodes: Set<UInt32> {
    var pinned = Set(delays.keys).union(turningPoints)
    // Pedestrians wait at signals even if the street does not count as a road.
    for (node, crossing) in crossings where crossing.signal != nil { pinned.insert(node) }
    for (area, _) in squareAreas { pinned.formUnion(area.corners.lazy.map(\.node)) }
    for restriction in restrictions {
      if case .node(let id) = restriction.via, let node = index(ofNode: id) { pinned.insert(node) }
    }
    for way in restrictedWays.values where !ways[way].nodes.isEmpty {
      pinned.insert(wayNodes[ways[way].nodes.lowerBound])
      pinned.insert(wayNodes[ways[way].nodes.upperBound - 1])
    }
    return pinned
  }

  func points(of nodes: some Sequence<UInt32>) -> [FixedCoordinate] { nodes.map { points[Int($0)]! } }
}

/// Groups the signals of each junction: at its stop lines, where its carriageways meet, and at the crossings around it.
/// A trip waits only once per junction.
///
///     ───s──c──┬──c──s───     a delay at the first s; none at either c or the second s
///
/// A signal adds only its excess over the longest delay within the previous 50 m, along the straightest way back.
struct SignalGroups {
  private let list: PieceList
  private let map: OSMImport
  /// The pieces that arrive at each junction: twice the piece's index, plus 1 if reversed.
  private let arriving: Grouped<UInt32>

  /// The maximum distance in metres between signals of one junction: across a six-lane street and its crossings.
  private static let maximumDistance = 50.0
  /// The maximum number of pieces to follow backward; equally straight ones are all followed.
  private static let maximumPieces = 8
  /// The angle in degrees above which a trip from the previous piece would turn around.
  private static let uTurnAngle = 150.0

  /// Returns nil for a map without signals that take time.
  init?(_ list: PieceList, junctionCount: Int, _ map: OSMImport) {
    guard map.delays.values.contains(where: \.isSignal) else { return nil }
    (self.list, self.map) = (list, map)
    arriving = Grouped(junctionCount) { add in
      for end in 0..<UInt32(list.pieces.count * 2) {
        let piece = list.pieces.oriented(end)
        if piece.forwardSpeed > 0 { add(piece.head, end) }
      }
    }
  }

  /// The delays at the ends of pieces with signals, in milliseconds, with each junction counted once.
  var delays: [(piece: Int, head: UInt32, tail: UInt32)] {
    list.pieces.indices.compactMap { index in
      let piece = list.pieces[index]
      guard signal(atHeadOf: piece) ?? signal(atHeadOf: piece.reversed) != nil else { return nil }
      return (index, delay(atHeadOf: piece), delay(atHeadOf: piece.reversed))
    }
  }

  private func delay(atHeadOf piece: Piece) -> UInt32 {
    guard let delay = signal(atHeadOf: piece) else { return piece.headDelay }
    let earlier = longest(before: piece, within: SignalGroups.maximumDistance, over: SignalGroups.maximumPieces)
    return delay - min(delay, earlier)
  }

  /// Returns the delay of a signal at the head of a piece; nil if there is none.
  private func signal(atHeadOf piece: Piece) -> UInt32? {
    let node = list.headNode(of: piece)
    guard piece.headDelay > 0, map.delays[node]?.isSignal == true, map.crossings[node] == nil else { return nil }
    return piece.headDelay
  }

  /// Returns the longest delay of signals within `metres` before the head of a piece.
  private func longest(before piece: Piece, within metres: Double, over pieces: Int) -> UInt32 {
    let line = map.points(of: list.nodes(of: piece))
    // A gate has no length, but counts as one metre.
    let remaining = metres - max(1, Polyline(points: line).length)
    guard remaining > 0, pieces > 0 else { return 0 }
    let heading = line[...].initialHeading
    let behind = arriving[piece.tail].map(list.pieces.oriented).map { before in
      let arrival = map.points(of: list.nodes(of: before))[...].reversedHeading + 180
      return (before, angle: abs(turnAngle(from: arrival, to: heading)).rounded())
    }
    guard let straightest = behind.map(\.angle).min(), straightest < SignalGroups.uTurnAngle else { return 0 }
    return behind.filter { $0.angle == straightest }
      .map { max(signal(atHeadOf: $0.0) ?? 0, longest(before: $0.0, within: remaining, over: pieces - 1)) }.max() ?? 0
  }
}
