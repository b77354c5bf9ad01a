import TestMaps
import Testing

/// The ways that pedestrians may use: the short way bc, or the detour via ef.
///
///     a-b-c-d
///       | |
///       e-f
struct AccessTests {
  private let map = TestMap(
    """
    a-b-c-d
      | |
      e-f
    """
  ).way("ab").way("be").way("ef").way("fc").way("cd")

  private static let open = "ab bc cd"
  private static let closed = "ab be ef fc cd"

  private func streets(_ tags: [String: String]) throws -> String {
    try map.way("bc", tags).snapLegs(false).streets("a", "d")
  }

  @Test(arguments: [
    "residential", "footway", "path", "track", "service", "cycleway", "pedestrian", "living_street", "primary",
    "corridor", "bridleway", "unclassified", "road",
  ])
  func walkersUseWalkableClasses(highway: String) throws {
    #expect(try streets(["highway": highway]) == AccessTests.open)
  }

  @Test(arguments: ["motorway", "motorway_link", "trunk", "construction", "proposed", "raceway", "busway", "nonsense"])
  func walkersDoNotUseOtherClasses(highway: String) throws {
    #expect(try streets(["highway": highway]) == AccessTests.closed)
  }

  @Test(arguments: [
    (["access": "no"], closed), (["access": "private"], closed), (["foot": "no"], closed),
    (["access": "no", "foot": "yes"], open), (["access": "private", "foot": "permissive"], open),
    (["access": "yes", "foot": "no"], closed), (["access": "destination"], closed), (["access": "customers"], closed),
    (["foot": "designated"], open), (["foot": "use_sidepath"], open), (["access": "unheard_of"], open),
    (["access": "no", "foot": "unheard_of"], closed), (["access": "no;permissive"], open),
    (["vehicle": "no"], open), (["motor_vehicle": "no", "bicycle": "no"], open), (["access": "agricultural"], closed),
    (["access": "military"], closed), (["access": "delivery"], closed), (["access": "permissive"], open),
  ])
  func mostSpecificKeyDecides(tags: [String: String], expected: String) throws {
    #expect(try streets(tags) == expected)
  }

  @Test func allowsWalkingOnTrunkRoadsWithASidewalk() throws {
    #expect(try streets(["highway": "trunk", "sidewalk": "right"]) == AccessTests.open)
    #expect(try streets(["highway": "trunk", "sidewalk": "none"]) == AccessTests.closed)
    for side in ["both", "left", "right"] {
      #expect(try streets(["highway": "trunk", "sidewalk:\(side)": "yes"]) == AccessTests.open)
      #expect(try streets(["highway": "trunk", "sidewalk:\(side)": "no"]) == AccessTests.closed)
    }
    #expect(try streets(["highway": "motorway", "foot": "yes"]) == AccessTests.open)
  }

  @Test(arguments: [
    (["barrier": "gate"], open), (["barrier": "bollard"], open), (["barrier": "stile"], open),
    (["barrier": "gate", "access": "private"], closed), (["barrier": "gate", "foot": "no"], closed),
    (["barrier": "gate", "access": "no", "foot": "yes"], open), (["barrier": "wall"], closed),
    (["barrier": "wall", "foot": "yes"], open), (["barrier": "gate", "locked": "yes"], closed),
    (["barrier": "bollard", "motor_vehicle": "no"], open), (["barrier": "lift_gate", "access": "destination"], closed),
  ])
  func barriersOnWaysApplyToWalkers(tags: [String: String], expected: String) throws {
    let map = TestMap(
      """
      a-b-x-c-d
        |   |
        e---f
      """
    ).way("ab").way("be").way("ef").way("fc").way("cd").way("bxc", ["name": "bc"]).node("x", tags).snapLegs(false)
    #expect(try map.streets("a", "d") == expected)
  }

  @Test func barriersAtJunctionsBlockAllWaysThroughThem() throws {
    let map = TestMap(
      """
        e
        |
      a-b-c
      """
    ).way("abc").way("be").node("b", ["barrier": "wall"]).snapLegs(false)
    #expect(try map.streets("a", "c") == "directionsNotFound")
    #expect(try map.streets("a", "e") == "directionsNotFound")
  }

  @Test func onewayAppliesToPedestriansOnlyIfTagged() throws {
    #expect(try streets(["oneway": "yes"]) == AccessTests.open)
    #expect(try map.way("bc", ["oneway": "yes"]).snapLegs(false).streets("d", "a") == "cd bc ab")
    let forward = map.way("bc", ["oneway:foot": "yes"]).snapLegs(false)
    #expect(try forward.streets("a", "d") == AccessTests.open)
    #expect(try forward.streets("d", "a") == "cd fc ef be ab")
    #expect(try map.way("bc", ["oneway:foot": "-1"]).snapLegs(false).streets("a", "d") == AccessTests.closed)
    #expect(try map.way("bc", ["foot:backward": "no"]).snapLegs(false).streets("d", "a") == "cd fc ef be ab")
  }

