import Foundation
import Geography
import Hierarchy
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Streets and turns that are open at certain times: 2026-11-20 is a Friday, and clocks show Greenwich time.
struct ConditionScenarios {
  /// Returns a map with a direct way from a to d and a detour.
  private static func block(_ tags: [String: String]) -> TestMap {
    TestMap(
      """
      a-b---c-d
        |   |
        e---f
      """
    ).way("ab").way("cd").way("be").way("ef").way("cf").way("bc", tags)
  }

  private static let through = "ab bc cd"
  private static let around = "ab be ef cf cd"

  private func streets(
    _ map: TestMap, _ from: Character = "a", _ to: Character = "d", by profile: String = "automobile",
    at departure: String?
  ) throws -> String {
    do {
      let route = try map.routes(from, to, profile: .stock(profile)) {
        $0.departureDate = departure.flatMap { Timestamp($0 + ":00Z")?.date }
        $0.timeZone = TimeZone(secondsFromGMT: 0)
      }[0]
      return route.streets
    } catch DirectionsError.directionsNotFound {
      return "none"
    }
  }

  // MARK: Access

  /// The tags of a way, a departure, and whether the trip uses the way.
  struct TimedWay: Sendable, CustomStringConvertible {
    var tags: [String: String]
    var departure: String?
    var isOpen: Bool
    var description: String {
      "\(tags.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }) at \(departure ?? "no time")"
    }

    init(_ tags: [String: String], _ departure: String?, _ isOpen: Bool) {
      (self.tags, self.departure, self.isOpen) = (tags, departure, isOpen)
    }
  }

