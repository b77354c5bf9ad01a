import Routing
import StreetNetwork
import TestMaps
import Testing

/// Instructions at ramps, exits, forks and roundabouts.
struct RoadManeuverScenarios {
  private func instructions(_ map: TestMap, _ from: Character, _ to: Character, by type: TransportType = .automobile)
    throws
    -> [String]
  {
    // With a snap limit of one metre, a trip may start on a motorway if there is no other street.
    try map.snapLimit(1).route(from, to, by: type).instructions
  }

  /// A highway abcd, an exit at b, and a ramp that joins at c.
  private let highway = TestMap(
    """
    a-----b-----c-----d
             e     f
               g-h
    """
  ).way("abcd", ["highway": "motorway", "name": "", "ref": "A 1"])
    .way("beg", ["highway": "motorway_link", "name": "", "destination": "Porto;Braga", "destination:ref": "A 28"])
    .way("gh", ["highway": "primary"])
    .way("hfc", ["highway": "motorway_link", "name": "", "oneway": "yes"])

  @Test func announcesExitsWithTheirSigns() throws {
    let map = TestMap("a-----b-----c\n           e\n             g-h").way(
      "abc", ["highway": "motorway", "ref": "A 1", "name": ""]
    )
    .way(
      "beg",
      [
        "highway": "motorway_link", "name": "", "oneway": "yes", "destination": "Porto;Braga",
        "destination:ref": "A 28",
      ]
    )
    .way("gh", ["highway": "primary"]).node("b", ["highway": "motorway_junction", "ref": "12"]).snapLimit(1)
    #expect(
      try instructions(map, "a", "h") == [
        "Head east on A 1", "Take exit 12 on the right toward A 28, Porto, Braga", "Continue onto gh",
        "Arrive at the destination",
      ])
    let route = try map.route("a", "h", by: .automobile)
    #expect(route.hasHighways && !route.hasTolls && route.steps[1].maneuver == .exitRight)
    #expect(try map.route("g", "h", by: .automobile).hasHighways == false)
  }

  @Test func announcesExitsWithoutANumber() throws {
    let map = TestMap("           e\na-----b-----c").way("abc", ["highway": "motorway", "name": "", "ref": "A 1"])
      .way("be", ["highway": "motorway_link", "name": "", "oneway": "yes"])
    #expect(try instructions(map, "a", "e")[1] == "Take the exit on the left")
  }

  @Test func separatesExitNumbersWithCommas() throws {
    let map = TestMap("           e\na-----b-----c").way("abc", ["highway": "motorway", "name": "", "ref": "A 1"])
    let link = ["highway": "motorway_link", "name": "", "oneway": "yes"]
    let tagged = map.way("be", link.merging(["junction:ref": "12a; 12b"]) { $1 })
    let junction = map.way("be", link).node("b", ["highway": "motorway_junction", "ref": "12a;12b"])
    #expect(try instructions(tagged, "a", "e")[1] == "Take exit 12a, 12b on the left")
    #expect(try instructions(junction, "a", "e")[1] == "Take exit 12a, 12b on the left")
  }

  @Test(arguments: [
    ([:], [:], ""), (["destination:street": "Broad Street"], [:], " toward Broad Street"),
    ([:], ["exit_to": "Broad Street; Bexley"], " toward Broad Street, Bexley"),
    (["destination": "none", "destination:street": "Broad Street"], ["ref": "none"], " toward Broad Street"),
    (["destination": "Xenia", "destination:street": "Broad Street"], ["exit_to": "Bexley"], " toward Xenia"),
    (["destination": "none", "ref": "none", "junction:ref": "none"], ["exit_to": "none"], ""),
  ])
  func announcesStreetsOnSigns(link: [String: String], junction: [String: String], words: String) throws {
    let map = TestMap("           e\na-----b-----c").way("abc", ["highway": "motorway", "name": "", "ref": "A 1"])
      .way("be", ["highway": "motorway_link", "name": "", "oneway": "yes"].merging(link) { $1 })
      .node("b", ["highway": "motorway_junction"].merging(junction) { $1 })
    #expect(try instructions(map, "a", "e")[1] == "Take the exit on the left\(words)")
  }

  @Test func omitsStayingOnTheHighway() throws {
    #expect(try instructions(highway, "a", "d") == ["Head east on A 1", "Arrive at the destination"])
  }

  @Test func announcesRampsAndMerging() throws {
    let map = TestMap("a-----c-----d\n   f\nh---g---i").way("acd", ["highway": "motorway", "name": "", "ref": "A 1"])
      .way("hgi", ["highway": "primary"]).way("gfc", ["highway": "motorway_link", "name": "", "oneway": "yes"])
      .snapLimit(1)
    let route = try map.route("h", "d", by: .automobile)
    #expect(route.steps.map(\.maneuver) == [.depart, .rampLeft, .merge, .arrive])
    #expect(route.instructions[1...2] == ["Take the ramp on the left", "Merge onto A 1"])
    #expect(route.title == "via hgi and A 1")
  }

  /// Two roads of the same class fork at b, symmetrically to the left and to the right.
  private let fork = TestMap(
    """
                c
    a-----b
                d
    """
  )

  @Test func announcesForks() throws {
    let map = fork.way("ab").way("bc").way("bd")
    #expect(try instructions(map, "a", "c")[1] == "Keep left onto bc")
    #expect(try instructions(map, "a", "d")[1] == "Keep right onto bd")
  }

  @Test func announcesForksWithTheSameName() throws {
    let map = fork.way("ab", ["name": "x"]).way("bc", ["name": "x"]).way("bd", ["name": "x"])
    #expect(try instructions(map, "a", "c")[1] == "Keep left to stay on x")
  }

  @Test func announcesForksWithTheirSigns() throws {
    let map = fork.way("ab", ["highway": "motorway_link", "name": "", "oneway": "yes"])
      .way("bc", ["highway": "motorway_link", "name": "", "oneway": "yes", "destination": "Lisboa"])
      .way("bd", ["highway": "motorway_link", "name": "", "oneway": "yes"])
    #expect(try instructions(map, "a", "c")[1] == "Keep left to stay on the ramp toward Lisboa")
  }

  @Test func ignoresDrivewaysAtForks() throws {
    let map = fork.way("ab", ["highway": "secondary", "name": "x"]).way("bc", ["highway": "secondary", "name": "x"])
      .way("bd", ["highway": "service", "name": ""])
    #expect(try instructions(map, "a", "c") == ["Head east on x", "Arrive at the destination"])
  }

  @Test func announcesTheMiddleOfThreeBranches() throws {
    let map = TestMap("            c\na-----b---e\n            d").way("ab").way("bc").way("bd").way("be")
    #expect(try instructions(map, "a", "e")[1] == "Keep straight onto be")
  }

  /// Both branches turn off to the left, by 27 and 14 degrees.
  @Test func keepsToOneSideOfANarrowFork() throws {
    let map = TestMap(
      """
                        c
                        d
      a---------b
      """
    ).way("ab").way("bc").way("bd")
    #expect(try instructions(map, "a", "c")[1] == "Keep left onto bc")
    #expect(try instructions(map, "a", "d")[1] == "Keep right onto bd")
  }

  @Test func staysOnAStreetAtANarrowFork() throws {
    let map = TestMap(
      """
                       d
      a---------b------c
      """
    ).way("abc")
    #expect(try instructions(map.way("bd"), "a", "c")[1] == "Keep right to stay on abc")
    #expect(try instructions(map.way("bd", ["highway": "service"]), "a", "c").count == 2)
  }

  // MARK: U-turns

  /// The carriageways of a street that merge at c.
  private func parkway(_ back: [String: String] = ["name": "x"]) -> TestMap {
    TestMap(
      """
      e---------d
                            c---f
      a---------b
                            g
      """, spacing: 10
    ).way("abc", ["name": "x", "oneway": "yes"]).way("cde", ["oneway": "yes"].merging(back) { $1 })
      .way("cf", ["name": "x"]).way("cg")
  }

  @Test func turnsAroundBetweenTheCarriagewaysOfAStreet() throws {
    let route = try parkway().route("a", "e", by: .automobile)
    #expect(route.instructions == ["Head east on x", "Make a U-turn on x", "Arrive at the destination"])
    #expect(route.steps[1].maneuver == .uTurn)
    #expect(try instructions(parkway(["name": "y"]), "a", "e")[1] == "Turn sharply left onto y")
    #expect(try instructions(parkway(), "a", "f") == ["Head east on x", "Arrive at the destination"])
    #expect(
      try instructions(parkway().language("pt"), "a", "e")[1] == "Faça inversão de marcha e continue por x")
  }

  @Test(arguments: [
    ["name": ""], ["name": "x"], ["name": "y"], ["name": "x", "oneway": "yes"],
    ["name": "", "highway": "primary_link"],
  ])
  func turnsAroundViaALink(link: [String: String]) throws {
    let map = TestMap(
      """
      e-------d-------f
              |
      a-------b-------c
      """, spacing: 20
    ).way("abc", ["name": "x", "oneway": "yes"]).way("fde", ["name": "x", "oneway": "yes"]).way("bd", link)
    #expect(try instructions(map, "a", "e")[1...] == ["Make a U-turn on x", "Arrive at the destination"])
  }

  @Test func aHairpinIsNotAUTurn() throws {
    let map = TestMap("a---------b\nc             d", spacing: 20).way("ab", ["name": "x"]).way("bc", ["name": "x"])
      .way("bd")
    #expect(try instructions(map, "a", "c")[1] == "Turn sharply right to stay on x")
  }

  // MARK: Forced bends

  private static let bendBefore = "        a\n        |\n        |\nd------cb------e"
  private static let bendAfter = "d------cb------e\n        |\n        |\n        a"

  @Test func aForcedBendWithAChangeOfNameIsATurn() throws {
    let map = TestMap(RoadManeuverScenarios.bendBefore, spacing: 10).way("abc", ["name": "x"]).way("cd", ["name": "y"])
    #expect(try instructions(map, "a", "d")[1] == "Turn right onto y")
    #expect(try instructions(map, "d", "a")[1] == "Turn left onto x")
    // A one-way street that joins at the bend offers no alternative.
    #expect(try instructions(map.way("eb", ["oneway": "yes"]), "a", "d")[1] == "Turn right onto y")
    let after = TestMap(RoadManeuverScenarios.bendAfter, spacing: 10).way("dc", ["name": "x"]).way(
      "cba", ["name": "y"])
    #expect(try instructions(after, "d", "a")[1] == "Turn right onto y")
    #expect(try instructions(after, "a", "d")[1] == "Turn left onto x")
  }

  @Test func aBendFarFromAChangeOfNameIsNotATurn() throws {
    let map = TestMap(RoadManeuverScenarios.bendBefore, spacing: 40).way("abc", ["name": "x"]).way("cd", ["name": "y"])
    #expect(try instructions(map, "a", "d")[1] == "Continue onto y")
    let slight = TestMap("            a\n        b\nd---c", spacing: 10).way("abc", ["name": "x"])
      .way("cd", ["name": "y"])
    #expect(try instructions(slight, "a", "d")[1] == "Continue onto y")
    let same = TestMap(RoadManeuverScenarios.bendBefore, spacing: 10).way("abc", ["name": "x"]).way("cd", ["name": "x"])
    #expect(try instructions(same, "a", "d").count == 2)
  }

  // MARK: Roundabouts

  /// Traffic is counterclockwise; the arms meet the ring at e, s, n and w.
  private let roundabout = TestMap(
    """
            N
            |
            n
          /   \\
    W---w       e---E
          \\   /
            s
            |
            S
    """
  ).way("wsenw", ["junction": "roundabout", "name": ""]).way("Ww").way("Ss").way("Ee").way("Nn")

  @Test(
    arguments: [("S", "1st exit onto Ss"), ("E", "2nd exit onto Ee"), ("N", "3rd exit onto Nn")]
      as [(Character, String)])
  func exitsAreCounted(to: Character, exit: String) throws {
    #expect(
      try instructions(roundabout, "W", to) == [
        "Head east on Ww", "At the roundabout, take the \(exit)", "Arrive at the destination",
      ])
    #expect(try roundabout.route("W", to, by: .automobile).steps[1].maneuver == .roundabout)
  }

  @Test func doesNotCountEntriesOfARoundabout() throws {
    let map = TestMap(
      """
              N
              |
              n
            /   \\
      W---w       e---E
            \\   /
              s
              |
              S
      """
    ).way("wsenw", ["junction": "roundabout", "name": ""]).way("Ww").way("Ss", ["oneway": "yes"]).way("Ee").way("Nn")
    #expect(try instructions(map, "W", "E")[1] == "At the roundabout, take the 1st exit onto Ee")
  }

  @Test func continuesOnTheSameStreetAfterARoundabout() throws {
    let map = roundabout.way("Ww", ["name": "x"])
    _ = map
    let same = TestMap("W---w---e---E\n     s").way("wsew", ["junction": "roundabout", "name": ""]).way(
      "Ww", ["name": "x"]
    ).way(
      "eE", ["name": "x"])
    #expect(try instructions(same, "W", "E")[1] == "At the roundabout, take the 1st exit to stay on x")
  }

  @Test func startsAndEndsWithinARoundabout() throws {
    let map = TestMap(
      """
              n
            /   \\
      W---w       e---E
            \\   /
              s 1
      """
    ).way("wsenw", ["junction": "roundabout", "name": ""]).way("Ww").way("Ee")
    #expect(try instructions(map, "W", "s")[1] == "Enter the roundabout")
    #expect(try instructions(map, "s", "E").contains("Leave the roundabout onto Ee"))
  }

  @Test func treatsRoundaboutsAsStreetsOnFoot() throws {
    #expect(!(try instructions(roundabout, "W", "E", by: .walking)).contains { $0.contains("exit") })
  }

  // MARK: Names, ferries, notices

  @Test func announcesAChangeOfName() throws {
    let map = TestMap("a---b---c").way("ab").way("bc")
    #expect(try instructions(map, "a", "c") == ["Head east on ab", "Continue onto bc", "Arrive at the destination"])
  }

  @Test func ignoresGapsInTheName() throws {
    let map = TestMap("a---b---c---d").way("ab", ["name": "x"]).way("bc", ["name": ""]).way("cd", ["name": "x"])
    #expect(try instructions(map, "a", "d") == ["Head east on x", "Arrive at the destination"])
  }

  @Test func omitsCrossings() throws {
    let map = TestMap("    e\n    |\na---b---c\n    |\n    f").way("abc", ["name": "x"]).way("ebf", ["name": "y"])
    #expect(try instructions(map, "a", "c") == ["Head east on x", "Arrive at the destination"])
  }

  @Test func announcesTheBendOfAMainRoad() throws {
    let map = TestMap("a---b---c\n    |\n    d").way("ab", ["name": "x"]).way("bd", ["name": "x"]).way(
      "bc", ["name": "y"])
    #expect(try instructions(map, "a", "d")[1] == "Turn right to stay on x")
    #expect(try instructions(map, "a", "c")[1] == "Continue onto y")
  }

  @Test func notesTolls() throws {
    let map = TestMap("a---b---c").way("ab").way("bc", ["toll": "yes"])
    let route = try map.route("a", "c", by: .automobile)
    #expect(route.steps.map(\.notice) == [nil, "Toll road", nil] && route.hasTolls)
    #expect(route.advisoryNotices == ["This route has tolls."])
    let booth = TestMap("a---b---c").way("abc").node("b", ["barrier": "toll_booth"])
    #expect(try booth.route("a", "c", by: .automobile).hasTolls)
    #expect(try !booth.route("a", "c", by: .cycling).hasTolls)
  }

  @Test func announcesCarTrains() throws {
    let map = TestMap("a-b---c-d").way("ab").way(
      "bc", ["highway": "", "route": "shuttle_train", "name": "", "duration": "15"]
    ).way("cd")
    let route = try map.route("a", "d", by: .automobile)
    #expect(route.instructions[1] == "Take the car train" && route.steps[1].maneuver == .takeCarTrain)
    // Boarding, waiting, and 15 minutes on board.
    #expect(abs(route.steps[1].expectedTravelTime - 600 - 1200 - 900) < 0.1)
  }

  @Test func announcesPushingAndRiding() throws {
    let map = TestMap("a-b-c-d").way("ab").way("bc", ["highway": "footway", "name": ""]).way("cd")
    let route = try map.route("a", "d", by: .cycling)
    #expect(
      route.instructions == [
        "Head east on ab", "Push the bicycle onto the footway", "Ride onto cd", "Arrive at the destination",
      ])
    #expect(route.steps.map(\.transportType) == [.cycling, .walking, .cycling, .cycling])
  }

  /// The footway bc of 5 m belongs to the step before the ride.
  @Test func ridingStepsDoNotSayToPush() throws {
    let map = TestMap("a-----------b-c-----------d\n            e", spacing: 5).way("cd")
      .way("ab", ["highway": "footway"]).way("bc", ["highway": "footway"]).way("be", ["highway": "footway"])
    let route = try map.route("a", "d", by: .cycling)
    #expect(route.steps.map(\.maneuver) == [.depart, .ride, .arrive])
    #expect(route.steps.map(\.notice) == ["Push the bicycle", nil, nil])
  }

  /// Drivers stop at h, a few metres before the junction j, to which the street is drawn as a hook.
  @Test func aHookBeforeTheStopLineIsNoTurn() throws {
    let map = TestMap("            h   v\na-----------j\n\n\n    g", spacing: 5).way("aj").way("jv").way("jhg")
      .node("h", ["highway": "stop"])
    #expect(
      try instructions(map, "a", "g") == [
        "Head east on aj", "Turn sharply right onto jhg", "Arrive at the destination",
      ])
  }

  /// The turns at b and c are to the left, and by 217 degrees together.
  @Test func twoTurnsToTheLeftAreATurnToTheLeft() throws {
    let path = ["highway": "footway", "name": ""]
    let map = TestMap("d   a\n\n\n\n    b c     e\n\n    f", spacing: 5).way("abf").way("bc", path).way("cd", path)
      .way("ce", path)
    #expect(
      try instructions(map, "a", "d", by: .walking) == [
        "Head south on abf", "Turn sharply left onto the footway", "Arrive at the destination",
      ])
  }

  /// The slip road cuts the corner, so there is only one turn.
  @Test func mergesASlipRoadIntoATurn() throws {
    let map = TestMap(
      """
      a-----s---b---e
                t
                |
                d
      """, spacing: 30
    ).way("asbe", ["highway": "primary"]).way("btd", ["highway": "primary"])
      .way("st", ["highway": "primary_link", "name": "", "oneway": "yes"])
    #expect(
      try instructions(map, "a", "d") == ["Head east on asbe", "Turn right onto btd", "Arrive at the destination"])
  }

  @Test func usesThePhrasesOfTheLanguage() throws {
    let map = try roundabout.language("pt")
    #expect(
      try instructions(map, "W", "E") == [
        "Siga para este por Ww", "Na rotunda, tome a 2.ª saída para Ee", "Chegada ao destino",
      ])
    #expect(try map.route("W", "E", by: .automobile).title.hasPrefix("por "))
  }

  /// The distances and times of the steps, including the first, add up to those of the route.
  @Test func stepsAddUpToTheRoute() throws {
    for (from, to) in [("W", "E"), ("N", "S"), ("E", "N")] as [(Character, Character)] {
      let route = try roundabout.route(from, to, by: .automobile)
      #expect(isClose(route.steps.reduce(0) { $0 + $1.distance }, route.distance))
      #expect(isClose(route.steps.reduce(0) { $0 + $1.expectedTravelTime }, route.expectedTravelTime))
    }
  }
}
