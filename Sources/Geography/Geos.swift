import CGeos

/// A GEOS context for one thread.
package final class Geos {
  let context = GEOS_init_r()!

  package init() {}

  deinit { GEOS_finish_r(context) }

  /// Creates a coordinate sequence. `xy` returns the coordinates of a point.
  func sequence<Point>(_ points: [Point], _ xy: (Point) -> (x: Double, y: Double)) -> OpaquePointer {
    let sequence = GEOSCoordSeq_create_r(context, UInt32(points.count), 2)!
    for (index, point) in points.enumerated() {
      let (x, y) = xy(point)
      GEOSCoordSeq_setXY_r(context, sequence, UInt32(index), x, y)
    }
    return sequence
  }

  func polygons(_ rings: [[Coordinate]]) -> OpaquePointer {
    var polygons: [OpaquePointer?] = rings.map { ring in
      let line = sequence(ring) { ($0.longitude, $0.latitude) }
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

  func points(of ring: OpaquePointer) -> (xy: [(x: Double, y: Double)], isCounterclockwise: Bool) {
    var isCounterclockwise: CChar = 1
    GEOSCoordSeq_isCCW_r(context, GEOSGeom_getCoordSeq_r(context, ring), &isCounterclockwise)
    return (points(ofLine: ring), isCounterclockwise == 1)
  }

  /// Returns the points of a point, a line or a ring.
  func points(ofLine line: OpaquePointer) -> [(x: Double, y: Double)] {
    let sequence = GEOSGeom_getCoordSeq_r(context, line)
    var count: UInt32 = 0
    GEOSCoordSeq_getSize_r(context, sequence, &count)
    return (0..<count).map { index in
      var (x, y) = (0.0, 0.0)
      GEOSCoordSeq_getXY_r(context, sequence, index, &x, &y)
      return (x, y)
    }
  }
}
