import CGeos

/// Sea polygons built from coastlines, with land on the left (OpenStreetMap's rule for `natural=coastline`).
///
/// The area is processed in squares. The coast divides each square that it crosses into faces; the direction of the
/// coast along a face shows whether the face is sea or land. From these squares, the sea spreads into squares that have
/// neither a coast nor streets. A coast that ends at the edge of an extract is extended straight out, but the two banks
/// of a river are joined instead. The sea at the edge of the shown area is extended outward. A coast that ends anywhere
/// else is broken: its square has no sea, and the sea spreads only a few squares, so that it does not flood land.
package struct SeaAreas {
  /// A square of a tenth of a degree, identified by its southwest corner in tenths of a degree. An offset keeps coasts
  /// at round coordinates off the borders between squares.
  package struct Cell: Hashable, Comparable, Sendable {
    package var x: Int32
    package var y: Int32

    /// The side length in 1e-7 degrees.
    package static let size: Int32 = 1_000_000
    /// The offset of the borders in 1e-7 degrees.
    fileprivate static let offset: Int32 = 12_347

    package init(x: Int32, y: Int32) { (self.x, self.y) = (x, y) }

    package init(of point: FixedCoordinate) { self.init(x: Cell.index(point.longitude), y: Cell.index(point.latitude)) }

    private static func index(_ value: Int32) -> Int32 {
      let value = value - offset
      return value >= 0 ? value / size : -((-(value + 1)) / size) - 1
    }

    package static func < (a: Cell, b: Cell) -> Bool { (a.y, a.x) < (b.y, b.x) }
  }

  /// Sea polygons: closed rings, outer ring first.
  package private(set) var areas: [[[FixedCoordinate]]] = []
  /// The coastlines in squares that get no sea, because the coast ends there or the sea would flood streets.
  package private(set) var brokenCoast: [[FixedCoordinate]] = []

  /// The maximum number of squares that the sea spreads if any coast is broken.
  private static let maximumSpread = 3

  /// The maximum distance in metres between the banks of a river that are joined at the edge of an extract.
  private static let widestRiver = 1000.0

  /// Returns the area that a page shows: the bounding box of the map's streets, enlarged on each side by a tenth of its
  /// larger dimension, at most a tenth of a degree.
  package static func frame(around box: BoundingBox) -> BoundingBox {
    box.enlarged(by: min(max(box.width, box.height) / 10, 1_000_000))
  }

  /// The maximum number of streets in a square that may all be bridges over its sea. If there are more, and all lie in
  /// the sea, the coast is considered wrong.
  private static let maximumOnBridges = 20

  /// - Parameters:
  ///   - box: The bounding box of the map's streets.
  ///   - streets: A point on each street on land. A square without a coast that contains such a point is land.
  package init(coast: [[FixedCoordinate]], around box: BoundingBox, streets: some Sequence<FixedCoordinate>) {
    guard !box.isEmpty, !coast.isEmpty else { return }
    let shown = SeaAreas.frame(around: box)
    let coast = SeaAreas.extendedCoast(SeaAreas.joined(coast, at: box, shown), from: box, to: shown)
    var lines: [Cell: [[FixedCoordinate]]] = [:]
    for line in coast where line.count > 1 {
      var cells: Set<Cell> = []
      for (a, b) in zip(line, line.dropFirst()) {
        let (from, to) = (Cell(of: a), Cell(of: b))
        for x in min(from.x, to.x)...max(from.x, to.x) where abs(to.x - from.x) < 10 {
          for y in min(from.y, to.y)...max(from.y, to.y) { cells.insert(Cell(x: x, y: y)) }
        }
      }
      for cell in cells where cell.frame(in: shown) != nil { lines[cell, default: []].append(line) }
    }
    let streetsByCell = Dictionary(grouping: streets, by: Cell.init)
    let geos = Geos()
    var seaSides: [Cell: [Side: Bool]] = [:]
    var crossed: Set<Cell> = []
    for cell in lines.keys.sorted() {
      let frame = cell.frame(in: shown)!
      guard let faces = geos.faces(of: frame, lines[cell]!), !SeaAreas.floods(faces, streetsByCell[cell] ?? []) else {
        brokenCoast += geos.clipped(lines[cell]!, to: frame)
        crossed.insert(cell)
        continue
      }
      // A line's bounding box may overlap squares that the line misses.
      guard !faces.isEmpty else { continue }
      crossed.insert(cell)
      areas += faces.filter(\.isSea).map(\.rings)
      for side in Side.allCases {
        seaSides[cell, default: [:]][side] = faces.contains { $0.isSea && $0.touches(frame.middle(of: side), side) }
      }
    }
    flood(from: seaSides, avoiding: crossed, within: shown) { streetsByCell[$0] != nil }
    // Beyond the limit of panning: a page shows surroundings of up to one and a half times the map's size.
    let far = box.enlarged(by: 2 * max(box.width, box.height) + 5_000_000)
    areas = areas.map { rings in rings.map { SeaAreas.extendedRing($0, from: shown, to: far) } }
  }

  /// Returns whether all streets of a square lie in its sea, and there are too many to be bridges.
  private static func floods(_ faces: [SeaFace], _ streets: [FixedCoordinate]) -> Bool {
    guard streets.count > maximumOnBridges else { return false }
    let sea = faces.filter(\.isSea).map { RingedArea(rings: $0.rings.map { Array($0.dropLast()) }) }
    return streets.allSatisfy { street in sea.contains { $0.contains(street) } }
  }

  /// Returns a closed ring, extended straight out where it runs along the edge of the shown area.
  private static func extendedRing(
    _ ring: [FixedCoordinate], from shown: BoundingBox, to far: BoundingBox
  ) -> [FixedCoordinate] {
    func out(_ point: FixedCoordinate) -> FixedCoordinate {
      var point = point
      if point.longitude == shown.minLongitude { point.longitude = far.minLongitude }
      if point.longitude == shown.maxLongitude { point.longitude = far.maxLongitude }
      if point.latitude == shown.minLatitude { point.latitude = far.minLatitude }
      if point.latitude == shown.maxLatitude { point.latitude = far.maxLatitude }
      return point
    }
    func runsAlong(_ a: FixedCoordinate, _ b: FixedCoordinate) -> Bool {
      a.longitude == b.longitude && [shown.minLongitude, shown.maxLongitude].contains(a.longitude)
        || a.latitude == b.latitude && [shown.minLatitude, shown.maxLatitude].contains(a.latitude)
    }
    let points = ring.dropLast()
    guard points.contains(where: { out($0) != $0 }) else { return ring }
    var drawn: [FixedCoordinate] = []
    for (index, point) in points.enumerated() {
      let before = runsAlong(points[index > 0 ? index - 1 : points.count - 1], point)
      let after = runsAlong(point, points[index + 1 < points.count ? index + 1 : 0])
      if !before { drawn.append(point) }
      if before || after { drawn.append(out(point)) }
      if before && !after { drawn.append(point) }
    }
    return drawn + drawn.prefix(1)
  }

  /// Returns the coast, with added lines between ends that are close together at the edge of an extract. If such ends
  /// were extended straight out, the banks of a river could cross, and all land would become sea.
  private static func joined(
    _ coast: [[FixedCoordinate]], at box: BoundingBox, _ shown: BoundingBox
  ) -> [[FixedCoordinate]] {
    let open = openEnds(of: coast)
    let near = nearEdge(of: box)
    func isCut(_ point: FixedCoordinate) -> Bool { open.contains(point) && out(from: point, box, near, shown) != nil }
    let lines = coast.filter { $0.count > 1 }
    let (starts, ends) = (lines.map { $0[0] }.filter(isCut), lines.map { $0[$0.count - 1] }.filter(isCut))
    var gaps: [(metres: Double, line: [FixedCoordinate])] = []
    for end in ends {
      for start in starts {
        let metres = end.coordinate.distance(to: start.coordinate)
        if metres < widestRiver { gaps.append((metres, [end, start])) }
      }
    }
    var joinedEnds: Set<FixedCoordinate> = []
    let order = gaps.indices.sorted { (gaps[$0].metres, $0) < (gaps[$1].metres, $1) }
    let joints = order.map { gaps[$0].line }.filter { line in
      guard joinedEnds.isDisjoint(with: line) else { return false }
      joinedEnds.formUnion(line)
      return true
    }
    return coast + joints
  }

  /// Returns the ends of the coast that belong to only one line.
  private static func openEnds(of coast: [[FixedCoordinate]]) -> Set<FixedCoordinate> {
    var counts: [FixedCoordinate: Int] = [:]
    for line in coast where line.count > 1 {
      counts[line[0], default: 0] += 1
      counts[line[line.count - 1], default: 0] += 1
    }
    return Set(counts.lazy.filter { $0.value == 1 }.map(\.key))
  }

  /// Returns the distance from the edge of an extract within which an end of the coast counts as cut off, in 1e-7
  /// degrees.
  private static func nearEdge(of box: BoundingBox) -> Double { max(30_000, max(box.width, box.height) * 0.03) }

  /// Adds squares that are entirely sea, merging adjacent ones in each row.
  private mutating func flood(
    from sides: [Cell: [Side: Bool]], avoiding crossed: Set<Cell>, within box: BoundingBox, _ isLand: (Cell) -> Bool
  ) {
    var seen = crossed
    var front = Set(
      sides.flatMap { cell, sides in sides.filter(\.value).map { cell.neighbour($0.key) } }.filter {
        !crossed.contains($0)
      })
    var (sea, steps): ([Cell], Int) = ([], 0)
    while !front.isEmpty, brokenCoast.isEmpty || steps < SeaAreas.maximumSpread {
      var next: Set<Cell> = []
      for cell in front where seen.insert(cell).inserted && !isLand(cell) && cell.frame(in: box) != nil {
        sea.append(cell)
        next.formUnion(Side.allCases.map(cell.neighbour).filter { !seen.contains($0) })
      }
      (front, steps) = (next, steps + 1)
    }
    sea.sort()
    var first = 0
    for index in sea.indices {
      let isLast = index + 1 == sea.count || sea[index + 1] != sea[index].neighbour(.east)
      guard isLast, var frame = sea[first].frame(in: box), let last = sea[index].frame(in: box) else { continue }
      frame.east = last.east
      areas.append([frame.ring])
      first = index + 1
    }
  }

  fileprivate enum Side: CaseIterable { case west, south, east, north }

  /// Returns the coast, extended straight out where it ends at or beyond the edge of an extract.
  private static func extendedCoast(
    _ coast: [[FixedCoordinate]], from box: BoundingBox, to shown: BoundingBox
  ) -> [[FixedCoordinate]] {
    let (open, near) = (openEnds(of: coast), nearEdge(of: box))
    return coast.map { line in
      guard line.count > 1 else { return line }
      let (start, end) = (line[0], line[line.count - 1])
      let before = open.contains(start) ? out(from: start, box, near, shown) : nil
      let after = open.contains(end) ? out(from: end, box, near, shown) : nil
      return (before.map { [$0] } ?? []) + line + (after.map { [$0] } ?? [])
    }
  }

  /// Extends a point near or beyond the edge of the extract straight out to the edge of the shown area; nil for other
  /// points.
  private static func out(
    from point: FixedCoordinate, _ box: BoundingBox, _ near: Double, _ shown: BoundingBox
  ) -> FixedCoordinate? {
    let (x, y) = (Double(point.longitude), Double(point.latitude))
    let sides: [(inside: Double, out: FixedCoordinate)] = [
      (x - Double(box.minLongitude), FixedCoordinate(longitude: shown.minLongitude, latitude: point.latitude)),
      (Double(box.maxLongitude) - x, FixedCoordinate(longitude: shown.maxLongitude, latitude: point.latitude)),
      (y - Double(box.minLatitude), FixedCoordinate(longitude: point.longitude, latitude: shown.minLatitude)),
      (Double(box.maxLatitude) - y, FixedCoordinate(longitude: point.longitude, latitude: shown.maxLatitude)),
    ]
    guard shown.contains(point), let nearest = sides.min(by: { $0.inside < $1.inside }), nearest.inside < near else {
      return nil
    }
    return nearest.out
  }
}

