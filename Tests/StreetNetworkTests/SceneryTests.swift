import Geography
import StreetNetwork
import TestMaps
import Testing

/// Features of a map other than streets, drawn under results.
struct SceneryTests {
  private let drawing = """
    a-b-----------z
      c-----d
      | e-f |
      | | | |
      | h-g |
      k-----i
    m-------------n
    """

  private func map(_ outer: [String: String], inner: Bool = true) -> TestMap {
    let lake = TestMap(drawing).way("abz").way("cdikc", ["highway": "", "name": ""])
      .way("efghe", ["highway": "", "name": ""])
    let members: [(type: Character, letters: String, role: String)] = [
      ("w", "cdikc", "outer"), ("w", "efghe", "inner"),
    ]
    return lake.relation(inner ? members : Array(members.prefix(1)), ["type": "multipolygon"].merging(outer) { $1 })
  }

  @Test func aLakeHasAHole() throws {
    let lakes = try map(["natural": "water", "name": "Long Lake"]).network().drawn(.water)
    #expect(lakes.map(\.name) == ["Long Lake"])
    #expect(lakes[0].lines.map(\.count).sorted() == [5, 5])
  }

  @Test(arguments: [
    ["leisure": "park"], ["landuse": "forest"], ["natural": "wood"], ["landuse": "cemetery"],
    ["leisure": "nature_reserve"],
  ])
  func parksMayBeRelations(_ tags: [String: String]) throws {
    #expect(try map(tags).network().drawn(.park).count == 1)
  }

  @Test func closedWaysAreAreas() throws {
    let map = TestMap(drawing).way("abz").way("cdikc", ["highway": "", "natural": "water"])
    #expect(try map.network().drawn(.water).map(\.lines.count) == [1])
  }

  @Test func openLinesAreNotAreas() throws {
    let map = TestMap(drawing).way("abz").way("cdik", ["highway": "", "natural": "water"])
      .way("efgh", ["highway": "", "name": ""]).relation(
        [("w", "efgh", "outer")], ["type": "multipolygon", "leisure": "park"])
    #expect(try map.network().drawn(.water).isEmpty && map.network().drawn(.park).isEmpty)
  }

  @Test func areasWithAMissingWayAreOmitted() throws {
    let map = TestMap(drawing).way("abz").way("cd", ["highway": "", "name": ""])
      .relation([("w", "cd", "outer"), ("w", "dikc", "outer")], ["type": "multipolygon", "natural": "water"])
    #expect(try map.network().drawn(.water).isEmpty)
  }

  @Test func riversAreLines() throws {
    let map = TestMap(drawing).way("abz").way("cdi", ["highway": "", "waterway": "river", "name": "Oder"])
      .way("efg", ["highway": "", "waterway": "ditch"])
    #expect(try map.network().drawn(.water).map { "\($0.name) \($0.lines.map(\.count))" } == ["Oder [3]"])
  }

  @Test func onlyVisibleRailwaysAreDrawn() throws {
    let map = TestMap(drawing).way("abz").way("cd", ["highway": "", "railway": "rail"])
      .way("di", ["highway": "", "railway": "rail", "service": "siding"])
      .way("ik", ["highway": "", "railway": "subway", "tunnel": "yes"])
      .way("ef", ["highway": "", "railway": "abandoned"]).way("gh", ["highway": "", "railway": "tram"])
    #expect(try map.network().drawn(.railway).map(\.name).sorted() == ["cd", "gh"])
  }

  @Test func placesHaveNames() throws {
    let map = TestMap(drawing).way("abz").node("c", ["place": "city", "name": "Here"])
      .node("d", ["place": "suburb", "name": "There"]).node("e", ["place": "town"])
      .node("f", ["place": "farm", "name": "F"])
    let places = try map.network().drawn(.place)
    #expect(places.map { "\($0.kind) \($0.name) \($0.minZoom)" } == ["city Here 6", "suburb There 11"])
  }

  @Test func anIslandLiesInTheSea() throws {
    let map = TestMap(drawing, at: Coordinate(latitude: 0.05, longitude: 0.05)).way("abz").way("mn")
      .way("ckidc", ["highway": "", "natural": "coastline", "name": ""])
    let sea = try map.network().drawn(.sea)
    #expect(sea.contains { $0.lines.count == 2 })
  }

  @Test func brokenCoastlinesAreLines() throws {
    let map = TestMap(drawing, spacing: 1000).way("cdikc")
      .way("efg", ["highway": "", "natural": "coastline", "name": ""])
    let network = try map.network()
    #expect(try network.drawn(.sea).isEmpty && !network.drawn(.water).isEmpty)
  }
}
