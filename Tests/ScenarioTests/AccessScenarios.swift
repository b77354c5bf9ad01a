import Routing
import StreetNetwork
import TestMaps
import Testing

/// Ways that tags open, close, or reserve for trips that start or end on them.
///
///     a-b-1-c-d      bc as tagged, ef the detour
///       |   |
///       e---f
struct AccessScenarios {
  private let map = TestMap(
    """
    a-b-1-c-d
      |   |
      e---f
    """
  ).way("ab").way("be").way("ef").way("fc").way("cd").snapLegs(false)

  /// Returns `through`, `ends` if only trips to and from 1 use bc, or `closed`.
  private func use(_ tags: [String: String], by type: TransportType) throws -> String {
    let map = map.way("bc", tags)
    if try map.streets("a", "d", by: type) == "ab bc cd" { return "through" }
    return try map.streets("a", "1", by: type) == "ab bc" ? "ends" : "closed"
  }

  @Test(
    arguments: ["footway", "path", "cycleway", "bridleway", "steps"],
    ["private", "destination", "customers", "permit", "delivery", "yes", "permissive"])
  func generalAccessDoesNotOpenClosedClassesToCars(highway: String, access: String) throws {
    #expect(try use(["highway": highway, "access": access], by: .automobile) == "closed")
  }

  @Test(arguments: [
    ("footway", ["motor_vehicle": "yes"], "through"), ("path", ["vehicle": "destination"], "ends"),
    ("cycleway", ["motorcar": "private"], "ends"), ("bridleway", ["motor_vehicle": "permissive"], "through"),
    ("footway", ["access": "no", "motor_vehicle": "delivery"], "ends"), ("pedestrian", ["access": "yes"], "closed"),
    ("pedestrian", ["motor_vehicle": "destination"], "ends"), ("service", ["access": "destination"], "ends"),
  ])
  func keysAboutVehiclesOpenAClassToCars(highway: String, tags: [String: String], expected: String) throws {
    #expect(try use(tags.merging(["highway": highway]) { $1 }, by: .automobile) == expected)
  }

  @Test func generalAccessDoesNotOpenClosedClassesToWalkersAndCyclists() throws {
    #expect(try use(["highway": "motorway", "access": "permissive"], by: .walking) == "closed")
    #expect(try use(["highway": "motorway", "access": "yes"], by: .cycling) == "closed")
    let route = try map.way("bc", ["highway": "footway", "access": "permissive"]).route("a", "1", by: .cycling)
    #expect(route.steps.contains { $0.notice == "Push the bicycle" })
  }

  @Test(arguments: [
    "restricted", "emergency_vehicle", "minibus", "share_taxi", "psv", "bus", "taxi", "hgv", "emergency", "service",
    "agricultural;forestry", "bus;taxi", "Restricted",
  ])
  func valuesForOtherModesCloseAWay(value: String) throws {
    #expect(try use(["access": value], by: .automobile) == "closed")
    #expect(try use(["motor_vehicle": value], by: .automobile) == "closed")
    #expect(try use(["access": value], by: .walking) == "closed")
  }

  @Test(arguments: [
    ("forestry;permissive", "through"), ("no;permissive", "through"), ("agricultural; destination", "ends"),
    ("private;customers", "ends"), ("no;private;yes", "through"), ("forestry,permissive", "through"),
    ("unheard_of;no", "closed"), ("unheard_of", "through"), ("Yes", "through"), ("customers;no", "ends"),
  ])
  func listsUseTheirMostPermissiveValue(value: String, expected: String) throws {
    #expect(try use(["motor_vehicle": value], by: .automobile) == expected)
    #expect(try use(["access": value], by: .walking) == expected)
  }

  @Test(arguments: [
    ("yes", "closed"), ("residential", "closed"), ("unheard_of", "closed"), ("no", "through"), ("minor", "through"),
    ("widening", "through"),
  ])
  func constructionClosesAWay(construction: String, expected: String) throws {
    for type in TransportType.allCases {
      #expect(try use(["construction": construction], by: type) == expected)
    }
  }

