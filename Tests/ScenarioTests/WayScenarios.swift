import Routing
import StreetNetwork
import TestMaps
import Testing

/// The ways that cars and bicycles use, and their directions.
struct WayScenarios {
  /// Returns the directions along bc of a-b-c-d: `><` both, `>` as drawn, `<` reversed, `-` none.
  private func directions(_ tags: [String: String], by type: TransportType) throws -> String {
    let map = TestMap("a-b-c-d").way("ab").way("bc", tags).way("cd")
    let there = try map.streets("a", "d", by: type) != "directionsNotFound"
    let back = try map.streets("d", "a", by: type) != "directionsNotFound"
    return there || back ? (there ? ">" : "") + (back ? "<" : "") : "-"
  }

  @Test(arguments: [
    ("motorway", ">"), ("motorway_link", "><"), ("trunk", "><"), ("trunk_link", "><"), ("primary", "><"),
    ("secondary", "><"), ("tertiary", "><"), ("unclassified", "><"), ("residential", "><"), ("living_street", "><"),
    ("service", "><"), ("track", "><"), ("road", "><"), ("pedestrian", "-"), ("footway", "-"), ("cycleway", "-"),
    ("path", "-"), ("steps", "-"), ("bridleway", "-"), ("construction", "-"), ("proposed", "-"), ("raceway", "-"),
    ("busway", "-"), ("corridor", "-"), ("nonsense", "-"),
  ])
  func carsUseClasses(highway: String, expected: String) throws {
    #expect(try directions(["highway": highway], by: .automobile) == expected)
  }

  @Test(arguments: [
    ("motorway", "-"), ("trunk", "-"), ("primary", "><"), ("residential", "><"), ("cycleway", "><"), ("path", "><"),
    ("track", "><"), ("living_street", "><"), ("service", "><"), ("footway", "><"), ("pedestrian", "><"),
    ("steps", "><"), ("construction", "-"), ("proposed", "-"),
  ])
  func bicyclesAreRiddenOrPushedByClass(highway: String, expected: String) throws {
    #expect(try directions(["highway": highway], by: .cycling) == expected)
  }

  @Test(arguments: [
    (["oneway": "yes"], ">"), (["oneway": "true"], ">"), (["oneway": "1"], ">"), (["oneway": "-1"], "<"),
    (["oneway": "reverse"], "<"), (["oneway": "no"], "><"), (["oneway": "false"], "><"), (["oneway": "0"], "><"),
    (["oneway": "nonsense"], "><"), (["oneway": "reversible"], "-"), (["oneway": "alternating"], "><"),
    (["oneway": "yes", "oneway:bicycle": "no"], ">"), (["oneway:bicycle": "yes"], "><"),
    (["oneway": "yes", "oneway:motor_vehicle": "no"], "><"), (["oneway:motorcar": "-1"], "<"),
    (["oneway": "yes", "oneway:motorcar": "no"], "><"), (["junction": "roundabout"], ">"),
    (["junction": "circular"], ">"), (["junction": "roundabout", "oneway": "no"], "><"),
    (["junction": "roundabout", "oneway": "-1"], "<"), (["highway": "motorway"], ">"),
    (["highway": "motorway", "oneway": "no"], "><"), (["highway": "motorway", "oneway": "-1"], "<"),
    (["oneway": "yes", "cycleway": "opposite"], ">"), (["motor_vehicle:backward": "no"], ">"),
    (["motorcar:forward": "no"], "<"), (["vehicle:forward": "no"], "<"), (["access:backward": "no"], ">"),
    (["bicycle:backward": "no"], "><"), (["junction": "jughandle"], "><"), (["oneway": "YES"], ">"),
    (["oneway": "True"], ">"), (["junction": "Roundabout", "oneway": "No"], "><"),
  ])
  func carsFollowOneways(tags: [String: String], expected: String) throws {
    #expect(try directions(tags, by: .automobile) == expected)
  }