  private static let ways: [TimedWay] = [
    // Every clause of a list counts; the last one that matches decides.
    .init(["motor_vehicle:conditional": "no @ (07:00-09:00); no @ (16:00-18:00)"], "2026-11-20T08:00", false),
    .init(["motor_vehicle:conditional": "no @ (07:00-09:00); no @ (16:00-18:00)"], "2026-11-20T17:00", false),
    .init(["motor_vehicle:conditional": "no @ (07:00-09:00); no @ (16:00-18:00)"], "2026-11-20T12:00", true),
    .init(["motor_vehicle:conditional": "no @ (07:00-09:00); no @ (16:00-18:00)"], nil, true),
    .init(["access:conditional": "no @ (Mo-Fr 07:00-19:00); yes @ (Fr)"], "2026-11-20T12:00", true),
    .init(["access:conditional": "no @ (Mo-Fr 07:00-19:00); yes @ (Fr)"], "2026-11-19T12:00", false),
    .init(["access:conditional": "no @ Mo-Fr 07:00-19:00; Sa 10:00-12:00"], "2026-11-21T11:00", false),
    // A specific key overrides a general one, whether it applies at certain times or always.
    .init(["access:conditional": "no @ (07:00-09:00)"], "2026-11-20T08:00", false),
    .init(["access:conditional": "no @ (07:00-09:00)", "motor_vehicle": "yes"], "2026-11-20T08:00", true),
    .init(["access": "no", "motor_vehicle:conditional": "yes @ (07:00-09:00)"], "2026-11-20T08:00", true),
    .init(["access": "no", "motor_vehicle:conditional": "yes @ (07:00-09:00)"], "2026-11-20T12:00", false),
    .init(
      [
        "access:conditional": "yes @ (24/7)", "motor_vehicle": "yes", "motor_vehicle:conditional": "no @ (07:00-09:00)",
      ],
      "2026-11-20T08:00", false
    ),
    .init(
      ["access:conditional": "no @ (07:00-09:00)", "motor_vehicle:conditional": "yes @ (08:00-08:30)"],
      "2026-11-20T08:15", true
    ),
    .init(
      ["access:conditional": "no @ (07:00-09:00)", "motor_vehicle:conditional": "yes @ (08:00-08:30)"],
      "2026-11-20T08:45", false
    ),
    // A street that is closed except at certain times is closed if no time is given.
    .init(["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ (20:00-28:00)"], nil, false),
    .init(["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ (20:00-28:00)"], "2026-11-20T12:00", false),
    .init(["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ (20:00-28:00)"], "2026-11-20T22:00", true),
    .init(["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ (20:00-28:00)"], "2026-11-20T03:59", true),
    .init(["highway": "pedestrian", "motor_vehicle:conditional": "yes @ (20:00-24:00)"], "2026-11-20T22:00", true),
    .init(["highway": "pedestrian", "motor_vehicle:conditional": "yes @ (20:00-24:00)"], nil, false),
    // Conditions for one direction.
    .init(["motor_vehicle:forward:conditional": "no @ (07:00-09:00)"], "2026-11-20T08:00", false),
    .init(["motor_vehicle:backward:conditional": "no @ (07:00-09:00)"], "2026-11-20T08:00", true),
    .init(["oneway:conditional": "-1 @ (07:00-09:00)"], "2026-11-20T08:00", false),
    .init(["oneway:conditional": "yes @ (07:00-09:00)"], "2026-11-20T08:00", true),
    .init(["oneway": "-1", "oneway:conditional": "no @ (Sa,Su)"], "2026-11-21T08:00", true),
    .init(["oneway": "-1", "oneway:conditional": "no @ (Sa,Su)"], "2026-11-20T08:00", false),
    .init(["oneway": "-1", "oneway:conditional": "no @ (Sa,Su)"], nil, false),
    .init(
      ["oneway": "reversible", "oneway:conditional": "yes @ (06:00-12:00); -1 @ (12:00-20:00)"], "2026-11-20T08:00",
      true
    ),
    .init(
      ["oneway": "reversible", "oneway:conditional": "yes @ (06:00-12:00); -1 @ (12:00-20:00)"], "2026-11-20T15:00",
      false
    ),
    .init(["oneway": "reversible", "oneway:conditional": "yes @ (06:00-12:00); -1 @ (12:00-20:00)"], nil, false),
    // Lanes for cars with several occupants.
    .init(["hov:conditional": "designated @ (Mo-Fr 07:00-09:00)"], "2026-11-20T08:00", false),
    .init(["hov:lanes:conditional": "designated|designated @ (Mo-Fr 07:00-09:00)"], "2026-11-20T08:00", false),
    .init(["hov:lanes:conditional": "|designated @ (Mo-Fr 07:00-09:00)"], "2026-11-20T08:00", true),
    .init(["hov:conditional": "designated @ (Mo-Fr 07:00-09:00)"], "2026-11-20T12:00", true),
    .init(["hov": "designated", "hov:conditional": "no @ (Sa,Su)"], "2026-11-21T08:00", true),
    .init(["hov": "designated", "hov:conditional": "no @ (Sa,Su)"], "2026-11-20T08:00", false),
    // Opening hours of a street.
    .init(["opening_hours": "06:00-22:00"], "2026-11-20T12:00", true),
    .init(["opening_hours": "06:00-22:00"], "2026-11-20T23:00", false),
    .init(["opening_hours": "06:00-22:00"], nil, true),
    .init(["opening_hours": "06:00-22:00", "motor_vehicle:conditional": "no @ (Fr)"], "2026-11-20T12:00", false),
    // The map is at the intersection of the equator and the prime meridian.
    .init(["motor_vehicle:conditional": "no @ (sunset-sunrise)"], "2026-11-20T05:00", false),
    .init(["motor_vehicle:conditional": "no @ (sunset-sunrise)"], "2026-11-20T06:30", true),
    // Conditions about vehicles: a car is light.
    .init(["motor_vehicle:conditional": "no @ (weight>3.5)"], "2026-11-20T12:00", true),
    .init(["motor_vehicle:conditional": "no @ (Mo-Fr 07:00-19:00 AND weight>3.5)"], "2026-11-20T12:00", true),
    .init(["motor_vehicle:conditional": "no @ (Mo-Fr 07:00-19:00 AND weight<3.5)"], "2026-11-20T12:00", false),
    .init(["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ (weight<=3.5 t)"], nil, true),
  ]

