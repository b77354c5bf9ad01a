import Foundation
import Geography
import Jobs
import Tables
import TestMaps
import Testing

/// Polygons of origins, stored by id in table `backdrop` and drawn by pages.
struct PlaceAreaTests {
  private static let map = TestMap("a-b-c-d").way("abcd")

  /// Returns copies of three zones: a square with a hole, the same with a second square, and a point.
  private static func zones(_ copies: Int, _ corners: Int) -> String {
    let (a, c) = (map["a"], map["c"])
    func ring(_ x: Double, _ y: Double, _ size: Double) -> String {
      let more = (0..<corners).map { "[\(x + size * Double($0) / Double(corners)),\(y - size * Double($0 % 2))]," }
      return "[[\(x),\(y)],\(more.joined())[\(x + size),\(y)],[\(x + size),\(y + size)],[\(x),\(y + size)],[\(x),\(y)]]"
    }
    func feature(_ id: String, _ type: String, _ coordinates: String) -> String {
      "{\"type\":\"Feature\",\"id\":\"\(id)\",\"properties\":{},\"geometry\":{\"type\":\"\(type)\",\"coordinates\":\(coordinates)}}"
    }
    let square =
      "[\(ring(a.longitude - 0.0005, a.latitude - 0.0005, 0.001)),\(ring(a.longitude + 0.0002, a.latitude, 0.0001))]"
    let features = (0..<copies).flatMap { copy in
      [
        feature("square\(copy)", "Polygon", square),
        feature("two\(copy)", "MultiPolygon", "[\(square),[\(ring(c.longitude, c.latitude, 0.0003))]]"),
        feature("point\(copy)", "Point", "[\(c.longitude),\(c.latitude)]"),
      ]
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  private func areas(_ copies: Int = 1, corners: Int = 0) throws -> [BackdropRow] {
    let scene = try JobScene(
      PlaceAreaTests.map,
      ["zones.geojson": PlaceAreaTests.zones(copies, corners), "stations.csv": PlaceAreaTests.map.list("d")],
      "kind: 'access', origins: 'zones.geojson', stations: 'stations.csv'")
    defer { scene.remove() }
    return try ResultsDatabase(path: scene.scratch.path("out/results.sqlite")).backdrop().filter { $0.layer == "area" }
  }

  @Test func ringsOfEveryPolygonAreKeptByItsID() throws {
    let rows = try areas()
    #expect(rows.count == 1 && rows[0].kind == "origin")
    let texts = try JSONDecoder().decode([String].self, from: Data("[\(rows[0].features)]".utf8))
    #expect(stride(from: 0, to: texts.count, by: 2).map { texts[$0] } == ["square0", "two0"])
    let rings = stride(from: 1, to: texts.count, by: 2).map { EncodedPolyline.lines(of: texts[$0]) }
    #expect(rings.map(\.count) == [2, 3] && rings.joined().allSatisfy { $0.count == 5 && $0.first == $0.last })
    let a = PlaceAreaTests.map["a"]
    #expect(abs(rings[0][0][0].coordinate.longitude - (a.longitude - 0.0005)) < 1e-5)
  }

  @Test func omittedPolygonsLeaveAnEmptyRow() throws {
    let rows = try areas(120, corners: 1500)
    #expect(rows.count == 1 && rows[0].features.isEmpty)
  }
}