  /// 2 both ways, 1 as drawn, -1 reversed, 0 none: a bicycle that may not be ridden is pushed, and the signs for
  /// pedestrians apply.
  @Test(arguments: [
    (["oneway": "yes"], 1), (["oneway": "yes", "oneway:bicycle": "no"], 2), (["oneway": "-1"], -1),
    (["oneway": "yes", "cycleway": "opposite"], 2), (["oneway": "yes", "cycleway": "opposite_lane"], 2),
    (["oneway": "yes", "cycleway:left": "opposite_track"], 2), (["oneway:bicycle": "yes"], 1),
    (["oneway": "no", "oneway:bicycle": "-1"], -1), (["junction": "roundabout"], 1),
    (["oneway": "yes", "cycleway": "opposite", "oneway:bicycle": "yes"], 1),
    (["oneway": "yes", "bicycle:backward": "yes"], 2), (["oneway": "yes", "cycleway:left:oneway": "-1"], 2),
    (["oneway": "yes", "cycleway": "lane"], 1), (["oneway": "reversible"], 0),
    (["oneway": "yes", "cycleway:both": "track", "cycleway:both:oneway": "no"], 2),
    (["oneway": "yes", "cycleway": "track", "cycleway:oneway": "no"], 2),
    (["oneway": "yes", "bicycle": "opposite"], 2),
    (["oneway": "yes", "cycleway:oneway": "yes"], 1), (["oneway": "yes", "bicycle:backward": "permissive"], 2),
  ])
  func bicyclesFollowOneways(tags: [String: String], expected: Int) throws {
    let map = TestMap("a-b").way("ab", tags)
    let isRidden = { (from: Character, to: Character) in
      try map.route(from, to, by: .cycling).steps[0].notice != "Push the bicycle"
    }
    let roundabout = tags["junction"] != nil
    let (there, back) = (try isRidden("a", "b"), try !roundabout && isRidden("b", "a"))
    #expect((there, back) == (expected == 2 || expected == 1, expected == 2 || expected == -1))
  }

  @Test(arguments: [
    ([:], "><"), (["access": "no"], "-"), (["motor_vehicle": "no"], "-"), (["vehicle": "no"], "-"),
    (["motorcar": "no"], "-"), (["access": "no", "motorcar": "yes"], "><"), (["access": "yes", "motorcar": "no"], "-"),
    (["vehicle": "no", "motor_vehicle": "yes"], "><"), (["foot": "no"], "><"), (["bicycle": "no"], "><"),
    (["motor_vehicle": "agricultural"], "-"), (["motor_vehicle": "forestry"], "-"),
    (["motor_vehicle": "agricultural;forestry"], "-"), (["access": "emergency"], "-"), (["access": "psv"], "-"),
    (["access": "permissive"], "><"), (["access": "designated"], "><"), (["motor_vehicle": "designated"], "><"),
    (["access": "unheard_of"], "><"), (["highway": "footway", "motorcar": "yes"], "><"),
    (["highway": "pedestrian", "motor_vehicle": "yes"], "><"), (["highway": "track", "motor_vehicle": "no"], "-"),
    (["highway": "cycleway", "motor_vehicle": "yes"], "><"), (["highway": "path", "vehicle": "yes"], "><"),
    (["service": "emergency_access"], "-"), (["area": "yes"], "-"), (["impassable": "yes"], "-"),
    (["impassable": "Yes"], "-"), (["construction": "No"], "><"),
    (["smoothness": "impassable"], "-"), (["highway": "track", "tracktype": "grade5"], "><"),
    (["highway": "", "route": "ferry"], "><"), (["highway": "", "route": "ferry", "motor_vehicle": "no"], "-"),
    (["highway": "", "route": "ferry", "foot": "yes"], "-"),
    (["highway": "", "route": "ferry", "foot": "yes", "motorcar": "yes"], "><"),
    (["highway": "", "route": "shuttle_train"], "><"), (["highway": "", "man_made": "pier"], "-"),
    (["highway": "", "railway": "rail"], "-"), (["toll": "yes"], "><"), (["tunnel": "yes"], "><"),
    (["ford": "yes"], "><"),
    (["motor_vehicle": "customers;no"], "><"), (["hov": "designated"], "-"),
    (["hov:lanes": "designated"], "-"), (["hov:lanes": "designated|designated"], "-"),
    (["hov:lanes": "designated|yes"], "><"), (["hov:lanes": "|designated"], "><"),
    (["hov:lanes:forward": "designated|designated"], "<"), (["hov:lanes:backward": "designated"], ">"),
    (["hov:forward": "designated"], "<"), (["hov:lanes": "no|no"], "><"),
    (["motor_vehicle:lanes": "no|no"], "-"), (["motor_vehicle:lanes": "no|yes"], "><"),
    (["vehicle:lanes:forward": "no"], "<"), (["access:lanes": "no|no"], "><"), (["motor_vehicle:lanes": "no|"], "><"),
  ])
  func accessTagsApplyToCars(tags: [String: String], expected: String) throws {
    #expect(try directions(tags, by: .automobile) == expected)
  }

