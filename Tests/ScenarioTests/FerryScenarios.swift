import Routing
import StreetNetwork
import TestMaps
import Testing

/// The duration of ferries, and the waiting time before departure.
///
///     a-b-c-d      the ferry bc takes 10 minutes; 72 s of walking on either side
struct FerryScenarios {
  private static let ferry = ["highway": "", "route": "ferry", "duration": "10"]
  private static func ferry(_ tags: [String: String]) -> [String: String] { ferry.merging(tags) { $1 } }

  private let shores = TestMap("a-b-c-d").way("ab").way("cd").snapLegs(false)

  private func seconds(_ tags: [String: String], by type: TransportType = .walking) throws -> Double {
    try shores.way("bc", FerryScenarios.ferry(tags)).route("a", "d", by: type).expectedTravelTime
  }

  @Test(arguments: [
    ("", 900.0), ("20", 600.0), ("00:30", 900.0), ("1:00:00", 1800.0), ("PT10M", 300.0), ("20-40", 1200.0),
    ("weekly", 900.0), ("1440", 43_200.0), ("20160", 43_200.0),
  ])
  func waitsHalfTheIntervalAndBoards(interval: String, expected: Double) throws {
    #expect(isClose(try seconds(["interval": interval]), 72 + 120 + expected + 600 + 72))
  }

  @Test func profileGivesTheDefaults() throws {
    let walk = try seconds([:]) - 2 * 72
    #expect(isClose(walk, 120 + 900 + 600))
    let drive = try shores.route("a", "b", by: .automobile).expectedTravelTime
    #expect(abs(try seconds([:], by: .automobile) - 300 - 900 - 600 - 2 * drive) < 30)
  }

  @Test(arguments: [
    ("15-20", 20.0), ("PT15M-PT20M", 20.0), ("00:15-00:20", 20.0), ("15 - 20 min", 20.0), ("1-2 h", 120.0),
    ("15;20", 20.0), ("20–15", 20.0), ("20 minutes", 20.0),
  ])
  func rangesOfDurationsUseTheLongest(duration: String, minutes: Double) throws {
    #expect(isClose(try seconds(["duration": duration]), 72 + 120 + 900 + minutes * 60 + 72))
  }

  @Test(arguments: ["15-", "-15", "15-soon", "0-15", "--"]) func brokenRangesAreIgnored(duration: String) throws {
    #expect(isClose(try seconds(["duration": duration]), 72 + 120 + 900 + 30 + 72))
  }

  @Test func aTripThatStartsAtThePierWaits() throws {
    let map = shores.way("bc", FerryScenarios.ferry)
    #expect(isClose(try map.route("b", "d").expectedTravelTime, 120 + 900 + 600 + 72))
    #expect(isClose(try map.route("b", "c").expectedTravelTime, 120 + 900 + 600))
  }

  @Test func aTripThatStartsOnAFerryHeadsAlongIt() throws {
    let map = shores.way("bc", FerryScenarios.ferry)
    #expect(try map.route("b", "d").instructions[0].hasPrefix("Head east on"))
    #expect(try map.route("c", "a", by: .cycling).instructions[0].hasPrefix("Head west on"))
  }

