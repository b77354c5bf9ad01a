import Routing
import StreetNetwork
import TestMaps
import Testing

/// Turn restrictions, as defined on the wiki page "Relation:restriction".
///
///     a-b-c
///       | |      be is the short route to e, bcf the detour
///     d-e-f
struct RestrictionScenarios {
  private let block = TestMap(
    """
    a-b1c
      | |
    d-e-f
    """
  ).way("ab").way("bc").way("be").way("cf").way("def")

  private static let turned = "ab be"
  private static let round = "ab bc cf def"

  @Test(arguments: [
    ("no_right_turn", round), ("no_left_turn", round), ("no_straight_on", round), ("no_entry", round),
    ("no_exit", round), ("no_u_turn", round), ("no_nonsense", round), ("nonsense", turned), ("only_nonsense", turned),
    ("only_right_turn", turned), ("no_left_u_turn", round), ("no", turned), ("no_", turned), ("none", turned),
    ("no_right_turn_on_red", turned), ("no_left_turn_on_red", turned), ("no_turn_on_red", turned),
    ("no_on_red", turned),
    ("only_straight_on_on_red", turned), ("No_Right_Turn", round),
  ])
  func avoidsForbiddenTurns(kind: String, expected: String) throws {
    let map = block.restriction(kind, from: "ab", via: "b", to: "be")
    #expect(try map.streets("a", "e", by: .automobile) == expected)
  }

  @Test func onlyStraightOnForbidsAllOtherTurns() throws {
    let map = block.restriction("only_straight_on", from: "ab", via: "b", to: "bc")
    #expect(try map.streets("a", "e", by: .automobile) == RestrictionScenarios.round)
    #expect(try map.streets("e", "a", by: .automobile) == "be ab")
  }

  @Test func anUnknownMandatoryTurnForbidsAllOthers() throws {
    let map = block.restriction("only_nonsense", from: "ab", via: "b", to: "bc")
    #expect(try map.streets("a", "e", by: .automobile) == RestrictionScenarios.round)
  }

  @Test func countsRulesAboutRedLights() throws {
    let map = block.restriction("no_right_turn_on_red", from: "ab", via: "b", to: "be")
      .restriction("no_straight_on", from: "ab", via: "b", to: "bc")
    let counts = try map.network(profile: .stock("automobile")).counts.restrictions
    #expect(counts.redLights == 1 && counts.used == 1 && counts.unknown == 0)
  }

  @Test func restrictionsApplyInOneDirection() throws {
    let map = block.restriction("no_right_turn", from: "ab", via: "b", to: "be")
    #expect(try map.streets("e", "a", by: .automobile) == "be ab")
    #expect(try map.streets("1", "e", by: .automobile) == "bc be")
    #expect(try map.streets("c", "a", by: .automobile) == "bc ab")
  }

  @Test func restrictionsDoNotApplyToPedestrians() throws {
    let map = block.restriction("no_right_turn", from: "ab", via: "b", to: "be")
    #expect(try map.streets("a", "e", by: .walking) == RestrictionScenarios.turned)
  }

  @Test(arguments: [
    (["except": "motorcar"], turned), (["except": "bicycle"], round), (["except": "psv;motorcar"], turned),
    (["except": "psv"], round), (["except": "motor_vehicle"], turned),
    (["restriction": "", "restriction:motorcar": "no_right_turn"], round),
    (["restriction": "", "restriction:motor_vehicle": "no_right_turn"], round),
    (["restriction": "", "restriction:hgv": "no_right_turn"], turned),
    (["restriction": "", "restriction:bicycle": "no_right_turn"], turned),
    (["type": "restriction:hgv"], turned),
    (["type": "restriction:motorcar", "restriction": "no_right_turn"], round),
  ])
  func restrictionsApplyToTheirVehicles(tags: [String: String], expected: String) throws {
    let map = block.restriction("no_right_turn", from: "ab", via: "b", to: "be", tags)
    #expect(try map.streets("a", "e", by: .automobile) == expected)
  }

