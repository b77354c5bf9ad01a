import Geography
import Input
import Tables
import TestMaps
import Testing

import Jobs

/// Pairs that refer by id to places in another file, as in demand tables.
struct PairEndsTests {
  private static let zones = "zone_id,name,x_coord,y_coord\n1,A,1,2\n2,B,3,4\n007,C,5,6\n"

  private func table(_ pairs: String, _ places: String = zones, named name: String = "pairs.csv") throws -> PairTable {
    let scratch = try Scratch()
    defer { scratch.remove() }
    return try PairTable(
      path: scratch.write(pairs, to: name), area: .earth, transportType: .walking,
      places: scratch.write(places, to: "zones.csv"))
  }

  private func error(_ pairs: String, _ places: String = zones, named name: String = "pairs.csv") throws -> String {
    let error = #expect(throws: OdometerError.self) { try table(pairs, places, named: name) }
    return error.map { $0.description.split(separator: "/").last.map(String.init) ?? "" } ?? ""
  }

  @Test(arguments: [
    "o_zone_id,d_zone_id", "origin,destination", "from_id,to_id", "O,D", "orig_taz,dest_taz", "from node,to node",
    "h_geocode,w_geocode", "start_station_id,end_station_id",
  ])
  func findsIdsByManyNames(header: String) throws {
    let table = try table(header + "\n1,2\n2,007\n")
    #expect(table.places.map(\.id) == [.text("1"), .text("2"), .text("2"), .text("007")])
    #expect(table.places.map(\.coordinate.longitude) == [10_000_000, 30_000_000, 30_000_000, 50_000_000])
    #expect(table.places.map(\.name) == ["A", "B", "B", "C"] && table.rejected.isEmpty)
  }

  @Test func keepsTheVolumeOfADemandTable() throws {
    let table = try table("o_zone_id,d_zone_id,volume\n1,2,12.5\n2,1,\n1,007,0\n1,1,twelve\n2,2,-1\n")
    #expect(table.pairs.map(\.weight.description) == ["12.5", "nan", "0.0"])
    #expect(
      table.rejected.map(\.reason) == [
        "volume: got \"twelve\", expected a number from 0", "volume: got \"-1\", expected a number from 0",
      ])
  }

  @Test func rejectsRowsWithUnknownIds() throws {
    let table = try table("o_zone_id,d_zone_id\n1,2\n1,9\n,2\n7,1\n")
    #expect(table.pairs.map(\.id) == [.number(1)] && table.rejected.map(\.line) == [3, 4, 5])
    #expect(table.rejected[0].reason.hasPrefix("d_zone_id \"9\" is not the id of a place in "))
    #expect(table.rejected[1].reason == "o_zone_id is empty")
    #expect(table.rejected[2].reason.hasPrefix("o_zone_id \"7\" is not"), "007 is another one")
  }

  /// Nodes of a network with a zone column that is empty for most of them.
  @Test func usesTheIdThatPairsReferTo() throws {
    let nodes = "node_id,zone_id,x_coord,y_coord\n1,,9,9\n5,1,1,2\n6,2,3,4\n"
    let table = try table("o_zone_id,d_zone_id\n1,2\n", nodes)
    #expect(table.places.map(\.coordinate.longitude) == [10_000_000, 30_000_000])
    #expect(table.rejected.isEmpty && table.notes.count == 1)
    #expect(table.notes[0].hasSuffix(": 1 place without an id for pairs to refer to"))
  }

  @Test func explainsUnusableColumnsOfEnds() throws {
    #expect(
      try error("o_lon,o_lat,d_lon,d_lat,from,to\n1,2,3,4,1,2\n")
        == "pairs.csv:1: the job has the key places, but the pairs have coordinates in o_lon and o_lat; remove "
        + "the key or the columns")
    #expect(try error("a,b\n1,2\n").hasPrefix("pairs.csv:1: the header has no column for the origin's id: got a, b"))
    #expect(
      try error("maps://?saddr=1,2&daddr=3,4\n", named: "links.txt").hasPrefix(
        "links.txt: the job has the key places, which"))
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = try scratch.write("o_zone_id,d_zone_id,volume\n1,2,3\n", to: "demand.csv")
    let error = #expect(throws: OdometerError.self) {
      try PairTable(path: path, area: .earth, transportType: .walking)
    }
    #expect(
      error?.problem
        == "the pairs have ids (o_zone_id, d_zone_id) but no coordinates; name the file of their places with the key "
        + "places")
  }
}