  @Test func announcesTheWait() throws {
    let map = shores.way("bc", FerryScenarios.ferry(["name": "F", "interval": "30"]))
    let route = try map.route("a", "d")
    #expect(
      route.instructions == ["Head east on ab", "Take the ferry F", "Continue onto cd", "Arrive at the destination"])
    #expect(route.steps[1].notice == "Ferry, about 17 min of boarding and waiting included")
    #expect(isClose(route.steps[1].expectedTravelTime, 120 + 900 + 600))
    #expect(route.advisoryNotices == ["This route includes a ferry.", "Waiting times are estimates."])
    #expect(
      try map.language("pt").route("a", "d").steps[1].notice == "Barco, inclui cerca de 17 min de embarque e espera")
  }

  /// The line calls at the pier c or passes a buoy: passengers who stay on board wait only once.
  @Test func waitsOncePerBoardingNotPerWay() throws {
    let line = FerryScenarios.ferry(["name": "F"])
    let buoy = TestMap("a-b-c-d-e").way("ab").way("bc", line).way("cd", line).way("de").snapLegs(false)
    #expect(isClose(try buoy.route("a", "e").expectedTravelTime, 72 + 120 + 900 + 1200 + 72))
    let pier = TestMap("a-b-c-d-e\n    |\n    f").way("ab").way("bc", line).way("cd", line).way("de").way("cf")
      .snapLegs(false)
    #expect(isClose(try pier.route("a", "e").expectedTravelTime, 72 + 120 + 900 + 1200 + 72))
    #expect(isClose(try pier.route("f", "e").expectedTravelTime, 144 + 120 + 900 + 600 + 72))
    #expect(isClose(try pier.route("a", "f").expectedTravelTime, 72 + 120 + 900 + 600 + 144))
    #expect(try pier.route("a", "e").maneuvers == [.depart, .takeFerry, .continue, .arrive])
    let whole = TestMap("a-b-c-d-e\n    |\n    f").way("ab").way("bcd", FerryScenarios.ferry).way("de").way("cf")
      .snapLegs(false)
    #expect(isClose(try whole.route("a", "e").expectedTravelTime, 72 + 120 + 900 + 600 + 72))
  }

  /// Two ways end to end are one line, whether or not a street meets them, unless their intervals differ; a third way
  /// makes three lines.
  @Test func unnamedWaysEndToEndAreOneLine() throws {
    let ferry = FerryScenarios.ferry(["name": ""])
    let map = TestMap("a-b-c-d-e\n    |\n    f").way("ab").way("bc", ferry).way("cd", ferry).way("de").snapLegs(false)
    for map in [map, map.way("cf")] {
      #expect(isClose(try map.route("a", "e").expectedTravelTime, 72 + 120 + 900 + 1200 + 72))
      #expect(try map.route("a", "e").maneuvers == [.depart, .takeFerry, .continue, .arrive])
    }
    let frequent = FerryScenarios.ferry(["name": "", "interval": "10"])
    let pier = TestMap("a-b-c-d-e\n    |\n    f").way("bc", ferry).way("cd", frequent).way("de").way("cf").snapLegs(
      false)
    #expect(isClose(try pier.route("f", "e").expectedTravelTime, 144 + 120 + 300 + 600 + 72))
    let three = map.way("cf", ferry)
    #expect(isClose(try three.route("a", "e").expectedTravelTime, 72 + 120 + 900 + 600 + 1020 + 600 + 72))
  }

  @Test func changingToAnotherLineWaitsAgain() throws {
    let map = TestMap("a-b-c-d-e\n    |\n    f").way("ab").way("bc", FerryScenarios.ferry(["name": "F"]))
      .way("cd", FerryScenarios.ferry(["name": "G", "interval": "10"])).way("de").way("cf").snapLegs(false)
    let route = try map.route("a", "e")
    #expect(isClose(route.expectedTravelTime, 72 + 120 + 900 + 600 + 120 + 300 + 600 + 72))
    #expect(route.maneuvers == [.depart, .takeFerry, .takeFerry, .continue, .arrive])
    #expect(route.steps[2].notice == "Ferry, about 7 min of boarding and waiting included")
  }

  @Test(arguments: ["name", "ref"])
  func linesWithDifferentNamesAreDifferent(key: String) throws {
    let map = TestMap("a-b-c-d-e\n    |\n    f").way("ab").way("bc", FerryScenarios.ferry([key: "F"]))
      .way("cd", FerryScenarios.ferry([key: "G"])).way("de").way("cf").snapLegs(false)
    #expect(try map.route("a", "e").maneuvers == [.depart, .takeFerry, .takeFerry, .continue, .arrive])
  }

  @Test func routeRelationsSupplyMissingTags() throws {
    let plain = ["highway": "", "name": "", "route": "ferry"]
    let map = TestMap("a-b-c---d-e\n    |\n    f").way("ab").way("bc", plain).way("cd", plain).way("de").way("cf")
      .snapLegs(false)
    let members: [(Character, String, String)] = [("w", "bc", ""), ("n", "b", "stop"), ("w", "cd", "")]
    let line = map.relation(members, ["type": "route", "route": "ferry", "duration": "00:30", "interval": "20"])
    #expect(isClose(try line.route("a", "e").expectedTravelTime, 72 + 120 + 600 + 1800 + 72))
    #expect(isClose(try line.route("a", "f").expectedTravelTime, 72 + 120 + 600 + 600 + 144))
    // Part of the line is missing on the map, so its duration is unknown.
    let cut = map.relation(
      members + [("w", "xy", "")], ["type": "route", "route": "ferry", "duration": "00:30", "interval": "20"])
    #expect(isClose(try cut.route("a", "e").expectedTravelTime, 72 + 120 + 600 + 90 + 72))
    let other = map.relation(members, ["type": "route", "route": "bus", "duration": "00:30", "interval": "20"])
    #expect(isClose(try other.route("a", "f").expectedTravelTime, 72 + 120 + 900 + 30 + 144))
  }

  @Test(arguments: [([:], "Rel Ferry"), (["name": "F"], "F"), (["ref": "7"], "7")])
  func unnamedFerriesTakeTheNameOfTheirRoute(tags: [String: String], name: String) throws {
    let map = shores.way("bc", FerryScenarios.ferry(["name": ""].merging(tags) { $1 }))
      .relation([("w", "bc", "")], ["type": "route", "route": "ferry", "name": "Rel Ferry"])
    #expect(try map.route("a", "d").instructions[1] == "Take the ferry \(name)")
  }

  @Test func tagsOfTheWayOverrideItsRoute() throws {
    let map = TestMap("a-b-c-d-e").way("ab").way("de").snapLegs(false)
      .way("bc", ["highway": "", "route": "ferry", "duration": "20", "interval": "40"])
      .way("cd", ["highway": "", "route": "ferry"])
      .relation(
        [("w", "bc", ""), ("w", "cd", "")],
        ["type": "route", "route": "ferry", "duration": "00:30", "interval": "20"])
    #expect(isClose(try map.route("a", "e").expectedTravelTime, 72 + 120 + 1200 + 1800 + 72))
  }

  @Test func oneWayFerriesAreOneWayForEveryone() throws {
    let map = shores.way("bc", FerryScenarios.ferry(["oneway": "yes"]))
    for profile in ["walking", "wheelchair", "pram", "cycling", "automobile"] {
      #expect(try map.streets("a", "d", profile: .stock(profile)) == "ab bc cd")
      #expect(try map.streets("d", "a", profile: .stock(profile)) == "directionsNotFound")
    }
    let back = shores.way("bc", FerryScenarios.ferry(["oneway": "yes", "oneway:foot": "no"]))
    #expect(try back.streets("d", "a") == "cd bc ab")
    #expect(try shores.way("bc", ["oneway": "yes"]).streets("d", "a") == "cd bc ab")
  }

  @Test func gatesAtPiersRemainGates() throws {
    let map = shores.way("bc", FerryScenarios.ferry)
    let closed = map.node("b", ["barrier": "gate", "access": "no"])
    #expect(try closed.streets("a", "d") == "directionsNotFound")
    let guarded = map.node("b", ["barrier": "gate", "access": "private"])
    #expect(try guarded.streets("a", "d") != "directionsNotFound")
  }

  @Test func tripsWaitForAFerryOutsideItsHours() throws {
    let map = shores.way("bc", FerryScenarios.ferry(["opening_hours": "08:00-20:00"]))
    let night = try map.routes("a", "d") { $0.departureDate = Timestamp("2026-06-01T23:00:00Z")?.date }[0]
    // Nine hours minus the walking time, plus boarding.
    #expect((31_000..<33_000).contains(night.waitingTime ?? 0))
  }

  @Test(arguments: [
    ("P1DT2H", 26.0), ("40:00", 40.0), ("80:00", 80.0), ("168:00", 168.0), ("P7D", 168.0), ("2 days", 48.0),
    ("1 day 2 hours", 26.0), ("P1W", 168.0), ("10080", 168.0), ("1,5 h", 1.5),
  ])
  func passagesTakeUpToAWeek(duration: String, hours: Double) throws {
    for type in [TransportType.walking, .automobile, .cycling] {
      let map = shores.way("bc", FerryScenarios.ferry(["duration": duration]))
      let route = try map.route("b", "c", by: type)
      let wait = type == .walking ? 1020.0 : type == .cycling ? 1080 : 1200
      #expect(isClose(route.expectedTravelTime, wait + hours * 3600))
    }
  }

  /// 100 m in one second is 360 km/h.
  @Test(arguments: [("0:00:01", 1), ("0:00:02", 1), ("0:00:03", 0), ("P8D", 1), ("168:01", 1), ("soon", 0)])
  func impossibleDurationsAreIgnoredAndCounted(duration: String, ignored: Int) throws {
    let map = shores.way("bc", FerryScenarios.ferry(["duration": duration]))
    let facts = try map.network().facts
    let text = "\(ignored), of ferry trips faster than 130 km/h or longer than a week"
    #expect(facts.contains { $0 == ("durations ignored", text) })
    #expect(isClose(try map.route("b", "c").expectedTravelTime, 1020 + (duration == "0:00:03" ? 3 : 30)))
  }

  @Test func impossibleDurationsOfRoutesAreIgnored() throws {
    let plain = ["highway": "", "route": "ferry", "duration": "0:00:01"]
    let map = shores.way("bc", plain).relation([("w", "bc", "")], ["type": "route", "duration": "0:00:02"])
    #expect(isClose(try map.route("b", "c").expectedTravelTime, 1020 + 30))
  }

  @Test(arguments: ["primary", "footway", "motorway", "unclassified"])
  func ferriesTaggedAsRoadsAreFerries(highway: String) throws {
    let ferry = shores.way("bc", FerryScenarios.ferry(["highway": highway]))
    for type in [TransportType.walking, .automobile, .cycling] {
      let route = try ferry.route("a", "d", by: type)
      #expect(route.steps.map(\.maneuver) == [.depart, .takeFerry, .continue, .arrive])
      #expect(try route == shores.way("bc", FerryScenarios.ferry).route("a", "d", by: type))
    }
  }

  @Test func streetsWithTramTracksRemainStreets() throws {
    let map = shores.way("bc", ["railway": "tram", "bicycle": "yes"])
    #expect(try map.route("b", "c", by: .cycling).expectedTravelTime < 60)
  }

  /// Place 1 is above the ferry, 20 m from the street at the landing.
  @Test(arguments: [TransportType.walking, .automobile, .cycling])
  func placesSnapToLandingsNotAlongFerries(by type: TransportType) throws {
    let map = TestMap("a-b-1-----c-d", spacing: 200).way("ab").way("cd").snapLegs(false)
      .way("bc", FerryScenarios.ferry(["name": "F"]))
    let route = try map.route("1", "d", by: type)
    #expect(try route.polyline == map.route("b", "d", by: type).polyline)
    #expect(try route.expectedTravelTime == map.route("b", "d", by: type).expectedTravelTime)
    #expect(try map.snapLimit(100).streets("1", "d", by: type) == "placemarkNotFound")
  }

  @Test func placesSnapToALandingWithoutStreets() throws {
    let map = TestMap("a-b-c-----d-1").way("ab").way("bcd", FerryScenarios.ferry).snapLegs(false)
    #expect(isClose(try map.route("a", "1").expectedTravelTime, 72 + 1020 + 600))
    let far = TestMap("a-b-c--1--d").way("ab").way("bcd", FerryScenarios.ferry).snapLegs(false)
    // Nearer to d than to b.
    #expect(isClose(try far.route("a", "1").expectedTravelTime, 72 + 1020 + 600))
    // As on the bank of a river where the map ends.
    let bank = TestMap("a-b-c-----d-------1").way("ab").way("bcd", FerryScenarios.ferry)
    #expect(try bank.snapLimit(700).streets("a", "1") == "placemarkNotFound")
  }
}