/// A square, or the shown part of it, in degrees.
private struct SeaFrame {
  var west: Double
  var south: Double
  var east: Double
  var north: Double

  var corners: [(x: Double, y: Double)] { [(west, south), (east, south), (east, north), (west, north), (west, south)] }
  var ring: [FixedCoordinate] { corners.map { FixedCoordinate(Coordinate(latitude: $0.y, longitude: $0.x)) } }

  func middle(of side: SeaAreas.Side) -> (x: Double, y: Double) {
    switch side {
    case .west: (west, (south + north) / 2)
    case .east: (east, (south + north) / 2)
    case .south: ((west + east) / 2, south)
    case .north: ((west + east) / 2, north)
    }
  }
}

extension SeaAreas.Cell {
  fileprivate func neighbour(_ side: SeaAreas.Side) -> SeaAreas.Cell {
    switch side {
    case .west: SeaAreas.Cell(x: x - 1, y: y)
    case .east: SeaAreas.Cell(x: x + 1, y: y)
    case .south: SeaAreas.Cell(x: x, y: y - 1)
    case .north: SeaAreas.Cell(x: x, y: y + 1)
    }
  }

  /// Returns the part of the square within a box; nil if there is none.
  fileprivate func frame(in box: BoundingBox) -> SeaFrame? {
    func degrees(_ value: Int) -> Double { Double(value) / 1e7 }
    func border(_ index: Int32) -> Int { Int(index) * Int(SeaAreas.Cell.size) + Int(SeaAreas.Cell.offset) }
    let (west, south) = (max(border(x), Int(box.minLongitude)), max(border(y), Int(box.minLatitude)))
    let (east, north) = (min(border(x + 1), Int(box.maxLongitude)), min(border(y + 1), Int(box.maxLatitude)))
    guard west < east, south < north else { return nil }
    return SeaFrame(west: degrees(west), south: degrees(south), east: degrees(east), north: degrees(north))
  }
}

