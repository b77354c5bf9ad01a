import Foundation
import Geography
import StreetNetwork
import TestMaps
import Testing

/// Slower travellers, climbs, and ways that some travellers cannot pass.
///
///     a-b-1-c-d      bc as tagged, ef the detour
///       |   |
///       e---f
struct PaceScenarios {
  private let map = TestMap(
    """
    a-b-1-c-d
      |   |
      e---f
    """
  ).way("ab").way("be").way("ef").way("fc").way("cd").snapLegs(false)

  /// Returns the seconds from a to e along a single way of 400 m.
  private func seconds(_ tags: [String: String] = [:], by profile: Profile, isReversed: Bool = false) throws -> Double {
    let map = TestMap("a-b-c-d-e").way("abcde", tags).snapLegs(false)
    return try (isReversed ? map.route("e", "a", profile: profile) : map.route("a", "e", profile: profile))
      .expectedTravelTime
  }

  private func isThrough(_ tags: [String: String], by profile: String) throws -> Bool {
    try map.way("bc", tags).streets("a", "d", profile: .stock(profile)) == "ab bc cd"
  }

  @Test func halfTheSpeedTakesTwiceAsLong() throws {
    let walking = try Profile.stock("walking")
    for tags in [[:], ["highway": "steps"], ["surface": "sand"], ["incline": "8%"]] {
      let (usual, slow) = try (seconds(tags, by: walking), seconds(tags, by: walking.paced(2.5)))
      #expect(abs(slow - 2 * usual) < 0.01, "\(tags): \(usual), \(slow)")
    }
  }

  @Test func paceAlsoAppliesToSnapLegs() throws {
    let map = TestMap("a-b-c\n\n\n1").way("abc")
    let walking = try Profile.stock("walking")
    let (usual, slow) = try (map.route("1", "c", profile: walking), map.route("1", "c", profile: walking.paced(2.5)))
    #expect(isClose(slow.expectedTravelTime, 2 * usual.expectedTravelTime))
  }

  @Test func paceDoesNotSlowRides() throws {
    let ferry = ["highway": "", "route": "ferry", "duration": "00:20"]
    let walking = try Profile.stock("walking")
    let map = TestMap("a-b-c-d").way("ab").way("bc", ferry).way("cd").snapLegs(false)
    let (usual, slow) = try (map.route("a", "d", profile: walking), map.route("a", "d", profile: walking.paced(2.5)))
    #expect(isClose(slow.expectedTravelTime - usual.expectedTravelTime, 200 / (2.5 / 3.6) - 200 / (5 / 3.6)))
  }