  @Test(arguments: [
    (["bicycle": "no"], "push"), (["bicycle": "dismount"], "push"), (["highway": "footway"], "push"),
    (["highway": "footway", "bicycle": "yes"], "ride"), (["highway": "pedestrian"], "push"),
    (["highway": "pedestrian", "bicycle": "yes"], "ride"), (["highway": "steps"], "push"),
    (["access": "no"], "-"), (["access": "no", "bicycle": "dismount"], "push"), (["vehicle": "no"], "push"),
    (["bicycle": "no", "foot": "no"], "-"),
    (["highway": "cycleway", "foot": "no"], "ride"), (["bicycle": "use_sidepath"], "ride"),
    (["bicycle": "use_sidepath", "foot": "no"], "ride"), (["motor_vehicle": "no"], "ride"),
    (["highway": "trunk"], "-"), (["highway": "trunk", "bicycle": "yes"], "ride"),
    (["highway": "trunk", "cycleway": "lane"], "ride"), (["highway": "path", "bicycle": "designated"], "ride"),
    (["highway": "bridleway"], "push"), (["highway": "motorway"], "-"), (["highway": "", "route": "ferry"], "ride"),
    (["highway": "", "route": "ferry", "bicycle": "no"], "-"), (["access": "no", "bicycle": "yes"], "ride"),
    (["highway": "track", "tracktype": "grade3"], "ride"), (["mtb:scale": "6"], "-"),
    (["highway": "path", "sac_scale": "hiking"], "ride"), (["highway": "path", "sac_scale": "alpine_hiking"], "-"),
    (["highway": "path", "ladder": "yes"], "-"),
  ])
  func accessTagsApplyToBicycles(tags: [String: String], expected: String) throws {
    let map = TestMap("a-b-c-d").way("ab").way("bc", tags).way("cd")
    guard let route = try? map.route("a", "d", by: .cycling) else {
      #expect(expected == "-")
      return
    }
    let notices = route.steps.compactMap(\.notice)
    #expect(notices.contains { $0.contains("Push") } == (expected == "push"))
    #expect(expected != "-")
  }
}

/// Streets and gates that are only for destination traffic.
///
///     a-b-1-c-d      bc for destination traffic only, ef the detour
///       |   |
///       e---f
struct DestinationTrafficScenarios {
  private static let drawing = """
    a-b-1-c-d
      |   |
      e---f
    """

  @Test(arguments: [
    (["access": "private"], true), (["access": "destination"], true), (["motor_vehicle": "delivery"], true),
    (["vehicle": "customers"], true), (["motorcar": "permit"], true), (["access": "residents"], true),
    (["access": "private", "motorcar": "yes"], false), (["access": "permissive"], false),
    (["bicycle": "destination"], false), (["highway": "service"], false),
  ])
  func carsDoNotCutThrough(tags: [String: String], isClosed: Bool) throws {
    let map = TestMap(DestinationTrafficScenarios.drawing).way("ab").way("be").way("ef").way("fc").way("cd").way(
      "bc", tags)
    #expect(try map.streets("a", "d", by: .automobile) == (isClosed ? "ab be ef fc cd" : "ab bc cd"))
    #expect(try map.streets("a", "1", by: .automobile) == "ab bc")
    #expect(try map.streets("1", "d", by: .automobile) == "bc cd")
  }

