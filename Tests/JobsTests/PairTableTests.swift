import Foundation
import Geography
import Input
import Tables
import TestMaps
import Testing

import Jobs

struct PairTableTests {
  private static let header = "id,origin_lon,origin_lat,destination_lon,destination_lat\n"
  private let helsinki = BoundingBox(
    minLongitude: 249_000_000, minLatitude: 601_000_000, maxLongitude: 250_000_000, maxLatitude: 602_000_000)

  private func table(_ text: String, named name: String = "pairs.csv", area: BoundingBox = .earth) throws -> PairTable {
    let scratch = try Scratch()
    defer { scratch.remove() }
    return try PairTable(path: scratch.write(text, to: name), area: area, transportType: .walking)
  }

  private func error(_ text: String, named name: String = "pairs.csv") throws -> String {
    let error = #expect(throws: OdometerError.self) { try table(text, named: name) }
    return error.map { $0.description.split(separator: "/").last.map(String.init) ?? "" } ?? ""
  }

  @Test func onlyAcceptedRowsMustHaveAFiniteSumOfWeights() throws {
    func rows(_ last: String) -> String {
      PairTableTests.header.replacing("\n", with: ",weight\n") + "1,1,2,1,3,1e308\n2,1,2,1,3,-1\n\(last),1e308\n"
    }
    #expect(try table(rows("3,1,91,1,3")).rejected.count == 2)
    #expect(try error(rows("3,1,2,1,3")).contains("column weight: the sum of its numbers is over 1.7e308"))
  }

  @Test func missingWeightsOfRejectedRowsDoNotCount() throws {
    let rows = "1,1,91,1,3,\n2,1,2,1,3,n/a\n3,1,2,1,4,5\n4,1,2,1,4,-5\n"
    let notes = try table(PairTableTests.header.replacing("\n", with: ",weight\n") + rows).notes
    #expect(notes.count == 1 && notes[0].hasSuffix("column weight: 1 of 2 have no value (line 3 \"n/a\")"), "\(notes)")
  }

  /// The table has two valid rows, and one that is listed as rejected with its line and reason.
  @Test(arguments: [
    ("2,24.9,60.1,24.91", "got 4 fields, expected 5 as in the header"),
    ("2,24.9,60.1,24.91,60.1,9", "got 6 fields, expected 5 as in the header"),
    ("2,,60.1,24.91,60.1", "origin_lon is empty"),
    ("2,24.9,sixty,24.91,60.1", "origin_lat \"sixty\" is not a number"),
    ("2,24.9,60.1,24.91,\"60,1\"", "destination_lat \"60,1\" is not a number; decimals are written with a point"),
    ("2,24.9,91,24.91,60.1", "the origin's latitude 91.0 lies outside -90…90; are longitude and latitude swapped?"),
    (
      "2,24.9,-120.5,24.91,60.1",
      "the origin's latitude -120.5 lies outside -90…90; are longitude and latitude swapped?"
    ),
    ("2,24.9,60.1,181,60.1", "the destination's longitude 181.0 lies outside -180…180"),
    ("2,nan,60.1,24.91,60.1", "the origin's coordinates are not finite numbers"),
    ("2,24.9,60.1,inf,60.1", "the destination's coordinates are not finite numbers"),
  ])
  func rejectsUnusableRowsAndKeepsTheOthers(row: String, reason: String) throws {
    let table = try table(PairTableTests.header + "1,24.9,60.1,24.91,60.1\n" + row + "\n3,24.9,60.1,24.92,60.1\n")
    #expect(table.pairs.map(\.id) == [.number(1), .number(3)])
    #expect(table.rejected.map(\.line) == [3])
    #expect(table.rejected.map(\.text) == [row])
    #expect(table.rejected.map(\.reason) == [reason])
  }

  @Test func cutsLongFieldsInReasons() throws {
    let (long, cut) = (String(repeating: "x", count: 100), String(repeating: "x", count: 60))
    let table = try table(PairTableTests.header + "1,24.9,60.1,24.91,60.1\n2,24.9,\(long),24.91,60.1\n")
    #expect(table.rejected.map(\.reason) == ["origin_lat \"\(cut)…\" is not a number"])
  }