  @Test(arguments: ways)
  func opensAndClosesStreetsAtCertainTimes(way: TimedWay) throws {
    let map = ConditionScenarios.block(way.tags)
    let expected = way.isOpen ? ConditionScenarios.through : ConditionScenarios.around
    #expect(try streets(map, at: way.departure) == expected)
  }

  @Test func opensStreetsToDestinationTrafficAtCertainTimes() throws {
    // Deliveries in the morning use the street to reach places on it, not to drive through.
    let map = TestMap("a-b-1-c-d\n  |   |\n  e---f").way("ab").way("cd").way("be").way("ef").way("cf")
      .way("bc", ["highway": "pedestrian", "motor_vehicle:conditional": "delivery @ (06:00-10:00)"])
    #expect(try streets(map, at: "2026-11-20T08:00") == ConditionScenarios.around)
    #expect(try streets(map, "a", "f", at: "2026-11-20T08:00") == "ab be ef")
  }

  @Test(arguments: [
    (["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ destination"], "", "ends"),
    (["motor_vehicle:conditional": "no @ (07:00-09:00); yes @ (destination)"], "08:00", "ends"),
    (["motor_vehicle:conditional": "no @ (07:00-09:00); yes @ (destination)"], "12:00", "through"),
    (["motor_vehicle": "no", "access:conditional": "yes @ destination"], "", "closed"),
    (["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ (delivery AND 07:00-09:00)"], "12:00", "closed"),
    (["motor_vehicle:conditional": "no @ destination"], "", "through"),
  ])
  func conditionsMayExemptTripsThatEndThere(tags: [String: String], clock: String, expected: String) throws {
    let map = TestMap("a-b-1-c-d\n  |   |\n  e---f").way("ab").way("cd").way("be").way("ef").way("cf").way("bc", tags)
    let departure = clock.isEmpty ? nil : "2026-11-20T\(clock)"
    let isThrough = try streets(map, at: departure) == ConditionScenarios.through
    #expect(isThrough == (expected == "through"))
    if expected != "closed" { #expect(try streets(map, "a", "1", at: departure) == "ab bc") }
  }

  @Test func waitsForAWayThatIsOpenOnlyAtCertainTimes() throws {
    let map = TestMap("a-b---c-d").way("ab").way("cd")
      .way("bc", ["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ (20:00-24:00)"])
    #expect(try streets(map, at: nil) == "none")
    for hour in ["19:30", "21:00"] {
      #expect(try streets(map, at: "2026-11-20T\(hour)") == ConditionScenarios.through)
    }
  }

  @Test func doesNotSnapToStreetsClosedWithoutADate() throws {
    let map = TestMap("a-b-----c-d\n  |  1  |\n  |     |\n  |     |\n  e-----f").way("ab").way("cd").way("bef").way(
      "cf"
    )
    .way("bc", ["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ (20:00-24:00)"])
    let router = Router(try map.network(profile: .stock(.automobile)), map.options)
    let end = try #require(router.end(at: map["1"]))
    #expect(abs(end.snap.distance - 150) < 1)
  }

  @Test func tripsThatStartOrEndOnAClosedStreetWait() throws {
    let map = TestMap("a-b-1-c-d\n  |   |\n  e---f").way("ab").way("cd").way("be").way("ef").way("cf")
      .way("bc", ["motor_vehicle:conditional": "no @ (07:00-09:00)"])
    for (from, to) in [("1", "a"), ("a", "1")] as [(Character, Character)] {
      for (hour, isLong) in [("08:00", true), ("10:00", false)] {
        let trip = try map.routes(from, to, profile: .stock(.automobile)) {
          $0.departureDate = Timestamp("2026-11-20T\(hour):00Z")?.date
        }[0]
        #expect((trip.waitingTime ?? 0 > 3500) == isLong, "\(from) to \(to) at \(hour)")
      }
    }
  }

  /// Returns the seconds from a to d on the only route, 800 m; the tags apply to its 400 m from b to c.
  private func seconds(
    _ tags: [String: String], by profile: String, at departure: String?, isBack: Bool = false
  ) throws -> Double {
    let map = TestMap("a-b---c-d").way("ab").way("cd").way("bc", tags)
    return try map.routes(isBack ? "d" : "a", isBack ? "a" : "d", profile: .stock(profile)) {
      $0.departureDate = departure.flatMap { Timestamp($0 + ":00Z")?.date }
      $0.timeZone = TimeZone(secondsFromGMT: 0)
    }[0].expectedTravelTime
  }

  @Test(
    arguments: [
      .init(["bicycle": "no", "bicycle:conditional": "yes @ (Mo-Su 21:00-09:00)"], nil, false),
      .init(["bicycle": "no", "bicycle:conditional": "yes @ (Mo-Su 21:00-09:00)"], "2026-11-20T12:00", false),
      .init(["bicycle": "no", "bicycle:conditional": "yes @ (Mo-Su 21:00-09:00)"], "2026-11-20T22:00", true),
      .init(["bicycle": "yes", "bicycle:conditional": "no @ (Mo-Su 09:00-21:00)"], nil, true),
      .init(["bicycle": "yes", "bicycle:conditional": "no @ (Mo-Su 09:00-21:00)"], "2026-11-20T12:00", false),
      .init(["bicycle": "yes", "bicycle:conditional": "no @ (Mo-Su 09:00-21:00)"], "2026-11-20T22:00", true),
      .init(["vehicle:conditional": "no @ (Mo-Fr 11:00-13:00)"], "2026-11-20T12:00", false),
      .init(["vehicle:conditional": "dismount @ (Sa)", "bicycle:conditional": "yes @ (Fr)"], "2026-11-20T12:00", true),
      .init(["highway": "pedestrian", "bicycle:conditional": "yes @ (19:00-07:00)"], "2026-11-20T12:00", false),
      .init(["highway": "pedestrian", "bicycle:conditional": "yes @ (19:00-07:00)"], "2026-11-20T22:00", true),
    ] as [TimedWay])
  func pushesBicyclesWhenRidingIsClosed(way: TimedWay) throws {
    let isPedestrian = way.tags["highway"] == "pedestrian"
    let ridden = try seconds(isPedestrian ? ["highway": "pedestrian", "bicycle": "yes"] : [:], by: "cycling", at: nil)
    let pushed = try seconds(["bicycle": "no"], by: "cycling", at: nil)
    let found = try seconds(way.tags, by: "cycling", at: way.departure)
    #expect(abs(found - (way.isOpen ? ridden : pushed)) < 2, "\(found), ridden \(ridden), pushed \(pushed)")
  }

  @Test func pushesBicyclesAgainstOneWayWhenRidingIsClosed() throws {
    let tags = ["oneway": "yes", "oneway:bicycle:conditional": "no @ (19:00-07:00)"]
    let pushed = try seconds(["oneway": "yes"], by: "cycling", at: nil, isBack: true)
    #expect(try abs(seconds(tags, by: "cycling", at: "2026-11-20T12:00", isBack: true) - pushed) < 2)
    let ridden = try seconds([:], by: "cycling", at: nil)
    #expect(try abs(seconds(tags, by: "cycling", at: "2026-11-20T22:00", isBack: true) - ridden) < 2)
  }

  @Test func pushedBicyclesObeyGeneralClosures() throws {
    let map = ConditionScenarios.block(["access:conditional": "no @ (07:00-09:00)"])
    #expect(try streets(map, by: "cycling", at: "2026-11-20T08:00") == ConditionScenarios.around)
  }

  @Test(arguments: [
    ("automobile", "30 @ (Mo-Fr 07:00-18:00)", "30"),
    ("automobile", "none @ (22:00-06:00); 20 mph @ (07:00-18:00)", "20 mph"),
    ("automobile", "60 @ (weight>7.5)", nil), ("truck", "60 @ (weight>7.5)", "60"),
    ("truck", "60 @ (weight>7.5 AND 12:00-13:00)", nil), ("automobile", "30 @ (Sa)", nil),
    ("automobile", "80|30 @ (Fr)", nil), ("truck", "30 @ (Fr)", "30"),
  ])
  func drivesAtTheSpeedLimitOfTheHour(profile: String, conditional: String, limit: String?) throws {
    let tags = ["highway": "primary", "maxspeed": "80", "maxspeed:conditional": conditional]
    let found = try seconds(tags, by: profile, at: "2026-11-20T08:00")
    let usual = ["highway": "primary", "maxspeed": limit ?? "80"]
    #expect(try abs(found - seconds(usual, by: profile, at: nil)) < 0.1)
  }

  @Test func aLiftedLimitLeavesThatOfTheTown() throws {
    let lifted = [
      "highway": "secondary", "maxspeed": "30", "maxspeed:type": "DE:urban",
      "maxspeed:conditional": "none @ (22:00-06:00)",
    ]
    let night = try seconds(lifted, by: "automobile", at: "2026-11-20T23:00")
    #expect(try abs(night - seconds(["highway": "secondary", "maxspeed": "50"], by: "automobile", at: nil)) < 0.1)
  }

  @Test(arguments: [
    ["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ (10:00-10:01)"],
    ["oneway": "-1", "oneway:conditional": "no @ (10:00-10:01)"],
  ])
  func obeysTheSpeedLimitOnAStreetThatClosesMeanwhile(tags: [String: String]) throws {
    func seconds(_ tags: [String: String]) throws -> Double {
      let limits = ["highway": "primary", "maxspeed": "80", "maxspeed:conditional": "20 @ (07:00-16:00)"]
      return try self.seconds(tags.merging(limits) { $1 }, by: "automobile", at: "2026-11-20T10:00")
    }
    #expect(try seconds(tags) == seconds(tags.mapValues { $0.replacing("10:01", with: "12:00") }))
  }

  @Test(arguments: [
    "foo @ (07:00-09:00)", "30 @ (wet)", "500 @ (07:00-09:00)", "30",
  ])
  func listsUnreadableSpeedLimits(conditional: String) throws {
    let network = try ConditionScenarios.block(["maxspeed:conditional": conditional]).network(
      profile: .stock(.automobile))
    #expect(network.unreadableTags == ["way 6: maxspeed:conditional=\(conditional)"])
  }

  // MARK: Destination traffic at certain times

  private static let ends: [TimedWay] =
    ["destination", "delivery", "customers", "private"].flatMap { value -> [TimedWay] in
      let tags = ["motor_vehicle:conditional": "\(value) @ (07:00-09:00)"]
      return [
        .init(tags, nil, true), .init(tags, "2026-11-20T08:00", false), .init(tags, "2026-11-20T12:00", true),
      ]
    } + [
      .init(["motor_vehicle": "destination", "motor_vehicle:conditional": "yes @ (07:00-09:00)"], nil, false),
      .init(
        ["motor_vehicle": "destination", "motor_vehicle:conditional": "yes @ (07:00-09:00)"], "2026-11-20T08:00", true),
      .init(
        ["motor_vehicle": "destination", "motor_vehicle:conditional": "yes @ (07:00-09:00)"], "2026-11-20T12:00", false),
    ]

  @Test(arguments: ends)
  func closesStreetsToThroughTrafficAtCertainTimes(way: TimedWay) throws {
    let map = TestMap("a-b-1-c-d\n  |   |\n  e---f").way("ab").way("cd").way("be").way("ef").way("cf").way(
      "bc", way.tags)
    #expect(
      try streets(map, at: way.departure) == (way.isOpen ? ConditionScenarios.through : ConditionScenarios.around))
    #expect(try streets(map, "a", "1", at: way.departure) == "ab bc")
    #expect(try streets(map, "1", "d", at: way.departure) == "bc cd")
  }

