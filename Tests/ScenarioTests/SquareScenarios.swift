import Foundation
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Areas that can be crossed on foot.
struct SquareScenarios {
  private static let area = ["highway": "pedestrian", "area": "yes"]

  ///     a─b───c       Two columns, or one line, are 100 m.
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
  func squaresAreCrossed(by type: TransportType) throws {
    let route = try SquareScenarios.square.route("a", "f", by: type)
    #expect(isClose(route.distance, 200 + SquareScenarios.diagonal(200, 200)))
    #expect(route.streets == "ab bcdeb df")
  }

  /// Places on a common side of a street and a square are on the street, whatever the order of the ways.
  @Test(arguments: [("abcd", true), ("abcd", false), ("dcba", true), ("dcba", false)])
  func streetsOnTheOutlineAreUsedWhenTheSquareIsClosed(street: String, isFirst: Bool) throws {
    let square = SquareScenarios.area.merging(["opening_hours": "07:00-21:00"]) { $1 }
    var map = TestMap("a-b-1-c-d\n  |   |\n  e---f")
    map = isFirst ? map.way("bcfeb", square).way(street) : map.way(street).way("bcfeb", square)
    #expect(try map.streets("a", "1", by: .cycling) == street)
    let route = try map.routes("a", "1") { $0.departureDate = Timestamp("2026-11-24T23:00:00Z")?.date }[0]
    #expect(isClose(route.distance, 200))
  }

  @Test func closedWaysThatAreNotAreasAreWalkedAround() throws {
    let map = TestMap("a-b---c\n  |   |\n  e---d-f").way("ab").way("df").way("bcdeb", ["highway": "pedestrian"])
    #expect(isClose(try map.route("a", "f").distance, 600))
  }

  @Test func carsDoNotCrossASquare() throws {
    #expect(try SquareScenarios.square.streets("a", "f", by: .automobile) == "directionsNotFound")
  }

  /// The corner c protrudes into the square.
  @Test func linesGoAroundCorners() throws {
    let map = TestMap(
      """
      a-b-----------g
        |           |
        |     d-c   |
        |     | |   |
        k-----e h---i-j
      """
    ).way("ab").way("ij").way("bgihcdekb", SquareScenarios.area)
    // Via c, not through the notch.
    let expected = 200 + SquareScenarios.diagonal(400, 200) + SquareScenarios.diagonal(200, 200)
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
    let side = SquareScenarios.diagonal(100, 400) + SquareScenarios.diagonal(300, 200)
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
    #expect(try squares(of: map) == "0 crossed, 0 via their outline (too many corners), 1 broken")
  }

  @Test func squaresInHolesOfOthersAreCrossed() throws {
    let map = SquareScenarios.holed.way("bcdeb", SquareScenarios.area).way("fghif", SquareScenarios.area).relation(
      [("w", "bcdeb", "outer"), ("w", "fghif", "inner")], ["type": "multipolygon"])
    // Via f and h, which belong to both squares.
    let expected = 200 + 2 * SquareScenarios.diagonal(100, 200) + SquareScenarios.diagonal(200, 200)
    #expect(isClose(try map.route("a", "j").distance, expected))
    #expect(try squares(of: map) == "2 crossed, 0 via their outline (too many corners), 0 broken")
  }

  @Test func neighbouringSquaresAreConnected() throws {
    let map = TestMap(
      """
      a-b---c---d
        |   |   |
        e---f---g-h
      """
    ).way("ab").way("gh").way("bcfeb", SquareScenarios.area).way("cdgfc", SquareScenarios.area)
    #expect(isClose(try map.route("a", "h").distance, 200 + SquareScenarios.diagonal(200, 200) + 200))
  }

  @Test func streetsThatCrossTheOutlineWithoutANodeAreNotConnected() throws {
    let map = TestMap(
      """
          x
      a-b-+-c
        | y |
        e---d-f
      """
    ).way("ab").way("df").way("xy").way("bcdeb", SquareScenarios.area)
    #expect(isClose(try map.route("a", "f").distance, 200 + SquareScenarios.diagonal(200, 200)))
  }

