import Foundation
import Jobs
import Tables
import TestMaps
import Testing

/// The reasons why places and rows have no result, and their counts.
struct DiagnosisTests {
  /// e–f is an island; cars cannot leave d.
  private let map = TestMap(
    """
    a-b-c-d

          e-f
    """
  ).way("abc").way("cd", ["oneway": "yes"]).way("ef")

  private func pairs(_ rows: String...) -> String {
    "id,fx,fy,tx,ty\n"
      + rows.enumerated().map { index, row in
        let ends = row.map { letter -> String in
          letter == "?" ? "3,3" : letter == "!" ? "0.0014,0.0012" : "\(map[letter].longitude),\(map[letter].latitude)"
        }
        return "\(index + 1),\(ends.joined(separator: ","))\n"
      }.joined()
  }

  @Test func reportsPlaceProblems() throws {
    let scene = try JobScene(
      map, ["pairs.csv": pairs("ab", "a?", "!b")], "kind: 'etas', pairs: 'pairs.csv', snapLimit: 500", by: "automobile")
    defer { scene.remove() }
    try scene.expect(
      "SELECT role, status, reason FROM place WHERE reason NOT NULL ORDER BY fid",
      "destination|placemark_not_found|off_map\norigin|ok|far\n")
    try scene.expect("SELECT reason FROM route WHERE status <> 'ok'", "destination: off_map\n")
  }

  @Test func aPlaceFarFromStreetsIsNotOffTheMap() throws {
    let map = TestMap("a-b\n\n\n\n\n\n\n\n\n\n\n\nc-d").way("ab").way("cd").way("ac")
    let point = "0.0008,\(map["c"].latitude / 2)"
    let scene = try JobScene(
      map, ["places.csv": "id,lon,lat\nx,\(point)\n"], "kind: 'matrix', origins: 'places.csv', snapLimit: 20")
    defer { scene.remove() }
    try scene.expect("SELECT DISTINCT reason FROM place", "no_street\n")
  }

  @Test func rowsStateWhichEndCannotBeLeftOrEntered() throws {
    let scene = try JobScene(
      map, ["pairs.csv": pairs("da", "ad")], "kind: 'etas', pairs: 'pairs.csv'", by: "automobile")
    defer { scene.remove() }
    try scene.expect(
      "SELECT pair_id, reason FROM route WHERE status = 'directions_not_found'", "1|origin: cannot be left\n")
  }

  @Test func rowsStateTheSizeOfTheIsland() throws {
    let scene = try JobScene(map, ["pairs.csv": pairs("ae", "fa")], "kind: 'etas', pairs: 'pairs.csv'")
    defer { scene.remove() }
    try scene.expect(
      "SELECT reason FROM route", "destination: island of 2 junctions\norigin: island of 2 junctions\n")
  }

  @Test func rowsStateWhichEndIsOutsideTheCoverage() throws {
    let coverage = """
      {"type": "MultiPolygon", "coordinates": [[[[-0.001, -0.001], [0.0008, -0.001], [0.0008, 0.001], [-0.001, 0.001], \
      [-0.001, -0.001]]]]}
      """
    let scene = try JobScene(
      map, ["pairs.csv": pairs("ac", "ca"), "coverage.geojson": coverage],
      "kind: 'etas', pairs: 'pairs.csv', coverage: 'coverage.geojson'")
    defer { scene.remove() }
    try scene.expect("SELECT reason FROM route", "destination: coverage\norigin: coverage\n")
  }

  @Test func diagnosisCountsEachReasonOnce() throws {
    let scene = try JobScene(
      map, ["pairs.csv": pairs("a?", "?b", "ae", "ab")], "kind: 'etas', pairs: 'pairs.csv'")
    defer { scene.remove() }
    try scene.expect(
      "SELECT subject, status, reason, count FROM diagnosis ORDER BY 1, 3",
      """
      destination|placemark_not_found|off_map|1
      origin|placemark_not_found|off_map|1
      route|directions_not_found|destination: island of 2 junctions|1
      route|placemark_not_found|destination: off_map|1
      route|placemark_not_found|origin: off_map|1

      """)
  }

  @Test(arguments: [
    ["foot:conditional": "no @ (2026 Jan 01-2027 Dec 31)"], ["foot": "no", "foot:conditional": "yes @ (20:00-24:00)"],
  ])
  func rowsStateThatTheWayIsClosedAtTheirTime(tags: [String: String]) throws {
    let map = TestMap("a-b-c-d").way("ab").way("bc", tags).way("cd")
    let scene = try JobScene(
      map, ["pairs.csv": map.pairs([("a", "d")])],
      "kind: 'etas', pairs: 'pairs.csv', departureDate: '2026-06-01T08:00:00Z'")
    defer { scene.remove() }
    try scene.expect("SELECT status, reason FROM route", "directions_not_found|closed\n")
  }

  @Test func legsWithOneReasonCountOnceInDiagnosis() throws {
    let map = TestMap("a-b  c-d").way("ab").way("cd")
    let (a, c) = (map["a"], map["c"])
    let link =
      "https://maps.apple.com/directions?source=\(a.latitude),\(a.longitude)&waypoint=\(c.latitude),\(c.longitude)"
      + "&waypoint=\(a.latitude),\(a.longitude)&destination=\(c.latitude),\(c.longitude)&mode=walking\n"
    let scene = try JobScene(map, ["links.txt": link], "kind: 'etas', pairs: 'links.txt'")
    defer { scene.remove() }
    try scene.expect("SELECT count(*) FROM route WHERE status <> 'ok'", "3\n")
    try scene.expect(
      "SELECT count, reason FROM diagnosis WHERE subject = 'route' ORDER BY 2",
      "1|destination: island of 2 junctions\n1|origin: island of 2 junctions\n")
    try scene.expect("SELECT DISTINCT typeof(count) FROM diagnosis", "integer\n")
  }
}