/// A face of a square divided by the coast.
private struct SeaFace {
  var rings: [[FixedCoordinate]]
  var isSea: Bool
  /// The outer ring in degrees.
  var outline: [(x: Double, y: Double)]

  /// Returns whether the outline contains the middle of the square's side.
  func touches(_ middle: (x: Double, y: Double), _ side: SeaAreas.Side) -> Bool {
    zip(outline, outline.dropFirst()).contains { a, b in
      switch side {
      case .west, .east: a.x == middle.x && b.x == middle.x && min(a.y, b.y) <= middle.y && middle.y <= max(a.y, b.y)
      case .south, .north: a.y == middle.y && b.y == middle.y && min(a.x, b.x) <= middle.x && middle.x <= max(a.x, b.x)
      }
    }
  }
}

extension Geos {
  fileprivate func line(_ points: [(x: Double, y: Double)]) -> OpaquePointer {
    GEOSGeom_createLineString_r(context, sequence(points) { $0 })!
  }

  /// Returns the parts of lines within a square, in their original direction.
  private func pieces(_ lines: [[FixedCoordinate]], _ frame: SeaFrame) -> [[(x: Double, y: Double)]] {
    lines.flatMap { line -> [[(x: Double, y: Double)]] in
      let whole = self.line(line.map { (x: $0.coordinate.longitude, y: $0.coordinate.latitude) })
      defer { GEOSGeom_destroy_r(context, whole) }
      guard let clipped = GEOSClipByRect_r(context, whole, frame.west, frame.south, frame.east, frame.north) else {
        return []
      }
      defer { GEOSGeom_destroy_r(context, clipped) }
      return (0..<GEOSGetNumGeometries_r(context, clipped)).compactMap { index in
        let part = GEOSGetGeometryN_r(context, clipped, index)!
        guard GEOSGeomTypeId_r(context, part) == Int32(GEOS_LINESTRING.rawValue), GEOSisEmpty_r(context, part) == 0
        else { return nil }
        return points(ofLine: part)
      }
    }
  }