  @Test(arguments: [
    (["except": "bicycle"], turned), ([:], round), (["except": "psv, bicycle"], turned),
    (["except": "psv,Bicycle"], turned), (["except": "psv, hgv"], round),
    (["restriction": "", "restriction:motorcar": "no_right_turn"], turned),
    (["restriction": "", "restriction:bicycle": "no_right_turn"], round), (["except": "motorcar"], round),
  ])
  func restrictionsApplyToBicycles(tags: [String: String], expected: String) throws {
    let map = block.restriction("no_right_turn", from: "ab", via: "b", to: "be", tags)
    #expect(try map.streets("a", "e", by: .cycling) == expected)
  }

  @Test func countsAndIgnoresBrokenRestrictions() throws {
    let map = block.restriction("no_right_turn", from: "ab", via: "c", to: "be")
      .restriction("no_right_turn", from: "xy", via: "b", to: "be")
      .restriction("nonsense", from: "ab", via: "b", to: "be")
      .restriction("no_right_turn", from: "ab", via: "b", to: "be", ["except": "motorcar"])
      .restriction("no_left_turn", from: "cf", via: "f", to: "def")
    let counts = try map.network(profile: .stock("automobile")).counts.restrictions
    #expect(counts.used == 1 && counts.broken == 2 && counts.unknown == 1 && counts.others == 1)
    #expect(try map.streets("a", "e", by: .automobile) == RestrictionScenarios.turned)
  }

  /// The way abc continues beyond b: the name of the turn determines which part of the way is meant.
  @Test func turnNameResolvesAWayThatContinues() throws {
    let map = TestMap("a-b-c\n  |\n  e").way("abc").way("be")
      .restriction("no_right_turn", from: "abc", via: "b", to: "be")
    #expect(isClose(try map.route("a", "e", by: .automobile).distance, 500))  // on to c, and back
    #expect(isClose(try map.route("c", "e", by: .automobile).distance, 300))
  }

  @Test func appliesARestrictionToAllItsFromWays() throws {
    let map = TestMap("a-b-c\n  |\n  d").way("ab").way("cb").way("bd", ["oneway": "yes"])
      .relation(
        [("w", "ab", "from"), ("w", "cb", "from"), ("n", "b", "via"), ("w", "bd", "to")],
        ["type": "restriction", "restriction": "no_entry"])
    #expect(try map.streets("a", "d", by: .automobile) == "directionsNotFound")
    #expect(try map.streets("c", "d", by: .automobile) == "directionsNotFound")
  }

  /// A `from` way that is closed to cars does not invalidate the restriction for the other one.
  @Test func unusableFromWaysDoNotVoidARestriction() throws {
    let map = TestMap("a-b-c\n  |\n  d").way("ab").way("cb", ["highway": "footway"]).way("bd", ["oneway": "yes"])
      .relation(
        [("w", "ab", "from"), ("w", "cb", "from"), ("n", "b", "via"), ("w", "bd", "to")],
        ["type": "restriction", "restriction": "no_entry"])
    #expect(try map.streets("a", "d", by: .automobile) == "directionsNotFound")
    #expect(try map.streets("a", "d", by: .walking) == "ab bd")
  }

  @Test(arguments: [
    ("no_entry", 2, 1, 1, 0), ("no_exit", 1, 2, 1, 0), ("no_entry", 1, 2, 0, 1), ("no_exit", 2, 1, 0, 1),
    ("no_right_turn", 2, 1, 0, 1), ("no_nonsense", 1, 2, 0, 1), ("only_entry", 2, 1, 0, 1),
  ])
  func severalFromOrToWaysRequireNoEntryOrNoExit(kind: String, from: Int, to: Int, used: UInt32, broken: UInt32) throws
  {
    let map = TestMap("a-b-c\n  |\n  d").way("ab").way("cb").way("bd").relation(
      (from == 2 ? [("w", "ab", "from"), ("w", "cb", "from")] : [("w", "ab", "from")]) + [("n", "b", "via")]
        + (to == 2 ? [("w", "bd", "to"), ("w", "cb", "to")] : [("w", "bd", "to")]),
      ["type": "restriction", "restriction": kind])
    let counts = try map.network(profile: .stock("automobile")).counts.restrictions
    #expect(counts.used == used && counts.broken == broken)
  }

