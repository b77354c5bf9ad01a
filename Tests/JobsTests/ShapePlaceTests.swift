import Foundation
import Geography
import Input
import Tables
import TestMaps
import Testing

import Jobs

/// Places written by other programs: areas in GeoJSON, well-known text in a CSV, tables of a GeoPackage.
struct ShapePlaceTests {
  private func places(_ text: String, _ name: String = "zones.geojson") throws -> PlaceTable {
    let scratch = try Scratch()
    defer { scratch.remove() }
    return try PlaceTable(path: scratch.write(text, to: name), role: .origin)
  }

  private func feature(_ type: String, _ coordinates: String, _ properties: String = "{}") -> String {
    #"{"type":"Feature","properties":\#(properties),"geometry":{"type":"\#(type)","coordinates":\#(coordinates)}}"#
  }

  private static let square = "[[0,0],[4,0],[4,4],[0,4],[0,0]]"

  /// A U whose centroid lies between its legs, a ring whose centroid lies in its hole, and two islands.
  @Test(arguments: [
    ("Polygon", "[[[0,0],[6,0],[6,6],[5,6],[5,1],[1,1],[1,6],[0,6],[0,0]]]", 1.0...5.0, 1.0...6.0),
    ("Polygon", "[\(square),[[1,1],[3,1],[3,3],[1,3],[1,1]]]", 1.0...3.0, 1.0...3.0),
    ("MultiPolygon", "[[\(square)],[[[10,0],[11,0],[11,1],[10,1]]]]", 4.0...10.0, -9.0...9.0),
  ])
  func aPlaceIsAPointOnTheSurface(
    type: String, coordinates: String, hollowX: ClosedRange<Double>, hollowY: ClosedRange<Double>
  ) throws {
    let point = try places(feature(type, coordinates)).places[0].coordinate.coordinate
    #expect((0...11).contains(point.longitude) && (0...6).contains(point.latitude))
    let isInHollow =
      point.longitude > hollowX.lowerBound && point.longitude < hollowX.upperBound
      && point.latitude > hollowY.lowerBound
      && point.latitude < hollowY.upperBound
    #expect(!isInHollow, "\(point)")
  }

  @Test func rejectsAreasWithoutASurface() throws {
    let shapes = [
      feature("Polygon", "[\(ShapePlaceTests.square)]"), feature("Polygon", "[[[0,0],[1,1],[0,0]]]"),
      feature("Polygon", "[]"), feature("MultiPolygon", "[[[[0,0],[1,1],[2,2],[0,0]]]]"),
      feature("LineString", "[[0,0],[1,1]]"),
      feature("MultiPoint", "[[1,2]]"),
    ]
    let table = try places("{\"type\":\"FeatureCollection\",\"features\":[\(shapes.joined(separator: ",\n"))]}")
    #expect(table.places.count == 2)
    #expect(
      table.rejected.map(\.reason) == [
        "the Polygon has no surface", "the Polygon has no surface", "the MultiPolygon has no surface",
        "got a LineString, expected a Point, Polygon or MultiPolygon",
      ])
  }

  /// The ring is a bow tie, which crosses itself.
  @Test func selfCrossingRingsGetAPointInside() throws {
    let point = try places(feature("Polygon", "[[[0,0],[4,4],[4,0],[0,4],[0,0]]]")).places[0].coordinate.coordinate
    #expect(abs(point.latitude - 2) < abs(point.longitude - 2))
  }

  @Test func readsWellKnownTextInACSV() throws {
    let table = try places(
      "id;jobs;WKT\na;5;POINT (1 2)\nb;6;\"MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0)))\"\nc;7;here\nd;8;POINT EMPTY\n",
      "z.csv")
    #expect(table.places.map(\.id) == [.text("a"), .text("b")] && table.weights.map(\.name) == ["jobs"])
    #expect(table.places[0].coordinate == FixedCoordinate(longitude: 10_000_000, latitude: 20_000_000))
    #expect(
      table.rejected.map(\.reason) == [
        "WKT: got \"here\", expected well-known text, e.g. POINT (24.9 60.2)", "the Point is empty",
      ])
  }
}
