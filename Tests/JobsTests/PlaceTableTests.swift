import Foundation
import Geography
import Jobs
import TestMaps
import Testing

/// Lists of places: what can be used, and what becomes of the rest.
struct PlaceTableTests {
  private func table(_ text: String) throws -> PlaceTable {
    let scratch = try Scratch()
    defer { scratch.remove() }
    return try PlaceTable(path: scratch.write(text, to: "places"), role: .origin)
  }

  @Test(arguments: [
    "id,lon,lat\nA,8.5,47.25\n", "lat;lon;id\n47.25;8.5;A\n", "stop_id,stop_lat,stop_lon\nA,47.25,8.5\n",
    "Y\tX\tID\n47.25\t8.5\tA\n", "id,longitude,latitude\n\"A\",8.5,47.25\n",
    #"{"type":"Feature","id":"A","geometry":{"type":"Point","coordinates":[8.5,47.25]},"properties":{}}"#,
    #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[8.5,47.25]},"properties":{"id":"A"}}]}"#,
  ])
  func columnsAreFoundByName(text: String) throws {
    let places = try table(text).places
    #expect(places.map(\.id) == [.text("A")])
    #expect(places[0].coordinate == FixedCoordinate(longitude: 85_000_000, latitude: 472_500_000))
  }

  @Test func placesWithoutAnIdAreNumberedByTheirRow() throws {
    let table = try table("lon,lat\n1,1\n500,1\n2,2\n2,2\n")
    #expect(table.places.map(\.id) == [.number(1), .number(3), .number(4)])
    #expect(table.rejected.map(\.reason) == ["the place's longitude 500.0 lies outside -180…180"])
  }

  @Test(arguments: [
    ("id,lon,lat,weight\n1,1,1,2.5\n", 2.5), ("id,lon,lat,population,jobs\n1,1,1,7,8\n", 7),
    ("id,lon,lat,jobs\n1,1,1,8\n", 8), ("id,lon,lat,kind\n1,1,1,school\n", nil), ("id,lon,lat\n1,1,1\n", nil),
  ])
  func aNumberIsAWeight(text: String, weight: Double?) throws {
    #expect(try table(text).places.map(\.weight) == [weight])
  }

  @Test(arguments: [
    (
      "id,lon\n1,1\n",
      "places:1: the header has no column for the latitude; found: id, lon; allowed: lat, latitude, y, stop_lat"
    ),
    ("id,lon,lat\n", "places: the file has no rows"),
    ("id,lon,lat\n1,x,2\n", "places:2: no row of the file can be used; the first one: lon \"x\" is no number"),
    (
      #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,1],[2,2]]},"properties":{}}"#,
      "places:1: no row of the file can be used; the first one: found a LineString; a place is a Point"
    ),
  ])
  func whatIsNoListOfPlacesIsRefused(text: String, message: String) throws {
    #expect { try table(text) } throws: { error in
      let words = "\(error)".split(separator: "/").last.map(String.init) ?? ""
      #expect(words == message)
      return error is InputError
    }
  }
}
