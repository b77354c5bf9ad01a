import Foundation
import Geography
import Hierarchy
import Settings

/// Finds paths along streets. Such a path takes the street's name; a street that its path replaces is closed to through
/// trips.
///
///     ══════ High Street ══════   sidewalk=separate: closed to through traffic where the path is mapped
///     ------------------------    footway=sidewalk without a name: High Street
///
/// A way is classified by the share of its length along which another way runs within 20 m.
struct Sidepaths {
  /// The names and numbers assigned to unnamed paths.
  private(set) var names: [(way: Int, name: String, ref: String)] = []
  /// The streets that are closed to through traffic.
  private(set) var replacedByPaths: [Int] = []

  /// A way of the map, with the properties used here.
  struct Line {
    var name: String
    var ref: String
    /// The range of the way's nodes among the nodes of all ways.
    var nodes: Range<Int>
    var level: WayLevel
    var role = SidepathRole.other
    /// Whether paths along the way may take its name.
    var lendsName = true
    var isEndsOnly = false
    /// Whether the way can be used without pushing, forward and backward.
    var isRideable = (forward: false, backward: false)

    /// Creates a street that the profile does not use, and that only lends its name.
    init(name: String, ref: String, level: WayLevel, nodes: Range<Int>) {
      (self.name, self.ref, self.level, self.nodes) = (name, ref, level, nodes)
    }

    init(_ rules: UsableWay, nodes: Range<Int>) {
      (name, ref, level, self.nodes) = (rules.name, rules.ref, rules.level, nodes)
      (role, isEndsOnly) = (rules.sidepath, rules.isEndsOnly)
      lendsName = rules.kind.lendsName && !rules.traits.contains(.square)
      // A bicycle pushed the wrong way along a one-way street may be pushed on the path as well.
      isRideable = (rules.forward?.isPushed == false, rules.backward?.isPushed == false)
    }

    var isNameless: Bool { name.isEmpty && ref.isEmpty }
    var isPath: Bool { role == .path || role == .sidepath }
  }

  /// - Parameters:
  ///   - nodes: The nodes of all lines, as indices into `points`; some points are missing.
  init(_ lines: [Line], nodes: [UInt32], points: [FixedCoordinate?], workers: Int = 1) {
    let map = LineMap(lines: lines, nodes: nodes, points: points)
    let nameless = lines.indices.filter { lines[$0].isNameless && lines[$0].isPath }
    if !nameless.isEmpty {
      let streets = SegmentGrid(map.segments { !$0.isNameless && $0.lendsName })
      names = inParallel(nameless.shares(workers > 1 ? workers * 4 : 1), workers: workers) { share in
        share.compactMap { map.name(of: $0, streets) }
      }.flatMap(\.self)
    }
    let streets = lines.indices.filter { lines[$0].role.isStreetWithPath && !lines[$0].isEndsOnly }
    guard !streets.isEmpty else { return }
    let paths = SegmentGrid(map.segments { $0.isPath && !$0.isEndsOnly })
    replacedByPaths = inParallel(streets.shares(workers > 1 ? workers * 4 : 1), workers: workers) { share in
      share.filter { map.isReplacedByPath($0, paths) }
    }.flatMap(\.self)
  }
}

/// Lines with their points.
private struct LineMap: Sendable {
  let lines: [Sidepaths.Line]
  let nodes: [UInt32]
  let points: [FixedCoordinate?]

  /// The maximum distance in metres between a path and its street.
  private static let reach = 20.0
  /// The share of a way's length that must run along the other way; less is enough for a way tagged as a sidepath.
  private static let (share, certainShare) = (0.75, 0.5)

