import Geography
import Jobs
import Tables
import TestMaps
import Testing

/// Routes that have lines in the database and are drawn by pages.
struct DrawnRouteJobTests {
  private static let map = TestMap(
    """
    a-b-c-d-e
    |   |   |
    f-g-h-i-j
    """
  ).way("abcde").way("fghij").way("af").way("ch").way("ej")

  /// Returns pairs "p0", "p1", … between places along the upper and the lower street.
  private static func pairs(_ count: Int) -> String {
    var random = SeededGenerator(seed: 3)
    let rows = (0..<count).map { row in
      let (from, to) = (Double.random(in: 0...1, using: &random), Double.random(in: 0...1, using: &random))
      let (a, e) = (map["a"], map["e"])
      let longitudes = [from, to].map { a.longitude + (e.longitude - a.longitude) * $0 }
      return "p\(row),\(longitudes[0]),\(a.latitude),\(longitudes[1]),\(map["f"].latitude)\n"
    }
    return "id,o_lon,o_lat,d_lon,d_lat\n" + rows.joined()
  }

  private func scene(_ count: Int, _ keys: String = "") throws -> JobScene {
    try JobScene(
      DrawnRouteJobTests.map, ["pairs.csv": DrawnRouteJobTests.pairs(count)],
      "kind: 'routes', pairs: 'pairs.csv' \(keys)")
  }

  private func drawn(_ scene: JobScene) throws -> [Int] {
    try ResultsDatabase(path: scene.scratch.path("out/results.sqlite")).drawnRows()
  }

  @Test func drawsAllRoutesUpToThreeHundred() throws {
    let scene = try scene(300)
    defer { scene.remove() }
    #expect(try drawn(scene) == Array(1...300))
  }

  @Test func selectsLongestDetoursAndARandomSample() throws {
    let scene = try scene(700)
    defer { scene.remove() }
    let drawn = Set(try drawn(scene))
    #expect(drawn.count == 300)
    for order in ["expected_travel_time", "distance / max(crow_fly_distance, 50)"] {
      let worst = try scene.sql("SELECT fid FROM route ORDER BY \(order) DESC, fid LIMIT 50")
      #expect(worst.split(separator: "\n").compactMap { Int($0) }.allSatisfy(drawn.contains), "\(order)")
    }
  }

  @Test func drawnRoutesHaveTheSameLinesWithoutShapes() throws {
    let (all, some) = (try scene(700), try scene(700, ", shapes: false"))
    defer {
      all.remove()
      some.remove()
    }
    let rows = try drawn(all)
    #expect(try drawn(some) == rows)
    let lines = "SELECT fid, hex(geom) FROM route WHERE"
    let list = rows.map(String.init).joined(separator: ",")
    #expect(try some.sql("\(lines) geom NOT NULL") == all.sql("\(lines) fid IN (\(list))"))
  }

  @Test func routesNamedByTheJobAreAlwaysDrawn() throws {
    let plain = try scene(700, ", shapes: false")
    defer { plain.remove() }
    let row = try #require((1...700).first { try !drawn(plain).contains($0) })
    let named = try scene(700, ", shapes: false, reportRoutes: ['p\(row - 1)']")
    defer { named.remove() }
    #expect(try drawn(named) == (drawn(plain) + [row]).sorted())
  }

  @Test func namedRoutesMustBePairs() throws {
    #expect { try scene(9, ", reportRoutes: ['p4', 'p9']") } throws: { error in
      "\(error)".contains("pairs.csv: no pair of the job has the id p9, which reportRoutes names")
    }
  }
}