  /// Rows are parsed in batches by a second thread.
  @Test func readsTheSameWithOneThreadAndTwo() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let rows = (0..<9000).map { row in
      let id = [4095, 8192].contains(row) ? 7 : row
      return "\(id),24.9,60.1,24.\(row % 97),\(row == 4096 ? "north" : "60.1")\n"
    }
    let path = try scratch.write(PairTableTests.header + rows.joined(), to: "pairs.csv")
    let tables = try [1, 2].map {
      try PairTable(path: path, area: .earth, transportType: .walking, workers: $0)
    }
    #expect(tables[0].rejected.map(\.line) == [4097, 4098, 8194] && tables[0].pairs.count == 8997)
    #expect(tables[0].rejected.map(\.reason) == tables[1].rejected.map(\.reason))
    #expect(tables[0].pairs.map(\.id) == tables[1].pairs.map(\.id))
    #expect(tables[0].places.map(\.coordinate) == tables[1].places.map(\.coordinate))
  }

  @Test(arguments: [1, 2]) func findsAnUnclosedQuoteInALaterBatch(workers: Int) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let rows = (0..<5000).map { "\($0),24.9,60.1,24.8,60.1\n" }
    let path = try scratch.write(
      PairTableTests.header + rows.joined() + "\"5000,24.9,60.1,24.8,60.1\n", to: "pairs.csv")
    let error = #expect(throws: OdometerError.self) {
      try PairTable(path: path, area: .earth, transportType: .walking, workers: workers)
    }
    #expect(error?.problem == "a quote is opened here and never closed" && error?.description.contains("5002") == true)
  }

  @Test func detectsSwappedCoordinatesByTheMap() throws {
    let text = PairTableTests.header + "1,24.95,60.15,24.91,60.15\n2,60.15,24.95,24.9,60.15\n3,10,50,24.9,60.15\n"
    let table = try table(text, area: helsinki)
    #expect(table.pairs.map(\.id) == [.number(1), .number(3)])
    #expect(
      table.rejected[0].reason == "the origin lies outside the map, but inside with longitude and latitude swapped"
    )
  }

  @Test(arguments: [
    "from_lon,from_lat,to_lon,to_lat", "o_lng,o_lat,d_lng,d_lat", "origin_x,origin_y,destination_x,destination_y",
    "fx,fy,tx,ty", "ox,oy,dx,dy", "lon1,lat1,lon2,lat2", "x_from,y_from,x_to,y_to",
    "start_lng,start_lat,end_lng,end_lat", "Pickup Longitude,Pickup Latitude,Dropoff Longitude,Dropoff Latitude",
    "FROM_LONGITUDE,FROM_LATITUDE,TO_LONGITUDE,TO_LATITUDE", "o_x,o_y,d_x,d_y",
  ])
  func findsColumnsByManyNames(header: String) throws {
    let table = try table(header + "\n1,2,3,4\n")
    #expect(table.places.map(\.coordinate.longitude) == [10_000_000, 30_000_000])
    #expect(table.places.map(\.coordinate.latitude) == [20_000_000, 40_000_000])
  }

  @Test func readsColumnsInAnyOrder() throws {
    let table = try table("destination_lat;origin_lat;id;origin_lon;destination_lon\n4;2;x;1;3\n")
    #expect(table.pairs.map(\.id) == [.text("x")])
    #expect(table.places.map(\.coordinate.latitude) == [20_000_000, 40_000_000])
  }

  @Test func keepsIdsNamesAndGroups() throws {
    let table = try table(
      "origin_id,origin_name,origin_lon,origin_lat,destination_id,destination_lon,destination_lat,group\nh1,Home,1,2,s1,3,4,rail\n"
    )
    #expect(table.places.map(\.id) == [.text("h1"), .text("s1")])
    #expect(table.places.map(\.name) == ["Home", nil])
    #expect(table.groups == ["rail"] && table.pairs[0].group == 0)
    #expect(table.pairs[0].id == .text("1"))
  }

  @Test func mergesRepeatedPlaces() throws {
    let table = try table("o_lon,o_lat,d_lon,d_lat\n1,2,3,4\n1,2,5,6\n3,4,1,2\n")
    #expect(table.places.map(\.id) == [.number(1), .number(2), .number(3), .number(2), .number(1)])
    #expect(table.pairs.map(\.origin) == [0, 0, 3])
  }

  @Test func skipsAByteOrderMark() throws {
    #expect(try table("\u{FEFF}o_lon,o_lat,d_lon,d_lat\n1,2,3,4\n").pairs.count == 1)
  }

  @Test func readsGzippedTables() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write("o_lon,o_lat,d_lon,d_lat\n1,2,3,4\n", to: "pairs.csv")
    try Run("/usr/bin/env", ["gzip", "pairs.csv"], in: scratch.folder)
    #expect(try PairTable(path: scratch.path("pairs.csv.gz"), area: .earth, transportType: .walking).pairs.count == 1)
    let whole = scratch.bytes("pairs.csv.gz")
    try whole.dropLast(9).write(to: URL(fileURLWithPath: scratch.path("pairs.csv.gz")))
    #expect(throws: OdometerError.self) {
      try PairTable(path: scratch.path("pairs.csv.gz"), area: .earth, transportType: .walking)
    }
  }

  @Test func gzippedGeoPackagesMustBeUnpacked() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write("SQLite format 3\0", to: "pairs.gpkg")
    try Run("/usr/bin/env", ["gzip", "pairs.gpkg"], in: scratch.folder)
    let error = #expect(throws: OdometerError.self) {
      try PairTable(path: scratch.path("pairs.gpkg.gz"), area: .earth, transportType: .walking)
    }
    #expect(error?.problem.hasPrefix("got a database, expected text such as CSV or GeoJSON; unpack") == true)
  }

  @Test func refusesTrailingBytesOfGzippedTables() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write("o_lon,o_lat,d_lon,d_lat\n1,2,3,4\n", to: "a")
    try scratch.write("5,6,7,8\n", to: "b")
    try Run("/usr/bin/env", ["gzip", "a", "b"], in: scratch.folder)
    let members = scratch.bytes("a.gz") + scratch.bytes("b.gz")
    func table(behind rest: Data) throws -> PairTable {
      try (members + rest).write(to: URL(fileURLWithPath: scratch.path("pairs.csv.gz")))
      return try PairTable(path: scratch.path("pairs.csv.gz"), area: .earth, transportType: .walking)
    }
    for rest in [Data(), Data(count: 1000)] { #expect(try table(behind: rest).pairs.count == 2) }
    for rest in [Data("9,9,9,9\n".utf8), Data([0x1F]), Data(count: 9) + members] {
      #expect { try table(behind: rest) } throws: {
        "\($0)".hasSuffix(
          "other bytes follow the end of the gzip data: compress or copy the file again")
      }
    }
  }

  @Test func refusesADuplicateUsedColumn() throws {
    let row = "1,24.9,60.1,24.9,60.2"
    let header = PairTableTests.header.dropLast()
    #expect(
      try error("\(header),origin_lon\n\(row),8\n")
        .hasSuffix("pairs.csv:1: the header has column origin_lon twice, expected once; rename one of them"))
    #expect(try error("\(header),ORIGIN_LON\n\(row),8\n").contains("the header has column origin_lon twice"))
    #expect(try table("\(header),note,note\n\(row),a,b\n").pairs.count == 1)
  }

  @Test func readsGeoJSONLinesAsPairs() throws {
    let table = try table(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":"p1","properties":{"origin_id":7,"group":"g"},"geometry":{"type":"LineString","coordinates":[[1,2],[9,9],[3,4]]}},
      {"type":"Feature","properties":{},"geometry":{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}},
      {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}},
      {"type":"Feature","properties":{},"geometry":null},
      {"type":"Feature","properties":{},"geometry":{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]}},
      {"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[1,2]]}},
      {"type":"Feature","properties":{},"geometry":{"type":"MultiLineString","coordinates":[[[1,2],[3,4]]]}}
      ]}
      """, named: "pairs.geojson")
    #expect(table.pairs.map(\.id) == [.text("p1"), .text("2"), .text("7")])
    #expect(table.places[0].id == .text("7"))
    #expect(table.places[1].coordinate == FixedCoordinate(longitude: 30_000_000, latitude: 40_000_000))
    #expect(table.rejected.map(\.line) == [3, 4, 5, 6])
    for (row, got) in [(0, "Point"), (2, "MultiLineString"), (3, "LineString of 1 position")] {
      let reason = "got a \(got), expected a LineString, or a MultiPoint of two positions"
      #expect(table.rejected[row].reason == reason)
    }
  }

  @Test(
    arguments: [
      ("urn:ogc:def:crs:EPSG::3857", "urn:ogc:def:crs:EPSG::3857"), ("EPSG:31370", "EPSG:31370"),
      ("urn:ogc:def:crs:OGC:1.3:CRS84", nil), ("EPSG:4326", nil),
    ] as [(String, String?)])
  func refusesGeoJSONInOtherCoordinateSystems(name: String, refused: String?) throws {
    let line = "{\"type\":\"LineString\",\"coordinates\":[[1,2],[3,4]]}"
    let system = #""crs":{"type":"name","properties":{"name":"\#(name)"}}"#
    let features = #""features":[{"type":"Feature","properties":{},"geometry":\#(line)}]"#
    for members in [[system, features], [features, system]] {
      let text = "{\"type\":\"FeatureCollection\",\(members.joined(separator: ","))}"
      guard let refused else {
        #expect(try table(text, named: "p.geojson").pairs.count == 1)
        continue
      }
      let error = #expect(throws: OdometerError.self) { try table(text, named: "p.geojson") }
      let problem = "\(error as Any)"
      #expect(problem.contains("p.geojson: the coordinates are in \(refused), expected degrees, WGS 84"), "\(problem)")
    }
  }

  @Test func quotesNamesInCommands() throws {
    let text = #"{"crs":{"properties":{"name":"EPSG:3857"}},"features":[]}"#
    let error = #expect(throws: OdometerError.self) { try table(text, named: "Mo's pairs.geojson") }
    #expect(error?.problem.hasSuffix(#"/Mo'\''s pairs.geojson'"#) == true, "\(error as Any)")
  }

  @Test func namesUnusableFiles() throws {
    #expect(try error("").hasSuffix("pairs.csv: the file is empty"))
    #expect(try error("\n\n").hasSuffix("pairs.csv: the file has no rows"))
    #expect(try error(PairTableTests.header).hasSuffix("pairs.csv: the file has no rows"))
    #expect(
      try error("id,name\n1,2\n")
        == "pairs.csv:1: the header has no columns for the origin's longitude, the origin's latitude, the destination's "
        + "longitude, the destination's latitude: got id, name, expected columns such as origin_lon, origin_lat, "
        + "destination_lon, destination_lat")
    #expect(
      try error("o_lat,d_lon,d_lat\n1,2,3\n")
        == "pairs.csv:1: the header has no column for the origin's longitude: got o_lat, d_lon, d_lat, expected one of origin_lon, "
        + "origin_lng, origin_longitude, origin_x, from_lon, from_lng, from_longitude, from_x, o_lon, o_lng, o_longitude, "
        + "o_x, source_lon, source_lng, source_longitude, source_x")
    #expect(
      try error(PairTableTests.header + "1,a,2,3,4\n")
        == "pairs.csv:2: all rows of the file are rejected; the first one: origin_lon \"a\" is not a number")
    #expect(try error("{\"a\": 1}", named: "x.geojson").hasPrefix("x.geojson: got JSON without features"))
    #expect(throws: OdometerError.self) { try PairTable(path: "/nowhere.csv", area: .earth, transportType: .walking) }
    #expect(throws: OdometerError.self) { try PairTable(path: "/tmp", area: .earth, transportType: .walking) }
  }

  @Test func readsLinksLineByLine() throws {
    let links = [
      "maps://?saddr=60.1,24.9&daddr=60.2,24.8&dirflg=w", "", "https://maps.apple.com/?saddr=60.1,24.9&daddr=60.2,24.8",
      "maps://?saddr=60.1,24.9&daddr=60.2,24.8&dirflg=d", "not a link",
    ]
    let table = try table(links.joined(separator: "\n"))
    #expect(table.pairs.map(\.id) == [.number(1), .number(2)])
    #expect(table.rejected.map(\.line) == [4, 5])
    #expect(table.rejected[0].reason == "the link is for automobile, the job for walking")
  }

  @Test func readsLinksOfTransitJobs() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let ends = "maps://?saddr=60.1,24.9&daddr=60.2,24.8"
    let path = try scratch.write("\(ends)&dirflg=r\n\(ends)\n\(ends)&dirflg=w\n", to: "pairs.txt")
    let table = try PairTable(path: path, area: .earth, transportType: .walking, typeName: "transit")
    #expect(table.pairs.count == 2)
    #expect(table.rejected.map(\.reason) == ["the link is for walking, the job for transit"])
  }

  @Test func readsAColumnOfLinksNextToOthers() throws {
    let table = try table("id,group,link\n7,g,\"maps://?saddr=60.1,24.9&daddr=60.2,24.8\"\n8,g,\n")
    #expect(table.pairs.map(\.id) == [.number(7)] && table.groups == ["g"])
    #expect(table.places.map(\.coordinate.longitude) == [249_000_000, 248_000_000])
    #expect(table.rejected.map(\.reason) == ["not a link"])
  }

  @Test func prefersCoordinatesToLinks() throws {
    let table = try table("link,o_lon,o_lat,d_lon,d_lat\nx,1,2,3,4\n")
    #expect(table.pairs.count == 1 && table.rejected.isEmpty)
  }

  @Test func rejectsAvoidancesThatAreNotText() throws {
    func line(_ avoid: String) -> String {
      let line = #""geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}"#
      return #"{"type":"Feature","properties":{"avoid":\#(avoid)},\#(line)}"#
    }
    let lines = [line("null"), line(#"["tolls"]"#), line("5"), line(#""tolls""#)].joined(separator: ",")
    let table = try table("{\"type\":\"FeatureCollection\",\"features\":[\(lines)]}", named: "pairs.geojson")
    #expect(table.pairs.map(\.avoids) == [[], .tolls])
    #expect(table.rejected.map(\.line) == [2, 3])
    #expect(table.rejected.allSatisfy { $0.reason.hasSuffix("expected tolls, highways, both or none") })
  }

  @Test func readsOptionsOfRows() throws {
    let time = "2026-11-21T08:30:00+01:00"
    let table = try table(
      "o_lon,o_lat,d_lon,d_lat,transport_type,arrival_time,avoid,departure_time\n1,2,3,4,walking,\(time),Tolls,\n"
        + "1,2,3,4,automobile,,,\n1,2,3,4,,,\"tolls, highways\",\(time)\n1,2,3,4,,,ferries,\n1,2,3,4,,\(time),,\(time)\n"
    )
    #expect(table.times.map(\.isArrival) == [true, false] && table.pairs.map(\.time) == [0, 1])
    #expect(table.pairs.map(\.avoids) == [.tolls, [.tolls, .highways]])
    #expect(
      table.rejected.map(\.reason) == [
        "transport_type: got \"automobile\", the job's transportType is walking",
        "avoid: got \"ferries\", expected tolls, highways, both or none",
        "got departure_time and arrival_time, expected one of the two",
      ])
  }

  @Test func namesUnusedColumns() throws {
    let notes = try table(",o_lon,o_lat,d_lon,d_lat,mode,fare\n0,1,2,3,4,car,5\n").notes
    #expect(notes.map { $0.split(separator: "/").last ?? "" } == ["pairs.csv: columns not used: mode, fare"])
    let line = #"{"type":"LineString","coordinates":[[1,1],[2,2]]}"#
    let feature = #"{"type":"Feature","geometry":\#(line),"properties":{"Volume":3,"fare":5,"id":"a"}}"#
    #expect(
      try table(feature).notes.map { $0.split(separator: "/").last ?? "" } == ["pairs.csv: column not used: fare"])
  }

  /// geopandas writes row numbers as the ids of Features.
  @Test(arguments: [(#","id":"x""#, "x"), ("", "1")]) func propertiesIdentifyPairs(property: String, id: String) throws
  {
    let line = #"{"type":"LineString","coordinates":[[1,1],[2,2]]}"#
    let text = #"{"type":"Feature","id":"0","geometry":\#(line),"properties":{"volume":3\#(property)}}"#
    #expect(try table(text).pairs.map(\.id.description) == [id])
  }

  @Test func readsDepartureTimes() throws {
    let table = try table(
      "o_lon,o_lat,d_lon,d_lat,departure_time\n1,2,3,4,2026-11-21T08:30:00+01:00\n1,2,3,4,noon\n1,2,3,4,\n"
        + "1,2,3,4,2026-11-21T08:30:00+01:00\n")
    #expect(table.pairs.map(\.time) == [0, -1, 0] && table.times.count == 1)
    #expect(
      table.rejected.map(\.reason) == [
        "departure_time: got \"noon\", expected a date with time and zone, e.g. 2026-11-21T08:30:00+01:00"
      ])
  }
}