  /// Both ways continue beyond b, so there are two left turns between them.
  @Test func ignoresAmbiguousTurnsBetweenTheSameWays() throws {
    let map = TestMap("  d\n  |\na-b-c\n  |\n  e").way("abc").way("dbe")
      .restriction("no_left_turn", from: "abc", via: "b", to: "dbe")
    let counts = try map.network(profile: .stock("automobile")).counts.restrictions
    #expect(counts.used == 0 && counts.broken == 1)
    #expect(isClose(try map.route("a", "d", by: .automobile).distance, 300))
  }

  // MARK: Via ways

  ///     a-b-c
  ///       |       from abc via be: the U-turn leads from c to f, and from a to d
  ///     d-e-f
  private let bridge = TestMap("a-b-c\n  |\nd-e-f").way("abc").way("be")

  @Test func wholeTurnResolvesAWayThatContinues() throws {
    let map = bridge.way("ef").restriction("no_u_turn", from: "abc", via: "be", to: "ef")
    #expect(isClose(try map.route("c", "f", by: .automobile).distance, 600))  // on to a, and back
    #expect(isClose(try map.route("a", "f", by: .automobile).distance, 400))
  }

  @Test(arguments: ["no_u_turn", "no_nonsense", "only_u_turn"])
  func ignoresAmbiguousViaWayRestrictions(kind: String) throws {
    let map = bridge.way("def").restriction(kind, from: "abc", via: "be", to: "def")
    let counts = try map.network(profile: .stock("automobile")).counts.restrictions
    #expect(counts.used == 0 && counts.broken == 1)
    for (from, to) in [("a", "d"), ("a", "f"), ("c", "d"), ("c", "f")] as [(Character, Character)] {
      #expect(isClose(try map.route(from, to, by: .automobile).distance, 400))
    }
  }

  private let ladder = TestMap(
    """
    a-b-c-g
      | | |
    d-e-f-h
    """
  ).way("ab").way("bc").way("cg").way("be").way("cf").way("gh").way("de").way("ef").way("fh")

  @Test func appliesAWayRestrictionAlongTheWholeSequence() throws {
    let map = ladder.restriction("no_u_turn", from: "ab", via: "bc", to: "cf")
    #expect(try map.streets("a", "f", by: .automobile) == "ab be ef")
    let without = try map.streets("a", "g", by: .automobile)
    #expect(without == "ab bc cg")
  }

  /// A trip from e via b may turn at c, but a trip from a may not.
  @Test func wayRestrictionsDoNotApplyToTripsThatJoinLater() throws {
    let map = ladder.way("eb", ["highway": "service"]).restriction("no_right_turn", from: "ab", via: "bc", to: "cf")
      .restriction("no_right_turn", from: "ab", via: "b", to: "be").restriction(
        "no_right_turn", from: "ab", via: "b", to: "eb")
    #expect(try map.streets("a", "f", by: .automobile) == "ab bc cg gh fh")
    #expect(try map.streets("e", "f", by: .automobile) == "ef")
    let from = TestMap("a-b-c-g\n  | | |\nd-e f h\n    | |\n    i-j").way("ab").way("bc").way("cg").way("be").way("cf")
      .way("gh").way("de").way("fi").way("hj").way("ij").restriction("no_right_turn", from: "ab", via: "bc", to: "cf")
    #expect(try from.streets("e", "f", by: .automobile) == "be bc cf")
    #expect(try from.streets("a", "f", by: .automobile) == "ab bc cg gh hj ij fi")
  }

  @Test func appliesAMandatoryTurnToTheEndOfTheViaWay() throws {
    let map = ladder.restriction("only_straight_on", from: "ab", via: "bc", to: "cg")
    #expect(try map.streets("a", "f", by: .automobile) == "ab be ef")
    #expect(try map.streets("b", "f", by: .automobile) != "directionsNotFound")
  }

