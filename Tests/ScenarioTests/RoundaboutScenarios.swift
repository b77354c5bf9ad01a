import Routing
import StreetNetwork
import TestMaps
import Testing

/// Counting the exits of a roundabout, roundabouts on foot, merging, and short steps.
struct RoundaboutScenarios {
  /// Traffic goes counterclockwise: from W past S and E to N. X and Y are places for exits at the junction where the arm of W
  /// enters.
  private let drawing = TestMap(
    """
              N
              |
      Y       n
            /   \\
    W-----w       e---E
            \\   /
      X       s
              |
              S
    """
  ).way("wsenw", ["junction": "roundabout", "name": ""]).way("Ww").way("Ee").way("Nn")

  private func exit(_ map: TestMap, to: Character = "E") throws -> String {
    try map.route("W", to, by: .automobile).instructions[1]
  }

  @Test(arguments: [
    ["highway": "service", "access": "private"], ["highway": "service", "service": "parking_aisle"],
    ["highway": "service", "service": "driveway"], ["highway": "track", "tracktype": "grade1"],
    ["highway": "service", "access": "customers"],
  ])
  func doesNotCountMinorExits(tags: [String: String]) throws {
    #expect(try exit(drawing.way("Ss", tags)) == "At the roundabout, take the 1st exit onto Ee")
  }

  @Test(arguments: [["highway": "service"], ["highway": "service", "service": "alley"], ["highway": "residential"]])
  func countsStreets(tags: [String: String]) throws {
    #expect(try exit(drawing.way("Ss", tags)) == "At the roundabout, take the 2nd exit onto Ee")
  }

  @Test func countsAnExitNextToTheEntry() throws {
    #expect(try exit(drawing.way("wX")) == "At the roundabout, take the 2nd exit onto Ee")
    #expect(try exit(drawing.way("wX", ["highway": "track"])) == "At the roundabout, take the 1st exit onto Ee")
  }

  @Test func doesNotCountAnExitBeforeTheEntry() throws {
    #expect(try exit(drawing.way("wY")) == "At the roundabout, take the 1st exit onto Ee")
    // The other carriageway of the same street.
    #expect(try exit(drawing.way("wX", ["name": "Ww"])) == "At the roundabout, take the 1st exit onto Ee")
  }

