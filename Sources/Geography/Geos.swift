import CGeos

/// A GEOS context for one thread.
package final class Geos {
  let context = GEOS_init_r()!

  package init() {}

  deinit { GEOS_finish_r(context) }

  func polygons(_ rings: [[Coordinate]]) -> OpaquePointer {
    var polygons: [OpaquePointer?] = rings.map { ring in
      let line = GEOSCoordSeq_create_r(context, UInt32(ring.count), 2)!
      for (index, point) in ring.enumerated() {
        GEOSCoordSeq_setXY_r(context, line, UInt32(index), point.longitude, point.latitude)
      }
      return GEOSGeom_createPolygon_r(context, GEOSGeom_createLinearRing_r(context, line), nil, 0)
    }
    return GEOSGeom_createCollection_r(context, Int32(GEOS_MULTIPOLYGON.rawValue), &polygons, UInt32(polygons.count))!
  }

  /// Returns the outer rings of one or more polygons, counterclockwise, rounded to 1e-6 degrees.
  func outerRings(_ geometry: OpaquePointer) -> [[Coordinate]] {
    (0..<GEOSGetNumGeometries_r(context, geometry)).map { index in
      let ring = points(of: GEOSGetExteriorRing_r(context, GEOSGetGeometryN_r(context, geometry, index))!)
      let points = ring.xy.map {
        Coordinate(latitude: ($0.y * 1e6).rounded() / 1e6, longitude: ($0.x * 1e6).rounded() / 1e6)
      }
      return ring.isCounterclockwise ? points : points.reversed()
    }
  }

  /// Returns the points of a ring and its orientation.
  func points(of ring: OpaquePointer) -> (xy: [(x: Double, y: Double)], isCounterclockwise: Bool) {
    let line = GEOSGeom_getCoordSeq_r(context, ring)
    var count: UInt32 = 0
    GEOSCoordSeq_getSize_r(context, line, &count)
    var isCounterclockwise: CChar = 1
    GEOSCoordSeq_isCCW_r(context, line, &isCounterclockwise)
    let points = (0..<count).map { index -> (x: Double, y: Double) in
      var (x, y) = (0.0, 0.0)
      GEOSCoordSeq_getXY_r(context, line, index, &x, &y)
      return (x, y)
    }
    return (points, isCounterclockwise == 1)
  }
}
