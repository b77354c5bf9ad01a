import Foundation
import TestMaps
import Testing

import Jobs

/// Links with waypoints and avoided roads, and weighted pairs: whole jobs on an ASCII map.
struct LegJobTests {
  /// From a to z, a toll road goes straight, and another road goes via f; g is a stop on the way; x is unreachable.
  private let map = TestMap(
    """
    a-----b-----g-----z     x-y
     \\          |
      f---------e
    """
  ).way("ab").way("bg", ["highway": "primary", "toll": "yes"]).way("gz").way("af").way("fe").way("eg")
    .way("xy", ["motor_vehicle:conditional": "no @ (07:00-09:00)"])

  private func link(_ stops: String, _ more: String = "") -> String {
    let points = stops.map { "\(map[$0].latitude),\(map[$0].longitude)" }
    let waypoints = points.dropFirst().dropLast().map { "&waypoint=\($0)" }.joined()
    return
      "https://maps.apple.com/directions?source=\(points[0])\(waypoints)&destination=\(points[points.count - 1])\(more)"
  }

  private func run(
    _ links: [String], _ keys: String = "", kind: String = "routes", workers: Int = 1
  ) throws -> JobScene {
    try JobScene(
      map, ["links.txt": links.joined(separator: "\n")], "kind: '\(kind)', pairs: 'links.txt', verify: 100, \(keys)",
      by: "automobile", workers: workers)
  }

  private let noDifference = "SELECT value FROM job WHERE key = 'verified_differences'"

  @Test func writesARowPerLegAndTheirSum() throws {
    let scene = try run([link("agz"), link("az")])
    defer { scene.remove() }
    try scene.expect("SELECT pair_id, leg, round(distance) FROM route", "1|1|600.0\n1|2|300.0\n2|1|900.0\n")
    try scene.expect(
      "SELECT pair_id, legs, status, round(distance), expected_travel_time > 0 FROM pair_total",
      "1|2|ok|900.0|1\n2|1|ok|900.0|1\n")
    try scene.expect("SELECT DISTINCT pair_id, leg FROM step ORDER BY 1, 2", "1|1\n1|2\n2|1\n")
    try scene.expect(noDifference, "0\n")
    #expect(try scene.unzipped("routes.geojson.gz").contains("\"id\":\"1/2\",\"properties\":{\"pair_id\":1,\"leg\":2"))
  }

  @Test(arguments: ["routes", "etas"]) func headlineCountsAPairWithWaypointsOnce(kind: String) throws {
    let scene = try run([link("agz"), link("az")], kind: kind)
    defer { scene.remove() }
    #expect(try scene.sql("SELECT value FROM job WHERE key = 'headline'").hasPrefix("2 trips by car, typically "))
  }

  @Test func picturesHaveASampleOfOneHour() throws {
    let scene = try run(
      [String](repeating: link("agz"), count: 6), "departures: ['06:00', '10:00', '12:00'], date: '2026-11-20',")
    defer { scene.remove() }
    let database = try ResultsDatabase(path: scene.scratch.path("out/results.sqlite"))
    let (lines, count) = try database.drawnTrips(atMost: 4, of: database.routeSurvey(listing: 100))
    #expect(lines.count == 4 && count == 12)
  }

  @Test func startsALegWhenThePreviousOneEnds() throws {
    let scene = try run([link("agz")], "departureDate: '2026-11-20T12:00:00Z',", kind: "etas")
    defer { scene.remove() }
    let rows = try scene.sql("SELECT departure_date, expected_arrival_date FROM route ORDER BY leg")
      .split(separator: "\n").map { $0.split(separator: "|") }
    #expect(rows[0][0] == "2026-11-20T12:00:00Z" && rows[1][0] == rows[0][1] && rows[1][1] > rows[1][0])
    try scene.expect(noDifference, "0\n")
  }

  @Test(arguments: ["", "traffic: 'porto',"]) func endsALegWhenTheNextOneStarts(traffic: String) throws {
    let scene = try run([link("agz")], "arrivalDate: '2026-11-20T12:00:00Z', \(traffic)")
    defer { scene.remove() }
    let rows = try scene.sql("SELECT departure_date, expected_arrival_date FROM route ORDER BY leg")
      .split(separator: "\n").map { $0.split(separator: "|") }
    #expect(rows[1][1] == "2026-11-20T12:00:00Z" && rows[0][1] == rows[1][0] && rows[0][0] < rows[0][1])
    try scene.expect("SELECT DISTINCT arrival_time FROM route", "2026-11-20T12:00:00Z\n")
    try scene.expect(noDifference, "0\n")
  }

  @Test(arguments: [1, 3]) func legsAreComputedForEachDeparture(workers: Int) throws {
    let scene = try run(
      [link("agz"), link("az")], "date: '2026-11-23', departures: ['07:00', '08:00'],", kind: "etas", workers: workers)
    defer { scene.remove() }
    try scene.expect(
      "SELECT departure, leg, departure_date FROM route WHERE pair_id = 1 AND leg = 1",
      "1|1|2026-11-23T07:00:00Z\n2|1|2026-11-23T08:00:00Z\n")
    try scene.expect("SELECT count(*), sum(legs) FROM pair_total", "4|6\n")
    try scene.expect(noDifference, "0\n")
  }

