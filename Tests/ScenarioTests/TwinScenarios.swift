import Geography
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Overlapping streets: a place is on all of them, and a trip may start and end on any of them.
struct TwinScenarios {
  private static let stretch = TestMap(
    """
    a-1-2-b-3-c
    |         |
    d---------e
    """
  ).way("ad").way("de").way("ec")

  /// The second way is drawn before or after the first, in the same direction or in reverse.
  @Test(arguments: [
    ["abc", "ab"], ["ab", "abc"], ["abc", "ba"], ["ba", "abc"], ["abc", "ab", "cba"], ["abc", "abeda"],
  ])
  func goesStraightAlongOverlappingWays(ways: [String]) throws {
    let map = ways.reduce(TwinScenarios.stretch) { $0.way($1) }
    for type in TransportType.allCases {
      for (from, to) in [("1", "2"), ("2", "1")] as [(Character, Character)] {
        #expect(isClose(try map.route(from, to, by: type).distance, 100))
      }
      #expect(isClose(try map.route("1", "3", by: type).distance, 300))
      #expect(isClose(try map.route("3", "2", by: type).distance, 200))
    }
  }

  @Test func usesBothOfTwoOnewayTwins() throws {
    let map = TwinScenarios.stretch.way("abc", ["oneway": "yes"]).way("cba", ["oneway": "yes"])
    #expect(isClose(try map.route("1", "2", by: .automobile).distance, 100))
    #expect(isClose(try map.route("2", "1", by: .automobile).distance, 100))
    #expect(isClose(try map.route("2", "3", by: .automobile).distance, 200))
    #expect(isClose(try map.route("3", "2", by: .automobile).distance, 200))
  }

  /// A way that returns over its own nodes is one street, on which the place lies twice.
  @Test func handlesAWayThatReturnsOverItsNodes() throws {
    let map = TestMap("a-b-1-2-c").way("ab").way("bcb", ["oneway": "yes"])
    #expect(isClose(try map.route("1", "2", by: .automobile).distance, 100))
    #expect(isClose(try map.route("2", "1", by: .automobile).distance, 100))
    #expect(isClose(try map.route("1", "a", by: .automobile).distance, 200))
    #expect(isClose(try map.route("a", "1", by: .automobile).distance, 200))
  }

  /// The duplicates have separate nodes, and are connected to the streets at one end only.
  @Test func handlesDuplicatesWithTheirOwnNodes() throws {
    let nodes = ["n1 x0 y0", "n2 x0.001 y0", "n3 x0.002 y0", "n4 x0.003 y0", "n12 x0.001 y0", "n13 x0.002 y0"]
    let ways = ["w1 Nn1,n2,n3", "w2 Nn12,n13,n4"]
    let opl =
      nodes.map { $0.replacing(" ", with: " v1 T ", maxReplacements: 1) + "\n" }
      + ways.map { $0.replacing(" ", with: " v1 Thighway=residential ", maxReplacements: 1) + "\n" }
    let scratch = try Scratch()
    defer { scratch.remove() }
    let network = try StreetNetwork(.opl(opl.joined()), profile: .stock("walking"), at: scratch.path("n"))
    let router = Router(network, Directions.Options())
    func end(_ longitude: Double) throws -> TripEnd {
      try #require(router.end(at: Coordinate(latitude: 0, longitude: longitude)))
    }
    // Each end is on both streets where they overlap, and on one where they do not.
    let (first, overlapped, other, second) = (try end(0.0005), try end(0.0012), try end(0.0018), try end(0.0025))
    func degrees(_ from: TripEnd, _ to: TripEnd) -> Double? {
      router.weight(from: from, to: to).map { ($0.metres / Coordinate.metresPerDegree * 10_000).rounded() / 10_000 }
    }
    #expect(degrees(overlapped, other) == 0.0006 && degrees(other, overlapped) == 0.0006)
    #expect(degrees(first, other) == 0.0013 && degrees(other, second) == 0.0007)
    #expect(degrees(first, second) == nil)
    let route = try #require(router.route(from: first, to: other))
    #expect(isClose(route.polyline.length, route.distance))
  }

  /// A street for destination traffic does not close an open one that it overlaps.
  @Test func prefersTheOpenOneOfTwoTwins() throws {
    for ways in [["abc", "cba"], ["cba", "abc"]] {
      let map = TwinScenarios.stretch.way(ways[0], ways[0] == "abc" ? [:] : ["access": "private"])
        .way(ways[1], ways[1] == "abc" ? [:] : ["access": "private"])
      #expect(isClose(try map.route("1", "3", by: .automobile).distance, 300))
      #expect(isClose(try map.route("d", "3", by: .automobile).distance, 600))
    }
  }

  /// Without a common node, the streets are not connected, but a place where they touch is on both.
  @Test func placesAreOnBothStreetsWhereLinesTouch() throws {
    let map = TestMap("    c\n\na-1-2-b\n\n    d").way("ab").way("cd")
    for to in ["a", "b", "c", "d"] as [Character] {
      #expect(try map.streets("2", to) == (to == "a" || to == "b" ? "ab" : "cd"))
    }
    #expect(try map.streets("a", "c") == "directionsNotFound")
  }

  /// The place is on both sides of a closed gate, but there is no way through it.
  @Test func placesAreOnBothSidesOfAClosedGate() throws {
    let map = TestMap("a-b-c").way("abc").node("b", ["barrier": "wall"])
    #expect(isClose(try map.route("b", "a").distance, 100))
    #expect(isClose(try map.route("b", "c").distance, 100))
    #expect(try map.streets("a", "c") == "directionsNotFound")
  }

  /// Going back along the twin at m is also a U-turn, which is allowed only at the dead end d.
  @Test(arguments: ["bmd", "dmb"]) func doesNotTurnAroundFromATwinIntoItsTwin(twin: String) throws {
    let map = TestMap("a-1-b-m-d\n    |\n    c").way("ab", ["oneway": "yes"]).way("bmd").way("bc").way(twin)
      .restriction("no_right_turn", from: "ab", via: "b", to: "bc")
    #expect(isClose(try map.route("1", "c", by: .automobile).distance, 700))
  }

  @Test func drawsAndDescribesATripAlongATwin() throws {
    let map = TwinScenarios.stretch.way("abc", ["oneway": "yes"]).way("cba", ["oneway": "yes"])
    let route = try map.route("2", "1", by: .automobile)
    #expect(route.steps.map(\.street).first == "cba")
    #expect(isClose(route.polyline.length, 100))
  }
}
