import CGeos

/// A geometry written by another program, reduced to the parts that places and pairs need.
///
///     Shape(wkt: "POLYGON ((0 0, 4 0, 4 4, 0 0))")?.positions      // such as [[3, 2]]: a point on the surface
///
/// Parsed by GEOS. Longitudes and latitudes are treated as planar coordinates, as in GeoJSON.
package struct Shape {
  /// The GeoJSON type: `Point`, `MultiPolygon`, …
  package let type: String
  /// The positions of a Point, MultiPoint, LineString or MultiLineString of one line; for polygons, a point inside one
  /// of them, never in a hole. Empty for other types, and for polygons without an area.
  package let positions: [[Double]]
  /// The rings of polygons, including holes; empty for other types.
  package let rings: [[[Double]]]

  /// Parses well-known binary; nil for other bytes.
  package init?(wkb bytes: [UInt8]) {
    // GEOS parses nested collections recursively: deep nesting would overflow the stack.
    guard WKBHeaders.areFlat(bytes) else { return nil }
    let geos = Geos()
    guard let geometry = GEOSGeomFromWKB_buf_r(geos.context, bytes, bytes.count) else { return nil }
    defer { GEOSGeom_destroy_r(geos.context, geometry) }
    self.init(geometry, geos)
  }

  /// Parses well-known text; nil for other text.
  package init?(wkt text: String) {
    let geos = Geos()
    // QGIS and PostGIS add the prefix SRID=4326;.
    let text = text.hasPrefix("SRID=4326;") ? String(text.dropFirst("SRID=4326;".count)) : text
    // Rejects collections, which GEOS would also parse recursively.
    guard ["POINT", "LINESTRING", "POLYGON", "MULTIP", "MULTIL"].contains(where: text.uppercased().hasPrefix) else {
      return nil
    }
    guard let reader = GEOSWKTReader_create_r(geos.context) else { return nil }
    defer { GEOSWKTReader_destroy_r(geos.context, reader) }
    guard let geometry = GEOSWKTReader_read_r(geos.context, reader, text) else { return nil }
    defer { GEOSGeom_destroy_r(geos.context, geometry) }
    self.init(geometry, geos)
  }

  private init(_ geometry: OpaquePointer, _ geos: Geos) {
    let types = [
      "Point", "LineString", "LinearRing", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon",
      "GeometryCollection",
    ]
    let type = Int(GEOSGeomTypeId_r(geos.context, geometry))
    self.type = types.indices.contains(type) ? types[type] : "curve"
    rings = ["Polygon", "MultiPolygon"].contains(self.type) ? geos.rings(of: geometry) : []
    switch self.type {
    case "Point", "LineString": positions = geos.positions(of: geometry)
    case "MultiLineString" where GEOSGetNumGeometries_r(geos.context, geometry) == 1:
      positions = GEOSGetGeometryN_r(geos.context, geometry, 0).map(geos.positions) ?? []
    case "MultiPoint":
      positions = (0..<GEOSGetNumGeometries_r(geos.context, geometry)).flatMap { index in
        GEOSGetGeometryN_r(geos.context, geometry, index).map(geos.positions) ?? []
      }
    case "Polygon", "MultiPolygon": positions = geos.surfacePoint(of: geometry).map { [$0] } ?? []
    default: positions = []
    }
  }

  /// Returns a point on the surface of polygons with holes; nil if they have no surface.
  package static func surfacePoint(ofPolygons polygons: [[[[Double]]]]) -> [Double]? {
    let geos = Geos()
    guard let geometry = geos.polygons(polygons) else { return nil }
    defer { GEOSGeom_destroy_r(geos.context, geometry) }
    return geos.surfacePoint(of: geometry)
  }
}

extension Geos {
  /// Returns the positions of a point or a line.
  fileprivate func positions(of geometry: OpaquePointer) -> [[Double]] {
    guard GEOSisEmpty_r(context, geometry) == 0, GEOSGeom_getCoordSeq_r(context, geometry) != nil else { return [] }
    return points(ofLine: geometry).map { [$0.x, $0.y] }
  }

  /// Returns the rings of a polygon or multipolygon, including holes.
  fileprivate func rings(of geometry: OpaquePointer) -> [[[Double]]] {
    (0..<max(0, GEOSGetNumGeometries_r(context, geometry))).flatMap { index -> [[[Double]]] in
      guard let polygon = GEOSGetGeometryN_r(context, geometry, index) else { return [] }
      let holes = (0..<max(0, GEOSGetNumInteriorRings_r(context, polygon))).map {
        GEOSGetInteriorRingN_r(context, polygon, $0)
      }
      return ([GEOSGetExteriorRing_r(context, polygon)] + holes).compactMap(\.self).map(positions)
    }
  }