/// Ferries cut off by an extract.
struct CutFerryScenarios {
  /// The file lacks the port d.
  @Test func placesAtSeaDoNotSnapToFerries() throws {
    let map = TestMap("a-b-----c-1---d").way("ab").way("bcd", ["route": "ferry", "highway": "", "duration": "00:20"])
    #expect(try map.without("d").snapLimit(150).streets("a", "1") == "placemarkNotFound")
  }
}

/// Bicycles on trains and platforms.
struct TrainScenarios {
  private let stations = TestMap("a-b---c-d").way("ab").way("cd").snapLegs(false)

  @Test(arguments: ["train", "railway", "rail", "subway", "light_rail", "monorail", "tram"])
  func bicyclesUseTrainsWhereTagged(kind: String) throws {
    for key in ["railway", "route"] where !(key == "route" && kind == "rail") {
      func isOpen(_ tags: [String: String]) throws -> Bool {
        let map = stations.way("bc", tags.merging(["highway": "", key: kind]) { $1 })
        return try map.streets("a", "d", by: .cycling) != "directionsNotFound"
      }
      #expect(try isOpen(["bicycle": "yes"]))
      #expect(try isOpen(["bicycle": "designated", "access": "no"]))
      #expect(try !isOpen([:]))
      #expect(try !isOpen(["bicycle": "no"]))
      #expect(try !isOpen(["access": "yes"]))
      let train = stations.way("bc", ["highway": "", key: kind, "bicycle": "yes"])
      #expect(try train.streets("a", "d", by: .walking) == "directionsNotFound")
      #expect(try train.streets("a", "d", by: .automobile) == "directionsNotFound")
    }
  }

