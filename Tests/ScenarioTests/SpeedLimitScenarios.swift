import Geography
import StreetNetwork
import TestMaps
import Testing

/// Speed limits as mappers intend them, and the defaults if none is tagged.
struct SpeedLimitScenarios {
  private static let porto = Coordinate(latitude: 41.3, longitude: -8.2)
  private static let germany = Coordinate(latitude: 52.9, longitude: 10.3)
  private static let britain = Coordinate(latitude: 52.3, longitude: -1.9)
  private static let ohio = Coordinate(latitude: 40.3, longitude: -82.5)

  /// Returns the speed in kilometres per hour on a road far from any town.
  private func speed(_ tags: [String: String], at origin: Coordinate) throws -> Double {
    let route = try TestMap("a-b", spacing: 10_000, at: origin).way("ab", tags).route("a", "b", by: .automobile)
    return route.distance / route.expectedTravelTime * 3.6
  }

  @Test func typingErrorsInLimitsAreIgnored() throws {
    let plain = try speed(["highway": "primary"], at: SpeedLimitScenarios.porto)
    for limit in ["500", "5000", "0", "1", "200 mph"] {
      #expect(try speed(["highway": "primary", "maxspeed": limit], at: SpeedLimitScenarios.porto) == plain, "\(limit)")
    }
    #expect(try speed(["highway": "primary", "maxspeed": "90"], at: SpeedLimitScenarios.porto) > plain + 5)
    // A value that is too high for a living street is valid for a motorway.
    let lively = try speed(["highway": "living_street"], at: SpeedLimitScenarios.porto)
    #expect(try speed(["highway": "living_street", "maxspeed": "120"], at: SpeedLimitScenarios.porto) == lively)
    #expect(try speed(["highway": "motorway", "maxspeed": "120"], at: SpeedLimitScenarios.porto) > 95)
  }

  @Test func countsIgnoredLimits() throws {
    let map = TestMap("a-b-c", at: SpeedLimitScenarios.porto).way("ab", ["maxspeed:motorcar": "500"]).way(
      "bc", ["maxspeed": "50"])
    #expect(try map.network(profile: .stock("automobile")).counts.impossibleLimits == 1)
    #expect(try map.network(profile: .stock("walking")).counts.impossibleLimits == 0)
  }

  @Test func usesTheCountrysLimitIfNoneIsTagged() throws {
    let motorway = ["highway": "motorway"]
    let german = try speed(motorway, at: SpeedLimitScenarios.germany)
    let american = try speed(motorway, at: SpeedLimitScenarios.ohio)
    #expect(american < german)
    #expect(isClose(american, 105 * 0.85))
  }

  @Test func readsZonesOfEveryCountry() throws {
    func limit(_ tags: [String: String], at origin: Coordinate) throws -> Double {
      try speed(tags.merging(["highway": "primary"]) { $1 }, at: origin) / 0.85
    }
    let germany = SpeedLimitScenarios.germany
    #expect(isClose(try limit(["maxspeed": "DE:urban"], at: germany), 50))
    #expect(isClose(try limit(["maxspeed:type": "DE:rural"], at: germany), 100))
    #expect(isClose(try limit(["source:maxspeed": "DE:zone:30"], at: germany), 30))
    #expect(isClose(try limit(["zone:maxspeed": "DE:30"], at: germany), 30))
    #expect(isClose(try limit(["zone:maxspeed": "30"], at: germany), 30))
    #expect(isClose(try limit(["zone:maxspeed": "20 mph"], at: SpeedLimitScenarios.britain), 32.18688))
    #expect(isClose(try limit(["maxspeed:type": "BE-VLG:rural"], at: germany), 70))
    #expect(isClose(try limit(["maxspeed:type": "ZA:urban"], at: germany), 60))
    #expect(isClose(try limit(["maxspeed": "rural"], at: germany), 100))
    #expect(isClose(try limit(["maxspeed": "DE:walk"], at: germany), 6))
    #expect(isClose(try limit(["maxspeed:type": "GB:nsl_single"], at: SpeedLimitScenarios.britain), 97))
    // The Restricted Roads (20 mph Speed Limit) (Wales) Order 2022.
    for key in ["maxspeed", "maxspeed:type", "source:maxspeed", "zone:traffic"] {
      #expect(isClose(try limit([key: "GB-WLS:nsl_restricted"], at: SpeedLimitScenarios.britain), 32))
      #expect(isClose(try limit([key: "GB:nsl_restricted"], at: SpeedLimitScenarios.britain), 48))
    }
    #expect(isClose(try limit(["maxspeed:type": "GB:zone20"], at: SpeedLimitScenarios.britain), 32.18688))
    #expect(isClose(try limit(["maxspeed": "30 mph"], at: SpeedLimitScenarios.britain), 48.28032))
  }

