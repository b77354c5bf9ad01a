import Jobs
import TestMaps
import Testing

/// Table `flow`: the number of trips on each street, by direction.
struct FlowTests {
  private let map = TestMap(
    """
    a-b-c
      |
      d-e
    """
  ).way("ab").way("bc").way("bd").way("de")

  private func run(
    _ kind: String, _ trips: [(String, Double?)], _ keys: String = "", workers: Int = 1
  ) throws -> JobScene {
    let rows = trips.enumerated().map { index, trip in
      let ends = trip.0.map { "\(map[$0].longitude),\(map[$0].latitude)" }.joined(separator: ",")
      return "\(index + 1),\(ends),\(trip.1.map { "\($0)" } ?? "")\n"
    }
    let pairs = "id,o_lon,o_lat,d_lon,d_lat,weight\n" + rows.joined()
    return try JobScene(
      map, ["pairs.csv": pairs, "city.json5": "{ classes: { residential: { 'Mo 07:00-08:00': 2 } } }"],
      "kind: '\(kind)', pairs: 'pairs.csv', \(keys)", workers: workers)
  }

  @Test func countsTripsByStreetAndDirection() throws {
    let scene = try run("routes", [("ac", nil), ("ca", nil), ("ae", nil)])
    defer { scene.remove() }
    try scene.expect(
      "SELECT name, forward, trips, weight FROM flow ORDER BY name, forward DESC",
      "ab|1|2|\nab|0|1|\nbc|1|1|\nbc|0|1|\nbd|1|1|\nde|1|1|\n")
  }

  @Test func addsTheWeightsOfPairs() throws {
    let scene = try run("routes", [("ac", 2.5), ("ac", 0.25), ("ad", nil)])
    defer { scene.remove() }
    try scene.expect(
      "SELECT name, trips, weight FROM flow ORDER BY name", "ab|3|2.75\nbc|2|2.75\nbd|1|0.0\n")
  }

  /// The blob of a line with two points ends with their coordinates, 16 bytes each.
  @Test func eachDirectionHasASeparateLine() throws {
    let scene = try run("routes", [("ca", nil), ("ac", nil)])
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT count(DISTINCT hex(geom)), count(*) FROM flow WHERE name = 'ab'
      UNION ALL SELECT substr(hex(ab.geom), -64) = substr(hex(ba.geom), -32) || substr(hex(ba.geom), -64, 32), 2
        FROM flow AS ab JOIN flow AS ba USING (name) WHERE name = 'ab' AND ab.forward AND NOT ba.forward
      UNION ALL SELECT count(*), 2 FROM gpkg_geometry_columns WHERE table_name = 'flow'
      """, "2|2\n1|2\n1|2\n")
  }

  @Test func ignoresAlternatesAndMissingTrips() throws {
    let square = TestMap(
      """
      a-b
      | |
      c-d   z
      """
    ).way("ab").way("bd").way("ac").way("cd")
    let scene = try JobScene(
      square, ["pairs.csv": square.pairs([("a", "d"), ("a", "z")])],
      "kind: 'routes', pairs: 'pairs.csv', requestsAlternateRoutes: true, snapLimit: 50")
    defer { scene.remove() }
    try scene.expect("SELECT sum(trips), count(*) FROM flow", "2|2\n")
  }

  @Test func etasCountTheSameStreetsAsRoutes() throws {
    let trips: [(String, Double?)] = [("ac", 1), ("ce", 0.1), ("ea", 0.2), ("db", nil), ("aa", 7)]
    let query = "SELECT street_fid, forward, trips, weight, hex(geom) FROM flow ORDER BY fid"
    let (routes, etas) = (try run("routes", trips), try run("etas", trips, "flows: true"))
    defer {
      routes.remove()
      etas.remove()
    }
    try etas.expect(query, try routes.sql(query))
    try etas.expect("SELECT count(*) > 0 FROM flow", "1\n")
  }

  @Test func etasWriteFlowsOnlyOnRequest() throws {
    let scene = try run("etas", [("ac", nil)])
    defer { scene.remove() }
    try scene.expect("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'flow%'", "0\n")
  }

  @Test func countsTripsAtAllHours() throws {
    let hours = "traffic: 'city.json5', departures: ['06:30', '07:30'], week: ['Mo'], timeZone: 'Europe/Lisbon'"
    let scene = try run("routes", [("ac", nil)], hours)
    defer { scene.remove() }
    try scene.expect("SELECT DISTINCT trips FROM flow", "2\n")
  }
}
