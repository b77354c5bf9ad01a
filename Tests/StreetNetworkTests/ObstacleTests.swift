import Geography
import StreetNetwork
import TestMaps
import Testing

/// Obstacles between two places, and the use of streets near a place.
struct ObstacleTests {
  private func obstacles(
    _ map: TestMap, _ from: Character, _ to: Character, by type: String = "automobile"
  ) throws -> String {
    let network = try map.network(profile: .stock(type))
    let streets = try MapStreets(.opl(map.opl), of: network)
    let search = StreetSearch(network)
    let islands = StreetSearch(network, among: network.islands)
    func spot(_ letter: Character) -> MapStreets.Endpoint {
      let snap = search.snap(map[letter], limit: 20) ?? islands.snap(map[letter], limit: 20)
      return snap.map { .snap($0) } ?? .place(FixedCoordinate(map[letter]))
    }
    let found = streets.obstacles(from: spot(from), to: spot(to))
    return found.map { $0.list.map { "\($0.id) \($0.cause)" }.joined(separator: ", ") } ?? "none"
  }

  @Test func namesTheTagOfAClosedStreet() throws {
    let map = TestMap("a-b-c-d").way("ab").way("bc", ["access": "no"]).way("cd")
    #expect(try obstacles(map, "a", "d") == "way/2 access=no")
  }

  @Test func namesTheClassOfAFootway() throws {
    let map = TestMap("a-b-c-d").way("ab").way("bc", ["highway": "footway"]).way("cd")
    #expect(try obstacles(map, "a", "d") == "way/2 highway=footway")
  }

  @Test func namesTheNodeOfAGate() throws {
    let map = TestMap("a-b-c").way("abc").node("b", ["barrier": "gate", "access": "no"])
    #expect(try obstacles(map, "a", "c") == "node/2 barrier=gate, access=no")
  }

  @Test func namesABollard() throws {
    let map = TestMap("a-b-c").way("abc").node("b", ["barrier": "bollard"])
    #expect(try obstacles(map, "a", "c") == "node/2 barrier=bollard")
  }

  @Test func namesAOneWayStreet() throws {
    let map = TestMap("a-b-c-d").way("ab").way("bc", ["oneway": "yes"]).way("cd")
    #expect(try obstacles(map, "d", "a") == "way/2 oneway=yes")
    #expect(try obstacles(map, "a", "d") == "")
  }

  @Test func namesTheTagThatPreventsPushing() throws {
    let map = TestMap("a-b-c-d").way("ab").way("bc", ["oneway": "yes", "foot": "private"]).way("cd")
    #expect(try obstacles(map, "d", "a", by: "cycling") == "way/2 foot=private")
  }

  @Test func namesTheOneWayStreetOfBothEnds() throws {
    let map = TestMap("a-1-2-b").way("ab", ["oneway": "yes"])
    #expect(try obstacles(map, "2", "1") == "way/1 oneway=yes")
  }

  @Test func namesTheRelationOfATurnRestriction() throws {
    let map = TestMap("a-b-c\n  |\n  d").way("ab").way("bc").way("bd", ["oneway": "yes"])
      .restriction("no_right_turn", from: "ab", via: "b", to: "bd")
      .restriction("no_left_turn", from: "bc", via: "b", to: "bd")
      .restriction("no_u_turn", from: "bc", via: "b", to: "bc").restriction("no_u_turn", from: "ab", via: "b", to: "ab")
    #expect(try obstacles(map, "a", "d") == "relation/1 restriction=no_right_turn")
  }

  @Test func namesAllObstacles() throws {
    let map = TestMap("a-b-c-d-e").way("ab").way("bc", ["motor_vehicle": "no"]).way("cde")
      .node("d", ["barrier": "block"])
    #expect(try obstacles(map, "a", "e") == "way/2 motor_vehicle=no, node/4 barrier=block")
  }

  @Test func prefersTheFewestAndThenTheShortest() throws {
    let map = TestMap("a-b-c-d\n  | |\n  e-f").way("ab").way("bc", ["access": "no"]).way("be", ["access": "no"])
      .way("ef", ["access": "no"]).way("fc").way("cd")
    #expect(try obstacles(map, "a", "d") == "way/2 access=no")
  }

  @Test func reportsTheLengthOfTheTripWithoutObstacles() throws {
    let map = TestMap("a-b-c-d").way("ab").way("bc", ["highway": "footway"]).way("cd")
    let network = try map.network(profile: .stock("automobile"))
    let search = StreetSearch(network)
    let (a, d) = (try #require(search.snap(map["a"], limit: 9)), try #require(search.snap(map["d"], limit: 9)))
    let found = try MapStreets(.opl(map.opl), of: network).obstacles(from: .snap(a), to: .snap(d))
    #expect(found.map { isClose($0.metres, 300) } == true)
  }

  @Test func destinationStreetsAreNotObstacles() throws {
    let map = TestMap("a-b-c\n|   |\nd   e\n|\nf").way("ab").way("ad").way("df").way("bc", ["access": "private"])
      .way("ce", ["oneway": "yes"]).restriction("no_u_turn", from: "ab", via: "b", to: "ab")
    #expect(try obstacles(map, "a", "e") == "")
  }

  @Test func unconnectedIslandsHaveNoObstacle() throws {
    let map = TestMap("a-b  c-d").way("ab").way("cd")
    #expect(try obstacles(map, "a", "d") == "none")
  }

  @Test func namesTheClosedStreetOfThePlace() throws {
    let map = TestMap("a-b-c").way("ab").way("bc", ["access": "no"])
    #expect(try obstacles(map, "a", "c") == "way/2 access=no")
  }

  @Test func nearStreetsStateWhetherTheyAreUsedAndWhyNot() throws {
    let map = TestMap("a-b-c\n  1\n  d-e").way("abc").way("de", ["access": "agricultural", "name": "Farm"])
    let streets = try MapStreets(.opl(map.opl), of: map.network(profile: .stock("automobile")))
    let near = streets.near(FixedCoordinate(map["1"]), count: 5, within: 500)
    #expect(near.map(\.name) == ["abc", "Farm"])
    #expect(near.map(\.use) == [.used(junctions: 2, nil, isSnapped: true), .closed("access=agricultural")])
  }

  @Test func nearStreetsStateThatTheyCannotBeEntered() throws {
    let map = TestMap("a-b-c\n  |\n  d").way("abc").way("db", ["oneway": "yes"])
    let streets = try MapStreets(.opl(map.opl), of: map.network(profile: .stock("automobile")))
    let near = streets.near(FixedCoordinate(map["d"]), count: 1, within: 50)
    #expect(near.map(\.use) == [.used(junctions: 1, .cannotBeEntered, isSnapped: true)])
  }
}