  /// The only way to g is closed to through traffic at certain times.
  @Test(arguments: ["2026-11-20T08:00", "2026-11-20T12:00"])
  func reachesPlacesBehindADestinationStreet(departure: String) throws {
    let map = TestMap("a-b-c-d\n  |\n  e-f\n  |\n  g").way("abcd").way("ef").way("eg")
      .way("be", ["motor_vehicle:conditional": "destination @ (07:00-09:00)"])
    #expect(try streets(map, "a", "g", at: departure) == "abcd be eg")
    #expect(try streets(map, "g", "d", at: departure) == "eg be abcd")
    #expect(try streets(map, "g", "f", at: departure) == "eg ef")
  }

  @Test(arguments: [("2026-11-20T08:00", false), ("2026-11-20T12:00", true)])
  func closesGatesToThroughTrafficAtCertainTimes(departure: String, isOpen: Bool) throws {
    let map = TestMap("a-b-g-1-c-d\n  |     |\n  e-----f").way("ab").way("cd").way("be").way("ef").way("cf").way("bgc")
      .node("g", ["barrier": "lift_gate", "motor_vehicle:conditional": "private @ (07:00-09:00)"])
    #expect(try streets(map, at: departure) == (isOpen ? "ab bgc cd" : ConditionScenarios.around))
  }

