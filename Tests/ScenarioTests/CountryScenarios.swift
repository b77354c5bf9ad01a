import Geography
import StreetNetwork
import TestMaps
import Testing

/// The country of a map determines the side of the road that traffic uses.
struct CountryScenarios {
  static let hongKong = Coordinate(latitude: 22.32, longitude: 114.17)
  static let columbus = Coordinate(latitude: 39.96, longitude: -83.0)

  /// Returns a map with left and right turns from a, at a junction anywhere on earth.
  static func cross(at origin: Coordinate) -> TestMap {
    TestMap(
      """
        c
        |
      a-b-d
        |
        e
      """, at: origin
    ).way("ab").way("bc").way("bd").way("be")
  }

  static func drivesOnLeft(_ map: TestMap, profile: Profile? = nil) throws -> Bool {
    let profile = try profile ?? .stock("automobile")
    let left = try map.route("a", "c", profile: profile).expectedTravelTime
    let right = try map.route("a", "e", profile: profile).expectedTravelTime
    #expect(left != right)
    return left < right
  }

  @Test(arguments: [
    ("Bristol", 51.4545, -2.5879, true), ("Dublin", 53.35, -6.26, true), ("Hong Kong", 22.32, 114.17, true),
    ("Shenzhen", 22.55, 114.06, false), ("Macao", 22.19, 113.54, true), ("Singapore", 1.29, 103.85, true),
    ("Johor Bahru", 1.49, 103.74, true), ("Malta", 35.9, 14.51, true), ("Jersey", 49.19, -2.11, true),
    ("Gibraltar", 36.14, -5.353, false), ("Isle of Man", 54.15, -4.48, true), ("Monaco", 43.738, 7.424, false),
    ("Vaduz", 47.141, 9.521, false), ("Vientiane", 17.967, 102.61, false), ("Nong Khai", 17.878, 102.74, true),
    ("Porto", 41.15, -8.61, false), ("Tokyo", 35.68, 139.76, true), ("Nicosia", 35.17, 33.36, true),
    ("Lerwick", 60.155, -1.145, true), ("Saint Thomas", 18.34, -64.93, true), ("San Juan", 18.46, -66.1, false),
    ("Helsinki", 60.17, 24.94, false), ("Georgetown", 6.8, -58.16, true), ("Kolkata", 22.57, 88.36, true),
    ("Hamilton", 32.295, -64.78, true), ("Suva", -18.14, 178.44, true), ("Gulf of Guinea", 0, 0, false),
  ])
  func drivesOnTheSideOfTheCountry(place: String, latitude: Double, longitude: Double, isLeft: Bool) throws {
    let map = CountryScenarios.cross(at: Coordinate(latitude: latitude, longitude: longitude))
    #expect(try CountryScenarios.drivesOnLeft(map) == isLeft)
  }

  @Test func aSideTaggedOnAWayAppliesOnlyToThatWay() throws {
    let map = CountryScenarios.cross(at: CountryScenarios.columbus)
    let aisle = ["highway": "service", "service": "parking_aisle", "driving_side": "left"]
    #expect(try !CountryScenarios.drivesOnLeft(map.way("ed", aisle)))
    let tagged = TestMap(
      """
        c
        |
      a-b-d
        |
        e
      """, at: CountryScenarios.columbus
    ).way("ab", aisle).way("bc").way("bd").way("be")
    #expect(try CountryScenarios.drivesOnLeft(tagged))
  }

  @Test func aBoundaryInTheMapOverridesTheTable() throws {
    let map = TestMap(
      """
      p-----------q
      |     c     |
      |     |     |
      |   a-b-d   |
      |     |     |
      |     e     |
      r-----------s
      """, at: CountryScenarios.columbus
    ).way("ab").way("bc").way("bd").way("be")
    let border = ["boundary": "administrative", "admin_level": "2", "highway": ""]
    let bordered = map.way("pq", border).way("qs", border).way("srp", border)
    let members: [(type: Character, letters: String, role: String)] = [
      ("w", "pq", "outer"), ("w", "srp", "outer"), ("w", "qs", "outer"),
    ]
    for tags in [["ISO3166-1": "GB"], ["ISO3166-1:alpha2": "JP"], ["driving_side": "left"]] {
      let tags = tags.merging(["type": "boundary", "boundary": "administrative", "admin_level": "2"]) { $1 }
      #expect(try CountryScenarios.drivesOnLeft(bordered.relation(members, tags)))
      // Incomplete borders are ignored.
      #expect(try !CountryScenarios.drivesOnLeft(bordered.relation(Array(members.dropLast()), tags)))
    }
    #expect(
      try bordered.relation(members, ["type": "boundary", "ISO3166-1": "GB"]).network(profile: .stock("automobile"))
        .countries == "GB")
  }

  @Test func changesSidesAtABorder() throws {
    let border = TestMap(
      """
      p-------q-------t
      |   c   |   h   |
      | a-b-d-|-f-g-i |
      |   e   |   j   |
      r-------s-------u
      """, at: CountryScenarios.columbus
    ).way("ab").way("bc").way("bd").way("be").way("dfg").way("gh").way("gi").way("gj")
    let line = ["boundary": "administrative", "highway": ""]
    let sides = border.way("qprs", line).way("qs", line).way("qtus", line)
      .relation([("w", "qprs", "outer"), ("w", "qs", "outer")], ["type": "boundary", "ISO3166-1": "HK"])
      .relation([("w", "qtus", "outer"), ("w", "qs", "outer")], ["type": "boundary", "ISO3166-1": "CN"])
    let car = try Profile.stock("automobile")
    func seconds(_ from: Character, _ to: Character) throws -> Double {
      try sides.route(from, to, profile: car).expectedTravelTime
    }
    #expect(try seconds("a", "c") < seconds("a", "e"))
    #expect(try seconds("f", "h") > seconds("f", "j"))
    #expect(try sides.network(profile: car).countries == "CN, HK")
  }

  @Test func aProfileOverridesTheCountry() throws {
    let map = CountryScenarios.cross(at: CountryScenarios.columbus)
    let left = try Profile.stock(
      .automobile, replacing: "drivingSide: \"byCountry\"", with: "drivingSide: \"left\"")
    #expect(try !CountryScenarios.drivesOnLeft(map))
    #expect(try CountryScenarios.drivesOnLeft(map, profile: left))
  }

  @Test func usesTheProfilesSideWithoutACountry() throws {
    let profile = try Profile.stock(
      .automobile, replacing: "drivingSideElsewhere: \"right\"", with: "drivingSideElsewhere: \"left\"")
    let sea = CountryScenarios.cross(at: Coordinate(latitude: 0, longitude: 0))
    #expect(try CountryScenarios.drivesOnLeft(sea, profile: profile))
    #expect(try !CountryScenarios.drivesOnLeft(CountryScenarios.cross(at: CountryScenarios.columbus), profile: profile))
  }
}