  @Test(arguments: [["bicycle": "yes"], ["foot": "yes"], ["foot": "yes", "bicycle": "designated"], [:]])
  func carsUseCarTrains(tags: [String: String]) throws {
    let train = stations.way("bc", tags.merging(["highway": "", "route": "shuttle_train"]) { $1 })
    #expect(try train.route("a", "d", by: .automobile).maneuvers == [.depart, .takeCarTrain, .continue, .arrive])
    let closed = stations.way(
      "bc", tags.merging(["highway": "", "route": "shuttle_train", "motor_vehicle": "no"]) { $1 })
    #expect(try closed.streets("a", "d", by: .automobile) == "directionsNotFound")
  }

  @Test func placesSnapToStationsNotAlongRailways() throws {
    let map = TestMap("a-b-1-----c-d", spacing: 200).way("ab").way("cd").snapLegs(false)
    for (tags, type) in [
      (["route": "shuttle_train"], TransportType.automobile), (["railway": "rail", "bicycle": "yes"], .cycling),
    ] {
      let train = map.way("bc", tags.merging(["highway": ""]) { $1 })
      #expect(
        try train.route("1", "d", by: type).expectedTravelTime == train.route("b", "d", by: type).expectedTravelTime)
    }
  }

  @Test func announcesTheTrain() throws {
    let map = stations.way("bc", ["highway": "", "railway": "train", "bicycle": "yes", "duration": "5", "name": "S1"])
    let route = try map.route("a", "d", by: .cycling)
    #expect(route.maneuvers == [.depart, .takeTrain, .continue, .arrive])
    #expect(route.steps[1].instructions == "Take the train S1")
    #expect(route.steps[1].notice == "Train, about 18 min of boarding and waiting included")
    #expect(isClose(route.steps[1].expectedTravelTime, 180 + 900 + 300))
  }

  /// The train passes x, where a street crosses; it stops at b and c.
  @Test func levelCrossingsAreNotStations() throws {
    let map = TestMap("  e\n  |\na-x-b-c\n  |\n  f").way("ex").way("xf").way("bc")
      .way("axb", ["highway": "", "railway": "rail", "bicycle": "yes"]).snapLegs(false)
    #expect(try map.streets("e", "c", by: .cycling) != "directionsNotFound")
    let crossing = map.node("x", ["railway": "level_crossing"])
    #expect(try crossing.streets("e", "c", by: .cycling) == "directionsNotFound")
    #expect(try crossing.streets("e", "f", by: .cycling) == "ex xf")
  }

  @Test(arguments: [
    ["railway": "platform"], ["public_transport": "platform"], ["man_made": "pier", "bicycle": "no"],
    ["railway": "platform", "access": "customers"],
  ])
  func bicyclesArePushedAlongPlatforms(tags: [String: String]) throws {
    let map = stations.way("bc", tags.merging(["highway": ""]) { $1 })
    let route = try map.route("a", "c", by: .cycling)
    #expect(route.steps[1].notice == "Push the bicycle")
    #expect(isClose(route.steps[1].expectedTravelTime, 180))
    let highway = try stations.way("bc", ["highway": "platform"]).route("a", "c", by: .cycling)
    #expect(highway.steps[1].notice == "Push the bicycle")
    let ridden = try stations.way("bc", tags.merging(["highway": "", "bicycle": "yes"]) { $1 }).route(
      "a", "c", by: .cycling)
    #expect(ridden.steps[1].notice == nil)
  }
}

extension Route {
  fileprivate var maneuvers: [Maneuver] { steps.map(\.maneuver) }
}