  @Test func aSquareWithTooManyCornersIsWalkedAround() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let stock = try String(contentsOfFile: Project.path("data/profiles/walking.json5"), encoding: .utf8)
    let edited = stock.replacing("mostCorners: 200", with: "mostCorners: 1")
    let profile = try Profile(path: scratch.write(edited, to: "walking.json5"))
    #expect(isClose(try SquareScenarios.square.route("a", "f", profile: profile).distance, 600))
    let network = try SquareScenarios.square.network(profile: profile)
    #expect(network.facts.contains { $0 == ("squares", "0 crossed, 1 via their outline (too many corners), 0 broken") })
  }

  @Test func aPrivateSquareIsNotAShortcut() throws {
    let private_ = SquareScenarios.area.merging(["access": "private"]) { $1 }
    let map = TestMap("a-b---c\n  |   |\n  e---d-f").way("ab").way("df").way("bcd").way("bcdeb", private_)
    #expect(isClose(try map.route("a", "f").distance, 600))
    #expect(try map.route("a", "e").distance < 310)
  }

  @Test func placesInASquareSnapToIt() throws {
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

  /// A square 80 m wide and 120 m long, with entrances at a and e.
  private static let plaza = TestMap(
    """
        n
        |
    g---a---h
    |     1 |
    |       |
    |   2   |
    w       e---x
    |       |
    k-------l
    """, spacing: 20
  ).way("na").way("ex").way("gahelkwg", area)

  @Test(arguments: [TransportType.walking, .cycling])
  func pathsOnASquareLeadStraightToItsEntrances(by type: TransportType) throws {
    let route = try SquareScenarios.plaza.route("2", "n", by: type)
    #expect(isClose(route.distance, 60 + 40))
    #expect(route.streets == "gahelkwg na")
    #expect(isClose(route.polyline.length, 100))
    #expect(isClose(route.steps[0].distance, 60))
    let back = try SquareScenarios.plaza.route("x", "2", by: type)
    #expect(isClose(back.distance, 40 + SquareScenarios.diagonal(40, 20)))
    #expect(back.streets == "ex gahelkwg")
    #expect(isClose(back.polyline.length, back.distance))
  }

  @Test func pathsBetweenPlacesOnOneSquareAreStraight() throws {
    let route = try SquareScenarios.plaza.route("1", "2")
    #expect(isClose(route.distance, SquareScenarios.diagonal(20, 40)))
    #expect(isClose(route.expectedTravelTime, SquareScenarios.diagonal(20, 40) / 5 * 3.6))
    #expect(route.streets == "gahelkwg")
    #expect(isClose(route.polyline.length, route.distance))
  }

  @Test func pathsBetweenPlacesOnOneSquareAvoidObstacles() throws {
    let map = TestMap(
      """
      a-b---------c
        | 1     2 |
        |   f-g   |
        |   | |   |
        |   i-h   |
        | 3     4 |
        e---------d-j
      """, spacing: 20
    ).way("ab").way("dj").way("bcdeb", ["highway": ""]).way("fghif", ["highway": "", "building": "yes"]).relation(
      [("w", "bcdeb", "outer"), ("w", "fghif", "inner")],
      ["type": "multipolygon", "highway": "pedestrian", "name": "plaza"])
    #expect(isClose(try map.route("1", "2").distance, 60))
    let around = SquareScenarios.diagonal(40, 20) + SquareScenarios.diagonal(20, 60)
    #expect(isClose(try map.route("1", "4").distance, around))
  }

  /// There is one entrance, and a corner between the places.
  @Test func pathsOnSquaresWithOneEntranceGoAroundCorners() throws {
    let map = TestMap(
      """
      a-b-----------c
        |         1 |
        |           |
        |  f--------d
        | 2|
        h--i
      """, spacing: 20
    ).way("ab").way("bcdfihb", SquareScenarios.area)
    #expect(isClose(try map.route("2", "a").distance, 20 + SquareScenarios.diagonal(20, 80)))
    let around = SquareScenarios.diagonal(10, 20) + SquareScenarios.diagonal(70, 40)
    #expect(isClose(try map.route("2", "1").distance, around))
  }

  /// The path goes straight across from there, as from inside.
  @Test func placesNextToASquareSnapToItsOutline() throws {
    let map = TestMap("a-b-----c\n  |    2|1\n  |     |\n  |     |\n  e-----d-f", spacing: 20).way("ab").way("df").way(
      "bcdeb", SquareScenarios.area)
    let network = try map.network()
    let snap = try #require(StreetSearch(network).snap(map["1"], limit: 100))
    #expect(isClose(snap.distance, 10))
    #expect(isClose(try map.route("1", "a").distance, 10 + SquareScenarios.diagonal(60, 20) + 20))
    #expect(isClose(try map.route("1", "2").distance, 20))
  }

  /// No street leads onto the square: the path between places on it is straight; other paths start at the nearest
  /// street.
  @Test func placesOnAnUnconnectedSquareUseTheNearestStreet() throws {
    let rows = ["ABCDEFGH", "IJKLMNOP", "QRSTUVWX", "YZabcdef", "ghijklmn", "opqrstuv", "αβγδεζηθ"]
    let drawn = rows.map { $0.map(String.init).joined(separator: "-") }.joined(separator: "\n\n")
    let streets = rows + (0..<8).map { column in String(rows.map { Array($0)[column] }) }
    let map = streets.reduce(TestMap(drawn + "\n\n  w---x\n  | 1 |\n  | 2 |\n  z---y", spacing: 20)) { $0.way($1) }
      .way("wxyzw", SquareScenarios.area)
    #expect(isClose(try map.route("1", "2").distance, 20))
    #expect(try map.route("1", "A").streets.hasPrefix("αβγδεζηθ"))
    #expect(isClose(try map.route("1", "β").distance, 60 + 20))
  }

  @Test func aClosedSquareIsClosedToPlacesOnIt() throws {
    let closed = SquareScenarios.area.merging(["foot:conditional": "no @ (22:00-06:00)"]) { $1 }
    let map = TestMap(
      "  n\n  |\ng-a-h\n|   |\n| 1 |\n|2  |\nk---l", spacing: 20
    ).way("na").way("gahlkg", closed)
    func waiting(_ to: Character, _ time: String) throws -> Double {
      try map.routes("1", to) { $0.departureDate = Timestamp(time)?.date }[0].waitingTime ?? 0
    }
    #expect(try waiting("n", "2026-06-01T12:00:00Z") == 0)
    #expect(try waiting("n", "2026-06-01T05:30:00Z") == 1800)
    #expect(try waiting("2", "2026-06-01T05:30:00Z") == 1800)
  }

  private func squares(of map: TestMap) throws -> String {
    try #require(try map.network().facts.first { $0.0 == "squares" }).1
  }

  private static func diagonal(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
}
