import Geography
import Testing

import Tables

/// Geometries as encoded in a GeoPackage.
struct GeometryBlobTests {
  private func point(_ longitude: Int32, _ latitude: Int32) -> FixedCoordinate {
    FixedCoordinate(longitude: longitude, latitude: latitude)
  }

  @Test func readsItsOwnOutput() {
    let line = [point(-1_800_000_000, -900_000_000), point(1, 2), point(249_384_001, 601_699_999)]
    #expect(GeometryBlob(line: line[...]).lines == [line])
    #expect(GeometryBlob(line: line[...]).box == BoundingBox(around: line))
    #expect(GeometryBlob(point: line[2]).lines == [[line[2]]])
    #expect(GeometryBlob(point: line[2]).box == BoundingBox(around: [line[2]]))
    let rings = [
      [point(0, 0), point(9, 0), point(9, 9), point(0, 0)], [point(3, 1), point(5, 3), point(5, 1), point(3, 1)],
    ]
    #expect(GeometryBlob(polygons: [rings, [rings[0]]]).lines == rings + [rings[0]])
  }

  @Test func truncatedBytesAreNotAGeometry() {
    let whole = GeometryBlob(line: [point(1, 2), point(3, 4)][...]).bytes
    for count in 0..<whole.count { #expect(GeometryBlob(bytes: Array(whole.prefix(count))).lines.isEmpty) }
    var wrong = whole
    wrong[45] = 255  // more points than follow
    #expect(GeometryBlob(bytes: wrong).lines.isEmpty)
  }
}
