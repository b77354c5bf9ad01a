import Geography

/// A run of points between two junctions, on one way; later joined with alike ones to a street.
struct Piece {
  /// Indices of junctions.
  var tail: UInt32
  var head: UInt32
  var points: [FixedCoordinate]
  /// The node of each point, by index.
  var nodes: [UInt32]
  var attributes: UInt32
  var flags: StreetFlags
  /// Metres per second from tail to head, and back; 0 where it is not used so.
  var forwardSpeed: Double
  var backwardSpeed: Double
  /// Milliseconds that it costs to pass the point at its head, and at its tail, when coming along the piece.
  var headDelay: UInt32
  var tailDelay: UInt32
  /// What it is made of, from tail to head; at a gate the way that leads there.
  var parts: [PiecePart]
  /// What holds at certain times only.
  var times: PieceTimes
  /// In degrees, where it has no length to derive it from.
  var heading: Double?
  /// Milliseconds of boarding and waiting on top of what its length takes.
  var forwardWait = 0.0
  var backwardWait = 0.0

  /// The ways at its ends, by index in `OSMImport.ways`.
  var tailWay: UInt32 { parts[0].way }
  var headWay: UInt32 { parts[parts.count - 1].way }

  /// The same piece drawn the other way round.
  var reversed: Piece {
    Piece(
      tail: head, head: tail, points: points.reversed(), nodes: nodes.reversed(), attributes: attributes,
      flags: flags.reversed,
      forwardSpeed: backwardSpeed, backwardSpeed: forwardSpeed, headDelay: tailDelay, tailDelay: headDelay,
      parts: parts.reversed().map(\.reversed), times: times.reversed, heading: heading.map { $0 + 180 },
      forwardWait: backwardWait, backwardWait: forwardWait)
  }

  /// Whether `next`, drawn in the same direction, continues the same street.
  func isLike(_ next: Piece) -> Bool {
    attributes == next.attributes && flags == next.flags && forwardSpeed == next.forwardSpeed
      && backwardSpeed == next.backwardSpeed && times == next.times
  }
}

/// Cuts ways into pieces wherever they meet one another or themselves, end, or have a point that matters: a barrier, a
/// signal, the end of a turn restriction.
///
/// An impassable point is one junction per piece that ends there, so that no path leads through. A gate
/// for a trip's ends, or one that is closed at times, has such junctions too, joined by streets without length that only
/// serve a trip's ends, or are closed at times:
///
///     ───piece──A  gate  C  gate  B──piece───
///
/// A ferry has junctions of its own where it meets the shore, joined to those of the streets by the time that boarding
/// takes (`Moorings`).
struct Pieces {
  private(set) var pieces: [Piece] = []
  var junctionCount: Int { isPinned.count }
  /// Junctions at which streets end even if they continue alike.
  private(set) var isPinned: [Bool] = []
  private var junctions: [UInt32]
  private let isCut: [Bool]
  private let isMeeting: [Bool]
  private let pinnedNodes: Set<UInt32>
  private let avoidsTolls: Bool
  private var moorings: Moorings

  init(_ map: inout OSMImport, avoidsTolls: Bool) {
    self.avoidsTolls = avoidsTolls
    let runs = map.ways.map { map.runs(of: $0) }
    var uses = [UInt8](repeating: 0, count: map.points.count)
    for run in runs.joined() {
      for node in run { uses[Int(node)] = min(uses[Int(node)] + 1, 2) }
      uses[Int(run[0])] = 2
      uses[Int(run[run.count - 1])] = 2
    }
    junctions = Array(repeating: .max, count: map.points.count)
    isMeeting = uses.map { $0 == 2 }
    let pinned = map.pinnedNodes
    pinnedNodes = pinned
    isCut = uses.indices.map { uses[$0] == 2 || map.passages[$0] != .open || pinned.contains(UInt32($0)) }
    moorings = Moorings(map, runs)
    var gates: [UInt32: [Piece]] = [:]
    for (index, (way, runs)) in zip(map.ways, runs).enumerated() {
      var duration: Double?
      if let seconds = way.rules.duration {
        duration = max(0.01, runs.reduce(0) { $0 + Polyline(points: map.points(of: $1)).length } / seconds)
      }
      for run in runs {
        var start = 0
        for end in 1..<run.count where isCut[Int(run[end])] {
          let piece = piece(of: run, start...end, index, way.rules, duration, &map)
          pieces.append(piece)
          for (node, drawn) in [(run[start], piece.reversed), (run[end], piece)] {
            if moorings.takes(way, at: node) {
              moorings.add(drawn, way, at: node)
            } else if isGate(node, map) {
              gates[node, default: []].append(drawn)
            }
          }
          start = end
        }
      }
    }
    for mooring in moorings.used {
      let shore = mooring.isBoarded ? junction(at: mooring.node, map) : nil
      guard let shore, let piece = mooring.piece(to: shore) else { continue }
      pieces.append(piece)
      if isGate(mooring.node, map) { gates[mooring.node, default: []].append(piece) }
    }
    for (node, ends) in gates.sorted(by: { $0.key < $1.key }) where ends.count > 1 {
      addGate(ends, isEndsOnly: map.passages[Int(node)] == .endsOnly, closing: map.gates[node] ?? 0)
    }
    resolveSigns(map.attributes)
  }

