import Foundation
import Geography
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Ways that are too low, narrow or weak for a vehicle, or that are forbidden to it.
///
///     a-b-1-c-d      bc as tagged, ef the detour
///       |   |
///       e---f
struct VehicleScenarios {
  private let map = TestMap(
    """
    a-b-1-c-d
      |   |
      e---f
    """
  ).way("ab").way("be").way("ef").way("fc").way("cd")

  /// A truck with dangerous goods.
  private var tanker: Profile { get throws { try .over("truck", "vehicle: { hazmat: true }") } }

  /// Returns `through`, `ends` if only trips to and from 1 use bc, or `closed`.
  private func use(_ tags: [String: String], by profile: String) throws -> String {
    try use(tags, by: .stock(profile))
  }

  private func use(_ tags: [String: String], by profile: Profile) throws -> String {
    let map = map.way("bc", tags)
    if try map.streets("a", "d", profile: profile) == "ab bc cd" { return "through" }
    return try map.streets("a", "1", profile: profile) == "ab bc" ? "ends" : "closed"
  }

  @Test(arguments: [
    (["maxheight": "3.8"], "closed", "through", "through"), (["maxheight": "4.2"], "through", "through", "through"),
    (["maxheight": "2.2"], "closed", "closed", "through"),
    (["maxheight:physical": "12'6\""], "closed", "through", "through"),
    (["maxheight:signed": "no", "maxheight": "3.9 m"], "closed", "through", "through"),
    (["maxheight": "default"], "through", "through", "through"),
    (["maxheight": "none"], "through", "through", "through"),
    (["maxheight": "1.5"], "closed", "closed", "closed"), (["maxwidth": "2.3 m"], "closed", "through", "through"),
    (["width": "2"], "closed", "closed", "through"), (["est_width": "1.8"], "closed", "closed", "closed"),
    (["maxlength": "12"], "closed", "through", "through"), (["maxlength": "20 ft"], "closed", "closed", "through"),
    (["maxweight": "7.5"], "closed", "through", "through"), (["maxweight": "6000 lbs"], "closed", "closed", "through"),
    (["maxweight": "3 st"], "closed", "closed", "through"),
    (["maxweightrating": "3.5"], "closed", "through", "through"),
    (["maxweightrating:hgv": "12"], "closed", "through", "through"),
    (["maxweight": "7.5", "maxweight:hgv": "none"], "through", "through", "through"),
    (["maxaxleload": "8"], "closed", "through", "through"), (["maxweight": "30;44"], "closed", "through", "through"),
    (["maxweight": "no idea"], "through", "through", "through"), (["maxweight": "0"], "through", "through", "through"),
    (["maxweight": "16,000 lbs"], "closed", "through", "through"),
    (["maxweight": "3,5"], "closed", "through", "through"),
    (["maxheight": "12'6"], "closed", "through", "through"),
    (["maxheight": "12’6”"], "closed", "through", "through"),
    (["maxheight": "below_default"], "through", "through", "through"),
    (["maxheight": "no_indications"], "through", "through", "through"),
    (["maxheight": "no_sign"], "through", "through", "through"),
    (["maxheight": "unsigned"], "through", "through", "through"),
    (["maxheight": "4,200 mm"], "through", "through", "through"),
    (["hgv": "local"], "ends", "through", "through"),
  ])
  func limitsCloseAWayToVehiclesThatExceedThem(tags: [String: String], truck: String, van: String, car: String) throws {
    let found = try ["truck", "van", "automobile"].map { try use(tags, by: $0) }
    #expect(found == [truck, van, car], "\(tags)")
  }