  @Test(
    arguments: [
      .init(["barrier": "gate", "opening_hours": "06:00-22:00"], "2026-11-20T12:00", true),
      .init(["barrier": "gate", "opening_hours": "06:00-22:00"], "2026-11-20T23:00", false),
      .init(["barrier": "gate", "opening_hours": "06:00-22:00"], nil, true),
      .init(["barrier": "lift_gate", "motor_vehicle:conditional": "no @ (22:00-06:00)"], "2026-11-20T23:00", false),
      .init(["barrier": "lift_gate", "motor_vehicle:conditional": "no @ (22:00-06:00)"], "2026-11-20T21:00", true),
      .init(
        ["barrier": "gate", "access": "no", "access:conditional": "yes @ (06:00-22:00)"], "2026-11-20T12:00", true),
      .init(["barrier": "gate", "access": "no", "access:conditional": "yes @ (06:00-22:00)"], nil, false),
      .init(["barrier": "bollard", "motor_vehicle:conditional": "yes @ (06:00-10:00)"], "2026-11-20T08:00", true),
      .init(["barrier": "bollard", "motor_vehicle:conditional": "yes @ (06:00-10:00)"], "2026-11-20T12:00", false),
      .init(["barrier": "gate", "access": "private", "opening_hours": "06:00-22:00"], "2026-11-20T12:00", false),
      // The tags of a crossing apply to people who cross the road.
      .init(["highway": "crossing", "opening_hours": "06:00-22:00"], "2026-11-20T23:00", true),
    ] as [TimedWay])
  func opensAndClosesGatesAtCertainTimes(gate: TimedWay) throws {
    let map = TestMap(
      """
      a-b-g-c-d
        |   |
        e---f
      """
    ).way("ab").way("cd").way("be").way("ef").way("cf").way("bgc").node("g", gate.tags)
    let expected = gate.isOpen ? "ab bgc cd" : ConditionScenarios.around
    #expect(try streets(map, at: gate.departure) == expected)
  }