  private mutating func piece(
    of run: [UInt32], _ range: ClosedRange<Int>, _ way: Int, _ rules: UsableWay, _ duration: Double?,
    _ map: inout OSMImport
  ) -> Piece {
    let (start, end) = (range.lowerBound, range.upperBound)
    let isToll = run[range].contains(where: map.tolls.contains)
    let exitNode = rules.forward != nil ? run[start] : run[end]
    let exit =
      rules.traits.contains(.link) ? map.exits[exitNode] ?? map.index(ofName: rules.exit) : 0
    var flags = rules.flags
    if isToll && avoidsTolls { flags.insert(.endsOnly) }
    return Piece(
      tail: junction(at: run[start], of: map.ways[way], map), head: junction(at: run[end], of: map.ways[way], map),
      points: map.points(of: run[range]), nodes: Array(run[range]),
      attributes: map.attributes(of: rules, exit: exit, isToll: isToll), flags: flags,
      forwardSpeed: rules.forward.map { duration ?? $0.metresPerSecond } ?? 0,
      backwardSpeed: rules.backward.map { duration ?? $0.metresPerSecond } ?? 0,
      headDelay: delay(at: end, of: run, .forward, map), tailDelay: delay(at: start, of: run, .backward, map),
      parts: [
        PiecePart(way: UInt32(way), tailNode: run[start], headNode: run[end], segments: UInt32(end - start))
      ],
      times: map.times(of: rules.times))
  }

  private func isGate(_ node: UInt32, _ map: OSMImport) -> Bool {
    [.endsOnly, .gated].contains(map.passages[Int(node)])
  }

  /// The junction at which a way ends at a node.
  private mutating func junction(at node: UInt32, of way: OSMImport.Way, _ map: OSMImport) -> UInt32 {
    guard moorings.takes(way, at: node) else { return junction(at: node, map) }
    if let known = moorings.junction(of: way, at: node) { return known }
    let junction = newJunction(isPinned: true)
    moorings.add(junction, way, at: node)
    return junction
  }

  private mutating func junction(at node: UInt32, _ map: OSMImport) -> UInt32 {
    let isPassed = map.passages[Int(node)] == .open
    guard junctions[Int(node)] == .max || !isPassed else { return junctions[Int(node)] }
    let junction = newJunction(isPinned: !isPassed || pinnedNodes.contains(node))
    if isPassed { junctions[Int(node)] = junction }
    return junction
  }

  private mutating func newJunction(isPinned pinned: Bool) -> UInt32 {
    isPinned.append(pinned)
    return UInt32(isPinned.count - 1)
  }

  /// Gives the pieces away: they are needed no more once they are joined.
  mutating func takePieces() -> [Piece] {
    defer { pieces = [] }
    return pieces
  }

  /// The junction of a node that ways meet at or are cut at; nil where there is none, or several.
  func junction(ofNode node: UInt32) -> UInt32? { junctions[Int(node)] == .max ? nil : junctions[Int(node)] }

  /// Joins the heads of `ends` by gates.
  private mutating func addGate(_ ends: [Piece], isEndsOnly: Bool, closing: UInt32) {
    let times = PieceTimes(forwardClosing: closing, backwardClosing: closing)
    let centre = newJunction(isPinned: true)
    for end in ends {
      let (point, node) = (end.points[end.points.count - 1], end.nodes[end.nodes.count - 1])
      var flags = end.flags.subtracting([.pushedForward, .pushedBackward])
      flags.formUnion([.forward, .backward, .gate])
      if isEndsOnly { flags.insert(.endsOnly) }
      let heading = end.points.reversed().initialHeading + 180
      pieces.append(
        Piece(
          tail: end.head, head: centre, points: [point, point], nodes: [node, node], attributes: end.attributes,
          flags: flags,
          forwardSpeed: 1, backwardSpeed: 1, headDelay: 0, tailDelay: 0, parts: [PiecePart(gateAtHeadOf: end)],
          times: times, heading: heading))
    }
  }

