import Routing
import StreetNetwork
import TestMaps
import Testing

/// U-turns: across the median of a street, at its end, and their costs.
struct AroundScenarios {
  private func told(_ map: TestMap, _ from: Character, _ to: Character, by type: TransportType = .automobile) throws
    -> [String]
  {
    try map.route(from, to, by: type).instructions
  }

  /// Returns the cost of the turns along the letters: the time of the whole trip minus the times between neighbours,
  /// since trips that start or end at a junction make no turn there.
  private func turnSeconds(_ map: TestMap, _ letters: String) throws -> Double {
    func seconds(_ from: Character, _ to: Character) throws -> Double {
      try map.route(from, to, by: .automobile).expectedTravelTime
    }
    let pieces = try zip(letters, letters.dropFirst()).reduce(0) { try $0 + seconds($1.0, $1.1) }
    return try seconds(letters.first!, letters.last!) - pieces
  }

  /// The two carriageways of x, 30 m apart, and the street y, which crosses them.
  private let avenue = TestMap(
    """
        n
    d---c---e
    a---b---f
        s
    """, spacing: 30
  ).way("abf", ["name": "x", "oneway": "yes", "highway": "primary"])
    .way("ecd", ["name": "x", "oneway": "yes", "highway": "primary"]).way("sbcn", ["name": "y"])

  @Test func turnsAroundAcrossAMedian() throws {
    #expect(try told(avenue, "a", "d") == ["Head east on x", "Make a U-turn on x", "Arrive at the destination"])
    #expect(abs(try turnSeconds(avenue, "abcd") - 20) < 0.01)
  }

  @Test func turnsOffTheStreetAcrossTheMedianAsUsual() throws {
    #expect(try told(avenue, "s", "d") == ["Head north on y", "Turn left onto x", "Arrive at the destination"])
    #expect(try turnSeconds(avenue, "sbcd") < 8)
    #expect(try turnSeconds(avenue, "abcn") < 8)
  }

  /// A service road joins the link across the median, so the link consists of two streets.
  @Test func turnsAroundViaALinkInTwoParts() throws {
    let map = TestMap("d---c---e\n    m--k\na---b---f", spacing: 15)
      .way("abf", ["name": "x", "oneway": "yes"]).way("ecd", ["name": "x", "oneway": "yes"]).way("bmc", ["name": ""])
      .way("mk", ["highway": "service", "name": ""])
    #expect(try told(map, "a", "d") == ["Head east on x", "Make a U-turn on x", "Arrive at the destination"])
    #expect(abs(try turnSeconds(map, "abmcd") - 20) < 0.01)
  }

  @Test func turnsAroundIfThereIsNoOtherWay() throws {
    let map = TestMap("d-------c\na-------b", spacing: 30).way("ab", ["name": "x", "oneway": "yes"])
      .way("bc", ["name": "", "oneway": "yes"]).way("cd", ["name": "x", "oneway": "yes"])
    #expect(try told(map, "a", "d") == ["Head east on x", "Make a U-turn on x", "Arrive at the destination"])
  }

  @Test func announcesTheTurnOfAStreetViaAnUnnamedLink() throws {
    let map = TestMap("a-------b\n          c\n          d\n\n          e", spacing: 20).way("ab", ["name": "x"])
      .way("bc", ["name": ""]).way("cde", ["name": "x"])
    #expect(try told(map, "a", "e") == ["Head east on x", "Turn right to stay on x", "Arrive at the destination"])
    #expect(try told(map, "e", "a") == ["Head north on x", "Turn left to stay on x", "Arrive at the destination"])
  }

  @Test func announcesBothTurnsBetweenUnnamedRoads() throws {
    let map = TestMap("d-------c---k\n        |\na-------b---e", spacing: 20).way(
      "abe", ["highway": "service", "name": ""]
    )
    .way("bc", ["highway": "service", "name": ""]).way("kcd", ["highway": "service", "name": ""])
    #expect(try map.route("a", "d", by: .automobile).steps.map(\.maneuver) == [.depart, .turnLeft, .turnLeft, .arrive])
  }

  @Test func omitsAnUnnamedStraightStretch() throws {
    let map = TestMap("a-------b---c-----d", spacing: 20).way("ab", ["name": "x"]).way("bc", ["name": ""])
      .way("cd", ["name": "x"])
    #expect(try told(map, "a", "d").count == 2)
  }

  /// Returns a map on which the one-way street x meets a one-way street `name` back at b; d is 20 m from a.
  private func end(_ name: String) -> TestMap {
    TestMap("d\na-------------------b---c", spacing: 20).way("ab", ["name": "x", "oneway": "yes"])
      .way("bd", ["name": name, "oneway": "yes"]).way("bc", ["name": "x"])
  }

  @Test func aNearlyReversingTurnIsAUTurn() throws {
    #expect(try told(end("x"), "a", "d")[1] == "Make a U-turn on x")
    #expect(try told(end("y"), "a", "d")[1] == "Make a U-turn onto y")
    #expect(abs(try turnSeconds(end("y"), "abd") - 20) < 0.01)
    #expect(try turnSeconds(end("y"), "abc") < 0.1)
  }

  @Test func aHairpinOfOneRoadIsNotAUTurn() throws {
    let map = TestMap("d\na-------------------b", spacing: 20).way("ab", ["name": "x"]).way("bd", ["name": "x"])
    #expect(try told(map, "a", "d").count == 2)
    #expect(abs(try turnSeconds(map, "abd")) < 0.01)
  }
}
