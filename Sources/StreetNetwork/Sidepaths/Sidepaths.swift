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
    var rules: UsableWay?
    var name: String
    var ref: String
    var points: [FixedCoordinate]
  }

  private static let reach = 20.0
  /// How much of a way must run along the other.
  private static let (share, certainShare) = (0.75, 0.5)

  init(_ lines: [Line], workers: Int = 1) {
    let isNameless = lines.map { line in
      line.name.isEmpty && line.ref.isEmpty && (line.rules?.sidepath == .path || line.rules?.sidepath == .sidepath)
    }
    if isNameless.contains(true) {
      let streets = SegmentGrid(
        Sidepaths.segments(of: lines) { line in
          guard !(line.name.isEmpty && line.ref.isEmpty) else { return false }
          return line.rules.map { $0.kind.lendsName && !$0.traits.contains(.square) } ?? true
        })
      let nameless = lines.indices.filter { isNameless[$0] }
      names = inParallel(nameless.shares(workers > 1 ? workers * 4 : 1), workers: workers) { share in
        share.compactMap { Sidepaths.name(of: $0, lines, streets) }
      }.flatMap(\.self)
    }
    guard lines.contains(where: { $0.rules?.sidepath == .streetWithPath }) else { return }
    let paths = SegmentGrid(
      Sidepaths.segments(of: lines) { line in
        guard let rules = line.rules, !rules.isEndsOnly else { return false }
        return rules.sidepath == .path || rules.sidepath == .sidepath
      })
    for (index, line) in lines.enumerated() {
      guard let rules = line.rules, rules.sidepath == .streetWithPath, !rules.isEndsOnly else { continue }
      if isLeftToPath(line, rules, lines, paths) { leftToPaths.append(index) }
    }
  }

  private static func name(
    of index: Int, _ lines: [Line], _ streets: SegmentGrid
  ) -> (way: Int, name: String, ref: String)? {
    let line = lines[index]
    // The street that is the nearest along most of it.
    var metres: [(name: String, ref: String, metres: Double)] = []
    var whole = 0.0
    for probe in Sidepaths.probes(along: line.points) {
      whole += probe.metres
      guard let street = streets.nearest(to: probe, reach: Sidepaths.reach, where: { _, _ in true }) else { continue }
      let (name, ref) = (lines[Int(street.way)].name, lines[Int(street.way)].ref)
      if let known = metres.firstIndex(where: { $0.name == name && (!name.isEmpty || $0.ref == ref) }) {
        metres[known].metres += probe.metres
      } else {
        metres.append((name, name.isEmpty ? ref : "", probe.metres))
      }
    }
    guard let most = metres.max(by: { $0.metres < $1.metres }) else { return nil }
    let share = line.rules?.sidepath == .sidepath ? Sidepaths.certainShare : Sidepaths.share
    return most.metres >= whole * share ? (index, most.name, most.ref) : nil
  }

  /// Whether a path runs along a street in each direction in which the street may be used.
  private func isLeftToPath(_ line: Line, _ rules: UsableWay, _ lines: [Line], _ paths: SegmentGrid) -> Bool {
    // Whoever pushes against a one-way street may do so beside the path as well.
    let isRidden = { (travel: UsableWay.Travel?) in travel?.isPushed == false }
    return [isRidden(rules.forward) ? Direction.forward : nil, isRidden(rules.backward) ? .backward : nil].compactMap(
      \.self
    )
    .allSatisfy { direction in
      var (covered, whole) = (0.0, 0.0)
      for probe in Sidepaths.probes(along: line.points) {
        whole += probe.metres
        let path = paths.nearest(to: probe, reach: Sidepaths.reach) { way, isAlong in
          let path = lines[Int(way)].rules
          return (isAlong == (direction == .forward) ? path?.forward : path?.backward)?.isPushed == false
        }
        if path != nil { covered += probe.metres }
      }
      return whole > 0 && covered >= whole * Sidepaths.share
    }
  }

  private static func segments(of lines: [Line], where isIncluded: (Line) -> Bool) -> [SegmentGrid.Segment] {
    var segments: [SegmentGrid.Segment] = []
    for (index, line) in lines.enumerated() where isIncluded(line) {
      for (from, to) in zip(line.points, line.points.dropFirst()) {
        segments.append(.init(way: UInt32(index), from: from, to: to))
      }
    }
    return segments
  }

  /// A point in the middle of every 20 m or less.
  private static func probes(along points: [FixedCoordinate]) -> [SegmentGrid.Probe] {
    zip(points, points.dropFirst()).flatMap { from, to -> [SegmentGrid.Probe] in
      let metres = from.distance(to: to)
      let count = max(1, min(1000, Int((metres / 20).rounded(.up))))
      return (0..<count).map { index in
        let along = (Double(index) + 0.5) / Double(count)
        func between(_ a: Int32, _ b: Int32) -> Int32 { Int32((Double(a) + along * (Double(b) - Double(a))).rounded()) }
        let point = FixedCoordinate(
          longitude: between(from.longitude, to.longitude), latitude: between(from.latitude, to.latitude))
        return SegmentGrid.Probe(point: point, from: from, to: to, metres: metres / Double(count))
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