  /// Trips from a may go to e, but those that take bc must follow cx and xd.
  @Test(arguments: [(["bc", "cx"], "cx"), (["bcx"], "bcx")])
  func aMandatoryTurnCannotBeLeftOnItsViaWays(via: [String], last: String) throws {
    let map = TestMap("a-b-c-x-d\n  | |   |\n  e-f---g").way("ab").way("xd").way("dg").way("be").way("ef").way("cf")
      .way("fg")
    let chain = via.reduce(map) { $0.way($1) }
      .restriction("only_straight_on", from: "ab", via: via.joined(separator: " "), to: "xd")
    #expect(try chain.streets("a", "f", by: .automobile) == "ab be ef")
    #expect(try chain.streets("a", "d", by: .automobile).hasSuffix("\(last) xd"))
  }

  @Test func restrictionsDoNotBindPushedBicycles() throws {
    let map = TestMap("a-b-c\n  | |\n  d-e").way("bc").way("bd").way("de").way("ce")
      .restriction("no_right_turn", from: "ab", via: "b", to: "bd")
    #expect(try map.way("ab").streets("a", "d", by: .cycling) == "ab bc ce de")
    #expect(try map.way("ab", ["highway": "footway"]).streets("a", "d", by: .cycling) == "ab bd")
  }

  @Test func acceptsViaWaysInAnyOrder() throws {
    let map = TestMap("a-b-c-d\n  |   |\n  e---f").way("ab").way("bc").way("cd").way("be").way("ef").way("df")
      .relation(
        [("w", "ab", "from"), ("w", "cd", "via"), ("w", "bc", "via"), ("w", "df", "to")],
        ["type": "restriction", "restriction": "no_right_turn"])
    #expect(try map.streets("a", "f", by: .automobile) == "ab be ef")
    #expect(try map.network(profile: .stock("automobile")).counts.restrictions.used == 1)
  }

  @Test(arguments: ["b bc c", "bc b", "bc bc"]) func toleratesRepeatedViaMembersAndTheirNodes(via: String) throws {
    let map = ladder.restriction("no_right_turn", from: "ab", via: via, to: "cf")
    #expect(try map.streets("a", "f", by: .automobile) == "ab be ef")
    let node = block.restriction("no_right_turn", from: "ab", via: "b b", to: "be")
    #expect(try node.streets("a", "e", by: .automobile) == RestrictionScenarios.round)
  }

  /// The via way is split by a street that leaves it at x.
  @Test func acceptsJunctionsOnAViaWay() throws {
    let map = TestMap(
      """
      a-b-x-c-g
        | | |
        e-y-f
      """
    ).way("ab").way("bxc").way("cg").way("be").way("xy").way("cf").way("eyf")
      .restriction("no_right_turn", from: "ab", via: "bxc", to: "cf")
    #expect(try map.streets("a", "f", by: .automobile) == "ab be eyf")
    #expect(try map.network(profile: .stock("automobile")).counts.restrictions.used == 1)
  }

  // MARK: Conditional restrictions

  @Test(arguments: [
    ("no_right_turn @ (Mo-Fr 07:00-09:00)", 1, 0), ("no_right_turn @ (weight>3.5)", 0, 0),
    ("no_right_turn @ (wet)", 0, 1), ("no_right_turn @ (sunset-sunrise)", 1, 0),
    ("no_right_turn @ (Mo-Fr 07:00-09:00; Sa 10:00-12:00)", 1, 0),
  ])
  func conditionsAreParsedOrCountedAsUnreadable(value: String, used: UInt32, unreadable: UInt32) throws {
    let map = block.restriction(
      "", from: "ab", via: "b", to: "be", ["restriction": "", "restriction:conditional": value])
    let counts = try map.network(profile: .stock("automobile")).counts.restrictions
    #expect(counts.used == used && counts.conditional == used && counts.unreadable == unreadable)
    #expect(try map.streets("a", "e", by: .automobile) == RestrictionScenarios.turned)
  }
}

/// U-turns, and the costs of turns.
struct TurnScenarios {
  @Test func allowsUTurnsAtDeadEndsOnly() throws {
    // The trip must go straight on at b; it turns around at the dead end d instead of at b.
    let map = TestMap(
      """
      a-1-b-2-d
          |
          c
      """
    ).way("ab", ["oneway": "yes"]).way("bd").way("bc").restriction("only_straight_on", from: "ab", via: "b", to: "bd")
    let route = try map.route("1", "c", by: .automobile)
    #expect(route.streets == "ab bd bd bc")
    #expect(route.steps.map(\.maneuver) == [.depart, .continue, .uTurn, .turnLeft, .arrive])
  }