  @Test func notesPrivateRoads() throws {
    let map = TestMap("a-b-c").way("ab").way("bc", ["access": "private"])
    let route = try map.route("a", "c", by: .automobile)
    #expect(route.steps.map(\.notice) == [nil, "Private road", nil])
    #expect(route.advisoryNotices == ["This route includes private roads."])
  }

  /// Behind the private gate g is a yard without another entrance; the lane bgc is not a shortcut.
  @Test func passesAPrivateGateToReachPlacesBehindIt() throws {
    let map = TestMap(
      """
      a-b-g-c-d
        |   |
        e---f
      """
    ).way("ab").way("be").way("ef").way("fc").way("cd").way("bgc").node("g", ["barrier": "gate", "access": "private"])
    #expect(try map.streets("a", "d", by: .automobile) == "ab be ef fc cd")
    let yard = TestMap("a-b-g-c-d\n  |\n  e").way("ab").way("be").way("bgc").way("cd")
      .node("g", ["barrier": "gate", "access": "private"])
    #expect(try yard.streets("a", "d", by: .automobile) == "ab bgc cd")
    #expect(try yard.streets("d", "e", by: .automobile) == "cd bgc be")
  }

  /// Two yards, each behind a gate.
  @Test func routesFromYardToYard() throws {
    let map = TestMap("a-g-b-c-h-d\n  |   |\n  e---f").way("agb").way("bc").way("chd").way("ge", ["access": "private"])
      .way("ef").way("fh").node("g", ["barrier": "gate", "access": "private"])
    #expect(try map.streets("a", "d", by: .automobile) == "agb bc chd")
  }
}

/// Barriers, signals and signs on a way.
struct PointScenarios {
  private let block = TestMap(
    """
    a-b-x-c-d
      |   |
      e---f
    """
  ).way("ab").way("be").way("ef").way("fc").way("cd").way("bxc", ["name": "bc"])

  private func streets(_ tags: [String: String], by type: TransportType) throws -> String {
    try block.node("x", tags).streets("a", "d", by: type) == "ab bc cd" ? "open" : "closed"
  }

  @Test(arguments: [
    (["barrier": "bollard"], "closed"), (["barrier": "gate"], "open"), (["barrier": "lift_gate"], "open"),
    (["barrier": "block"], "closed"), (["barrier": "cycle_barrier"], "closed"), (["barrier": "stile"], "closed"),
    (["barrier": "kissing_gate"], "closed"), (["barrier": "chain"], "closed"), (["barrier": "cattle_grid"], "open"),
    (["barrier": "toll_booth"], "open"), (["barrier": "border_control"], "open"), (["barrier": "entrance"], "open"),
    (["barrier": "height_restrictor"], "open"), (["barrier": "jersey_barrier"], "closed"),
    (["barrier": "gate", "access": "private"], "closed"), (["barrier": "gate", "access": "no"], "closed"),
    (["barrier": "gate", "motor_vehicle": "no"], "closed"), (["barrier": "gate", "foot": "no"], "open"),
    (["barrier": "bollard", "motor_vehicle": "yes"], "open"), (["barrier": "bollard", "access": "yes"], "open"),
    (["barrier": "bollard", "bicycle": "yes"], "closed"), (["barrier": "gate", "locked": "yes"], "closed"),
    (["barrier": "gate", "access": "no", "motorcar": "yes"], "open"), (["access": "no"], "closed"),
    (["highway": "crossing"], "open"), (["highway": "crossing", "motor_vehicle": "no"], "open"),
    (["highway": "traffic_signals"], "open"), (["barrier": "sump_buster"], "closed"),
    (["barrier": "bus_trap"], "closed"), (["barrier": "swing_gate"], "open"),
    (["barrier": "bollard", "bollard": "rising"], "open"), (["barrier": "yes"], "closed"),
  ])
  func barriersApplyToCars(tags: [String: String], expected: String) throws {
    #expect(try streets(tags, by: .automobile) == expected)
  }