  fileprivate func clipped(_ lines: [[FixedCoordinate]], to frame: SeaFrame) -> [[FixedCoordinate]] {
    pieces(lines, frame).map { $0.map { FixedCoordinate(Coordinate(latitude: $0.y, longitude: $0.x)) } }
  }

  /// Returns the faces into which a coast divides a square: none if the coast misses the square, nil if the coast ends
  /// inside it.
  fileprivate func faces(of frame: SeaFrame, _ coast: [[FixedCoordinate]]) -> [SeaFace]? {
    let pieces = pieces(coast, frame).filter { $0.count > 1 }
    guard !pieces.isEmpty else { return [] }
    var edges: Set<SIMD4<Double>> = []
    for piece in pieces { for (a, b) in zip(piece, piece.dropFirst()) { edges.insert(SIMD4(a.x, a.y, b.x, b.y)) } }
    var lines: [OpaquePointer?] = (pieces + [frame.corners]).map(line)
    let all = GEOSGeom_createCollection_r(context, Int32(GEOS_MULTILINESTRING.rawValue), &lines, UInt32(lines.count))!
    defer { GEOSGeom_destroy_r(context, all) }
    guard let noded = GEOSUnaryUnion_r(context, all) else { return nil }
    defer { GEOSGeom_destroy_r(context, noded) }
    var (cuts, dangles, invalid): (OpaquePointer?, OpaquePointer?, OpaquePointer?) = (nil, nil, nil)
    guard let polygons = GEOSPolygonize_full_r(context, noded, &cuts, &dangles, &invalid) else { return nil }
    defer {
      [polygons, cuts, dangles, invalid].forEach { if let geometry = $0 { GEOSGeom_destroy_r(context, geometry) } }
    }
    guard [cuts, dangles, invalid].allSatisfy({ $0.map { GEOSisEmpty_r(context, $0) == 1 } ?? true }) else {
      return nil
    }
    return (0..<GEOSGetNumGeometries_r(context, polygons)).map { index in
      face(GEOSGetGeometryN_r(context, polygons, index)!, edges)
    }
  }

