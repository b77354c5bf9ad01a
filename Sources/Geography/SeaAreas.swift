import CGeos

/// The sea, made of a coast's lines: land lies to the left of each (OpenStreetMap's rule for `natural=coastline`).
///
/// Square by square: a square that the coast crosses is cut into faces, each of which is sea or land by the coast on its
/// edge; from there the sea goes on into squares without a coast, some squares far, but into none that is land. Where the
/// coast ends at the edge of an extract it is drawn on, straight out; where it ends elsewhere within a square it is broken,
/// and that square has no sea: a broken coast floods nothing.
package struct SeaAreas {
  /// A square of a tenth of a degree, by its southwest in tenths of a degree, and a little more: no coast is drawn along the
  /// border between two, as one may be along a round number.
  package struct Cell: Hashable, Comparable, Sendable {
    package var x: Int32
    package var y: Int32

    /// In 1e-7 degrees.
    package static let size: Int32 = 1_000_000
    /// In 1e-7 degrees.
    fileprivate static let offset: Int32 = 12_347

    package init(x: Int32, y: Int32) { (self.x, self.y) = (x, y) }

    package init(of point: FixedCoordinate) {
      self.init(x: Cell.index(point.longitude), y: Cell.index(point.latitude))
    }

    private static func index(_ value: Int32) -> Int32 {
      let value = value - offset
      return value >= 0 ? value / size : -((-(value + 1)) / size) - 1
    }

    package static func < (a: Cell, b: Cell) -> Bool { (a.y, a.x) < (b.y, b.x) }
  }

  /// Polygons of sea: rings that are closed, the outer one first.
  package private(set) var areas: [[[FixedCoordinate]]] = []
  /// Where the coast ends within a square, whose sides are not known.
  package private(set) var brokenCoast: [[FixedCoordinate]] = []

  /// How many squares the sea goes on from one that the coast crosses.
  private static let farthest = 3

  /// - Parameters:
  ///   - box: Around what the map has: its streets.
  ///   - isLand: Whether a square that the coast does not cross is land.
  package init(coast: [[FixedCoordinate]], around box: BoundingBox, isLand: (Cell) -> Bool) {
    guard !box.isEmpty, !coast.isEmpty else { return }
    let shown = box.enlarged(by: min(max(box.width, box.height) / 10, 1_000_000))
    let coast = SeaAreas.drawnOn(coast, from: box, to: shown)
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
    let geos = Geos()
    var seaSides: [Cell: [Side: Bool]] = [:]
    var isCrossed: Set<Cell> = []
    for cell in lines.keys.sorted() {
      let frame = cell.frame(in: shown)!
      guard let faces = geos.faces(of: frame, lines[cell]!) else {
        brokenCoast += geos.clipped(lines[cell]!, to: frame)
        isCrossed.insert(cell)
        continue
      }
      // A line may pass by a square.
      guard !faces.isEmpty else { continue }
      isCrossed.insert(cell)
      areas += faces.filter(\.isSea).map(\.rings)
      for side in Side.allCases {
        seaSides[cell, default: [:]][side] = faces.contains { $0.isSea && $0.touches(frame.middle(of: side), side) }
      }
    }
    flood(from: seaSides, beside: isCrossed, within: shown, isLand)
  }

  /// Squares that are sea as a whole.
  private mutating func flood(
    from sides: [Cell: [Side: Bool]], beside crossed: Set<Cell>, within box: BoundingBox, _ isLand: (Cell) -> Bool
  ) {
    var isSeen = crossed
    var front = Set(
      sides.flatMap { cell, sides in sides.filter(\.value).map { cell.neighbour($0.key) } }.filter {
        !crossed.contains($0)
      })
    for _ in 0..<SeaAreas.farthest {
      var next: Set<Cell> = []
      for cell in front.sorted() where isSeen.insert(cell).inserted && !isLand(cell) {
        guard let frame = cell.frame(in: box) else { continue }
        areas.append([frame.ring])
        next.formUnion(Side.allCases.map(cell.neighbour).filter { !isSeen.contains($0) })
      }
      front = next
    }
  }

  fileprivate enum Side: CaseIterable { case west, south, east, north }

  /// A coast that ends at the edge of an extract, or beyond, goes on straight out of it.
  private static func drawnOn(
    _ coast: [[FixedCoordinate]], from box: BoundingBox, to shown: BoundingBox
  ) -> [[FixedCoordinate]] {
    var ends: [FixedCoordinate: Int] = [:]
    for line in coast where line.count > 1 {
      ends[line[0], default: 0] += 1
      ends[line[line.count - 1], default: 0] += 1
    }
    let near = max(30_000, max(box.width, box.height) * 0.03)
    return coast.map { line in
      guard line.count > 1 else { return line }
      var line = line
      if ends[line[0]] == 1, let out = out(from: line[0], box, near, shown) { line.insert(out, at: 0) }
      if ends[line[line.count - 1]] == 1, let out = out(from: line[line.count - 1], box, near, shown) {
        line.append(out)
      }
      return line
    }
  }

  /// A point on the edge of what is shown, straight out from one that is near the edge of the extract, or beyond.
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

/// A square, or what of it is shown, in degrees.
private struct SeaFrame {
  var west: Double
  var south: Double
  var east: Double
  var north: Double

  var corners: [(x: Double, y: Double)] {
    [(west, south), (east, south), (east, north), (west, north), (west, south)]
  }
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

  /// What of the square lies in a box; nil for nothing.
  fileprivate func frame(in box: BoundingBox) -> SeaFrame? {
    func degrees(_ value: Int) -> Double { Double(value) / 1e7 }
    func border(_ index: Int32) -> Int { Int(index) * Int(SeaAreas.Cell.size) + Int(SeaAreas.Cell.offset) }
    let (west, south) = (max(border(x), Int(box.minLongitude)), max(border(y), Int(box.minLatitude)))
    let (east, north) = (min(border(x + 1), Int(box.maxLongitude)), min(border(y + 1), Int(box.maxLatitude)))
    guard west < east, south < north else { return nil }
    return SeaFrame(west: degrees(west), south: degrees(south), east: degrees(east), north: degrees(north))
  }
}

/// A face of a square that the coast cuts.
private struct SeaFace {
  var rings: [[FixedCoordinate]]
  var isSea: Bool
  /// The outer ring in degrees.
  var outline: [(x: Double, y: Double)]

  /// Whether its outline has the middle of the square's side.
  func touches(_ middle: (x: Double, y: Double), _ side: SeaAreas.Side) -> Bool {
    zip(outline, outline.dropFirst()).contains { a, b in
      switch side {
      case .west, .east: a.x == middle.x && b.x == middle.x && min(a.y, b.y) <= middle.y && middle.y <= max(a.y, b.y)
      case .south, .north: a.y == middle.y && b.y == middle.y && min(a.x, b.x) <= middle.x && middle.x <= max(a.x, b.x)
      }
    }
  }
}

/// A line's piece from one point to the next, in degrees.
private struct DirectedEdge: Hashable {
  var (fromX, fromY): (Double, Double)
  var (toX, toY): (Double, Double)

  init(_ from: (x: Double, y: Double), _ to: (x: Double, y: Double)) {
    (fromX, fromY, toX, toY) = (from.x, from.y, to.x, to.y)
  }
}

extension Geos {
  fileprivate func line(_ points: [(x: Double, y: Double)]) -> OpaquePointer {
    let sequence = GEOSCoordSeq_create_r(context, UInt32(points.count), 2)!
    for (index, point) in points.enumerated() {
      GEOSCoordSeq_setXY_r(context, sequence, UInt32(index), point.x, point.y)
    }
    return GEOSGeom_createLineString_r(context, sequence)!
  }

  /// The pieces of lines within a square, in their direction.
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
        else {
          return nil
        }
        return points(ofLine: part)
      }
    }
  }

  private func points(ofLine line: OpaquePointer) -> [(x: Double, y: Double)] {
    let sequence = GEOSGeom_getCoordSeq_r(context, line)
    var count: UInt32 = 0
    GEOSCoordSeq_getSize_r(context, sequence, &count)
    return (0..<count).map { index in
      var (x, y) = (0.0, 0.0)
      GEOSCoordSeq_getXY_r(context, sequence, index, &x, &y)
      return (x, y)
    }
  }

  fileprivate func clipped(_ lines: [[FixedCoordinate]], to frame: SeaFrame) -> [[FixedCoordinate]] {
    pieces(lines, frame).map { $0.map { FixedCoordinate(Coordinate(latitude: $0.y, longitude: $0.x)) } }
  }

  /// The faces that a coast cuts a square into; none where it does not cross it; nil where it ends within.
  fileprivate func faces(of frame: SeaFrame, _ coast: [[FixedCoordinate]]) -> [SeaFace]? {
    let pieces = pieces(coast, frame).filter { $0.count > 1 }
    guard !pieces.isEmpty else { return [] }
    var edges: Set<DirectedEdge> = []
    for piece in pieces { for (a, b) in zip(piece, piece.dropFirst()) { edges.insert(DirectedEdge(a, b)) } }
    var lines: [OpaquePointer?] = (pieces + [frame.corners]).map(line)
    let all = GEOSGeom_createCollection_r(
      context, Int32(GEOS_MULTILINESTRING.rawValue), &lines, UInt32(lines.count))!
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

  /// A face is sea where the coast on its edge has it to the right.
  private func face(_ polygon: OpaquePointer, _ coast: Set<DirectedEdge>) -> SeaFace {
    let holes = (0..<GEOSGetNumInteriorRings_r(context, polygon)).map { GEOSGetInteriorRingN_r(context, polygon, $0)! }
    let rings = ([GEOSGetExteriorRing_r(context, polygon)!] + holes).map { points(of: $0) }
    var (right, left) = (0, 0)
    for (index, ring) in rings.enumerated() {
      // The face lies to the left of its outer ring where that turns left, and of its holes where those turn right.
      let isLeft = ring.isCounterclockwise == (index == 0)
      for (a, b) in zip(ring.xy, ring.xy.dropFirst()) {
        if coast.contains(DirectedEdge(a, b)) { if isLeft { left += 1 } else { right += 1 } }
        if coast.contains(DirectedEdge(b, a)) { if isLeft { right += 1 } else { left += 1 } }
      }
    }
    return SeaFace(
      rings: rings.map { ring in
        ring.xy.map { FixedCoordinate(Coordinate(latitude: $0.y, longitude: $0.x)) }
      }, isSea: right > left, outline: rings[0].xy)
  }
}
