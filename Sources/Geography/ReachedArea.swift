import CGeos
import Foundation

/// An area around lines: disjoint polygons with holes, on a grid of a millionth of a degree.
package struct ReachedArea: Sendable {
  /// Polygons of closed rings: a counterclockwise outer ring and clockwise holes (RFC 7946).
  package var polygons: [[[FixedCoordinate]]]
  package var squareMetres: Double

  package static let empty = ReachedArea(polygons: [], squareMetres: 0)
}

/// A builder of nested areas around lines, each containing the previous ones. Use one builder per place.
///
///     let areas = AreaBuilder(around: place, buffer: 30)
///     let near = areas.add(pieces)               // everything within 30 m of them
///     let far = areas.add(morePieces)            // `near` and the new part
///     let ring = areas.lastBand                  // `far` without `near`
///
/// `AreaOutline` draws the area: its rings close narrow gaps, and differ from the exact ones by about a twentieth of
/// the buffer, or a few metres if the buffer is wide. With a buffer of less than 5 m, GEOS buffers the lines and merges
/// the buffers; the result is also simplified and snapped to a grid. Snapping makes polygons valid for any input. The
/// area contains its lines.
package final class AreaBuilder {
  private let geos: Geos
  private let centre: Coordinate
  /// Planar units (a millionth of a degree of latitude) per metre, and the length of a degree of longitude relative to
  /// a degree of latitude.
  private let scale: Double
  private let xScale: Double
  private let buffer: Double
  private let smooth: Double
  private var outline: AreaOutline?
  private var whole: OpaquePointer?
  /// The area as returned (smoothed if requested), and the previous one.
  private var shown: OpaquePointer?
  private var previous: OpaquePointer?

  /// The simplification tolerance as a fraction of the buffer; buffers larger than `smallBuffer` metres have the
  /// tolerance of `smallBuffer`.
  private static let (tolerance, smallBuffer) = (0.05, 30.0)
  /// The corners per quarter circle.
  private static let quarterCorners: Int32 = 2
  /// The grid spacing, in units of 1e-6 degrees.
  private static let grid = 1.0
  /// The minimum buffer for outlines, in metres: the size of their lattice grows with the length of the lines relative
  /// to the buffer.
  package static let minimumOutlined = 5.0

  /// - Parameters:
  ///   - buffer: The width of the buffer in metres.
  ///   - smooth: Closes gaps and holes narrower than twice this many metres; 0 for no smoothing. The area still
  ///     contains the unsmoothed one and the previous ones. A morphological closing (J. Serra 1982).
  package init(
    around place: FixedCoordinate, buffer: Double, smooth: Double = 0, _ geos: Geos
  ) {
    self.geos = geos
    centre = place.coordinate
    (self.buffer, self.smooth) = (buffer, smooth)
    scale = 1e6 / Coordinate.metresPerDegree
    xScale = max(1e-6, cos(centre.latitude * .pi / 180))
    guard buffer >= AreaBuilder.minimumOutlined else { return }
    outline = AreaOutline(
      radius: buffer * scale, smallRadius: AreaBuilder.smallBuffer * scale, tolerance: tolerance, xScale: xScale)
  }

  deinit {
    for geometry in [whole, shown, previous] { if let geometry { GEOSGeom_destroy_r(geos.context, geometry) } }
  }

  /// Extends the area by the buffer around `lines` and returns it.
  package func add(_ lines: LineList) -> ReachedArea {
    if let previous { GEOSGeom_destroy_r(geos.context, previous) }
    previous = shown
    if lines.isEmpty {
      shown = previous.map { GEOSGeom_clone_r(geos.context, $0) }
    } else {
      let larger = outline == nil ? united(lines.separate) : geos.polygons(outline!.add(lines))
      if let whole { GEOSGeom_destroy_r(geos.context, whole) }
      whole = larger
      shown = smooth > 0 ? smoothed(larger) : GEOSGeom_clone_r(geos.context, larger)
    }
    return shown.map(area) ?? .empty
  }

  /// Returns the union of the current area and the buffer around lines.
  private func united(_ lines: [[FixedCoordinate]]) -> OpaquePointer {
    let wide = widened(lines)
    defer { GEOSGeom_destroy_r(geos.context, wide) }
    let simple = GEOSTopologyPreserveSimplify_r(geos.context, wide, tolerance)!
    defer { GEOSGeom_destroy_r(geos.context, simple) }
    // Simplification makes about one polygon in a thousand self-intersecting; such a polygon is not simplified.
    let isValid = GEOSisValid_r(geos.context, simple) == 1
    guard let larger = (isValid ? joined(simple) : nil) ?? joined(wide) else {
      preconditionFailure("GEOS failed to merge valid areas")
    }
    return larger
  }

  /// Returns the morphological closing of an area (widened, then narrowed), united with the previous area.
  private func smoothed(_ geometry: OpaquePointer) -> OpaquePointer {
    let context = geos.context
    let flat = moved(geometry, toGrid: false)
    defer { GEOSGeom_destroy_r(context, flat) }
    let style = (Int32(GEOSBUF_CAP_ROUND.rawValue), Int32(GEOSBUF_JOIN_ROUND.rawValue))
    // Chords deviate from their arcs by about 1.5 m at most.
    let quarterCorners = Int32(max(4, (smooth / 5).squareRoot().rounded(.up)))
    func widened(_ geometry: OpaquePointer, by metres: Double) -> OpaquePointer? {
      GEOSBufferWithStyle_r(context, geometry, metres * scale, quarterCorners, style.0, style.1, 5)
    }
    let unchanged = { GEOSGeom_clone_r(context, geometry)! }
    guard let wide = widened(flat, by: smooth) else { return unchanged() }
    defer { GEOSGeom_destroy_r(context, wide) }
    guard let closed = widened(wide, by: -smooth) else { return unchanged() }
    defer { GEOSGeom_destroy_r(context, closed) }
    let placed = moved(closed, toGrid: true)
    defer { GEOSGeom_destroy_r(context, placed) }
    guard var joined = GEOSUnionPrec_r(context, placed, geometry, AreaBuilder.grid).map(polygonsOnly) else {
      return unchanged()
    }
    if let previous, let both = GEOSUnionPrec_r(context, joined, previous, AreaBuilder.grid).map(polygonsOnly) {
      GEOSGeom_destroy_r(context, joined)
      joined = both
    }
    return joined
  }

  /// Returns the union of the current area and polygons in the plane, on the grid; nil if GEOS fails.
  private func joined(_ geometry: OpaquePointer) -> OpaquePointer? {
    let placed = moved(geometry, toGrid: true)
    defer { GEOSGeom_destroy_r(geos.context, placed) }
    let joined =
      whole.map { GEOSUnionPrec_r(geos.context, placed, $0, AreaBuilder.grid) }
      ?? GEOSUnaryUnionPrec_r(geos.context, placed, AreaBuilder.grid)
    return joined.map(polygonsOnly)
  }

  /// Returns the polygons of a geometry, and frees the geometry. A polygon that the grid collapses to a line is
  /// dropped.
  private func polygonsOnly(_ geometry: OpaquePointer) -> OpaquePointer {
    let context = geos.context
    guard GEOSGeomTypeId_r(context, geometry) == Int32(GEOS_GEOMETRYCOLLECTION.rawValue) else { return geometry }
    defer { GEOSGeom_destroy_r(context, geometry) }
    let parts = (0..<GEOSGetNumGeometries_r(context, geometry)).map { GEOSGetGeometryN_r(context, geometry, $0) }
    var polygons: [OpaquePointer?] = parts.filter {
      GEOSGeomTypeId_r(context, $0) == Int32(GEOS_POLYGON.rawValue)
    }.map { GEOSGeom_clone_r(context, $0) }
    return GEOSGeom_createCollection_r(context, Int32(GEOS_MULTIPOLYGON.rawValue), &polygons, UInt32(polygons.count))!
  }

  /// The part of the area added by the last call to `add`.
  package var lastBand: ReachedArea {
    guard let shown, let previous else { return shown.map(area) ?? .empty }
    let band = polygonsOnly(GEOSDifferencePrec_r(geos.context, shown, previous, AreaBuilder.grid)!)
    defer { GEOSGeom_destroy_r(geos.context, band) }
    return area(band)
  }

  // MARK: Projection

  /// Returns the buffer around lines. Lines are buffered one by one: buffering some collections at once takes GEOS a
  /// hundred times as long as merging separate buffers.
  private func widened(_ lines: [[FixedCoordinate]]) -> OpaquePointer {
    let context = geos.context
    let drawn = multiLine(Strokes(lines).joined())
    defer { GEOSGeom_destroy_r(context, drawn) }
    let simple = GEOSSimplify_r(context, drawn, tolerance)!
    defer { GEOSGeom_destroy_r(context, simple) }
    var parts: [OpaquePointer?] = (0..<GEOSGetNumGeometries_r(context, simple)).map { index in
      GEOSBufferWithStyle_r(
        context, GEOSGetGeometryN_r(context, simple, index), buffer * scale,
        AreaBuilder.quarterCorners, Int32(GEOSBUF_CAP_ROUND.rawValue), Int32(GEOSBUF_JOIN_ROUND.rawValue), 5)
    }
    let all = GEOSGeom_createCollection_r(
      context, Int32(GEOS_GEOMETRYCOLLECTION.rawValue), &parts, UInt32(parts.count))!
    defer { GEOSGeom_destroy_r(context, all) }
    return GEOSUnaryUnion_r(context, all)!
  }

  /// The simplification tolerance in planar units.
  private var tolerance: Double { min(buffer, AreaBuilder.smallBuffer) * AreaBuilder.tolerance * scale }

  /// Returns the lines in a plane whose unit is a millionth of a degree of latitude in both directions.
  private func multiLine(_ lines: [[FixedCoordinate]]) -> OpaquePointer {
    let context = geos.context
    var parts: [OpaquePointer?] = lines.map { points in
      let line = geos.sequence(points.map(\.coordinate)) {
        (($0.longitude - centre.longitude) * 1e6 * xScale, ($0.latitude - centre.latitude) * 1e6)
      }
      return GEOSGeom_createLineString_r(context, line)
    }
    return GEOSGeom_createCollection_r(context, Int32(GEOS_MULTILINESTRING.rawValue), &parts, UInt32(parts.count))!
  }

  /// Returns the polygons converted from the plane to millionths of a degree (the grid), or back.
  private func moved(_ geometry: OpaquePointer, toGrid convertsToGrid: Bool) -> OpaquePointer {
    typealias Plane = (longitude: Double, latitude: Double, xScale: Double, convertsToGrid: Bool)
    var plane: Plane = (centre.longitude * 1e6, centre.latitude * 1e6, xScale, convertsToGrid)
    return GEOSGeom_transformXY_r(
      geos.context, geometry,
      { x, y, plane in
        let (plane, x, y) = (plane!.assumingMemoryBound(to: Plane.self).pointee, x!, y!)
        x.pointee =
          plane.convertsToGrid
          ? plane.longitude + x.pointee / plane.xScale : (x.pointee - plane.longitude) * plane.xScale
        y.pointee += plane.convertsToGrid ? plane.latitude : -plane.latitude
        return 1
      }, &plane)!
  }

  private func area(_ geometry: OpaquePointer) -> ReachedArea {
    let context = geos.context
    var squareUnits = 0.0
    GEOSArea_r(context, geometry, &squareUnits)
    let polygons = (0..<GEOSGetNumGeometries_r(context, geometry)).compactMap { index -> [[FixedCoordinate]]? in
      let polygon = GEOSGetGeometryN_r(context, geometry, index)!
      guard GEOSGeomTypeId_r(context, polygon) == Int32(GEOS_POLYGON.rawValue), GEOSisEmpty_r(context, polygon) == 0
      else { return nil }
      let holes = (0..<GEOSGetNumInteriorRings_r(context, polygon)).map {
        ring(GEOSGetInteriorRingN_r(context, polygon, $0)!, isCounterclockwise: false)
      }
      return [ring(GEOSGetExteriorRing_r(context, polygon)!, isCounterclockwise: true)] + holes
    }
    return ReachedArea(polygons: polygons, squareMetres: squareUnits * xScale / (scale * scale))
  }

  private func ring(_ ring: OpaquePointer, isCounterclockwise wanted: Bool) -> [FixedCoordinate] {
    let points = geos.points(of: ring)
    let fixed = points.xy.map {
      FixedCoordinate(longitude: Int32(($0.x * 10).rounded()), latitude: Int32(($0.y * 10).rounded()))
    }
    return points.isCounterclockwise == wanted ? fixed : fixed.reversed()
  }
}

