import Foundation
import Geography
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Crafted networks with valid checksums: their content may be false, but they must not cause out-of-bounds access.
struct ColumnRuleTests {
  /// A map with streets, a square, a ferry, a restriction, and objects that are open at certain times.
  private static let map = TestMap(
    """
    a-b-c-d
    |   | |
    e-f-g-h
    i-j
    """
  ).way("abcd").way("ae").way("cg", ["access:conditional": "no @ (Mo-Fr 08:00-17:00)"]).way("dh")
    .way("efgh", ["highway": "primary", "maxspeed:conditional": "30 @ (22:00-06:00)"])
    .way("efjie", ["highway": "pedestrian", "area": "yes"]).way("hd", ["highway": "", "route": "ferry"])
    .restriction("no_left_turn", from: "abcd", via: "c", to: "cg")

  /// Builds a network file, and returns its path and bytes.
  private func built(_ scratch: Scratch, _ profile: Profile) throws -> (path: String, bytes: Data) {
    let network = try StreetNetwork(
      map: scratch.write(ColumnRuleTests.map.opl, to: "map.opl"), profile: profile, cache: scratch.path("cache"))
    let path = scratch.path("my.network")
    try FileManager.default.copyItem(atPath: network.path, toPath: path)
    return (path, scratch.bytes("my.network"))
  }

  @Test(
    arguments: [
      // Junctions, points and attributes of streets; a name; the ends of names; the box.
      (1, 0, "streets"), (1, 4, "streets"), (1, 8, "streets"), (1, 12, "streets"), (1, 16, "streets"),
      (2, 0, "points"), (3, 0, "attributes"), (3, 16, "attributes"), (5, 0, "nameEnds"), (6, 0, "box"),
      // Parts of ways, arcs and states, conditions.
      (11, 0, "firstPart"), (12, 8, "parts"), (20, 0, "firstArc"), (21, 0, "arcHeads"), (22, 0, "arcWeights"),
      (23, 0, "arcStreets"), (24, 0, "junctions"), (24, 4, "junctions"), (24, 8, "junctions"), (25, 0, "starts"),
      (26, 0, "closedArcs"), (26, 4, "closedArcs"), (27, 0, "conditions"), (28, 0, "closedStreets"),
      // The hierarchy.
      (40, 0, "ranks"), (41, 0, "firstOutgoing"), (42, 0, "outgoing"), (43, 0, "outgoing"), (44, 0, "firstIncoming"),
      (45, 0, "incoming"), (46, 4, "outgoing"), (47, 0, "parents"),
      // Indices, ends and maneuvers, the basemap, squares.
      (60, 0, "runs"), (60, 4, "runs"), (61, 0, "boxes"), (80, 0, "firstEnd"), (81, 0, "ends"),
      (82, 0, "firstManeuver"),
      (83, 0, "maneuvers"), (120, 16, "backdropRecords"), (120, 20, "backdropRecords"),
      (140, 0, "squares"), (140, 4, "squares"), (141, 0, "squareRings"), (142, 0, "squarePoints"),
      (143, 8, "squareCorners"), (144, 4, "squareRuns"), (145, 0, "squareBoxes"),
    ] as [(UInt32, Int, String)])
  func refusesReferencesOutOfRange(section: UInt32, byte: Int, column: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let (path, bytes) = try built(scratch, .stock("walking"))
    var crafted = CraftedColumns(bytes)
    #expect(crafted.sealed == bytes)
    try crafted.set(0x7FFF_FFFE, atByte: byte, in: section)
    try crafted.sealed.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: OdometerError.self) { try StreetNetwork(networkFile: path) }
    #expect(
      error?.problem == "the network file has invalid values in the column \(column); copy it again, or build it "
        + "again from its map")
  }

  @Test func networksNextToTheirMapAreRebuilt() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let map = try scratch.write(ColumnRuleTests.map.opl, to: "map.opl")
    let path = try StreetNetwork(map: map, profile: .stock("walking")).path
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    var crafted = CraftedColumns(bytes)
    try crafted.set(.max, in: 21)
    try crafted.sealed.write(to: URL(fileURLWithPath: path))
    var events: [String] = []
    _ = try StreetNetwork(map: map, profile: .stock("walking")) { events.append("\($0)") }
    #expect(
      events == ["\(path): the network file has invalid values in the column arcHeads; rebuilding it"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  /// The environment variable `CRAFTED_NETWORKS` sets the number of networks per profile; thousands take minutes.
  @Test(arguments: ["walking", "automobile", "cycling"]) func endsWithAnAnswerOrAMessage(profile: String) async throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let (path, bytes) = try built(scratch, .stock(profile))
    let count = ProcessInfo.processInfo.environment["CRAFTED_NETWORKS"].flatMap { Int($0) } ?? 200
    var random = SeededGenerator(seed: 41)
    var refused = 0
    for _ in 0..<count {
      var crafted = CraftedColumns(bytes)
      crafted.mutate(using: &random)
      try crafted.sealed.write(to: URL(fileURLWithPath: path))
      do {
        use(try StreetNetwork(networkFile: path))
      } catch let error as OdometerError {
        refused += 1
        #expect(!error.problem.isEmpty)
      }
      await Task.yield()
    }
    #expect(refused > count / 4 && refused < count)
  }

  /// Sends requests of all kinds, including timed ones; they may fail.
  private func use(_ network: StreetNetwork) {
    let directions = Directions(network: network)
    let places = "abcdefghij".map { Place(coordinate: ColumnRuleTests.map[$0]) }
    let monday = Date(timeIntervalSince1970: TestMap.monday)
    for (from, to) in [(0, 7), (7, 0), (3, 9), (8, 3)] {
      for date in [nil, monday] {
        var request = DirectionsRequest(source: places[from], destination: places[to])
        (request.departureDate, request.requestsAlternateRoutes) = (date, true)
        _ = try? directions.calculateAndWait(request)
        _ = try? directions.calculateETAAndWait(request)
      }
    }
    _ = try? directions.calculateMatrixAndWait(MatrixRequest(sources: places, destinations: places))
    _ = try? directions.calculateNearestAndWait(NearestRequest(sources: places, destinations: places, count: 2))
    _ = try? directions.calculateIsochronesAndWait(IsochroneRequest(place: places[1], travelTimes: [60, 300]))
    _ = network.facts
  }
}