  @Test func allowsUTurnsAtTurningCircles() throws {
    let map = TestMap("a-1-b-2-t---d\n    |\n    c").way("ab", ["oneway": "yes"]).way("btd").way("bc")
      .restriction("only_straight_on", from: "ab", via: "b", to: "btd")
    let atEnd = try map.route("1", "c", by: .automobile)
    let atCircle = try map.node("t", ["highway": "turning_circle"]).route("1", "c", by: .automobile)
    #expect(atCircle.distance + 399 < atEnd.distance)
  }

  /// A crossroads with equal turns to the right and to the left.
  private let cross = TestMap(
    """
        c
        |
    a---b---d
        |
        e
    """
  ).way("abd").way("cbe")

  private func seconds(_ map: TestMap, _ from: Character, _ to: Character) throws -> Double {
    try map.route(from, to, by: .automobile).expectedTravelTime
  }

  @Test func sharperTurnsCostMore() throws {
    let (straight, right) = (try seconds(cross, "a", "d"), try seconds(cross, "a", "e"))
    #expect(right > straight + 1 && right < straight + 7.5)
    #expect(isClose(straight, 400 / (25 / 3.6)))
  }

  @Test func turnsAcrossOncomingTrafficCostMore() throws {
    #expect(try seconds(cross, "a", "c") > seconds(cross, "a", "e"))
  }

  @Test func bendsCostNothing() throws {
    let map = TestMap("a-b\n  |\n  c").way("abc")
    #expect(isClose(try seconds(map, "a", "c"), 300 / (25 / 3.6)))
  }

  @Test func turnsAreFreeOnFoot() throws {
    #expect(isClose(try cross.route("a", "c").expectedTravelTime, 400 * 0.72))
  }

  @Test func startingAtAJunctionIsNotATurn() throws {
    for to in ["a", "c", "d", "e"] as [Character] {
      #expect(isClose(try seconds(cross, "b", to), 200 / (25 / 3.6)))
      #expect(isClose(try seconds(cross, to, "b"), 200 / (25 / 3.6)))
    }
    #expect(try seconds(cross, "b", "b") == 0)
  }
}

/// Speeds on a single street; cars travel at 85 % of the limit.
struct SpeedScenarios {
  private func speed(_ tags: [String: String], _ from: Character = "a", _ to: Character = "b", by type: TransportType)
    throws -> Double
  {
    let route = try TestMap("a---b").way("ab", tags).route(from, to, by: type)
    return (route.distance / route.expectedTravelTime * 36).rounded() / 10
  }

  @Test(arguments: [
    ("50", 50.0), ("50 km/h", 50.0), ("50kmh", 50.0), ("50 kph", 50.0), ("30 mph", 48.3), ("30mph", 48.3),
    ("10 knots", 18.5),
    ("walk", 6.0), ("DE:urban", 50.0), ("DE:rural", 100.0), ("DE:motorway", 140.0), ("FR:rural", 80.0),
    ("DE:zone30", 30.0), ("DE:zone:30", 30.0), ("DE:30", 30.0), ("FR:zone20", 20.0), ("XX:urban", 50.0),
    ("RU:urban", 60.0),
    ("GB:nsl_single", 97.0), ("GB:20mph", 32.2), ("GB:20 mph", 32.2), ("GB:20", 32.2), ("de:zone30", 30.0),
    ("RO:trunk", 100.0), ("50;30", 30.0), ("CH:rural", 80.0), ("80;60", 60.0), ("urban", 50.0), ("5", 5.0),
    ("7.5", 7.5),
  ])
  func readsSpeedLimitsInManySpellings(maxspeed: String, limit: Double) throws {
    let found = try speed(["highway": "primary", "maxspeed": maxspeed], by: .automobile)
    #expect(abs(found - limit * 0.85) < 0.11, "\(found)")
  }

  @Test(arguments: ["signals", "variable", "nonsense", "-5", "0", ""])
  func ignoresSpeedLimitsWithoutASpeed(maxspeed: String) throws {
    #expect(try speed(["maxspeed": maxspeed], by: .automobile) == 25)
  }