  func name(of index: Int, _ streets: SegmentGrid) -> (way: Int, name: String, ref: String)? {
    // Chooses the street that is nearest along most of the path.
    let level = lines[index].level
    var metres: [(name: String, ref: String, metres: Double)] = []
    var total = 0.0
    forEachProbe(along: lines[index]) { probe in
      total += probe.metres
      let street = streets.nearest(to: probe, reach: LineMap.reach) { way, _ in lines[Int(way)].level == level }
      guard let street else { return }
      let (name, ref) = (lines[Int(street.way)].name, lines[Int(street.way)].ref)
      if let known = metres.firstIndex(where: { $0.name == name && (!name.isEmpty || $0.ref == ref) }) {
        metres[known].metres += probe.metres
      } else {
        metres.append((name, name.isEmpty ? ref : "", probe.metres))
      }
    }
    guard let longest = metres.max(by: { $0.metres < $1.metres }) else { return nil }
    let share = lines[index].role == .sidepath ? LineMap.certainShare : LineMap.share
    return longest.metres >= total * share ? (index, longest.name, longest.ref) : nil
  }

  /// Returns whether a path runs along a street in each direction in which the street may be used and has a path.
  func isReplacedByPath(_ index: Int, _ paths: SegmentGrid) -> Bool {
    let line = lines[index]
    return [line.isRideable.forward ? Direction.forward : nil, line.isRideable.backward ? .backward : nil]
      .compactMap(\.self)
      .filter { line.role != .streetWithPath(in: $0 == .forward ? .backward : .forward) }
      .allSatisfy { direction in
        var (covered, total) = (0.0, 0.0)
        forEachProbe(along: line) { probe in
          total += probe.metres
          let path = paths.nearest(to: probe, reach: LineMap.reach) { way, isAlong in
            let path = lines[Int(way)].isRideable
            return isAlong == (direction == .forward) ? path.forward : path.backward
          }
          if path != nil { covered += probe.metres }
        }
        return total > 0 && covered >= total * LineMap.share
      }
  }

  func segments(where isIncluded: (Sidepaths.Line) -> Bool) -> [SegmentGrid.Segment] {
    var segments: [SegmentGrid.Segment] = []
    for (index, line) in lines.enumerated() where isIncluded(line) {
      forEachSegment(of: line) { segments.append(.init(way: UInt32(index), from: $0, to: $1)) }
    }
    return segments
  }

  /// Calls `body` with the segments between nodes with known positions.
  private func forEachSegment(of line: Sidepaths.Line, _ body: (FixedCoordinate, FixedCoordinate) -> Void) {
    var last: FixedCoordinate?
    for node in nodes[line.nodes] {
      guard let point = points[Int(node)] else { continue }
      if let last { body(last, point) }
      last = point
    }
  }

  /// Calls `body` with a probe in the middle of each section of 20 m or less.
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

extension StreetKind {
  /// Whether paths along a street of this kind may take its name.
  fileprivate var lendsName: Bool {
    switch self {
    case .road, .service, .pedestrian, .track: true
    default: false
    }
  }
}

/// Finds the segments of nearby ways that run along a given line, using a grid stored as a sorted list of cells.
struct SegmentGrid {
  struct Segment {
    /// The caller's index of the way.
    var way: UInt32
    var from: FixedCoordinate
    var to: FixedCoordinate
  }

  /// A point on a line, and the line's direction there.
  struct Probe {
    var point: FixedCoordinate
    var from: FixedCoordinate
    var to: FixedCoordinate
    /// The metres of the line that the probe represents.
    var metres: Double
  }

  private let segments: [Segment]
  private let entries: [(cell: UInt64, segment: UInt32)]

  /// In 1e-7 degrees: 55 m along a meridian.
  private static let cellSize = 5000.0
  /// The distance in metres beyond a segment's end within which a line still counts as running along it, to allow for
  /// bends.
  private static let overshoot = 5.0
  /// The maximum number of cells per segment. Longer segments are ignored, since streets do not have them.
  private static let maximumCells = 2000.0