  @Test(arguments: [
    ("walking", "2026-11-20T23:00", false), ("walking", "2026-11-20T12:00", true),
    ("wheelchair", "2026-11-20T23:00", false), ("wheelchair", "2026-11-20T12:00", true),
  ])
  func liftsMappedAsPointsHaveHours(profile: String, departure: String, isOpen: Bool) throws {
    let map = TestMap("a-b-x-c-d").way("abxcd", ["highway": "footway"])
      .node("x", ["highway": "elevator", "opening_hours": "06:00-22:00"])
    #expect(try streets(map, by: profile, at: departure) == (isOpen ? "abxcd" : "none"))
  }

  // MARK: Turns

  @Test(arguments: [
    ("", "no_left_turn @ (07:00-09:00); no_left_turn @ (16:00-18:00)", "2026-11-20T08:00", true),
    ("", "no_left_turn @ (07:00-09:00); no_left_turn @ (16:00-18:00)", "2026-11-20T17:00", true),
    ("", "no_left_turn @ (07:00-09:00); no_left_turn @ (16:00-18:00)", "2026-11-20T12:00", false),
    ("", "no_u_turn @ (24/7); no_left_turn @ (07:00-09:00)", "2026-11-20T08:00", true),
    ("", "no_left_turn @ (Mo-Fr); none @ (12:00-14:00)", "2026-11-20T13:00", false),
    ("", "no_left_turn @ (Mo-Fr); none @ (12:00-14:00)", "2026-11-20T15:00", true),
    ("no_left_turn", "none @ (22:00-24:00); none @ (00:00-06:00)", "2026-11-20T05:00", false),
    ("no_left_turn", "none @ (22:00-24:00); none @ (00:00-06:00)", "2026-11-20T23:00", false),
    ("no_left_turn", "none @ (22:00-24:00); none @ (00:00-06:00)", "2026-11-20T12:00", true),
    ("no_left_turn", "none @ (22:00-24:00); none @ (00:00-06:00)", nil, true),
    ("", "no_left_turn @ (sunrise-sunset)", "2026-11-20T12:00", true),
    ("", "no_left_turn @ (sunrise-sunset)", "2026-11-20T20:00", false),
  ])
  func forbidsTurnsInAllOfTheirHours(usual: String, conditional: String, departure: String?, isForbidden: Bool) throws {
    let map = TestMap(
      """
        c-d
        | |
      a-b-e
      """
    ).way("ab").way("bc").way("be").way("ed").way("cd")
      .restriction("", from: "ab", via: "b", to: "bc", ["restriction": usual, "restriction:conditional": conditional])
    #expect(try streets(map, "a", "c", at: departure) == (isForbidden ? "ab be ed cd" : "ab bc"))
  }