  @Test(arguments: [
    (["barrier": "bollard"], "open"), (["barrier": "cycle_barrier"], "open"), (["barrier": "gate"], "open"),
    (["barrier": "gate", "bicycle": "no"], "open"), (["barrier": "wall"], "closed"),
    (["barrier": "gate", "access": "private"], "closed"), (["barrier": "turnstile"], "closed"),
    (["barrier": "block"], "open"), (["barrier": "gate", "motor_vehicle": "no"], "open"),
    (["barrier": "gate", "access": "no", "bicycle": "yes"], "open"), (["access": "no"], "closed"),
    (["access": "no", "bicycle": "yes"], "open"), (["access": "no", "vehicle": "yes"], "open"),
    (["access": "no", "highway": "crossing"], "open"), (["access": "yes"], "open"),
  ])
  func barriersApplyToBicycles(tags: [String: String], expected: String) throws {
    #expect(try streets(tags, by: .cycling) == expected)
  }

  @Test(arguments: [
    (["access": "no"], "closed"), (["access": "no", "foot": "yes"], "open"),
    (["access": "no", "bicycle": "yes"], "closed"),
    (["vehicle": "no"], "open"), (["foot": "no"], "closed"), (["access": "no", "highway": "crossing"], "open"),
  ])
  func signsApplyToWalkers(tags: [String: String], expected: String) throws {
    for profile in ["walking", "wheelchair", "pram"] {
      let isOpen = try block.node("x", tags).streets("a", "d", profile: .stock(profile)) == "ab bc cd"
      #expect(isOpen == (expected == "open"), "\(profile)")
    }
  }

  /// Returns the cost of passing x, in seconds.
  private func delay(_ tags: [String: String], _ from: Character = "a", _ to: Character = "c") throws -> Double {
    let map = TestMap("a---x-c").way("axc")
    let plain = try map.route(from, to, by: .automobile).expectedTravelTime
    return try map.node("x", tags).route(from, to, by: .automobile).expectedTravelTime - plain
  }

  @Test(arguments: [
    (["highway": "traffic_signals"], 6.0), (["highway": "crossing"], 0.5),
    (["highway": "crossing", "crossing": "traffic_signals"], 4.0), (["barrier": "toll_booth"], 15.0),
    (["highway": "crossing", "crossing": "marked", "crossing:signals": "yes"], 4.0),
    (["railway": "level_crossing"], 3.0), (["barrier": "gate"], 10.0), (["ford": "yes"], 5.0),
    (["natural": "tree"], 0.0),
  ])
  func passingAPointTakesTime(tags: [String: String], expected: Double) throws {
    #expect(abs(try delay(tags) - expected) < 0.01)
    #expect(abs(try delay(tags, "c", "a") - expected) < 0.01)
  }

  @Test func signalsAndSignsApplyInTheirDirection() throws {
    let signals = ["highway": "traffic_signals", "traffic_signals:direction": "backward"]
    #expect(abs(try delay(signals)) < 0.01)
    #expect(abs(try delay(signals, "c", "a") - 6) < 0.01)
    #expect(abs(try delay(["highway": "stop", "direction": "forward"]) - 4) < 0.01)
    #expect(abs(try delay(["highway": "stop", "direction": "forward"], "c", "a")) < 0.01)
  }

  /// x lies just before c, so the sign applies toward c.
  @Test func signsApplyTowardTheNearerJunction() throws {
    #expect(abs(try delay(["highway": "give_way"]) - 2) < 0.01)
    #expect(abs(try delay(["highway": "give_way"], "c", "a")) < 0.01)
    #expect(abs(try delay(["highway": "give_way", "direction": "both"], "c", "a") - 2) < 0.01)
  }

  @Test func signsAtCrossingsApplyToTheMinorRoad() throws {
    let cross = TestMap(
      """
          d
          |
      a---x---b
          |
          c
      """
    ).way("axb", ["highway": "primary"]).way("dxc")
    let signed = cross.node("x", ["highway": "stop"])
    for (from, to, expected) in [("a", "b", 0.0), ("c", "d", 4.0), ("c", "b", 4.0)] as [(Character, Character, Double)]
    {
      let without = try cross.route(from, to, by: .automobile).expectedTravelTime
      let with = try signed.route(from, to, by: .automobile).expectedTravelTime
      #expect(abs(with - without - expected) < 0.01)
    }
  }
}