  init(_ segments: [Segment]) {
    self.segments = segments
    var entries: [(cell: UInt64, segment: UInt32)] = []
    for (index, segment) in segments.enumerated() {
      let (x, y) = (Double(segment.from.longitude), Double(segment.from.latitude))
      let (dx, dy) = (Double(segment.to.longitude) - x, Double(segment.to.latitude) - y)
      let steps = (max(abs(dx), abs(dy)) / SegmentGrid.cellSize).rounded(.up)
      guard steps <= SegmentGrid.maximumCells else { continue }
      var last: UInt64?
      for step in 0...Int(steps) {
        let along = steps > 0 ? Double(step) / steps : 0
        let cell = SegmentGrid.cell(SegmentGrid.column(x + along * dx), SegmentGrid.column(y + along * dy))
        if cell != last { entries.append((cell, UInt32(index))) }
        last = cell
      }
    }
    self.entries = entries.sorted { ($0.cell, $0.segment) < ($1.cell, $1.segment) }
  }

  private static func column(_ value: Double) -> Int { Int((value / cellSize).rounded(.down)) }

  private static func cell(_ x: Int, _ y: Int) -> UInt64 {
    UInt64(UInt32(truncatingIfNeeded: x)) << 32 | UInt64(UInt32(truncatingIfNeeded: y))
  }

  /// Returns the nearest accepted segment within `reach` metres that runs within 30 degrees of the probe's direction or
  /// its reverse; `isAlong` is true if the segment runs in the probe's direction.
  func nearest(to probe: Probe, reach: Double, where accepts: (_ way: UInt32, _ isAlong: Bool) -> Bool) -> Segment? {
    let (x, y) = (Double(probe.point.longitude), Double(probe.point.latitude))
    let north = Coordinate.metresPerDegree / 1e7
    let east = north * max(0.01, cos(y / 1e7 * .pi / 180))
    let direction = (
      x: (Double(probe.to.longitude) - Double(probe.from.longitude)) * east,
      y: (Double(probe.to.latitude) - Double(probe.from.latitude)) * north
    )
    var nearest: (distance: Double, segment: UInt32)?
    // One extra cell on each side, since segments are listed in the cells of sample points up to a cell apart.
    let columns = SegmentGrid.column(x - reach / east) - 1...SegmentGrid.column(x + reach / east) + 1
    let rows = SegmentGrid.column(y - reach / north) - 1...SegmentGrid.column(y + reach / north) + 1
    for column in columns {
      for row in rows {
        for segment in self.segments(in: SegmentGrid.cell(column, row)) {
          let other = segments[Int(segment)]
          let ax = (Double(other.from.longitude) - x) * east
          let ay = (Double(other.from.latitude) - y) * north
          let dx = (Double(other.to.longitude) - x) * east - ax
          let dy = (Double(other.to.latitude) - y) * north - ay
          let squared = dx * dx + dy * dy
          let dot = dx * direction.x + dy * direction.y
          let cross = dx * direction.y - dy * direction.x
          // The tangent of 30 degrees.
          guard squared > 0, abs(cross) <= abs(dot) * 0.577 else { continue }
          let foot = -(ax * dx + ay * dy) / squared
          let along = min(1, max(0, foot))
          // A street that ends where the line continues does not run along the line.
          guard abs(foot - along) * squared.squareRoot() <= SegmentGrid.overshoot else { continue }
          let distance = ((ax + along * dx) * (ax + along * dx) + (ay + along * dy) * (ay + along * dy)).squareRoot()
          guard distance <= reach, nearest.map({ (distance, segment) < $0 }) ?? true, accepts(other.way, dot > 0) else {
            continue
          }
          nearest = (distance, segment)
        }
      }
    }
    return nearest.map { segments[Int($0.segment)] }
  }

  private func segments(in cell: UInt64) -> some Sequence<UInt32> {
    let first = entries.indices.partitionPoint { entries[$0].cell >= cell }
    return entries[first...].lazy.prefix { $0.cell == cell }.map(\.segment)
  }
}

/// Rules for paths along streets, and for streets that are closed in favour of such paths.
struct SidepathRules: Sendable {
  /// Values of `highway` for paths that may belong to a street.
  private let classes: Set<String>
  /// Tags of paths that certainly belong to a street.
  private let certain: TagSet
  /// Tags of streets that are closed if there is a path along them.
  private let instead: TagSet
  /// Tags of streets that stay open, since they have a sidewalk on their other side.
  private let unless: TagSet