  // MARK: Stored in the network

  @Test func keepsSpeedLimitsForTheirHours() throws {
    let map = ConditionScenarios.block(
      ["maxspeed:conditional": "30 @ (22:00-06:00); 20 mph @ (Sa,Su)", "maxspeed:forward:conditional": "40 @ (Su)"])
    let network = try map.network(profile: .stock(.automobile))
    #expect(network.conditionalLimits.count == 2)
    func limit(_ isReversed: Bool, _ time: String) throws -> Double? {
      let entry = network.conditionalLimits.first { $0.street.isReversed == isReversed }
      let limits = ConditionalLimits(network.name(try #require(entry).limits))
      let speed = try #require(limits).metresPerSecond(at: Timestamp(time + ":00Z")!.localTime, near: map["b"])
      return speed.map { ($0 * 36).rounded() / 10 }
    }
    // The direction in which streets are stored may be reversed.
    let limits = try [false, true].map { try limit($0, "2026-11-22T12:00") }
    // Cars travel at 0.85 of the limit.
    #expect(Set(limits) == [34, 27.4])
    #expect(try limit(false, "2026-11-20T23:00") == 25.5)
    #expect(try limit(false, "2026-11-20T12:00") == nil)
  }

  /// Counts the ways that change with time, by kind of change.
  @Test func countsWaysThatChangeWithTime() throws {
    func counts(_ tags: [String: String], by type: TransportType) throws -> [UInt32] {
      let counts = try ConditionScenarios.block(tags).network(profile: .stock(type)).counts.timedWayCounts
      return [counts.pushed, counts.ridden, counts.directions, counts.limits, counts.ends]
    }
    #expect(try counts(["bicycle:conditional": "no @ (09:00-21:00)"], by: .cycling) == [1, 0, 0, 0, 0])
    #expect(
      try counts(["bicycle": "no", "bicycle:conditional": "yes @ (21:00-09:00)"], by: .cycling) == [0, 1, 0, 0, 0])
    let oneway = ["oneway": "yes", "oneway:bicycle:conditional": "no @ (21:00-09:00)"]
    #expect(try counts(oneway, by: .cycling) == [0, 1, 1, 0, 0])
    #expect(try counts(["oneway:conditional": "yes @ (21:00-09:00)"], by: .automobile) == [0, 0, 1, 0, 0])
    #expect(try counts(["maxspeed:conditional": "30 @ (21:00-09:00)"], by: .automobile) == [0, 0, 0, 1, 0])
    #expect(try counts(["motor_vehicle:conditional": "delivery @ (6-9)"], by: .automobile) == [0, 0, 0, 0, 1])
  }

  /// The street behind the gate can also be reached by a street that is open at night; without a date, only through the
  /// gate.
  @Test func reachesPlacesBehindAGateWithoutADate() throws {
    let map = TestMap("a-b-g-c-d\n  |   |\n  e---f").way("abgcd").way("be").way("ef").node(
      "g", ["barrier": "gate", "access": "private"]
    )
    .way("cf", ["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ (20:00-24:00)"])
    #expect(try streets(map, "f", "d", at: nil) == "ef be abgcd")
  }

  @Test func listsUnreadableConditions() throws {
    let map = ConditionScenarios.block(["motor_vehicle:conditional": "no @ (wet); no @ (07:00-09:00)"])
      .restriction(
        "", from: "ab", via: "b", to: "be",
        ["restriction": "", "restriction:conditional": "no_right_turn @ (full moon)"])
    let network = try map.network(profile: .stock(.automobile))
    #expect(
      network.unreadableTags.sorted() == [
        "relation 1: restriction:conditional=no_right_turn @ (full moon)",
        "way 6: motor_vehicle:conditional=no @ (wet)",
      ])
    // The readable clause applies.
    #expect(try streets(map, at: "2026-11-20T08:00") == ConditionScenarios.around)
  }