  @Test(arguments: ["winter_road", "ice_road"]) func seasonalRoadsAreClosedAndCounted(key: String) throws {
    for type in TransportType.allCases { #expect(try use([key: "yes"], by: type) == "closed") }
    #expect(try use([key: "no"], by: .automobile) == "through")
    #expect(try map.way("bc", [key: "yes"]).network(profile: .stock("automobile")).counts.seasonalWays == 1)
  }

  @Test(arguments: [("01-15", "ab bc cd"), ("07-15", "ab be ef fc cd"), (nil, "ab be ef fc cd")])
  func seasonalRoadsOpenInTheirSeason(day: String?, expected: String) throws {
    let road = map.way("bc", ["ice_road": "yes", "opening_hours": "Dec-Mar"])
    let routes = try road.routes("a", "d", profile: .stock("automobile")) { request in
      request.departureDate = day.flatMap { Timestamp("2026-\($0)T12:00:00Z")?.date }
    }
    #expect(routes[0].streets == expected)
  }

  /// 1 lies inside a service area, 100 m from its outline.
  @Test(arguments: ["services", "rest_area"]) func outlinesOfAreasAreNotStreets(highway: String) throws {
    let map = TestMap(
      """
      a---b---c
        d-e
        |1|
        g-f
      """)
    let area = map.way("abc").way("defgd", ["highway": highway])
    for type in TransportType.allCases { #expect(try area.network(profile: .stock(type)).counts.ways == 1) }
    let loop = map.way("abc").way("defgd", ["highway": highway, "area": "no"])
    #expect(try loop.network(profile: .stock(.automobile)).counts.ways == 2)
    let open = map.way("abc").way("bef", ["highway": highway])
    #expect(try open.network(profile: .stock(.automobile)).counts.ways == 2)
  }

  @Test func alternatingOnewayRoundaboutsStayOneWay() throws {
    for tags in [["junction": "roundabout"], ["junction": "circular"], ["highway": "motorway"]] {
      let map = TestMap("a-b-c-d").way("ab").way("cd").way("bc", tags.merging(["oneway": "alternating"]) { $1 })
      #expect(try map.streets("a", "d", by: .automobile) != "directionsNotFound")
      #expect(try map.streets("d", "a", by: .automobile) == "directionsNotFound")
    }
  }

  @Test(arguments: ["roundabout", "circular"]) func bicyclesUseRoundaboutsOneWay(junction: String) throws {
    let map = TestMap("a-b-c-d\n  | |\n  e-f").way("ab").way("cd").way("bc", ["junction": junction]).way("be").way("ef")
      .way("fc")
    #expect(try isClose(map.route("a", "d", by: .cycling).distance, 300))
    #expect(try isClose(map.route("d", "a", by: .cycling).distance, 700))
    #expect(try isClose(map.route("d", "a", by: .walking).distance, 300))
  }

  @Test(arguments: [
    (["highway": "trunk", "foot:forward": "yes"], ">"), (["highway": "trunk", "foot:backward": "yes"], "<"),
    (["foot": "no", "foot:forward": "yes"], ">"), (["access": "no", "foot:backward": "designated"], "<"),
    (["foot:forward": "no"], "<"), (["foot:backward": "no"], ">"), (["access:backward": "no"], ">"),
    (["foot:forward": "yes"], "><"),
  ])
  func opensToWalkersInOneDirection(tags: [String: String], expected: String) throws {
    let map = map.way("bc", tags)
    let there = try map.streets("a", "d") == "ab bc cd" ? ">" : ""
    let back = try map.streets("d", "a") == "cd bc ab" ? "<" : ""
    #expect(there + back == expected)
  }
}

/// Escalators and moving walkways.
struct ConveyingScenarios {
  /// Returns the directions in which bc of a-b-c-d can be used: `>`, `<`, `><`.
  private func directions(_ tags: [String: String]) throws -> String {
    let map = TestMap("a-b-c-d").way("ab").way("cd").way("bc", tags)
    let there = try map.streets("a", "d") != "directionsNotFound" ? ">" : ""
    let back = try map.streets("d", "a") != "directionsNotFound" ? "<" : ""
    return there + back
  }

  @Test(arguments: [
    (["highway": "steps", "conveying": "forward"], ">"), (["highway": "steps", "conveying": "backward"], "<"),
    (["highway": "footway", "conveying": "forward"], ">"), (["highway": "corridor", "conveying": "backward"], "<"),
    (["highway": "steps", "conveying": "reversible"], "><"), (["highway": "steps", "conveying": "yes"], "><"),
    (["highway": "steps", "conveying": "yes", "oneway": "yes"], ">"),
    (["highway": "steps", "conveying": "yes", "oneway": "-1"], "<"),
    (["highway": "footway", "conveying": "forward", "oneway": "no"], "><"),
    (["highway": "footway", "conveying": "forward", "oneway:foot": "no"], "><"),
    (["highway": "residential", "conveying": "forward"], "><"),
    (["highway": "service", "conveying": "backward"], "><"),
    (["highway": "footway", "oneway": "yes"], "><"),
  ])
  func escalatorsAndMovingWalkwaysAreOneWay(tags: [String: String], expected: String) throws {
    #expect(try directions(tags) == expected)
  }

  @Test func bicyclesAreNotPushedOntoEscalators() throws {
    let map = TestMap("a-b-c-d").way("ab").way("cd")
    #expect(
      try map.way("bc", ["highway": "steps", "conveying": "forward"]).streets("a", "d", by: .cycling)
        == "directionsNotFound")
    #expect(
      try map.way("bc", ["highway": "residential", "conveying": "forward"]).streets("a", "d", by: .cycling)
        == "ab bc cd")
  }
}