  init(_ settings: SettingsObject) throws {
    classes = Set(try settings.strings("classes"))
    certain = try TagSet(settings.object("certain"))
    instead = try TagSet(settings.object("instead"))
    unless = try TagSet(settings.object("unless"))
    try settings.finish()
  }

  /// - Parameter ridden: The directions in which the way may lose its riders to a path, by tags for one direction.
  func role(_ tags: Tags, ridden: [Direction]) -> SidepathRole {
    if let highway = tags["highway"], classes.contains(highway) { return certain.matches(tags) ? .sidepath : .path }
    if instead.matches(tags) && !unless.matches(tags) { return .streetWithPath(in: nil) }
    let replaced = ridden.filter { instead.matches(tags, $0) }
    return replaced.isEmpty ? .other : .streetWithPath(in: replaced.count < ridden.count ? replaced[0] : nil)
  }

  /// Returns whether paths along a way may take its name.
  func lendsName(_ tags: Tags) -> Bool {
    guard let highway = tags["highway"], !classes.contains(highway) else { return false }
    return tags["name"] != nil || tags["ref"] != nil
  }
}

/// The role of a way in matching paths to streets.
enum SidepathRole: Equatable, Sendable {
  case other
  /// A path that may run along a street, and one that certainly does.
  case path, sidepath
  /// A street that is closed if there is a path along it, in one of its two directions or, if nil, in all.
  case streetWithPath(in: Direction?)

  var isStreetWithPath: Bool { if case .streetWithPath = self { true } else { false } }
}

/// The level of a way: a path takes its name only from a street on the same level.
struct WayLevel: Sendable, Equatable {
  /// The value of `layer`; 0 for ground level.
  var layer = 0
  var isTunnel = false
  var isBridge = false
  /// Whether the way is inside a building, or on a floor other than the ground floor.
  var isIndoor = false
}

extension WayLevel {
  init(_ tags: Tags) {
    func has(_ key: String) -> Bool { tags[key].map { $0 != "no" } ?? false }
    layer = tags["layer"].flatMap { Int($0) } ?? 0
    isTunnel = has("tunnel") || tags["location"] == "underground"
    isBridge = has("bridge")
    let floors = tags["level"].map { $0.split(separator: ";").map(\.trimmingSpaces) } ?? ["0"]
    isIndoor = has("indoor") || tags["highway"] == "corridor" || !floors.contains { Double($0) == 0 }
  }
}

extension UsableWay {
  /// Adds the way's role in matching paths to streets, and its level.
  mutating func readSidepath(_ tags: Tags, _ profile: Profile, in locality: Locality) {
    guard let rules = profile.sidepaths, !traits.contains(.square) else { return }
    let ridden = [forward?.isPushed == false ? Direction.forward : nil, backward?.isPushed == false ? .backward : nil]
    sidepath = rules.role(tags, ridden: profile.pushing == nil ? [] : ridden.compactMap(\.self))
    if case .streetWithPath(let direction?) = sidepath { pushed = profile.pushed(tags, in: locality, direction) }
    level = WayLevel(tags)
  }

  /// Closes a street in favour of the path along it: to through traffic or, in a single direction, to riders.
  mutating func yieldToPath() {
    switch sidepath {
    case .streetWithPath(in: .forward): forward = pushed
    case .streetWithPath(in: .backward): backward = pushed
    default: isEndsOnly = true
    }
  }

  /// Adds the name of a path's street from the path's own tags. `street:name` may be part of an address, so it names a
  /// path only if the path certainly belongs to a street, or if a street is found alongside it (`streetName`).
  mutating func readStreetName(_ tags: Tags) {
    guard sidepath == .path || sidepath == .sidepath, name.isEmpty, ref.isEmpty else { return }
    name = tags["is_sidepath:of:name"] ?? ""
    if name.isEmpty { ref = tags["is_sidepath:of:ref"] ?? "" }
    guard name.isEmpty, ref.isEmpty, let street = tags["street:name"] else { return }
    if sidepath == .sidepath { name = street } else { streetName = street }
  }
}