  @Test(arguments: [
    (["maxspeed:forward": "40", "maxspeed:backward": "80"], 40.0, 80.0),
    (["maxspeed": "60", "maxspeed:backward": "40"], 60.0, 40.0),
    (["maxspeed:lanes": "60|80|80"], 80.0, 80.0), (["maxspeed:lanes:forward": "60|40", "maxspeed": ""], 60.0, 29.41),
    (["source:maxspeed": "DE:rural"], 100.0, 100.0), (["zone:maxspeed": "DE:30"], 30.0, 30.0),
    (["maxspeed:type": "GB:nsl_single"], 97.0, 97.0),
    (["maxspeed": "signals", "source:maxspeed": "DE:urban"], 50.0, 50.0),
    (["maxspeed": "70", "source:maxspeed": "DE:urban"], 70.0, 70.0),
    (["maxspeed:advisory": "30", "maxspeed": "50"], 30.0, 30.0),
    (["zone:traffic": "DE:rural"], 100.0, 100.0),
  ])
  func appliesSpeedLimitsByDirection(tags: [String: String], forward: Double, backward: Double) throws {
    #expect(abs(try speed(tags, by: .automobile) - forward * 0.85) < 0.11)
    #expect(abs(try speed(tags, "b", "a", by: .automobile) - backward * 0.85) < 0.11)
  }

  @Test(arguments: [
    (["highway": "motorway"], 102.0), (["highway": "trunk"], 85.0), (["highway": "primary"], 65.0),
    (["highway": "secondary"], 55.0),
    (["highway": "tertiary"], 40.0), (["highway": "unclassified"], 30.0), (["highway": "residential"], 25.0),
    (["highway": "living_street"], 10.0), (["highway": "service"], 15.0), (["highway": "motorway_link"], 50.0),
    (["highway": "primary", "surface": "gravel"], 40.0), (["highway": "primary", "surface": "asphalt"], 65.0),
    (["highway": "primary", "surface": "mud"], 10.0), (["highway": "primary", "smoothness": "very_bad"], 20.0),
    (["highway": "track", "tracktype": "grade5"], 15.0), (["highway": "primary", "tracktype": "grade4"], 25.0),
    (["highway": "service", "service": "parking_aisle"], 10.0), (["highway": "primary", "ford": "yes"], 10.0),
    (["highway": "primary", "maxspeed": "100", "surface": "sand"], 20.0), (["highway": "", "route": "ferry"], 15.0),
    (["highway": "primary", "surface": "asphalt;gravel"], 40.0), (["highway": "", "route": "shuttle_train"], 50.0),
  ])
  func carSpeedsDependOnClassAndSurface(tags: [String: String], expected: Double) throws {
    #expect(abs(try speed(tags, by: .automobile) - expected) < 0.11)
  }

  @Test(arguments: [
    (["highway": "cycleway"], 16.0), (["highway": "residential"], 16.0), (["highway": "track"], 12.0),
    (["highway": "footway"], 4.0),
    (["highway": "steps"], 2.0), (["highway": "cycleway", "surface": "cobblestone"], 9.0),
    (["highway": "residential", "maxspeed": "10"], 10.0), (["highway": "residential", "maxspeed": "50"], 16.0),
    (["highway": "path", "surface": "sand"], 5.0), (["highway": "residential", "smoothness": "horrible"], 5.0),
    (["highway": "track", "tracktype": "grade5"], 7.0), (["bicycle": "dismount"], 4.0),
  ])
  func bicycleSpeedsDependOnClassAndSurface(tags: [String: String], expected: Double) throws {
    #expect(abs(try speed(tags, by: .cycling) - expected) < 0.11)
  }

  @Test func prefersFasterToShorterRoutes() throws {
    let map = TestMap("a-----b\n|     |\nc-----d").way("ab", ["highway": "track"]).way("ac", ["highway": "primary"])
      .way("cd", ["highway": "primary"]).way("db", ["highway": "primary"])
    #expect(try map.streets("a", "b", by: .automobile) == "ac cd db")
    #expect(try map.streets("a", "b", by: .walking) == "ab")
  }
}