extension Geos {
  /// Returns polygons with holes, in millionths of a degree.
  fileprivate func polygons(_ polygons: [[[FixedCoordinate]]]) -> OpaquePointer {
    var geometries: [OpaquePointer?] = polygons.map { rings in
      var rings: [OpaquePointer?] = rings.map { points in
        let line = sequence(points) { (Double($0.longitude) / 10, Double($0.latitude) / 10) }
        return GEOSGeom_createLinearRing_r(context, line)
      }
      let outer = rings.removeFirst()
      return GEOSGeom_createPolygon_r(context, outer, &rings, UInt32(rings.count))
    }
    return GEOSGeom_createCollection_r(
      context, Int32(GEOS_MULTIPOLYGON.rawValue), &geometries, UInt32(geometries.count))!
  }
}

/// Lines, stored consecutively in one array.
package struct LineList {
  private var points: [FixedCoordinate] = []
  /// The end of each line in `points`.
  private var ends: [Int] = []

  package init() {}

  package init(_ lines: [[FixedCoordinate]]) {
    for line in lines { append(line) }
  }

  package mutating func append(_ line: [FixedCoordinate]) { line.withUnsafeBufferPointer { append($0) } }

  package mutating func append(_ line: UnsafeBufferPointer<FixedCoordinate>) {
    points.append(contentsOf: line)
    ends.append(points.count)
  }

  var isEmpty: Bool { ends.isEmpty }

  func forEach(_ body: (ArraySlice<FixedCoordinate>) -> Void) {
    var start = 0
    for end in ends {
      body(points[start..<end])
      start = end
    }
  }

  /// The lines as separate arrays.
  var separate: [[FixedCoordinate]] {
    var lines: [[FixedCoordinate]] = []
    forEach { lines.append(Array($0)) }
    return lines
  }
}
