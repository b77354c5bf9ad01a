import StreetNetwork
import TestMaps
import Testing

/// The time that pedestrians wait before crossing a road, or for a lift.
///
///         e
///         |
///     a-b-x-c-d      a footway, and the road ef
///         |
///         f
struct CrossingScenarios {
  private func map(_ road: String, _ tags: [String: String], path: [String: String] = ["highway": "footway"]) -> TestMap
  {
    TestMap("    e\n    |\na-b-x-c-d\n    |\n    f").way("abxcd", path).way("exf", ["highway": road]).node("x", tags)
      .snapLegs(false)
  }

  /// Returns the seconds in addition to the walking time.
  private func wait(_ map: TestMap, _ from: Character = "a", _ to: Character = "d", by profile: Profile? = nil) throws
    -> Double
  {
    let route = try map.route(from, to, profile: profile)
    return (route.expectedTravelTime - route.distance / (5 / 3.6)).rounded()
  }

  @Test(arguments: [
    ("primary", ["highway": "crossing", "crossing": "traffic_signals"], 22.0),
    ("residential", ["highway": "crossing", "crossing": "traffic_signals"], 22),
    ("primary", ["highway": "crossing", "crossing:signals": "yes"], 22),
    ("primary", ["highway": "crossing", "crossing:signals": "shared"], 16),
    ("primary", ["highway": "crossing", "crossing": "traffic_signals", "crossing_ref": "puffin"], 13),
    ("primary", ["highway": "crossing", "crossing": "traffic_signals", "crossing_ref": "zebra"], 22),
    ("primary", ["highway": "crossing", "crossing": "traffic_signals", "button_operated": "yes"], 22),
    ("primary", ["highway": "crossing", "crossing": "unmarked"], 23), ("primary", ["highway": "crossing"], 23),
    ("primary_link", ["highway": "crossing"], 23), ("secondary", ["highway": "crossing"], 8),
    ("tertiary", ["highway": "crossing"], 3), ("residential", ["highway": "crossing"], 0),
    ("primary", ["highway": "crossing", "crossing": "zebra"], 6), ("primary", ["crossing": "marked"], 6),
    ("motorway", ["highway": "crossing", "crossing": "traffic_signals"], 22),  // the motorway is closed to pedestrians
    ("motorway", ["highway": "crossing"], 0), ("primary", [:], 0), ("primary", ["crossing": "no"], 0),
  ])
  func walkersWaitToCross(road: String, tags: [String: String], expected: Double) throws {
    #expect(try wait(map(road, tags)) == expected)
    #expect(try wait(map(road, tags), "d", "a") == expected)
  }

  @Test func walkersAlongTheRoadDoNotWait() throws {
    let map = map("primary", ["highway": "crossing", "crossing": "traffic_signals"])
    #expect(try wait(map, "e", "f") == 0)
    #expect(try wait(map, "e", "d") == 0)
  }

  @Test func waitingDoesNotDependOnTheWalkingSpeed() throws {
    let map = map("primary", ["highway": "crossing", "crossing": "traffic_signals"])
    let route = try map.route("a", "d", profile: .stock("walking").paced(10))
    #expect(isClose(route.expectedTravelTime - 22, route.distance / (10 / 3.6)))
  }

  @Test(arguments: ["wheelchair", "pram"]) func allWalkersWait(profile: String) throws {
    let profile = try Profile.stock(profile)
    let signals = try wait(map("primary", ["highway": "crossing", "crossing": "traffic_signals"]), by: profile)
    #expect(try signals - wait(map("primary", [:]), by: profile) == 22)
  }

  @Test func liftsTakeAMinuteAsNodesOrWays() throws {
    let point = TestMap("a-b-x-c-d").way("abxcd", ["highway": "footway"]).node("x", ["highway": "elevator"]).snapLegs(
      false)
    #expect(try wait(point) == 60)
    let way = TestMap("a-b-c-d").way("ab").way("bc", ["highway": "elevator"]).way("cd").snapLegs(false)
    let route = try way.route("a", "d")
    #expect(isClose(route.expectedTravelTime, 60 + 200 / (5 / 3.6)))
    #expect(
      try isClose(way.route("a", "d", profile: .stock("walking").paced(2.5)).expectedTravelTime, 60 + 200 / (2.5 / 3.6))
    )
  }

  @Test(arguments: ["", "yes"]) func liftsDrawnAsAreasTakeAMinute(area: String) throws {
    let map = TestMap(
      """
      a-b-c-g
        | |
        e-f-d
      """, spacing: 2
    ).way("ab").way("bcfeb", ["highway": "elevator", "area": area]).way("fd").way("cg").snapLegs(false)
    let opposite = try map.route("a", "d").expectedTravelTime
    #expect(abs(opposite - 60 - 4 / (5 / 3.6)) < 0.1)
    #expect(try abs(map.route("a", "g").expectedTravelTime - opposite) < 0.1)
  }

  @Test func bicyclesTakeLifts() throws {
    let pushed = 100 / (4 / 3.6)
    let point = TestMap("a-x-b").way("axb", ["highway": "footway"]).node("x", ["highway": "elevator"])
    #expect(try isClose(point.route("a", "b", by: .cycling).expectedTravelTime, 60 + 2 * pushed))
    let way = TestMap("a-b-c-d").way("ab", ["highway": "footway"]).way("bc", ["highway": "elevator"])
      .way("cd", ["highway": "footway"])
    #expect(try isClose(way.route("a", "d", by: .cycling).expectedTravelTime, 60 + 2 * pushed))
  }

  @Test(arguments: [
    ["kerb": "raised"], ["wheelchair": "no"], ["barrier": "kerb", "kerb": "regular"], ["kerb:height": "0.12"],
    ["access": "no"],
  ])
  func wheelchairsCannotUseClosedCrossings(tags: [String: String]) throws {
    let map = map("residential", ["highway": "crossing"].merging(tags) { $1 })
    let wheelchair = try Profile.stock("wheelchair")
    for (from, to) in [("a", "d"), ("d", "a"), ("a", "f"), ("e", "d")] as [(Character, Character)] {
      #expect(try map.streets(from, to, profile: wheelchair) == "directionsNotFound")
    }
    #expect(try map.streets("e", "f", profile: wheelchair) == "exf")
    #expect(try map.streets("a", "d", by: .walking) == (tags["access"] == nil ? "abxcd" : "directionsNotFound"))
  }

  @Test func loweredKerbsLetWheelchairsCross() throws {
    let map = map("residential", ["highway": "crossing", "kerb": "lowered"])
    #expect(try map.streets("a", "d", profile: .stock("wheelchair")) == "abxcd")
  }

  @Test func wheelchairNetworksCountAccessibilityTags() throws {
    let map = map(
      "residential", ["highway": "crossing", "kerb": "raised"], path: ["highway": "footway", "surface": "sett"])
    let facts = try map.network(profile: .stock("wheelchair")).facts
    #expect(
      facts.first { $0.0 == "accessibility" }?.1
        == "kerbs at 1 point; of 2 ways, 1 with surface data, 0 with a width, 0 with an incline")
    #expect(try !map.network(profile: .stock("walking")).facts.contains { $0.0 == "accessibility" })
  }

  @Test func unsuitableLiftsStopWheelchairs() throws {
    let lift = ["highway": "elevator", "wheelchair": "no"]
    let map = TestMap("a-b-x-c-d").way("abxcd", ["highway": "footway"]).node("x", lift).snapLegs(false)
    #expect(try map.streets("a", "d", profile: .stock("wheelchair")) == "directionsNotFound")
    #expect(try wait(map) == 60)
  }
}
