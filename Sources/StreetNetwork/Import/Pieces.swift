import Geography

/// A run of points between two junctions, on one way; later joined with its likes to a street.
struct Piece {
  /// Numbers of `Junctions`.
  var tail: UInt32
  var head: UInt32
  var points: [FixedCoordinate]
  var attributes: UInt32
  var flags: StreetFlags

  /// The same piece drawn the other way round.
  var reversed: Piece {
    Piece(tail: head, head: tail, points: points.reversed(), attributes: attributes, flags: reversedFlags)
  }

  var reversedFlags: StreetFlags {
    var reversed = flags.subtracting([.forward, .backward])
    if flags.contains(.forward) { reversed.insert(.backward) }
    if flags.contains(.backward) { reversed.insert(.forward) }
    return reversed
  }
}

/// Cuts ways into pieces wherever they meet one another or themselves, end, or cannot be passed.
struct Pieces {
  private(set) var pieces: [Piece] = []
  /// A junction for each node that needs one. A point that nobody gets past is one junction for every piece that
  /// ends there, so that no way leads through.
  private(set) var junctionCount: UInt32 = 0
  private var junctions: [UInt32]

  init(_ map: inout OSMImport) {
    let runs = map.ways.map { map.runs(of: $0) }
    var uses = [UInt8](repeating: 0, count: map.points.count)
    for run in runs.joined() {
      for node in run { uses[Int(node)] = min(uses[Int(node)] + 1, 2) }
      uses[Int(run[0])] = 2
      uses[Int(run[run.count - 1])] = 2
    }
    junctions = Array(repeating: .max, count: map.points.count)
    for (way, runs) in zip(map.ways, runs) {
      var speed = way.rules.metresPerSecond
      if let duration = way.rules.duration {
        speed = max(0.01, runs.reduce(0) { $0 + Polyline(points: map.points(of: $1)).length } / duration)
      }
      let attributes = map.attributes(of: way.rules, metresPerSecond: speed)
      for run in runs {
        var start = 0
        for end in 1..<run.count where uses[Int(run[end])] == 2 || map.isImpassable[Int(run[end])] {
          pieces.append(
            Piece(
              tail: junction(at: run[start], map), head: junction(at: run[end], map),
              points: map.points(of: run[start...end]), attributes: attributes, flags: way.rules.flags))
          start = end
        }
      }
    }
  }

  private mutating func junction(at node: UInt32, _ map: OSMImport) -> UInt32 {
    if junctions[Int(node)] == .max || map.isImpassable[Int(node)] {
      junctions[Int(node)] = junctionCount
      junctionCount += 1
    }
    return junctions[Int(node)]
  }
}

extension OSMImport {
  /// The stretches of a way whose nodes are all in the file, two different nodes at least.
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