  @Test(arguments: [
    ("motorway", [:], 119.0), ("trunk", [:], 119.0), ("secondary", ["motorroad": "yes"], 119.0),
    ("secondary", [:], 55.0), ("unclassified", [:], 30.0), ("secondary", ["maxspeed:type": "DE:urban"], 42.5),
    ("secondary", ["source:maxspeed": "DE:urban"], 42.5), ("unclassified", ["zone:traffic": "DE:urban"], 42.5),
    ("secondary", ["maxspeed": "40", "maxspeed:forward": "none", "maxspeed:backward": "DE:none"], 55.0),
  ])
  func onlyMotorwaysAndTrunkRoadsAreUnlimited(highway: String, tags: [String: String], expected: Double) throws {
    let road = ["highway": highway, "maxspeed": "none"].merging(tags) { $1 }
    #expect(try isClose(speed(road, at: SpeedLimitScenarios.germany), expected))
  }

  @Test(arguments: [
    (["maxspeed:motorcar": "60"], 60.0), (["maxspeed:motor_vehicle": "60"], 60.0), (["maxspeed:hgv": "60"], 100.0),
    (["maxspeed:motor_vehicle": "60", "maxspeed:motorcar:forward": "80"], 80.0), (["maxspeed:bicycle": "20"], 100.0),
    (["maxspeed:motorcar:conditional": "60 @ (weight<3.5)"], 60.0),
    (["maxspeed:motorcar": "80", "maxspeed:conditional": "60 @ (weight<3.5)"], 80.0),
    (["maxspeed:motor_vehicle": "80", "maxspeed:motorcar:conditional": "60 @ (weight<3.5)"], 60.0),
    (["maxspeed:motorcar": "fast", "maxspeed:conditional": "60 @ (weight<3.5)"], 60.0),
    (["maxspeed:motorcar": "500", "maxspeed:conditional": "60 @ (weight<3.5)"], 60.0),
  ])
  func limitsForTheVehiclesClassTakePrecedence(tags: [String: String], limit: Double) throws {
    let road = tags.merging(["highway": "primary", "maxspeed": "100"]) { $1 }
    #expect(try isClose(speed(road, at: SpeedLimitScenarios.germany), limit * 0.85))
    let cycleway = TestMap("a-b").way("ab", ["highway": "cycleway", "maxspeed": "30", "maxspeed:bicycle": "10"])
    let route = try cycleway.route("a", "b", by: .cycling)
    #expect(isClose(route.distance / route.expectedTravelTime * 3.6, 10))
  }

  @Test func walkersMayUseCyclewaysInSomeCountries() throws {
    func isOpen(_ tags: [String: String], at origin: Coordinate) throws -> Bool {
      let map = TestMap("a-b-c", at: origin).way("ab").way("bc", tags.merging(["highway": "cycleway"]) { $1 })
      return try map.streets("a", "c", by: .walking) == "ab bc"
    }
    #expect(try isOpen([:], at: SpeedLimitScenarios.britain))
    #expect(try !isOpen([:], at: SpeedLimitScenarios.germany))
    #expect(try isOpen(["foot": "yes"], at: SpeedLimitScenarios.germany))
    #expect(try isOpen(["segregated": "yes"], at: SpeedLimitScenarios.germany))
    #expect(try !isOpen(["foot": "no"], at: SpeedLimitScenarios.britain))
  }

  @Test func townLimitsApplyAmongResidentialStreets() throws {
    func speeds(at origin: Coordinate) throws -> (town: Double, country: Double) {
      let town = TestMap(
        """
        a-b-c-d-e
        | | | | |
        f-g-h-i-j
        | | | | |
        k-l-m-n-o
        """, at: origin
      ).way("abcde").way("klmno").way("afk").way("bgl").way("chm").way("din").way("ejo")
      let road = ["highway": "primary"]
      let inTown = try town.way("fghij", road).route("f", "j", by: .automobile)
      let outside = try TestMap("f-g-h-i-j", at: origin).way("fghij", road).route("f", "j", by: .automobile)
      return (
        inTown.distance / inTown.expectedTravelTime * 3.6, outside.distance / outside.expectedTravelTime * 3.6
      )
    }
    let porto = try speeds(at: SpeedLimitScenarios.porto)
    #expect(abs(porto.town - 50 * 0.85) < 0.1 && abs(porto.country - 65) < 0.1)
    // Arterial roads in American towns are faster than the streets next to them.
    let ohio = try speeds(at: SpeedLimitScenarios.ohio)
    #expect(abs(ohio.town - 64 * 0.85) < 0.1)
  }
}
