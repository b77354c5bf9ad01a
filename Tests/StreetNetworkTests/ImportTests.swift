import Foundation
import Geography
import StreetNetwork
import TestMaps
import Testing

struct ImportTests {
  @Test func joinsWaysBetweenJunctionsIntoOneStreet() throws {
    let map = TestMap("a-b-c-d-e\n    |\n    f").way("ab", ["name": "x"]).way("bcd", ["name": "x"]).way(
      "de", ["name": "x"]
    )
    .way("cf")
    let network = try map.network()
    #expect(network.streetCount == 3)
    #expect(network.junctionCount == 4)
  }

  @Test func splitsStreetsWhereTagsChange() throws {
    let tags = [
      ["name": "y"], ["highway": "footway"], ["foot": "destination"], ["surface": "sand"], ["oneway:foot": "yes"],
    ]
    for tags in tags {
      let map = TestMap("a-b-c").way("ab", ["name": "x"]).way("bc", ["name": "x"].merging(tags) { $1 })
      #expect(try map.network().streetCount == 2, "\(tags)")
    }
  }

  /// Ways with the same tags are evaluated once; their names and numbers are stored separately.
  @Test func waysWithEqualTagsKeepTheirNames() throws {
    let map = TestMap("a-b-c-d").way("ab", ["name": "x", "ref": "1"]).way("bc", ["name": "y"]).way("cd", ["name": "z"])
    let streets = try map.streets("a", "d")
    #expect(["x", "y", "z"].allSatisfy(streets.contains), "\(streets)")
    #expect(try map.network().streetCount == 3)
  }

  @Test func profileRulesMayMatchNames() throws {
    let map = TestMap("a-b-c-d").way("ab", ["name": "x"]).way("bc", ["name": "y"]).way(
      "cd", ["name": "x"])
    let streets = { (rule: String) in
      try map.network(profile: .over("walking", "forbidden: { \(rule) }")).streetCount
    }
    #expect(try streets("name: ['y']") == 2)
    #expect(try streets("bridge: ['yes']") == 3)
  }

  @Test func joinsWaysDrawnInOppositeDirections() throws {
    let map = TestMap("a-b-c-d").way("ab", ["name": "x"]).way("cb", ["name": "x"]).way("cd", ["name": "x"])
    let network = try map.network()
    #expect(network.streetCount == 1)
    #expect(network.points.count == 4)
  }

  @Test func keepsOneJunctionOfARing() throws {
    let map = TestMap("a-b\n| |\nd-c").way("abcda")
    let network = try map.network()
    #expect(network.streetCount == 1 && network.junctionCount == 1)
    #expect(abs(try map.route("a", "b").distance - 100) < 0.01)
    #expect(abs(try map.route("b", "d").distance - 300) < 0.02)
  }

  @Test func keepsGeometryExactly() throws {
    let opl = """
      n1 v1 T x24.9384001 y60.1700002
      n2 v1 T x24.9384999 y60.1700513
      n3 v1 T x24.9390001 y60.1701112
      w1 v1 Thighway=footway Nn1,n2,n3

      """
    let scratch = try Scratch()
    defer { scratch.remove() }
    let network = try StreetNetwork(.opl(opl), profile: .stock("walking"), at: scratch.path("n"))
    #expect(network.points.map(\.longitude) == [249_384_001, 249_384_999, 249_390_001])
    #expect(network.points.map(\.latitude) == [601_700_002, 601_700_513, 601_701_112])
  }

  @Test func splitsWaysWhereNodesAreMissing() throws {
    // Node 3 is not in the extract: the rest of the way is used on both sides of the gap.
    let opl = """
      n1 v1 T x0.001 y0
      n2 v1 T x0.002 y0
      n4 v1 T x0.004 y0
      n5 v1 T x0.005 y0
      w1 v1 Thighway=footway Nn1,n2,n3,n4,n5

      """
    let scratch = try Scratch()
    defer { scratch.remove() }
    let network = try StreetNetwork(.opl(opl), profile: .stock("walking"), at: scratch.path("n"))
    #expect(network.streetCount == 2)
    #expect(network.counts.incompleteWays == 1)
  }

  @Test(arguments: [
    (
      "w1 v1 Thighway=footway Nn1,n2\n",
      "no way in this map is open to walking: the file lacks the nodes of the open ways (1), or their coordinates are "
        + "invalid; is the extract complete?"
    ),
    ("n1 v1 T x1 y1\n", "no way in this map is open to walking: it has no ways with highway=* or man_made=*"),
    ("", "no way in this map is open to walking: it has no ways with highway=*"),
    (
      "n1 v1 T x1 y1\nn2 v1 T x2 y2\nw1 v1 Thighway=motorway Nn1,n2\nw2 v1 Thighway=trunk Nn1,n2\n",
      "no way in this map is open to walking: its ways are 1 highway=motorway, 1 highway=trunk"
    ),
    ("garbage\n", "cannot be read"),
    // A usable way that is too long for a street: there is nothing left to snap to.
    (
      "n1 v1 T x1 y1\nn2 v1 T x40 y40\nw1 v1 Thighway=footway Nn1,n2\n",
      "the open ways are too long for streets (1)"
    ),
  ])
  func explainsWhyAMapHasNoStreets(opl: String, sentence: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let error = #expect(throws: OdometerError.self) {
      try StreetNetwork(.opl(opl), profile: .stock("walking"), at: scratch.path("n"))
    }
    #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
    #expect(scratch.files.isEmpty)
  }

  @Test func toleratesDegenerateWays() throws {
    // Ways with one node, with the same node twice and with a node used repeatedly, and a duplicate node id.
    let opl = """
      n1 v1 T x0.001 y0
      n2 v1 T x0.002 y0
      n2 v1 T x0.002 y0
      w1 v1 Thighway=footway Nn1
      w2 v1 Thighway=footway Nn1,n1
      w3 v1 Thighway=footway Nn1,n2,n1,n2
      w4 v1 Thighway=footway Nn1,n2

      """
    let scratch = try Scratch()
    defer { scratch.remove() }
    let network = try StreetNetwork(.opl(opl), profile: .stock("walking"), at: scratch.path("n"))
    #expect(network.junctionCount == 2)
  }

  /// Editors give objects that are not yet uploaded negative IDs, from -1 downward.
  @Test func acceptsNegativeIDs() throws {
    let opl = """
      n-1 v1 T x0.001 y0
      n-2 v1 T x0.002 y0
      n-3 v1 T x0.003 y0
      w-1 v1 Thighway=footway Nn-1,n-2
      w-2 v1 Thighway=path Nn-2,n-3

      """
    let scratch = try Scratch()
    defer { scratch.remove() }
    let network = try StreetNetwork(.opl(opl), profile: .stock("walking"), at: scratch.path("n"))
    #expect(network.streetCount == 2 && network.junctionCount == 3)
  }

  /// In planar coordinates, a street across the antimeridian is far too long, but nothing overflows.
  @Test func toleratesWaysAcrossTheAntimeridian() throws {
    let opl = """
      n1 v1 T x179.9999 y0
      n2 v1 T x-179.9999 y0
      n3 v1 T x-179.9 y0
      w1 v1 Thighway=footway Nn1,n2,n3

      """
    let scratch = try Scratch()
    defer { scratch.remove() }
    let network = try StreetNetwork(.opl(opl), profile: .stock("walking"), at: scratch.path("n"))
    let snap = StreetSearch(network).snap(Coordinate(latitude: 0, longitude: -179.95), limit: 1000)
    #expect(snap.map { $0.distance < 1 } == true)
  }
}