/// Tracks, which cars use only at the ends of a trip.
struct TrackScenarios {
  private let map = TestMap(
    """
    a-b-1-c-d
      |   |
      e---f
    """
  ).way("ab").way("be").way("ef").way("fc").way("cd").snapLegs(false)

  @Test(arguments: [
    ([:], false), (["tracktype": "grade1"], true), (["tracktype": "grade3"], false), (["maxspeed": "30"], true),
    (["motor_vehicle": "yes"], true), (["vehicle": "permissive"], true), (["motorcar": "designated"], true),
    (["access": "yes"], false), (["motor_vehicle": "destination"], false), (["surface": "asphalt"], false),
    (["tracktype": "grade1", "motor_vehicle": "destination"], false), (["tracktype": "grade1;grade2"], true),
  ])
  func tracksServeDestinationTrafficByDefault(tags: [String: String], isOpen: Bool) throws {
    // The detour is far slower than the track.
    let map = map.way("bc", tags.merging(["highway": "track"]) { $1 })
    #expect(try map.streets("a", "d", by: .automobile) == (isOpen ? "ab bc cd" : "ab be ef fc cd"))
    #expect(try map.streets("a", "1", by: .automobile) == "ab bc")
    #expect(try map.streets("1", "d", by: .automobile) == "bc cd")
    #expect(try map.streets("a", "d", by: .walking) == "ab bc cd")
  }

  @Test func closedTracksStayClosed() throws {
    for tags in [["motor_vehicle": "agricultural"], ["access": "no", "tracktype": "grade1"], ["vehicle": "forestry"]] {
      let map = map.way("bc", tags.merging(["highway": "track"]) { $1 })
      #expect(try map.streets("a", "1", by: .automobile) != "ab bc")
    }
  }

  /// 1 is 40 m from the track, and 60 m or 120 m from the road.
  @Test func snapsToATrackOnlyIfNoRoadIsNear() throws {
    func snapped(_ drawing: String, by type: TransportType) throws -> Double? {
      let map = TestMap(drawing, spacing: 20).way("ab").way("cd", ["highway": "track"]).way("ac").way("bd")
      return try StreetSearch(map.network(profile: .stock(type))).snap(map["1"], limit: 1000)?.distance
    }
    let near = "a-------------------b\n\n\n          1\n\nc-------------------d"
    #expect(try snapped(near, by: .automobile).map { isClose($0, 60) } == true)
    #expect(try snapped(near, by: .walking).map { isClose($0, 40) } == true)
    let far = "a-------------------b\n\n\n\n\n\n          1\n\nc-------------------d"
    #expect(try snapped(far, by: .automobile).map { isClose($0, 40) } == true)
  }
}

