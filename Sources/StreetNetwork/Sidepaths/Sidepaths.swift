import Geography
import Hierarchy

/// Paths along streets: they carry the street's name, and streets are left to them.
///
///     ══════ High Street ══════   sidewalk=separate: serves a trip's ends only where the path is mapped
///     ------------------------    footway=sidewalk without a name: High Street
///
/// Decided per way, by how much of its length another way runs along it within 20 m.
struct Sidepaths {
  var counts: SidepathCounts { SidepathCounts(named: UInt32(names.count), leftToPaths: UInt32(leftToPaths.count)) }
  /// The names and numbers that nameless paths get.
  private(set) var names: [(way: Int, name: String, ref: String)] = []
  /// The streets that only serve a trip's ends.
  private(set) var leftToPaths: [Int] = []

  /// A way of the map, as far as it matters here.
  struct Line {
    var name: String
    var ref: String
    /// Into the nodes of all ways.
    var nodes: Range<Int>
    var level: WayLevel
    var role = SidepathRole.other
    /// Whether paths along it may have its name.
    var lendsName = true
    var isEndsOnly = false
    /// Whether it is ridden as it is drawn, and against.
    var isRidden = (forward: false, backward: false)

    /// A street that is not used: it lends its name.
    init(name: String, ref: String, level: WayLevel, nodes: Range<Int>) {
      (self.name, self.ref, self.level, self.nodes) = (name, ref, level, nodes)
    }

    init(_ rules: UsableWay, nodes: Range<Int>) {
      (name, ref, level, self.nodes) = (rules.name, rules.ref, rules.level, nodes)
      (role, isEndsOnly) = (rules.sidepath, rules.isEndsOnly)
      lendsName = rules.kind.lendsName && !rules.traits.contains(.square)
      // Whoever pushes against a one-way street may do so beside the path as well.
      isRidden = (rules.forward?.isPushed == false, rules.backward?.isPushed == false)
    }

    var isNameless: Bool { name.isEmpty && ref.isEmpty }
    var isPath: Bool { role == .path || role == .sidepath }
  }

  /// - Parameters:
  ///   - nodes: Of all lines: indices of `points`, where some are missing.
  init(_ lines: [Line], nodes: [UInt32], points: [FixedCoordinate?], workers: Int = 1) {
    let map = LineMap(lines: lines, nodes: nodes, points: points)
    let nameless = lines.indices.filter { lines[$0].isNameless && lines[$0].isPath }
    if !nameless.isEmpty {
      let streets = SegmentGrid(map.segments { !$0.isNameless && $0.lendsName })
      names = inParallel(nameless.shares(workers > 1 ? workers * 4 : 1), workers: workers) { share in
        share.compactMap { map.name(of: $0, streets) }
      }.flatMap(\.self)
    }
    let streets = lines.indices.filter { lines[$0].role == .streetWithPath && !lines[$0].isEndsOnly }
    guard !streets.isEmpty else { return }
    let paths = SegmentGrid(map.segments { $0.isPath && !$0.isEndsOnly })
    leftToPaths = inParallel(streets.shares(workers > 1 ? workers * 4 : 1), workers: workers) { share in
      share.filter { map.isLeftToPath($0, paths) }
    }.flatMap(\.self)
  }
}

/// Lines with their points.
private struct LineMap: Sendable {
  let lines: [Sidepaths.Line]
  let nodes: [UInt32]
  let points: [FixedCoordinate?]

  private static let reach = 20.0
  /// How much of a way must run along the other.
  private static let (share, certainShare) = (0.75, 0.5)

  func name(of index: Int, _ streets: SegmentGrid) -> (way: Int, name: String, ref: String)? {
    // The street that is the nearest along most of it.
    let level = lines[index].level
    var metres: [(name: String, ref: String, metres: Double)] = []
    var whole = 0.0
    forEachProbe(along: lines[index]) { probe in
      whole += probe.metres
      let street = streets.nearest(to: probe, reach: LineMap.reach) { way, _ in lines[Int(way)].level == level }
      guard let street else { return }
      let (name, ref) = (lines[Int(street.way)].name, lines[Int(street.way)].ref)
      if let known = metres.firstIndex(where: { $0.name == name && (!name.isEmpty || $0.ref == ref) }) {
        metres[known].metres += probe.metres
      } else {
        metres.append((name, name.isEmpty ? ref : "", probe.metres))
      }
    }
    guard let most = metres.max(by: { $0.metres < $1.metres }) else { return nil }
    let share = lines[index].role == .sidepath ? LineMap.certainShare : LineMap.share
    return most.metres >= whole * share ? (index, most.name, most.ref) : nil
  }

  /// Whether a path runs along a street in each direction in which the street may be used.
  func isLeftToPath(_ index: Int, _ paths: SegmentGrid) -> Bool {
    let line = lines[index]
    return [line.isRidden.forward ? Direction.forward : nil, line.isRidden.backward ? .backward : nil]
      .compactMap(\.self)
      .allSatisfy { direction in
        var (covered, whole) = (0.0, 0.0)
        forEachProbe(along: line) { probe in
          whole += probe.metres
          let path = paths.nearest(to: probe, reach: LineMap.reach) { way, isAlong in
            let path = lines[Int(way)].isRidden
            return isAlong == (direction == .forward) ? path.forward : path.backward
          }
          if path != nil { covered += probe.metres }
        }
        return whole > 0 && covered >= whole * LineMap.share
      }
  }

  func segments(where isIncluded: (Sidepaths.Line) -> Bool) -> [SegmentGrid.Segment] {
    var segments: [SegmentGrid.Segment] = []
    for (index, line) in lines.enumerated() where isIncluded(line) {
      forEachSegment(of: line) { segments.append(.init(way: UInt32(index), from: $0, to: $1)) }
    }
    return segments
  }

  /// Between the nodes whose position is known.
  private func forEachSegment(of line: Sidepaths.Line, _ body: (FixedCoordinate, FixedCoordinate) -> Void) {
    var last: FixedCoordinate?
    for node in nodes[line.nodes] {
      guard let point = points[Int(node)] else { continue }
      if let last { body(last, point) }
      last = point
    }
  }

  /// A point in the middle of every 20 m or less.
  private func forEachProbe(along line: Sidepaths.Line, _ body: (SegmentGrid.Probe) -> Void) {
    forEachSegment(of: line) { from, to in
      let metres = from.distance(to: to)
      let count = max(1, min(1000, Int((metres / 20).rounded(.up))))
      for index in 0..<count {
        let along = (Double(index) + 0.5) / Double(count)
        func between(_ a: Int32, _ b: Int32) -> Int32 { Int32((Double(a) + along * (Double(b) - Double(a))).rounded()) }
        let point = FixedCoordinate(
          longitude: between(from.longitude, to.longitude), latitude: between(from.latitude, to.latitude))
        body(SegmentGrid.Probe(point: point, from: from, to: to, metres: metres / Double(count)))
      }
    }
  }
}

/// What was found of paths along streets.
struct SidepathCounts: Sendable, BitwiseCopyable {
  /// Paths that carry the name of the street along them.
  var named: UInt32 = 0
  /// Streets that serve a trip's ends only.
  var leftToPaths: UInt32 = 0
}

extension StreetKind {
  /// Whether paths along it may have its name.
  fileprivate var lendsName: Bool {
    switch self {
    case .road, .service, .pedestrian, .track: true
    default: false
    }
  }
}
