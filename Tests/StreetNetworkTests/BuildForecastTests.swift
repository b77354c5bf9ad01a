import StreetNetwork
import TestMaps
import Testing

@Suite struct BuildForecastTests {
  private func forecast(_ map: TestMap, by type: String = "walking") throws -> BuildForecast {
    try BuildForecast(of: .opl(map.opl), profile: .stock(type))
  }

  @Test func countsJunctionsButNotThePointsBetween() throws {
    let bent = TestMap("a-b-c-d").way("abcd")
    #expect(try forecast(bent).junctions == 2)
    #expect(try forecast(bent.way("bc")).junctions == 4)
  }

  @Test func meetingPointsOfTwoWaysAreNotJunctions() throws {
    #expect(try forecast(TestMap("a-b-c").way("ab").way("bc")).junctions == 2)
  }

  @Test func unusableWaysDoNotCount() throws {
    let map = TestMap("a-b-c").way("ab").way("bc", ["highway": "motorway"])
    #expect(try forecast(map).references == 2)
    #expect(try forecast(map, by: "automobile").references == 4)
  }

  /// Junctions on streets for destination traffic have up to three states.
  @Test func destinationStreetsHaveMoreStates() throws {
    func states(_ tags: [String: String]) throws -> Int {
      try forecast(TestMap("a-b-c").way("ab").way("bc", tags.merging(["highway": "service"]) { $1 }), by: "automobile")
        .states
    }
    #expect(try states(["access": "private"]) > states([:]))
  }

  @Test func samplesOfLargeMapsAreAccurate() throws {
    let map = grid(side: 100)
    let whole = try BuildForecast(of: map, profile: .stock("automobile"))
    let sampled = try BuildForecast(of: map, profile: .stock("automobile"), maximumNodes: 2_000)
    // At a corner of the square, the street continues without a junction.
    #expect(whole.junctions == 9_996)
    #expect(abs(sampled.states - whole.states) < whole.states / 8, "\(sampled.states) of \(whole.states)")
  }

  @Test func maximumMemoryBoundsTheForecast() throws {
    let map = TestMap("a-b").way("ab")
    #expect(try forecast(map).memory <= BuildForecast.maximumMemory(mapSize: map.opl.utf8.count))
  }

  /// Returns a square grid of nodes, with a street of two nodes between neighbours.
  private func grid(side: Int) -> OSMSource {
    var (nodes, ways): (String, String) = ("", "")
    for row in 0..<side {
      for column in 0..<side {
        let id = row * side + column + 1
        nodes += "n\(id) x\(Double(column) / 1000) y\(Double(row) / 1000)\n"
        if column > 0 { ways += "w\(id * 2) Thighway=residential Nn\(id - 1),n\(id)\n" }
        if row > 0 { ways += "w\(id * 2 + 1) Thighway=residential Nn\(id - side),n\(id)\n" }
      }
    }
    return .opl(nodes + ways)
  }
}