/// Barriers on ways.
struct BarrierScenarios {
  private func isOpen(_ tags: [String: String], to type: TransportType, isBack: Bool = false) throws -> Bool {
    try TestMap(
      """
      a-b-x-c-d
        |   |
        e---f
      """
    ).way("ab").way("be").way("ef").way("fc").way("cd").way("bxc", ["name": "bc"]).node("x", tags).snapLegs(false)
      .streets(isBack ? "d" : "a", isBack ? "a" : "d", by: type) == (isBack ? "cd bc ab" : "ab bc cd")
  }

  @Test(arguments: [
    (["access:forward": "no"], false, true), (["motor_vehicle:backward": "no"], true, false),
    (["oneway": "yes"], true, false), (["access": "no", "access:backward": "yes"], false, true),
    (["motor_vehicle:forward": "no", "motor_vehicle:backward": "no"], false, false),
    (["oneway": "yes", "access:forward": "no"], false, false),
  ])
  func gatesMayOpenInOneDirection(tags: [String: String], ahead: Bool, back: Bool) throws {
    let gate = tags.merging(["barrier": "lift_gate"]) { $1 }
    #expect(try isOpen(gate, to: .automobile) == ahead)
    #expect(try isOpen(gate, to: .automobile, isBack: true) == back)
    let turnstile = ["barrier": "turnstile", "oneway": "yes"]
    #expect(try isOpen(turnstile, to: .walking) && !isOpen(turnstile, to: .walking, isBack: true))
  }

  @Test(arguments: [
    ("unheard_of", false), ("shrub", false), ("boom", false), ("stone", false), ("gate;bollard", true), ("no", true),
    ("sliding_gate", true), ("bump_gate", true), ("lift_gate", true), ("height_restrictor", true),
    ("cattle_grid", true), ("hampshire_gate", false), ("motorcycle_barrier", false),
  ])
  func carsPassOnlyBarriersThatOpen(barrier: String, expected: Bool) throws {
    #expect(try isOpen(["barrier": barrier], to: .automobile) == expected)
    #expect(try isOpen(["barrier": barrier], to: .walking))
    #expect(try isOpen(["barrier": barrier, "motor_vehicle": "yes"], to: .automobile))
  }

  @Test(arguments: [
    (["barrier": "cycle_barrier", "bicycle": "dismount"], true), (["barrier": "bollard", "bicycle": "no"], true),
    (["barrier": "gate", "access": "no", "foot": "yes"], true), (["barrier": "gate", "vehicle": "no"], true),
    (["barrier": "gate", "access": "no"], false), (["barrier": "gate", "access": "no", "bicycle": "dismount"], true),
    (["barrier": "stile", "bicycle": "no"], true),
    (["barrier": "gate", "bicycle": "no", "foot": "no"], false), (["barrier": "wall"], false),
    (["barrier": "wall", "foot": "yes"], false), (["barrier": "turnstile", "foot": "yes"], false),
    (["barrier": "wall", "bicycle": "dismount"], true), (["barrier": "wall", "bicycle": "yes"], true),
    (["barrier": "wall", "bicycle": "no", "foot": "yes"], false),
  ])
  func bicyclesArePushedPastBarriersForWalkers(tags: [String: String], expected: Bool) throws {
    #expect(try isOpen(tags, to: .cycling) == expected)
  }

