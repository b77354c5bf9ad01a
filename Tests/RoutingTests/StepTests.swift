import Routing
import TestMaps
import Testing

/// The instructions of steps.
struct StepTests {
  /// Routes head east, then turn at e.
  private let cross = TestMap(
    """
    b   c   d
      \\ | /
    a---e---f
      / | \\
    g   h   i
    """
  ).way("ae").way("eb").way("ec").way("ed").way("ef").way("eg").way("eh").way("ei")

  @Test(
    arguments: [
      ("f", "Continue onto ef"), ("c", "Turn left onto ec"), ("h", "Turn right onto eh"),
      ("b", "Turn sharply left onto eb"),
      ("g", "Turn sharply right onto eg"),
    ] as [(Character, String)])
  func namesTurnsByTheirAngle(to: Character, expected: String) throws {
    #expect(try cross.route("a", to).instructions[1] == expected)
  }

  @Test func namesSlightTurns() throws {
    let map = TestMap(
      """
              c
      a---b---e
              d
      """
    ).way("ab").way("bc").way("bd").way("be")
    #expect(try map.route("a", "c").instructions[1] == "Turn slightly left onto bc")
    #expect(try map.route("a", "d").instructions[1] == "Turn slightly right onto bd")
  }

  @Test(
    arguments: [("b", "east"), ("c", "north"), ("d", "west"), ("e", "south"), ("f", "northeast")]
      as [(Character, String)])
  func departuresStateTheHeading(to: Character, heading: String) throws {
    let map = TestMap(
      """
          c   f

      d---a---b

          e
      """
    ).way("ab").way("ac").way("ad").way("ae").way("af")
    #expect(try map.route("a", to).instructions[0] == "Head \(heading) on a\(to)")
  }

  @Test func mergesPiecesOfOneStreetIntoOneStep() throws {
    let map = TestMap("a-b-c-d\n  | |\n  e f").way("ab", ["name": "x"]).way("bc", ["name": "x"]).way(
      "cd", ["name": "x"]
    )
    .way("be").way("cf")
    let route = try map.route("a", "d")
    #expect(route.instructions == ["Head east on x", "Arrive at the destination"])
    #expect(isClose(route.steps[0].distance, 300))
  }

  @Test func announcesTheTurnOfAStreetAtACrossing() throws {
    let map = TestMap("a-b-c\n  |\n  d").way("ab", ["name": "x"]).way("bd", ["name": "x"]).way("bc")
    #expect(try map.route("a", "d").instructions[1] == "Turn right to stay on x")
  }

  @Test func omitsBendsWithoutAChoice() throws {
    let map = TestMap("a-b\n  |\n  c").way("ab", ["name": "x"]).way("bc", ["name": "x"])
    #expect(try map.route("a", "c").steps.count == 2)
  }

  @Test func statesTheSideOfTheDestination() throws {
    let map = TestMap("  1\na---b\n  2").way("ab")
    #expect(try map.route("a", "1").instructions.last == "Arrive at the destination on the left")
    #expect(try map.route("a", "2").instructions.last == "Arrive at the destination on the right")
    #expect(try map.route("b", "2").instructions.last == "Arrive at the destination on the left")
    #expect(try map.route("a", "b").instructions.last == "Arrive at the destination")
  }

  @Test(arguments: [
    ("steps", "no", "Take the stairs", "This route includes stairs."),
    ("steps", "forward", "Take the escalator", "This route includes an escalator."),
    ("elevator", "no", "Take the elevator", "This route includes an elevator."),
  ])
  func stepsAndElevatorsAreTaken(highway: String, conveying: String, instruction: String, advisory: String) throws {
    let map = TestMap("a-b-c-d").way("ab").way("cd")
      .way("bc", ["highway": highway, "conveying": conveying, "name": ""])
    let route = try map.route("a", "d")
    #expect(route.instructions[1] == instruction)
    #expect(route.instructions[2] == "Continue onto cd")
    #expect(route.advisoryNotices == [advisory])
  }

  @Test func liftsDrawnAsNodesAreTaken() throws {
    let map = TestMap("a-b-x-c-d").way("abxcd", ["highway": "footway", "name": ""]).node("x", ["highway": "elevator"])
    let route = try map.route("a", "d")
    #expect(route.steps.map(\.maneuver) == [.depart, .takeElevator, .arrive])
    #expect(route.instructions[1] == "Take the elevator" && route.steps[1].notice == "Elevator")
    #expect(route.advisoryNotices == ["This route includes an elevator."])
  }

  @Test func announcesAndNotesFerries() throws {
    let map = TestMap("a-b---c-d").way("ab").way("bc", ["highway": "", "route": "ferry", "name": "Suokki"]).way("cd")
    let route = try map.route("a", "d")
    #expect(route.instructions[1] == "Take the ferry Suokki")
    #expect(route.steps[1].notice == "Ferry, about 17 min of boarding and waiting included")
    #expect(route.advisoryNotices == ["This route includes a ferry.", "Waiting times are estimates."])
  }

  @Test func notesUnpavedStretches() throws {
    let map = TestMap("a-b-c").way("ab").way("bc", ["surface": "gravel"])
    let route = try map.route("a", "c")
    #expect(route.steps.map(\.notice) == [nil, "Unpaved", nil])
    #expect(route.advisoryNotices == ["This route includes unpaved sections."])
  }

  @Test(arguments: [
    ("footway", "the footway"), ("path", "the path"), ("track", "the track"), ("service", "the service road"),
    ("residential", "the unnamed road"), ("cycleway", "the cycle path"), ("pedestrian", "the pedestrian street"),
    ("tertiary_link", "the link road"),
  ])
  func unnamedWaysAreDescribed(highway: String, words: String) throws {
    let map = TestMap("a-b-c").way("ab", ["highway": highway, "name": ""]).way("bc")
    #expect(try map.route("a", "c").instructions[0] == "Head east on \(words)")
  }

  @Test func namesAnUnnamedRoadByItsNumber() throws {
    let map = TestMap("a-b-c").way("ab", ["name": "", "ref": "N 12"]).way("bc")
    #expect(try map.route("a", "c").instructions[0] == "Head east on N 12")
  }

  /// x continues after a jog of 20 m along y, which is not worth two steps.
  @Test func omitsJogs() throws {
    let map = TestMap(
      """
      a---------b
                c---------d
      """, spacing: 20
    ).way("ab", ["name": "x"]).way("bc", ["name": "y"]).way("cd", ["name": "x"])
    #expect(try map.route("a", "d").instructions == ["Head east on x", "Arrive at the destination"])
  }

  @Test func mergesAShortUnnamedLinkIntoTheStreetItLeadsTo() throws {
    let map = TestMap(
      """
      a-------b
              c-------d
      """, spacing: 10
    ).way("ab").way("bc", ["highway": "footway", "name": ""]).way("cd")
    let route = try map.route("a", "d")
    #expect(route.streets == "ab cd")
    #expect(isClose(route.steps.reduce(0) { $0 + $1.distance }, route.distance))
  }

  @Test func namesARouteByItsLongestStreets() throws {
    let map = TestMap("a-b---c----d").way("ab").way("bc").way("cd")
    #expect(try map.route("a", "d").name == "bc and cd")
    #expect(try map.route("a", "b").name == "ab")
    let unnamed = TestMap("a-b").way("ab", ["highway": "footway", "name": ""])
    #expect(try unnamed.route("a", "b").name == "footway")
  }
}