  /// Returns a point inside polygons; inside the enclosed area if they are self-intersecting.
  fileprivate func surfacePoint(of geometry: OpaquePointer) -> [Double]? {
    guard GEOSisValid_r(context, geometry) != 1 else { return validSurfacePoint(of: geometry) }
    guard let valid = GEOSMakeValid_r(context, geometry) else { return nil }
    defer { GEOSGeom_destroy_r(context, valid) }
    return validSurfacePoint(of: valid)
  }

  private func validSurfacePoint(of geometry: OpaquePointer) -> [Double]? {
    var area = 0.0
    guard GEOSArea_r(context, geometry, &area) == 1, area > 0, let point = GEOSPointOnSurface_r(context, geometry)
    else { return nil }
    defer { GEOSGeom_destroy_r(context, point) }
    return positions(of: point).first
  }

  /// Creates a multipolygon, to be destroyed by the caller; nil if a ring is invalid.
  fileprivate func polygons(_ polygons: [[[[Double]]]]) -> OpaquePointer? {
    var geometries: [OpaquePointer?] = []
    for rings in polygons {
      let lines = rings.compactMap(ring)
      guard lines.count == rings.count, let outer = lines.first else {
        for geometry in lines + geometries.compactMap(\.self) { GEOSGeom_destroy_r(context, geometry) }
        return nil
      }
      var holes: [OpaquePointer?] = Array(lines.dropFirst())
      geometries.append(GEOSGeom_createPolygon_r(context, outer, &holes, UInt32(holes.count)))
    }
    return GEOSGeom_createCollection_r(
      context, Int32(GEOS_MULTIPOLYGON.rawValue), &geometries, UInt32(geometries.count))
  }

  /// The maximum magnitude of a position's numbers: beyond the range of any coordinate system.
  private static let farthest = 1e9

  /// Creates a ring, closing it if necessary.
  private func ring(_ positions: [[Double]]) -> OpaquePointer? {
    var positions = positions
    if let first = positions.first, positions.last != first { positions.append(first) }
    guard positions.count >= 4, positions.allSatisfy({ $0.count >= 2 && $0.allSatisfy { abs($0) <= Geos.farthest } })
    else { return nil }
    return GEOSGeom_createLinearRing_r(context, sequence(positions) { ($0[0], $0[1]) })
  }
}

/// A parser of geometries in well-known binary (OGC 06-103r4 and PostGIS's flags) that skips their positions.
struct WKBHeaders {
  private let bytes: [UInt8]
  private var at = 0

  /// Returns whether the bytes are points, lines or polygons, without nested collections.
  static func areFlat(_ bytes: [UInt8]) -> Bool {
    var headers = WKBHeaders(bytes: bytes)
    return headers.skipFlat() != nil
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Types: 1 point, 2 line, 3 polygon, 4 to 6 their multi variants.
  private typealias Header = (isLittle: Bool, type: UInt32, dimensions: Int)

  /// Skips a geometry; nil for nested collections, other types and truncated data.
  private mutating func skipFlat() -> Void? {
    guard let head = head() else { return nil }
    guard (4...6).contains(head.type) else { return skipSimple(head) }
    guard let count = number(head.isLittle) else { return nil }
    for _ in 0..<count {
      guard let part = self.head(), part.type == head.type - 3, skipSimple(part) != nil else { return nil }
    }
    return ()
  }

  private mutating func head() -> Header? {
    guard at < bytes.count, bytes[at] <= 1 else { return nil }
    let isLittle = bytes[at] == 1
    at += 1
    guard let code = number(isLittle) else { return nil }
    let (flags, plain) = (code >> 29, code & 0x1FFF_FFFF)
    // PostGIS: the highest bits flag elevation, measure and coordinate system.
    if flags & 1 == 1, number(isLittle) == nil { return nil }
    let more = Int(flags >> 2 & 1) + Int(flags >> 1 & 1) + [0, 1, 1, 2, 0][min(4, Int(plain / 1000))]
    return (isLittle, plain % 1000, 2 + more)
  }

  private mutating func skipSimple(_ head: Header) -> Void? {
    switch head.type {
    case 1: return skip(positions: 1, head)
    case 2: return number(head.isLittle).flatMap { skip(positions: Int($0), head) }
    case 3:
      guard let rings = number(head.isLittle) else { return nil }
      for _ in 0..<rings {
        guard let count = number(head.isLittle), skip(positions: Int(count), head) != nil else { return nil }
      }
      return ()
    default: return nil
    }
  }

  private mutating func skip(positions count: Int, _ head: Header) -> Void? {
    let length = count * head.dimensions * 8
    guard length <= bytes.count - at else { return nil }
    at += length
    return ()
  }

  private mutating func number(_ isLittle: Bool) -> UInt32? {
    guard bytes.count - at >= 4 else { return nil }
    let four = bytes[at..<at + 4]
    at += 4
    return (isLittle ? Array(four.reversed()) : Array(four)).reduce(0) { $0 << 8 | UInt32($1) }
  }
}