  @Test(arguments: [
    (["barrier": "kerb"], false), (["barrier": "kerb", "kerb": "raised"], false), (["kerb": "raised"], false),
    (["barrier": "kerb", "kerb": "lowered"], true), (["barrier": "kerb", "kerb": "flush"], true),
    (["barrier": "kerb", "kerb": "rolled"], true), (["barrier": "kerb", "kerb": "no"], true),
    (["barrier": "kerb", "kerb": "yes"], false), (["kerb": "lowered"], true),
    (["highway": "crossing", "kerb": "raised"], true), (["highway": "crossing", "barrier": "kerb"], true),
    (["barrier": "bollard", "kerb": "lowered"], false),
  ])
  func raisedKerbsStopCars(tags: [String: String], expected: Bool) throws {
    #expect(try isOpen(tags, to: .automobile) == expected)
    #expect(try isOpen(tags, to: .cycling))
    #expect(try isOpen(tags, to: .walking))
  }

  @Test func accessOfAPointAppliesToModesWithoutASpecificKey() throws {
    for type in TransportType.allCases {
      for access in ["no", "private", "forestry"] {
        #expect(try !isOpen(["access": access], to: type))
        #expect(try !isOpen(["access": access, "barrier": "gate"], to: type))
      }
      // Bicycles are pushed.
      #expect(try isOpen(["access": "no", "foot": "yes"], to: type) == (type != .automobile))
      #expect(try isOpen(["access": "no", "bicycle": "yes"], to: type) == (type == .cycling))
      #expect(try isOpen(["access": "no", "motorcar": "permissive"], to: type) == (type == .automobile))
    }
    #expect(try !isOpen(["foot": "no"], to: .walking))
    #expect(try isOpen(["bicycle": "no"], to: .cycling))
    #expect(try !isOpen(["bicycle": "no", "foot": "no"], to: .cycling))
  }

  @Test(arguments: [
    (["amenity": "shower"], true), (["amenity": "ferry_terminal"], true), (["amenity": "parking_entrance"], false),
    (["amenity": "parking"], false), (["amenity": "shower", "barrier": "gate"], false),
  ])
  func accessOfAnAmenityIsNotThatOfItsStreet(tags: [String: String], expected: Bool) throws {
    for type in TransportType.allCases {
      #expect(try isOpen(tags.merging(["access": "customers"]) { $1 }, to: type) == expected)
    }
  }

  @Test(arguments: [
    (["access:conditional": "no @ (07:00-09:00)"], "08:00", false),
    (["access:conditional": "no @ (07:00-09:00)"], "10:00", true),
    (["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ (07:00-09:00)"], "08:00", true),
  ])
  func conditionsOfAPointWithoutABarrierApply(tags: [String: String], clock: String, isOpen: Bool) throws {
    let map = TestMap("a-b-x-c-d\n  |   |\n  e---f").way("ab").way("be").way("ef").way("fc").way("cd")
      .way("bxc", ["name": "bc"]).node("x", tags)
    let route = try map.routes("a", "d", profile: .stock("automobile")) {
      $0.departureDate = Timestamp("2026-11-20T\(clock):00Z")?.date
      $0.timeZone = .gmt
    }[0]
    #expect(route.streets == (isOpen ? "ab bc cd" : "ab be ef fc cd"))
  }

  @Test func noiseBarriersDoNotBlock() throws {
    for type in TransportType.allCases {
      #expect(try isOpen(["barrier": "fence", "sensory": "audible"], to: type))
      #expect(try !isOpen(["barrier": "fence"], to: type))
      #expect(try !isOpen(["barrier": "fence", "sensory": "visual"], to: type))
    }
  }

  @Test(arguments: [
    (["barrier": "kerb", "kerb": "raised"], 3.0), (["barrier": "kerb"], 1.0),
    (["barrier": "kerb", "kerb": "flush"], 1.0),
    (["highway": "crossing", "kerb": "raised"], 0.5),
  ])
  func bicyclesAreLiftedOverKerbs(tags: [String: String], seconds: Double) throws {
    let map = TestMap("a---x-c").way("axc")
    let plain = try map.route("a", "c", by: .cycling).expectedTravelTime
    #expect(abs(try map.node("x", tags).route("a", "c", by: .cycling).expectedTravelTime - plain - seconds) < 0.01)
  }
}