  /// Returns the face of a polygon. It is sea if it is to the right of most coast segments on its edge. `coast`
  /// contains the start and the end of each segment.
  private func face(_ polygon: OpaquePointer, _ coast: Set<SIMD4<Double>>) -> SeaFace {
    let holes = (0..<GEOSGetNumInteriorRings_r(context, polygon)).map { GEOSGetInteriorRingN_r(context, polygon, $0)! }
    let rings = ([GEOSGetExteriorRing_r(context, polygon)!] + holes).map { points(of: $0) }
    var (right, left) = (0, 0)
    for (index, ring) in rings.enumerated() {
      // The face is to the left of its outer ring if the ring is counterclockwise, and of a hole if it is clockwise.
      let isLeft = ring.isCounterclockwise == (index == 0)
      for (a, b) in zip(ring.xy, ring.xy.dropFirst()) {
        if coast.contains(SIMD4(a.x, a.y, b.x, b.y)) { if isLeft { left += 1 } else { right += 1 } }
        if coast.contains(SIMD4(b.x, b.y, a.x, a.y)) { if isLeft { right += 1 } else { left += 1 } }
      }
    }
    return SeaFace(
      rings: rings.map { ring in
        ring.xy.map { FixedCoordinate(Coordinate(latitude: $0.y, longitude: $0.x)) }
      }, isSea: right > left, outline: rings[0].xy)
  }
}
