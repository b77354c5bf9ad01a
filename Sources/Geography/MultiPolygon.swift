import CGeos

/// A multipolygon in geographic coordinates. Its polygons have no holes.
///
///     let area = MultiPolygon(rings: [[a, b, c, a]])
///     area.contains([place])                             // [true]
///
/// Longitudes and latitudes are treated as planar coordinates, as in GeoJSON. Uses GEOS.
public struct MultiPolygon: Hashable, Sendable {
  /// Closed rings of at least four positions: the last position equals the first.
  public let rings: [[Coordinate]]

  /// Creates an area from outer rings, which must be closed.
  public init(rings: [[Coordinate]]) {
    precondition(
      rings.allSatisfy { $0.count >= 4 && $0.first == $0.last }, "a ring is not closed or has fewer than four positions"
    )
    self.rings = rings
  }

  /// Returns whether each place lies inside a polygon or on its boundary. *Complexity*: O(log corners) per place, plus
  /// O(corners) once.
  public func contains(_ places: [Coordinate]) -> [Bool] {
    let geos = Geos()
    var area = geos.polygons(rings)
    defer { GEOSGeom_destroy_r(geos.context, area) }
    // GEOS expects polygons that do not overlap.
    if GEOSisValid_r(geos.context, area) != 1, let union = GEOSUnaryUnion_r(geos.context, area) {
      GEOSGeom_destroy_r(geos.context, area)
      area = union
    }
    guard let prepared = GEOSPrepare_r(geos.context, area) else { return places.map { _ in false } }
    defer { GEOSPreparedGeom_destroy_r(geos.context, prepared) }
    return places.map { place in
      let point = GEOSGeom_createPointFromXY_r(geos.context, place.longitude, place.latitude)
      defer { GEOSGeom_destroy_r(geos.context, point) }
      return GEOSPreparedIntersects_r(geos.context, prepared, point) == 1
    }
  }

  /// Returns the reason why a ring is not a valid boundary ("Self-intersection[24.9 60.1]"); nil if it is valid.
  public static func flaw(in ring: [Coordinate]) -> String? {
    let geos = Geos()
    let polygon = geos.polygons([ring])
    defer { GEOSGeom_destroy_r(geos.context, polygon) }
    guard GEOSisValid_r(geos.context, polygon) != 1, let reason = GEOSisValidReason_r(geos.context, polygon) else {
      return nil
    }
    defer { GEOSFree_r(geos.context, reason) }
    return String(cString: reason)
  }

  /// Creates an area that covers all `boxes`. It is widened, and thereby simplified, until it consists of at most
  /// `polygons` polygons with at most `corners` corners each, or is more than 90 degrees wider than the boxes.
  package init(around boxes: [BoundingBox], polygons: Int, corners: Int) {
    let geos = Geos()
    let parts = geos.polygons(boxes.map { $0.ring.map(\.coordinate) })
    defer { GEOSGeom_destroy_r(geos.context, parts) }
    let whole = GEOSUnaryUnion_r(geos.context, parts)!
    defer { GEOSGeom_destroy_r(geos.context, whole) }
    // Buffers by more than the simplification tolerance, so that simplifying does not uncover a box.
    var tolerance = boxes.first.map { Double($0.maxLatitude - $0.minLatitude) / 1e7 / 2 } ?? 0.001
    while true {
      let wider = GEOSBufferWithStyle_r(
        geos.context, whole, tolerance * 1.1, 1, Int32(GEOSBUF_CAP_SQUARE.rawValue),
        Int32(GEOSBUF_JOIN_MITRE.rawValue), 2)!
      let simpler = GEOSTopologyPreserveSimplify_r(geos.context, wider, tolerance)!
      let rings = geos.outerRings(simpler)
      GEOSGeom_destroy_r(geos.context, wider)
      GEOSGeom_destroy_r(geos.context, simpler)
      if rings.count <= polygons && rings.allSatisfy({ $0.count <= corners + 1 }) || tolerance > 90 {
        self.init(rings: rings)
        return
      }
      tolerance *= 1.3
    }
  }
}