  @Test func escalatorsAreOneWay() throws {
    let map = map.way("bc", ["highway": "steps", "conveying": "backward"]).snapLegs(false)
    #expect(try map.streets("a", "d") == AccessTests.closed)
    #expect(try map.streets("d", "a") == "cd bc ab")
  }
}

/// Streets for destination traffic: used at the ends of a trip, never as a shortcut.
///
///     a-b-c-d      bc is for destination traffic only; ef is the detour
///       | |
///       e-f
struct EndsOnlyTests {
  private let map = TestMap(
    """
    a-b-1-c-d
      |   |
      e---f
    """
  ).way("ab").way("be").way("ef").way("fc").way("cd").way("bc", ["access": "destination"]).snapLegs(false)

  @Test func allowsTripsToEndThere() throws { #expect(try map.streets("a", "1") == "ab bc") }
  @Test func allowsTripsToStartThere() throws { #expect(try map.streets("1", "d") == "bc cd") }
  @Test func allowsNoThroughTraffic() throws { #expect(try map.streets("a", "d") == "ab be ef fc cd") }

  /// A courtyard of untagged paths behind a private gate: reachable, though none of its paths is tagged as private.
  @Test func reachesPlacesBehindAGateWithoutThroughTraffic() throws {
    let court = TestMap(
      """
      a-b-c-d-e
        |     |
        f-----g
      """
    ).way("ab").way("bf").way("fg").way("ge").way("bc", ["access": "private"]).way("cd")
      .way("de", ["access": "private"]).snapLegs(false)
    #expect(try court.streets("a", "c") == "ab bc")
    #expect(try court.streets("c", "a") == "bc ab")
    #expect(try court.streets("a", "e") == "ab bf fg ge")
  }

  /// On the second map, trips over the toll road need no private street.
  @Test(arguments: [["access": "private"], ["motor_vehicle": "destination"]])
  func usesOneWayStreetsThatAloneLeadThere(restricted: [String: String]) throws {
    let link = restricted.merging(["oneway": "yes"]) { $1 }
    let map = TestMap("a-b---c-d\n  |   |\n  e---f").way("ab").way("bc", link).way("cd").snapLegs(false)
    #expect(try map.streets("a", "d", by: .automobile) == "ab bc cd")
    #expect(try map.streets("d", "a", by: .automobile) == "directionsNotFound")
    for end in "bc" {
      let gated = map.node(end, ["barrier": "gate", "access": "private"])
      #expect(try gated.streets("a", "d", by: .automobile) == "ab bc cd")
    }
    let choice = map.way("be").way("ef", ["toll": "yes", "oneway": "yes"]).way("fc")
    let route = try choice.routes("a", "d", profile: .stock("automobile")) { $0.tollPreference = .avoid }[0]
    #expect(route.streets == "ab be ef fc cd")
  }

  @Test(arguments: [["vehicle": "destination"], ["bicycle": "private"], ["vehicle": "customers", "oneway": "-1"]])
  func bicyclesArePushedAgainstOneWayStreetsForDestinations(tags: [String: String]) throws {
    let map = TestMap("a-b-1-c").way("ab").way("bc", ["oneway": "yes"].merging(tags) { $1 })
    #expect(try map.streets("1", "a", by: .cycling) == "bc ab")
    #expect(try map.streets("a", "1", by: .cycling) == "ab bc")
  }

  /// Place 1 can be reached over bc, or left over cb, but not both: fd is restricted.
  @Test(arguments: [
    ("yes", ["access": "private"], "bd bc cf", "cf fd"), ("yes", ["toll": "yes"], "bd bc cf", "cf fd"),
    ("-1", ["access": "private"], "fd cf", "cf bc bd"), ("-1", ["toll": "yes"], "fd cf", "cf bc bd"),
  ])
  func usesRestrictedStreetsOnlyInTheDirectionThatNeedsThem(
    oneway: String, restricted: [String: String], arriving: String, departing: String
  ) throws {
    let map = TestMap("a-b-c\n| | |\n| | 1\ne-d-f").way("ab").way("bd").way("de").way("ea").way("cf")
      .way("bc", ["oneway": oneway]).way("fd", restricted)
    func streets(_ from: Character, _ to: Character) throws -> String {
      try map.routes(from, to, profile: .stock("automobile")) { $0.tollPreference = .avoid }[0].streets
    }
    #expect(try streets("d", "1") == arriving)
    #expect(try streets("1", "d") == departing)
  }
}