  @Test func legsWithoutATimeAreNotCountedAsMissingRoutes() throws {
    let lost = link("agz").replacing("source=\(map["a"].latitude),", with: "source=9,")
    let scene = try run([lost, link("az")], "departureDate: '2026-11-20T12:00:00Z',", kind: "etas")
    defer { scene.remove() }
    try scene.expect("SELECT reason FROM route WHERE leg = 2", "no_time\n")
    try scene.expect("SELECT value FROM job WHERE key = 'missing'", "1 of 3 origins outside the map\n")
  }

  @Test func legsAfterOneWithoutARouteHaveNoTime() throws {
    let (dated, undated) = (
      try run([link("axz"), link("az")], "departureDate: '2026-11-20T12:00:00Z',"), try run([link("axyz"), link("az")])
    )
    defer { dated.remove() }
    defer { undated.remove() }
    try dated.expect(
      "SELECT leg, status, reason FROM route WHERE pair_id = 1",
      "1|directions_not_found|destination: island of 2 junctions\n2|directions_not_found|no_time\n")
    try dated.expect("SELECT status, distance IS NULL FROM pair_total", "directions_not_found|1\nok|0\n")
    try dated.expect(noDifference, "0\n")
    try undated.expect(
      "SELECT leg, status FROM route WHERE pair_id = 1", "1|directions_not_found\n2|ok\n3|directions_not_found\n")
  }

  @Test(arguments: ["", "departureDate: '2026-11-20T12:00:00Z',"]) func linkAvoidancesApply(keys: String) throws {
    let links = [
      link("az"), link("az", "&avoid=tolls"), link("agz", "&avoid=tolls,highways"), link("az", "&avoid=highways"),
    ]
    let scene = try run(links, keys)
    defer { scene.remove() }
    try scene.expect(
      "SELECT pair_id, leg, avoids, has_tolls FROM route",
      "1|1||1\n2|1|tolls|0\n3|1|tolls,highways|0\n3|2|tolls,highways|0\n4|1|highways|1\n")
    try scene.expect(noDifference, "0\n")
  }

  /// Each router numbers its strings separately.
  @Test func pairsWithAvoidancesKeepTheirInstructions() throws {
    let avoiding = link("az", "&avoid=tolls")
    let (both, alone) = (try run([link("az"), avoiding]), try run([avoiding]))
    defer { both.remove() }
    defer { alone.remove() }
    let words = "SELECT step, instructions, street FROM step WHERE pair_id ="
    let expected = try alone.sql("\(words) 1")
    #expect(try both.sql("\(words) 2") == expected && both.sql("\(words) 1") != expected)
  }

  @Test func dryRunBuildsNoNetworksForAvoidances() throws {
    let scene = try run([link("az")])
    defer { scene.remove() }
    try scene.scratch.write(link("az", "&avoid=tolls") + "\n", to: "links.txt")
    let networks = scene.scratch.files.filter { $0.hasSuffix(".network") }
    let plan = try JobRun(Job(path: scene.scratch.path("job.json5")), RunOptions()).dryRun().plan
    #expect(plan.contains("a network that avoids tolls, for the rows that avoid them"), "\(plan)")
    #expect(scene.scratch.files.filter { $0.hasSuffix(".network") } == networks && networks.count == 1)
  }

  @Test func mergedShardsOfLegsEqualOneRun() throws {
    let links = [link("agz", "&avoid=tolls"), link("az"), link("zga"), link("ax")]
    let scene = try run(links, "snapLegs: true,", workers: 2)
    defer { scene.remove() }
    try scene.merge(2, workers: 1, into: "merged")
    let (whole, merged) = (try scene.results(in: "out"), try scene.results(in: "merged"))
    #expect(whole.files == merged.files && whole.tables == merged.tables)
  }

  @Test func aPairsVolumeIsItsWeight() throws {
    let scene = try JobScene(
      map,
      [
        "zones.csv": map.list("agz"), "demand.csv": "o_zone_id,d_zone_id,volume\na,z,10\na,g,30\nz,z,2\nq,z,1\n",
      ], "kind: 'etas', pairs: 'demand.csv', places: 'zones.csv'", by: "automobile")
    defer { scene.remove() }
    try scene.expect(
      "SELECT origin_id, destination_id, weight, round(distance) FROM pair_total",
      "a|z|10.0|900.0\na|g|30.0|600.0\nz|z|2.0|0.0\n")
    try scene.expect("SELECT round(sum(weight * distance)) FROM pair_total", "27000.0\n")
    try scene.expect("SELECT line FROM rejected", "5\n")
    try scene.expect("SELECT value LIKE '%zones.csv' FROM job WHERE key = 'places'", "1\n")
  }
}
