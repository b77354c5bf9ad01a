import Foundation
import Geography
import Input
import Jobs
import TestMaps
import Testing

/// Tables of places: valid and rejected rows.
struct PlaceTableTests {
  @Test func negativeNumbersAreNotWeights() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try scratch.write("id,lon,lat,population,jobs\na,0,0,10,1\nb,0,0,-9999,2\n", to: "o.csv")
    let table = try PlaceTable(path: path, role: .origin, keys: PlaceKeys(countsAll: false))
    #expect(
      table.weightColumn == nil
        && table.notes == ["\(path): column population is not a weight: 1 of 2 are negative (line 3 \"-9999\")"])
  }

  @Test func rejectsWeightsWithoutAFiniteSum() {
    #expect { try table("id,lon,lat,jobs\na,0,0,1e308\nb,0,0,1e308\n") } throws: {
      "\($0)".contains("column jobs: the sum of its numbers is over 1.7e308; use a larger unit")
    }
  }

  private func table(_ text: String, _ keys: PlaceKeys = PlaceKeys()) throws -> PlaceTable {
    let scratch = try Scratch()
    defer { scratch.remove() }
    return try PlaceTable(path: scratch.write(text, to: "places"), role: .origin, keys: keys)
  }

  @Test(arguments: [
    "id,lon,lat\nA,8.5,47.25\n", "lat;lon;id\n47.25;8.5;A\n", "stop_id,stop_lat,stop_lon\nA,47.25,8.5\n",
    "Y\tX\tID\n47.25\t8.5\tA\n", "id,longitude,latitude\n\"A\",8.5,47.25\n",
    #"{"type":"Feature","id":"A","geometry":{"type":"Point","coordinates":[8.5,47.25]},"properties":{}}"#,
    #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[8.5,47.25]},"properties":{"id":"A"}}]}"#,
  ])
  func findsColumnsByName(text: String) throws {
    let places = try table(text).places
    #expect(places.map(\.id) == [.text("A")])
    #expect(places[0].coordinate == FixedCoordinate(longitude: 85_000_000, latitude: 472_500_000))
  }

  @Test func numbersPlacesWithoutAnIdByRow() throws {
    let table = try table("lon,lat\n1,1\n500,1\n2,2\n2,2\n")
    #expect(table.places.map(\.id) == [.number(1), .number(3), .number(4)])
    #expect(table.rejected.map(\.reason) == ["the place's longitude 500.0 lies outside -180…180"])
  }

  @Test(arguments: [
    ("id,lon,lat,weight\n1,1,1,2.5\n", 2.5), ("id,lon,lat,population,jobs\n1,1,1,7,8\n", 7),
    ("id,lon,lat,jobs\n1,1,1,8\n", 8), ("id,lon,lat,kind\n1,1,1,school\n", nil), ("id,lon,lat\n1,1,1\n", nil),
    ("id,lon,lat,asians,Residents\n1,1,1,4,9\n", 9), ("id,lon,lat,households,Total Population\n1,1,1,4,9\n", 9),
    ("id,lon,lat,males,asians\n1,1,1,4,9\n", nil), (",lon,lat,GEOID,code\n0,1,1,210370500000,7\n", nil),
  ])
  func weightsHaveDocumentedNames(text: String, weight: Double?) throws {
    #expect(try table(text).places.map(\.weight) == [weight])
  }

  @Test func keysNameTheWeights() throws {
    let text = "id,lon,lat,males,People,asians\n1,1,1,4,9,2\n"
    #expect(try table(text, PlaceKeys(weights: ["asians"])).places.map(\.weight) == [2])
    let several = try table(text, PlaceKeys(weights: ["males", "people"]))
    #expect(several.weights.map(\.name) == ["males", "People"] && several.places[0].weight == 4)
    #expect(try table(text, PlaceKeys(weights: [])).places.map(\.weight) == [nil])
  }

  @Test(arguments: [
    (PlaceKeys(weights: ["cows"]), "weight: got cows, expected one of the columns id, lon, lat, kind, jobs"),
    (PlaceKeys(id: "GEOID"), "id: got GEOID, expected one of the columns id, lon, lat, kind, jobs"),
    (
      PlaceKeys(weights: ["kind"]),
      "column kind: 1 of 2 are not numbers (line 3 \"school\"); expected numbers, since it is a weight"
    ),
  ])
  func refusesKeysWithoutAColumn(keys: PlaceKeys, problem: String) throws {
    let error = #expect(throws: OdometerError.self) {
      try table("id,lon,lat,kind,jobs\n1,1,1,3,8\n2,1,1,school,9\n", keys)
    }
    #expect(error?.problem == problem)
  }

  @Test(arguments: [
    (",lon,lat,GEOID\n0,1,1,210370500000\n", "210370500000"), ("OBJECTID,lon,lat,code\n5,1,1,b\n", "b"),
    ("fid,lon,lat,osm_id,zone\n5,1,1,77,z\n", "77"), ("lon,lat,fid\n1,1,5\n", "5"),
    ("lon,lat,height\n1,1,5\n", "1"), ("id,lon,lat,GEOID\nA,1,1,21\n", "A"),
  ])
  func idsHaveDocumentedNames(text: String, id: String) throws {
    #expect(try table(text).places.map(\.id.description) == [id])
  }

  @Test func aKeyNamesTheIds() throws {
    #expect(try table("id,lon,lat,block\n1,1,1,B7\n", PlaceKeys(id: "block")).places.map(\.id) == [.text("B7")])
  }

  /// geopandas writes row numbers as the ids of Features.
  @Test(arguments: [
    (["0", "1"], [#""id":"zoneA""#, #""id":"zoneB""#], ["zoneA", "zoneB"]),
    (["0", "1"], [#""kind":"a""#, #""kind":"b""#], ["1", "2"]), (["7", "8"], ["", ""], ["7", "8"]),
    (["7", "8"], [#""GEOID":"31""#, #""GEOID":"32""#], ["31", "32"]), (["0", "8"], ["", ""], ["0", "8"]),
    (["1", "0"], ["", #""code":4"#], ["5", "4"]),
  ])
  func propertiesIdentifyFeatures(own: [String], properties: [String], expected: [String]) throws {
    let features = zip(own, properties).map { id, properties in
      #"{"id": "\#(id)", "type": "Feature", "properties": {\#(properties)}, "#
        + #""geometry": {"type": "Point", "coordinates": [8, 47]}}"#
    }
    let text = #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ", "))]}"#
    #expect(try table(text).places.map(\.id.description) == expected)
  }

  /// Names with escapes and quotes, values that look like names, and objects within properties.
  @Test func readsPropertiesInTheFilesOrder() throws {
    let properties = #"{"z": "jobs\": 1", "flats": 3, "m": {"workers": 1}, "\u0070eople": 5, "jobs": 4, "id": "a\\"}"#
    let geometry = #"{"type": "Point", "coordinates": [8, 47], "id": 3}"#
    let table = try table(#"{"type":"Feature","geometry":\#(geometry),"properties":\#(properties)}"#)
    #expect(table.weights.map(\.name) == ["people", "flats", "jobs"] && table.places[0].weight == 5)
    #expect(table.places[0].id == .text("a\\"))
  }

  @Test(arguments: [
    (
      "id,lon\n1,1\n",
      "places:1: the header has no column for the latitude: got id, lon, expected one of lat, latitude, y, y_coord, ycoord, stop_lat"
    ),
    ("id,lon,lat\n", "places: the file has no rows"),
    ("id,lon,lat\n1,x,2\n", "places:2: all rows of the file are rejected; the first one: lon \"x\" is not a number"),
    (
      #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,1],[2,2]]},"properties":{}}"#,
      "places, feature 1: all rows of the file are rejected; the first one: got a LineString, expected a Point, Polygon or MultiPolygon"
    ),
  ])
  func rejectsFilesThatAreNotListsOfPlaces(text: String, message: String) throws {
    #expect { try table(text) } throws: { error in
      let words = "\(error)".split(separator: "/").last.map(String.init) ?? ""
      #expect(words == message)
      return error is OdometerError
    }
  }

  @Test(arguments: [
    ("B,8.5", "got 2 fields, expected 4 as in the header"),
    ("B,8.5,47,9", "location_type: got \"9\", expected 0, 1, 2, 3 or 4"),
    ("B,,47,0", "lon is empty"),
    ("B,8.5,\"47,2\",0", "lat \"47,2\" is not a number; decimals are written with a point"),
    ("B,8.5,nan,0", "the place's coordinates are not finite numbers"),
  ])
  func rejectsInvalidRowsAndKeepsTheOthers(row: String, reason: String) throws {
    let table = try table("id,lon,lat,location_type\nA,8,47,\n\(row)\nC,9,47,1\n")
    #expect(table.places.map(\.id) == [.text("A"), .text("C")])
    #expect(table.rejected.map(\.reason) == [reason])
    #expect(table.rejected.map(\.line) == [3] && table.rejected.map(\.text) == [row])
  }

  /// GTFS has nodes and boarding areas without coordinates: they are neither errors nor places.
  @Test func skipsPartsOfStationsWithoutCoordinates() throws {
    let table = try table("stop_id,stop_lon,stop_lat,location_type\nA,8,47,1\nN,,,3\nM,8,,3\nB,,,4\n")
    #expect(table.places.map(\.id) == [.text("A")])
    #expect(table.rejected.map(\.reason) == ["stop_lat is empty"])
  }

  /// A platform without coordinates is at its station's position; a station, in the middle of its platforms.
  @Test func stopsWithoutCoordinatesUseTheirStations() throws {
    let table = try table(
      """
      stop_id,stop_lon,stop_lat,location_type,parent_station
      S,8,47,1,
      S1,,,0,S
      T1,1,2,0,T
      T2,3,4,0,T
      T,,,1,
      T3,,,,T
      U1,,,0,U
      V,,,1,

      """)
    let points = table.places.map { place in
      "\(place.id) \(place.coordinate.coordinate.longitude) \(place.coordinate.coordinate.latitude)"
    }
    #expect(
      points == ["S 8.0 47.0", "S1 8.0 47.0", "T1 1.0 2.0", "T2 3.0 4.0", "T 2.0 3.0", "T3 2.0 3.0"])
    #expect(table.rejected.map(\.line) == [8, 9])
  }

  @Test func readsGeoJSONWeightsThatSomePlacesLack() throws {
    func point(_ properties: String) -> String {
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[8.5,47.25]},"properties":{\#(properties)}}"#
    }
    let points = [point(#""id": 1"#), point(#""jobs": 3, "name": "B""#), "{}", point(#""population": 5, "jobs": 4"#)]
    let table = try table("{\"type\":\"FeatureCollection\",\"features\":[\n\(points.joined(separator: ",\n"))\n]}")
    #expect(table.weights.map(\.name) == ["population", "jobs"])
    #expect(table.places.map(\.weight) == [nil, nil, 5])
    #expect(table.weights[1].values.map { $0.isNaN ? -1 : $0 } == [-1, 3, 4])
    #expect(table.rejected.map(\.reason) == ["got an object of type none among the features, expected a Feature"])
    #expect(table.rejected.map(\.line) == [3])
  }

  @Test func nodesAndBoardingAreasOfAFeedAreNotPlaces() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let stops = "stop_id,stop_lon,stop_lat,location_type\nA,8,47,\nS,8,47,1\nE,8,47,2\nN,8,47,3\nB,8,47,4\nM,,,3\n"
    try storedZip([("stops.txt", Data(stops.utf8))]).write(to: URL(fileURLWithPath: scratch.path("feed.zip")))
    let table = try PlaceTable(path: scratch.path("feed.zip"), role: .origin)
    #expect(table.places.map(\.id) == [.text("A"), .text("S"), .text("E")])
    #expect(
      table.notes == [
        "\(scratch.path("feed.zip/stops.txt")): 3 rows left out: generic nodes and boarding areas (location_type 3 and 4)"
      ])
  }

  @Test func readsTheStopsOfAFeed() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write("\u{FEFF}stop_id,stop_lon,stop_lat\nA,8,47\nB,8,\n", to: "stops.txt")
    try Run("/usr/bin/env", ["python3", "-m", "zipfile", "-c", "feed.zip", "stops.txt"], in: scratch.folder)
    let table = try PlaceTable(path: scratch.path("feed.zip"), role: .origin)
    #expect(table.places.map(\.id) == [.text("A")])
    #expect(table.rejected.map(\.file) == [scratch.path("feed.zip/stops.txt")])
  }
}