  // MARK: Delays

  private static let sign: UInt32 = 1 << 31

  /// The cost of passing the point at `index` along the run in `direction`.
  private func delay(at index: Int, of run: [UInt32], _ direction: Direction, _ map: OSMImport) -> UInt32 {
    guard let delay = map.delays[run[index]] else { return 0 }
    if let meant = delay.direction { return meant == direction ? delay.milliseconds : 0 }
    guard delay.isSign else { return delay.milliseconds }
    guard !isMeeting[Int(run[index])] else { return delay.milliseconds | Pieces.sign }
    // A sign short of a junction applies toward it.
    let ahead = metres(from: index, along: run, by: 1, map)
    let behind = metres(from: index, along: run, by: -1, map)
    return (direction == .forward) == (ahead <= behind) ? delay.milliseconds : 0
  }

  /// From a point of a run to the next meeting of streets.
  private func metres(from index: Int, along run: [UInt32], by step: Int, _ map: OSMImport) -> Double {
    var (at, metres) = (index, 0.0)
    while run.indices.contains(at + step) {
      metres += map.points[Int(run[at])]!.distance(to: map.points[Int(run[at + step])]!)
      at += step
      if isMeeting[Int(run[at])] { break }
    }
    return metres
  }

  /// A sign at a junction applies to the smaller streets, if they differ.
  private mutating func resolveSigns(_ attributes: [StreetAttributes]) {
    var most = [RoadClass](repeating: .other, count: junctionCount)
    var least = [RoadClass](repeating: .motorway, count: junctionCount)
    for piece in pieces {
      let roadClass = attributes[Int(piece.attributes)].roadClass
      for junction in [Int(piece.tail), Int(piece.head)] {
        most[junction] = min(most[junction], roadClass)
        least[junction] = max(least[junction], roadClass)
      }
    }
    func resolved(_ delay: UInt32, _ junction: UInt32, _ roadClass: RoadClass) -> UInt32 {
      guard delay & Pieces.sign != 0 else { return delay }
      let isMajor = roadClass == most[Int(junction)] && most[Int(junction)] != least[Int(junction)]
      return isMajor ? 0 : delay & ~Pieces.sign
    }
    for index in pieces.indices {
      let roadClass = attributes[Int(pieces[index].attributes)].roadClass
      pieces[index].headDelay = resolved(pieces[index].headDelay, pieces[index].head, roadClass)
      pieces[index].tailDelay = resolved(pieces[index].tailDelay, pieces[index].tail, roadClass)
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
    if isEndsOnly { flags.insert(.endsOnly) }
    if drivesOnLeft { flags.insert(.drivesOnLeft) }
    return flags
  }
}

extension OSMImport {
  /// Nodes at which streets must end: where passing costs time, where U-turns are allowed, and where turn restrictions
  /// begin and end.
  fileprivate var pinnedNodes: Set<UInt32> {
    var pinned = Set(delays.keys).union(turningPoints)
    for restriction in restrictions {
      if case .node(let id) = restriction.via, let node = index(ofNode: id) { pinned.insert(node) }
    }
    for way in restrictedWays.values where !ways[way].nodes.isEmpty {
      pinned.insert(wayNodes[ways[way].nodes.lowerBound])
      pinned.insert(wayNodes[ways[way].nodes.upperBound - 1])
    }
    return pinned
  }

  /// The stretches of a way whose nodes are all in the file, at least two different nodes.
  fileprivate func runs(of way: Way) -> [[UInt32]] {
    var runs: [[UInt32]] = []
    var run: [UInt32] = []
    for node in wayNodes[way.nodes] {
      if points[Int(node)] == nil {
        runs.append(run)
        run = []
      } else if run.last != node {
        run.append(node)
      }
    }
    runs.append(run)
    return runs.filter { $0.count > 1 }
  }

  fileprivate func points(of nodes: some Sequence<UInt32>) -> [FixedCoordinate] {
    nodes.map { points[Int($0)]! }
  }
}