  /// The dates of school holidays are unknown, but the other hours apply.
  @Test(arguments: ["no @ (SH)", "no @ (07:00-09:00; SH off)"])
  func listsConditionsOnSchoolHolidays(conditional: String) throws {
    let map = ConditionScenarios.block(["motor_vehicle:conditional": conditional])
    let network = try map.network(profile: .stock(.automobile))
    #expect(network.unreadableTags == ["way 6: motor_vehicle:conditional=\(conditional)"])
    let isClosed = try streets(map, at: "2026-11-20T08:00") == ConditionScenarios.around
    #expect(isClosed == conditional.contains("07:00"))
  }

  /// Matrices, nearest places and plain searches equal single trips, also at times when more streets are open than
  /// without a date.
  @Test(arguments: [nil, "2026-11-20T12:00", "2026-11-20T22:00"])
  func allEnginesAgreeAtATime(departure: String?) throws {
    let map = ConditionScenarios.block(
      ["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ (20:00-28:00)"])
    let network = try map.network(profile: .stock(.automobile))
    let router = Router(network, map.options)
    let time = departure.flatMap { Timestamp($0 + ":00Z")?.localTime }
    let ends = try "abcdef".map { try #require(router.end(at: map[$0])) }
    let block = TripMatrix(network, from: ends, to: ends, distances: true, at: time).makeFill()(ends.indices)
    let nearest = TripNearest(network, to: ends, count: ends.count, at: time)
    let oracle = TripOracle(network, at: time)
    for (row, from) in ends.enumerated() {
      let found = nearest.nearest(to: from)
      let expected = oracle.weights(from: [from], to: ends)[0]
      for (column, to) in ends.enumerated() {
        let weight = router.route(from: from, to: to, frozenAt: time)?.weight
        #expect(weight == expected[column])
        #expect(block.weight(row: row, column: column) == weight ?? .infinity)
        #expect(found.first { $0.target == column }?.weight == weight)
      }
    }
  }
}