  /// The date is a Friday.
  @Test(arguments: [
    (["maxweight:conditional": "7.5 @ (Mo-Fr 07:00-19:00)"], "truck", "08:00", "around"),
    (["maxweight:conditional": "7.5 @ (Mo-Fr 07:00-19:00)"], "truck", "20:00", "through"),
    (["maxweight:conditional": "7.5 @ (Mo-Fr 07:00-19:00)"], "van", "08:00", "through"),
    (["maxweight:hgv:conditional": "12 t @ (22:00-06:00)"], "truck", "23:00", "around"),
    (["maxheight:backward:conditional": "3 @ (07:00-19:00)"], "truck", "08:00", "through"),
    (["maxweight:conditional": "40 @ (07:00-19:00)"], "truck", "08:00", "through"),
    (["maxweight": "7.5", "maxweight:conditional": "none @ (07:00-19:00)"], "truck", "08:00", "through"),
    (["maxweight": "7.5", "maxweight:conditional": "none @ (07:00-19:00)"], "truck", "20:00", "around"),
    (["maxweight": "7.5", "maxweight:conditional": "50 @ (06:00-22:00); 12 @ (Fr)"], "truck", "08:00", "around"),
    (["maxheight": "3", "maxweight": "7.5", "maxweight:conditional": "none @ (Fr)"], "truck", "08:00", "around"),
    (["hazmat:conditional": "no @ (22:00-06:00)"], "tanker", "23:00", "around"),
    (["hazmat:conditional": "no @ (22:00-06:00)"], "tanker", "08:00", "through"),
    (["hazmat:conditional": "no @ (22:00-06:00)"], "truck", "23:00", "through"),
  ])
  func conditionalLimitsCloseAWayAtTheirTimes(tags: [String: String], profile: String, clock: String, expected: String)
    throws
  {
    let vehicle = try profile == "tanker" ? tanker : .stock(profile)
    let route = try map.way("bc", tags).routes("a", "d", profile: vehicle) {
      $0.departureDate = Timestamp("2026-11-20T\(clock):00Z")?.date
      $0.timeZone = .gmt
    }[0]
    #expect(route.streets == (expected == "through" ? "ab bc cd" : "ab be ef fc cd"))
  }

  @Test(arguments: [
    ("none @ destination", "ends"), ("none @ (delivery)", "ends"), ("none @ (agricultural)", "closed"),
    ("12 @ destination", "closed"), ("40 t @ (weather); none @ destination", "ends"),
  ])
  func tripsThatEndThereMayExceedALimit(exemption: String, expected: String) throws {
    for key in ["maxweight", "maxweight:hgv"] {
      let tags = [key: "7.5", "\(key):conditional": exemption]
      #expect(try use(tags, by: "truck") == expected)
      #expect(try use(tags, by: "van") == "through")
      #expect(try use(tags.merging(["maxheight": "3"]) { $1 }, by: "truck") == "closed")
    }
  }

  /// The width of a point is the width of the object there.
  @Test(arguments: [
    (["barrier": "bollard", "width": "0.2"], "cycling", true),
    (["traffic_calming": "cushion", "width": "1.7"], "automobile", true),
    (["barrier": "bollard", "maxwidth:physical": "0.6"], "wheelchair", false),
  ])
  func onlyMaxwidthLimitsTheWidthOfAPoint(tags: [String: String], profile: String, isOpen: Bool) throws {
    let map = TestMap("a-x-b").way("axb").node("x", tags)
    #expect(try map.streets("a", "b", profile: .stock(profile)) == (isOpen ? "axb" : "directionsNotFound"))
  }

  @Test func limitsOfOneDirectionApplyOnlyToIt() throws {
    let map = map.way("bc", ["maxweight:forward": "7.5"])
    #expect(try map.streets("a", "d", profile: .stock("truck")) == "ab be ef fc cd")
    #expect(try map.streets("d", "a", profile: .stock("truck")) == "cd bc ab")
  }

  @Test(arguments: [
    (["hgv": "no"], "closed", "through"), (["hgv": "destination"], "ends", "through"),
    (["hgv": "delivery"], "ends", "through"), (["goods": "no"], "through", "closed"),
    (["motor_vehicle": "no", "hgv": "yes"], "through", "closed"), (["access": "hgv"], "through", "closed"),
    (["motorcar": "no"], "through", "through"),
    (["motor_vehicle:conditional": "no @ (weight>7.5)"], "closed", "through"),
    (["motor_vehicle:conditional": "no @ (trailers>0)"], "closed", "through"),
  ])
  func signsForLorriesDoNotApplyToVans(tags: [String: String], truck: String, van: String) throws {
    #expect(try use(tags, by: "truck") == truck)
    #expect(try use(tags, by: "van") == van)
  }

