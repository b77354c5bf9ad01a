import Geography
import Input
import Jobs
import Tables
import TestMaps
import Testing

/// Rows and places without an id get numbers above all existing ids, which remain unchanged.
struct MissingIdentifierTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func places(_ text: String) throws -> PlaceTable {
    defer { scratch.remove() }
    return try PlaceTable(path: scratch.write(text, to: "places"), role: .origin)
  }

  private func pairs(_ text: String) throws -> PairTable {
    defer { scratch.remove() }
    return try PairTable(path: scratch.write(text, to: "pairs"), area: .earth, transportType: .walking)
  }

  @Test(arguments: [
    ("2,1,1\n,1,1\n", ["2", "4"]), (",1,1\n,2,2\n", ["1", "2"]), (",1,1\nb,2,2\n1,3,3\n", ["2", "b", "1"]),
    ("-7,1,1\n,2,2\n", ["-7", "2"]),
  ])
  func numbersPlaces(rows: String, ids: [String]) throws {
    let table = try places("id,lon,lat\n\(rows)")
    #expect(table.places.map(\.id.description) == ids && table.rejected.isEmpty)
  }

  @Test func numbersFeatures() throws {
    let features = ["true", "null", "2", #""""#, #"" ""#].map {
      #"{"type":"Feature","id":\#($0),"geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}"#
    }
    let table = try places(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#)
    #expect(table.places.map(\.id.description) == ["true", "4", "2", "6", "7"] && table.rejected.isEmpty)
  }

  @Test(arguments: [
    ("a\n3\n\n2\n", ["a", "3", "6", "2"]), ("\n\n1\n", ["2", "3", "1"]), ("\n\n", ["1", "2"]),
    ("5\n\n5\n", ["5", "7"]),
  ])
  func numbersPairs(ids: String, expected: [String]) throws {
    let rows = ids.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { "1,1,2,2,\($0)\n" }
    let table = try pairs("fx,fy,tx,ty,id\n\(rows.joined())")
    #expect(table.pairs.map(\.id.description) == expected)
  }

  @Test func numbersEndsAboveExistingIds() throws {
    let table = try pairs("id,origin_id,destination_id,fx,fy,tx,ty\nx,2,,1,1,3,3\ny,,2,4,4,2,2\n")
    #expect(table.places.map(\.id.description) == ["2", "3", "4", "2"])
  }

  @Test(arguments: [
    ("fid,from_id,to_id,fx,fy,tx,ty\n1,7,8,1,1,2,2\n", "7", "8"), ("oid,fx,fy,tx,ty\n9,1,1,2,2\n", "1", "2"),
    ("fid,tid,fx,fy,tx,ty\n7,8,1,1,2,2\n", "7", "8"), ("o_zone_id,d_zone_id,fx,fy,tx,ty\n7,8,1,1,2,2\n", "7", "8"),
  ])
  func doesNotUseARowsNumberForAnEnd(text: String, origin: String, destination: String) throws {
    #expect(try pairs(text).places.map(\.id.description) == [origin, destination])
  }

  @Test func readsPropertiesInAnyCase() throws {
    let line = #"{"type":"LineString","coordinates":[[1,1],[2,2]]}"#
    let properties = #"{"ID":"a","From_ID":7,"to":8,"TO_ID":9,"Group":"g","VOLUME":3}"#
    let pair = try pairs(#"{"type":"Feature","geometry":\#(line),"properties":\#(properties)}"#)
    #expect(pair.pairs[0].id == .text("a") && pair.places.map(\.id.description) == ["7", "9"])
    #expect(pair.groups == ["g"] && pair.pairs[0].weight == 3)
  }
}