  @Test func streetsOfAHikingRouteAreWalked() throws {
    let walking = try Profile.stock("walking")
    let route = ["highway": "path", "route": "hiking", "incline": "10%"]
    #expect(
      try seconds(route, by: walking.paced(2.5))
        == seconds(["highway": "path", "incline": "10%"], by: walking.paced(2.5)))
  }

  @Test func limitsApplyDownhill() throws {
    let cycling = try Profile.stock("cycling")
    let slow = ["maxspeed": "12"]
    #expect(try seconds(slow, by: cycling) == seconds(slow.merging(["incline": "-8%"]) { $1 }, by: cycling))
  }

  /// Tobler's function, relative to level ground.
  @Test(arguments: [
    ("10%", 0.1), ("-5 %", -0.05), ("5.7°", 0.0998), ("1:8", 0.125), ("80%", 0.4), ("up", 0), ("2000", 0),
  ])
  func walkersFollowToblersFunction(incline: String, slope: Double) throws {
    let walking = try Profile.stock("walking")
    let flat = try seconds(by: walking)
    let (up, down) = try (
      seconds(["incline": incline], by: walking), seconds(["incline": incline], by: walking, isReversed: true)
    )
    func factor(_ slope: Double) -> Double { exp(-3.5 * abs(slope + 0.05)) / exp(-3.5 * 0.05) }
    #expect(abs(up - flat / factor(slope)) < 0.5, "\(up)")
    #expect(abs(down - flat / factor(-slope)) < 0.5, "\(down)")
  }

  @Test func slopesDoNotMatterOnStairsAndMovingWalkways() throws {
    let walking = try Profile.stock("walking")
    for tags in [["highway": "steps"], ["highway": "footway", "conveying": "yes"]] {
      #expect(try seconds(tags, by: walking) == seconds(tags.merging(["incline": "30%"]) { $1 }, by: walking))
    }
  }

  @Test func climbsSlowCyclistsAndDescentsSpeedThemUp() throws {
    let cycling = try Profile.stock("cycling")
    let flat = try seconds(by: cycling)
    let slopes = try [-0.1, -0.05, 0.02, 0.06, 0.12].map {
      try seconds(["incline": "\($0 * 100)%"], by: cycling) / flat
    }
    #expect(slopes == slopes.sorted())
    #expect(slopes[0] >= 0.45 && slopes[1] < 0.9)  // braking to stay within the maximum speed
    #expect(slopes[3] > 1.5 && slopes[3] < 2.2)  // 9 km/h instead of 16
    #expect(slopes[4] < 4.1)  // pushing at worst
  }

  @Test(arguments: [
    (["highway": "steps"], false, false), (["highway": "steps", "ramp:wheelchair": "yes"], true, true),
    (["highway": "steps", "foot": "yes"], false, false), (["highway": "steps", "wheelchair": "yes"], true, false),
    (["highway": "steps", "ramp:stroller": "yes"], false, true),
    (["highway": "steps", "step_count": "2"], false, true),
    (["highway": "steps", "ramp": "yes", "ramp:bicycle": "yes"], false, false),
    (["highway": "footway", "incline": "120%"], false, true),
    (["highway": "footway", "width": "0.8"], false, true), (["highway": "footway", "width": "60 cm"], false, false),
    (["highway": "footway", "incline": "10%"], false, true), (["highway": "footway", "incline": "-10%"], false, true),
    (["highway": "footway", "incline": "5%"], true, true), (["highway": "footway", "incline": "up"], true, true),
    (["highway": "path", "surface": "sand"], false, true),
    (["highway": "path", "smoothness": "horrible"], false, true),
    (["highway": "footway", "wheelchair": "no"], false, true),
    (["highway": "footway", "kerb:height": "0.1"], false, true),
    (["highway": "elevator"], true, true), (["highway": "elevator", "wheelchair": "no"], false, true),
    (["highway": "footway", "access": "private", "foot": "yes"], true, true), (["foot": "no"], false, false),
    (["highway": "footway", "conveying": "yes"], false, false),
    (["impassable": "yes"], false, false), (["ford": "yes"], false, false), (["ford": "no"], true, true),
  ])
  func wheelchairsAndPramsPassWhereTheyFit(tags: [String: String], wheelchair: Bool, pram: Bool) throws {
    // The detour takes longer than a lift or a slow surface.
    let map = TestMap("a-b-1-c-d\n|       |\n|       |\ne-------f\n\n\n\n\n\n\n\n\n\n\ng-------h").way("ab").way("cd")
      .way("ag").way("gh").way("hd").way("bc", tags).snapLegs(false)
    for (profile, expected) in [("wheelchair", wheelchair), ("pram", pram), ("walking", tags["foot"] != "no")] {
      let found = try map.streets("a", "d", profile: .stock(profile)) == "ab bc cd"
      #expect(found == expected, "\(profile) on \(tags)")
    }
  }

  /// In Germany, cycleways are closed to pedestrians unless tagged otherwise.
  @Test(arguments: ["walking", "wheelchair", "pram"]) func cyclewaysOpenToWalkersAreOpenToWheelchairs(profile: String)
    throws
  {
    let map = TestMap("a-b-c", at: Coordinate(latitude: 52.9, longitude: 10.3)).way("ab").snapLegs(false)
    let (own, shared) = (["highway": "cycleway"], ["highway": "cycleway", "foot": "yes"])
    #expect(try map.way("bc", own).streets("a", "c", profile: .stock(profile)) != "ab bc")
    #expect(try map.way("bc", shared).streets("a", "c", profile: .stock(profile)) == "ab bc")
  }

  @Test(arguments: [
    (["kerb": "raised"], false), (["kerb": "flush"], true), (["kerb": "lowered"], true),
    (["barrier": "kerb", "kerb:height": "0.1"], false), (["barrier": "kerb", "kerb:height": "2 cm"], true),
    // The height says more than the kind.
    (["kerb": "raised", "kerb:height": "0.02"], true), (["kerb": "raised", "kerb:height": "0"], true),
    (["kerb": "raised", "kerb:height": "0.1"], false), (["kerb": "raised", "kerb:height": "low"], false),
    (["barrier": "stile"], false), (["barrier": "kissing_gate"], false), (["barrier": "bollard"], true),
    (["barrier": "kissing_gate", "wheelchair": "yes"], true), (["barrier": "cycle_barrier", "maxwidth": "0.7"], false),
    (["barrier": "gate", "wheelchair": "no"], false), (["ford": "yes"], false),
    (["ford": "stepping_stones", "wheelchair": "yes"], true),
    // Permission for others does not open anything.
    (["barrier": "stile", "foot": "yes"], false), (["barrier": "kissing_gate", "access": "yes"], false),
    (["kerb": "raised", "foot": "yes"], false), (["barrier": "gate", "foot": "yes"], true),
  ])
  func kerbsAndBarriersStopWheelchairs(tags: [String: String], expected: Bool) throws {
    let map = TestMap(
      """
      a-b-x-c-d
        |   |
        e---f
      """
    ).way("ab").way("be").way("ef").way("fc").way("cd").way("bxc", ["name": "bc"]).node("x", tags).snapLegs(false)
    #expect(try (map.streets("a", "d", profile: .stock("wheelchair")) == "ab bc cd") == expected)
    #expect(try map.streets("a", "d", profile: .stock("walking")) == "ab bc cd")
  }
}