  @Test(arguments: [
    (["barrier": "height_restrictor", "maxheight": "2.1"], "closed", "through"),
    (["barrier": "gate", "maxwidth": "2"], "closed", "through"), (["barrier": "gate"], "through", "through"),
    (["barrier": "cattle_grid", "maxweight": "3.5 t"], "closed", "through"),
    (["barrier": "gate", "maxweight": "3.5", "maxweight:conditional": "none @ destination"], "closed", "through"),
  ])
  func limitsApplyAtGates(tags: [String: String], truck: String, car: String) throws {
    let map = TestMap(
      """
      a-b-x-c-d
        |   |
        e---f
      """
    ).way("ab").way("be").way("ef").way("fc").way("cd").way("bxc", ["name": "bc"]).node("x", tags)
    for (profile, expected) in [("truck", truck), ("automobile", car)] {
      let isThrough = try map.streets("a", "d", profile: .stock(profile)) == "ab bc cd"
      #expect(isThrough == (expected == "through"), "\(profile)")
    }
  }

  @Test(arguments: [
    (["hazmat": "no"], "closed"), (["hazmat:water": "no"], "closed"), (["hazmat": "destination"], "ends"),
    (["hazmat": "designated"], "through"), (["hazmat:conditional": "no @ (22:00-06:00)"], "through"),
  ])
  func dangerousGoodsRestrictionsApplyToTheirCarriers(tags: [String: String], expected: String) throws {
    #expect(try use(tags, by: "truck") == "through")
    #expect(try use(tags, by: tanker) == expected)
  }

  @Test func dangerousGoodsAreRestrictedByDirectionTimeAndGate() throws {
    #expect(try use(["hazmat:backward": "no"], by: tanker) == "through")
    #expect(try use(["hazmat:forward": "no"], by: tanker) == "closed")
    let gate = TestMap("a-b-c-d").way("abcd").node("b", ["barrier": "gate", "hazmat": "no"])
    #expect(try gate.streets("a", "d", profile: tanker) == "directionsNotFound")
    #expect(try gate.streets("a", "d", profile: .stock("truck")) == "abcd")
  }

  @Test func smallerLorriesPassWhereLargerOnesDoNot() throws {
    let small = try Profile.over("truck", "vehicle: { height: 3, weight: 7.49 }")
    #expect(try use(["maxweight": "7.5", "maxheight": "3.1"], by: small) == "through")
    #expect(try use(["maxaxleload": "8"], by: small) == "closed")  // unspecified limits are taken from the base profile
  }

  /// Returns the speed in kilometres per hour on a road far from any town.
  private func speed(_ tags: [String: String], at origin: Coordinate, by profile: String) throws -> Double {
    let route = try TestMap("a-b", spacing: 10_000, at: origin).way("ab", tags).route(
      "a", "b", profile: .stock(profile))
    return route.distance / route.expectedTravelTime * 3.6
  }

  @Test func lorriesKeepTheirOwnLimits() throws {
    let germany = Coordinate(latitude: 52.9, longitude: 10.3)
    let road = ["highway": "primary", "maxspeed": "100"]
    #expect(isClose(try speed(road, at: germany, by: "automobile"), 85))
    #expect(isClose(try speed(road, at: germany, by: "truck"), 60))  // outside towns in Germany
    #expect(isClose(try speed(["maxspeed:hgv": "30"].merging(road) { $1 }, at: germany, by: "truck"), 30))
    let motorway = ["highway": "motorway", "maxspeed": "130"]
    #expect(try speed(motorway, at: germany, by: "truck") <= 80.1)
    #expect(try speed(motorway, at: germany, by: "van") > 100)
  }
}
