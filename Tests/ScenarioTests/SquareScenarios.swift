import Foundation
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Areas that are walked across.
struct SquareScenarios {
  private static let area = ["highway": "pedestrian", "area": "yes"]

  ///     a─b───c       Two columns or one line are 100 m.
  ///       │   │
  ///       e───d─f
  private static let square = TestMap(
    """
    a-b---c
      |   |  1
      e---d-f
    """
  ).way("ab").way("df").way("bcdeb", area)

  @Test(arguments: [TransportType.walking, .cycling])
  func aSquareIsCrossed(by type: TransportType) throws {
    let route = try SquareScenarios.square.route("a", "f", by: type)
    #expect(isClose(route.distance, 200 + diagonal(200, 200)))
    #expect(route.streets == "ab bcdeb df")
  }

  @Test func aClosedWayThatIsNoAreaIsWalkedAround() throws {
    let map = TestMap("a-b---c\n  |   |\n  e---d-f").way("ab").way("df").way("bcdeb", ["highway": "pedestrian"])
    #expect(isClose(try map.route("a", "f").distance, 600))
  }

  @Test func carsDoNotCrossASquare() throws {
    #expect(try SquareScenarios.square.streets("a", "f", by: .automobile) == "directionsNotFound")
  }

  /// The corner c sticks into the square.
  @Test func linesGoRoundCorners() throws {
    let map = TestMap(
      """
      a-b-----------g
        |           |
        |     d-c   |
        |     | |   |
        k-----e h---i-j
      """
    ).way("ab").way("ij").way("bgihcdekb", SquareScenarios.area)
    // Over c, not through the notch.
    let expected = 200 + diagonal(400, 200) + diagonal(200, 200)
    #expect(isClose(try map.route("a", "j").distance, expected))
  }

  private static let holed = TestMap(
    """
    a-b-------c
      |       |
      | f---g |
      | |   | |
      | i---h |
      |       |
      e-------d-j
    """
  ).way("ab").way("dj")

  @Test func holesAreWalkedAround() throws {
    let map = SquareScenarios.holed.way("bcd", ["highway": ""]).way("deb", ["highway": ""]).way(
      "fghif", ["highway": "", "building": "yes"]
    ).relation(
      [("w", "bcd", "outer"), ("w", "deb", "outer"), ("w", "fghif", "inner")],
      ["type": "multipolygon", "highway": "pedestrian", "name": "plaza"])
    let route = try map.route("a", "j")
    // From b straight to the hole's corner i or g, and on to d.
    let side = diagonal(100, 400) + diagonal(300, 200)
    #expect(isClose(route.distance, 200 + side))
    #expect(route.streets == "ab plaza dj")
  }

  @Test func anAreaWhoseOuterWayIsTaggedHasItsRelationsHoles() throws {
    let map = SquareScenarios.holed.way("bcdeb", SquareScenarios.area).way("fghif", ["highway": ""]).relation(
      [("w", "bcdeb", "outer"), ("w", "fghif", "inner")], ["type": "multipolygon"])
    #expect(try map.route("a", "j").distance > 780)
  }

  @Test func anAreaThatLacksAWayIsNotCrossed() throws {
    let map = SquareScenarios.holed.way("bcdeb", SquareScenarios.area).relation(
      [("w", "bcdeb", "outer"), ("w", "zzz", "inner")],
      ["type": "multipolygon", "highway": "pedestrian"])
    #expect(isClose(try map.route("a", "j").distance, 1000 + 200))
    #expect(try squares(of: map) == "0 crossed, 0 by their outline (too many corners), 1 broken")
  }

  @Test func aSquareInTheHoleOfAnotherIsCrossedToo() throws {
    let map = SquareScenarios.holed.way("bcdeb", SquareScenarios.area).way("fghif", SquareScenarios.area).relation(
      [("w", "bcdeb", "outer"), ("w", "fghif", "inner")], ["type": "multipolygon"])
    // Over f and h, which both squares have.
    let expected = 200 + 2 * diagonal(100, 200) + diagonal(200, 200)
    #expect(isClose(try map.route("a", "j").distance, expected))
    #expect(try squares(of: map) == "2 crossed, 0 by their outline (too many corners), 0 broken")
  }

  @Test func neighbouringSquaresLeadOntoEachOther() throws {
    let map = TestMap(
      """
      a-b---c---d
        |   |   |
        e---f---g-h
      """
    ).way("ab").way("gh").way("bcfeb", SquareScenarios.area).way("cdgfc", SquareScenarios.area)
    #expect(isClose(try map.route("a", "h").distance, 200 + diagonal(200, 200) + 200))
  }

  @Test func streetsThatCrossTheOutlineWithoutANodeDoNotLeadOntoIt() throws {
    let map = TestMap(
      """
          x
      a-b-+-c
        | y |
        e---d-f
      """
    ).way("ab").way("df").way("xy").way("bcdeb", SquareScenarios.area)
    #expect(isClose(try map.route("a", "f").distance, 200 + diagonal(200, 200)))
  }

  @Test func aSquareWithTooManyCornersIsWalkedAround() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let stock = try String(contentsOfFile: Project.path("data/profiles/walking.json5"), encoding: .utf8)
    let edited = stock.replacing("mostCorners: 200", with: "mostCorners: 1")
    let profile = try Profile(path: scratch.write(edited, to: "walking.json5"))
    #expect(isClose(try SquareScenarios.square.route("a", "f", profile: profile).distance, 600))
    let network = try SquareScenarios.square.network(profile: profile)
    #expect(network.facts.contains { $0 == ("squares", "0 crossed, 1 by their outline (too many corners), 0 broken") })
  }

  @Test func aPrivateSquareIsNoShortcut() throws {
    let private_ = SquareScenarios.area.merging(["access": "private"]) { $1 }
    let map = TestMap("a-b---c\n  |   |\n  e---d-f").way("ab").way("df").way("bcd").way("bcdeb", private_)
    #expect(isClose(try map.route("a", "f").distance, 600))
    #expect(try map.route("a", "e").distance < 310)
  }

  @Test func aPlaceInASquareIsOnIt() throws {
    let map = TestMap(
      """
      a-b-------c
        |       |
        |     1 |
        |       |x-y
        e-------d-f
      """, spacing: 20
    ).way("ab").way("df").way("xy").way("fy").way("bcdeb", SquareScenarios.area)
    #expect(try map.route("1", "a").steps[0].street == "bcdeb")
  }

  private func squares(of map: TestMap) throws -> String {
    try #require(try map.network().facts.first { $0.0 == "squares" }).1
  }

  private func diagonal(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
}