  @Test func walksAlongRoundabouts() throws {
    let map = drawing.way("Ss")
    let route = try map.route("W", "E", by: .walking)
    #expect(
      route.instructions == [
        "Head east on Ww", "Follow the roundabout around to the right onto Ee", "Arrive at the destination",
      ] || route.instructions[1] == "Follow the roundabout around to the left onto Ee")
    #expect(
      try map.route("N", "E", by: .walking).instructions == [
        "Head south on Nn", "Follow the roundabout around to the left onto Ee", "Arrive at the destination",
      ])
  }

  // MARK: Merging

  private func merging(_ tags: [String: String], at node: Character = "c") -> TestMap {
    TestMap("a-----c-----d\n  f\nh-g---i").way("acd", ["highway": "primary", "name": "x"]).way(
      "hgi", ["highway": "primary"]
    )
    .way("gfc", ["highway": "primary_link", "name": "", "oneway": "yes"]).node(node, tags)
  }

  @Test func mergesOntoARoadAlongside() throws {
    #expect(try merging([:]).route("h", "d", by: .automobile).instructions.contains("Merge onto x"))
  }

  @Test(arguments: [["highway": "stop"], ["highway": "traffic_signals"], ["highway": "give_way"]])
  func doesNotMergeAtAStop(tags: [String: String]) throws {
    let instructions = try merging(tags).route("h", "d", by: .automobile).instructions
    #expect(
      !instructions.contains { $0.contains("Merge") } && instructions.contains { $0.hasSuffix(" x") }, "\(instructions)"
    )
  }

  // MARK: A few metres

  @Test(arguments: [2.0, 4], [TransportType.walking, .automobile, .cycling])
  func joinsStepsOfAFewMetres(spacing: Double, type: TransportType) throws {
    let map = TestMap(
      """
      a-------b---x

          y---c-------d
      """, spacing: spacing
    ).way("ab").way("bc").way("cd").way("bx").way("yc")
    #expect(
      try map.route("a", "d", by: type).instructions == [
        "Head east on ab", "Continue onto cd", "Arrive at the destination",
      ])
  }

  @Test func twoTurnsWithinAFewMetresAreOne() throws {
    let map = TestMap(
      """
      a-----------b-----x
                    c---y
                    |
                    |
                    d
      """, spacing: 4
    ).way("ab").way("bc").way("cd").way("bx").way("cy")
    for type in TransportType.allCases {
      let route = try map.route("a", "d", by: type)
      #expect(route.instructions == ["Head east on ab", "Turn right onto cd", "Arrive at the destination"])
      #expect(isClose(route.steps.reduce(0) { $0 + $1.distance }, route.distance))
    }
  }

  @Test(arguments: [
    (["highway": "footway", "name": ""], ["Head east on ab", "Continue onto cd", "Arrive at the destination"]),
    (["highway": "steps", "name": ""], ["Head east on ab", "Continue onto cd", "Arrive at the destination"]),
  ])
  func notesAFewMetresOfPushingWithoutAStep(tags: [String: String], instructions: [String]) throws {
    let map = TestMap("a---------b---c---------d", spacing: 4).way("ab").way("bc", tags).way("cd")
    let route = try map.route("a", "d", by: .cycling)
    #expect(route.instructions == instructions)
    #expect(route.steps[1].notice?.contains("Push the bicycle") == true)
  }

  @Test func rampsOverrideAManeuverAFewMetresBefore() throws {
    let map = TestMap(
      """
      a---------b-c---------d---x
                y       e-------z
      """, spacing: 4
    ).way("ab", ["highway": "primary", "name": "x"]).way("bc", ["highway": "primary", "name": "y"]).way("by")
      .way("cd", ["highway": "primary", "name": "y"]).way("dx", ["highway": "primary", "name": "y"])
      .way("ce", ["highway": "motorway_link", "name": "", "oneway": "yes"]).way("ez")
    #expect(try map.route("a", "z", by: .automobile).instructions[1] == "Take the ramp on the right")
  }

  /// Streets of 6 m, each with a different name, including stairs and footways.
  @Test(arguments: TransportType.allCases)
  func onlyFirstAndLastStepsAreShorterThanTenMetres(type: TransportType) throws {
    var map = TestMap(
      """
      a--b--c--d--e
      f--g--h--i--j
      k--l--m--n--o
      p--q--r--s--t
      """, spacing: 4)
    for (index, street) in "ab bc cd de fg gh hi ij kl lm mn no pq qr rs st af fk kp gl hm ch nr ns dn oj ot".split(
      separator: " "
    ).enumerated() {
      let highway = ["residential", "footway", "steps", "service", "cycleway", "tertiary"][index * 7 % 11 % 6]
      map = map.way(String(street), ["highway": highway].merging(index % 4 == 0 ? ["name": ""] : [:]) { $1 })
    }
    for (from, to) in zip("abcdefghijk", "tsrqponmlmt") {
      guard let route = try? map.route(from, to, by: type) else { continue }
      #expect(route.steps.dropFirst().dropLast(2).allSatisfy { $0.distance >= 10 }, "\(route.instructions)")
      #expect(isClose(route.steps.reduce(0) { $0 + $1.distance }, route.distance))
    }
  }

  @Test func notesAFewStairsWithoutAStep() throws {
    let map = TestMap("a---------b-c---------d", spacing: 3).way("ab", ["highway": "footway", "name": ""])
      .way("bc", ["highway": "steps", "name": ""]).way("cd", ["highway": "footway", "name": ""])
    let route = try map.route("a", "d")
    #expect(route.instructions == ["Head east on the footway", "Arrive at the destination"])
    #expect(route.steps[0].notice == "Stairs")
  }

  @Test func joinsFlightsOfStairs() throws {
    let map = TestMap("a---------b---c-d---e---------f", spacing: 3).way("ab")
      .way("bc", ["highway": "steps", "name": ""]).way("cd", ["highway": "footway", "name": ""])
      .way("de", ["highway": "steps", "name": ""]).way("ef")
    #expect(try map.route("a", "f").instructions[1...2] == ["Take the stairs", "Continue onto ef"])
  }

  @Test func startsOnStairsAfterAFewMetres() throws {
    let map = TestMap("a-b---------c", spacing: 3).way("ab").way("bc", ["highway": "steps", "name": ""])
    #expect(try map.route("a", "c").instructions == ["Head east on the stairs", "Arrive at the destination"])
  }

  @Test func continuesOnAStreetAfterItsStairs() throws {
    let map = TestMap("a---b---c---d").way("ab", ["name": "x"]).way("bc", ["name": "x", "highway": "steps"])
      .way("cd", ["name": "x"])
    #expect(
      try map.route("a", "d").instructions == [
        "Head east on x", "Take the stairs x", "Continue on x", "Arrive at the destination",
      ])
  }

  @Test func keepsAnElevatorOfAFewMetres() throws {
    let map = TestMap("a---------b-c---------d", spacing: 3).way("ab").way("bc", ["highway": "elevator", "name": ""])
    let route = try map.way("cd").route("a", "d")
    #expect(route.instructions[1] == "Take the elevator onto cd" && route.steps[1].notice == "Elevator")
    #expect(route.steps.count == 3)
    let unnamed = map.way("cd", ["highway": "footway", "name": ""])
    #expect(try unnamed.route("a", "d").instructions[1] == "Take the elevator")
  }
}
