import TestMaps
import Testing

/// Car trips over a street that opens at nine, on Monday 2026-11-23.
struct WaitJobTests {
  private let map = TestMap("a-b-c-d").way("ab").way("cd")
    .way("bc", ["motor_vehicle": "no", "motor_vehicle:conditional": "yes @ (09:00-17:00)"])

  private func run(_ keys: String, at hour: String) throws -> JobScene {
    try JobScene(
      map, ["pairs.csv": map.pairs([("a", "d")]), "places.csv": map.list("ad")],
      "departureDate: '2026-11-23T\(hour):00Z', \(keys)",
      by: "automobile")
  }

  @Test(arguments: [
    ("", "08:30", "ok|1\n"), ("", "07:30", "directions_not_found|0\n"), ("waitLimit: 120,", "07:30", "ok|1\n"),
  ])
  func reportsLongWaits(limit: String, hour: String, expected: String) throws {
    let scene = try run("kind: 'etas', \(limit) pairs: 'pairs.csv', verify: 1,", at: hour)
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT status, (SELECT value FROM job WHERE key = 'long_waits') FROM route
      WHERE (SELECT value FROM job WHERE key = 'verified_differences') = '0'
      """, expected)
  }

  @Test func matricesSummarizeWaits() throws {
    let scene = try run("kind: 'matrix', origins: 'places.csv', summary: ['waiting'], verify: 4,", at: "08:30")
    defer { scene.remove() }
    try scene.expect(
      "SELECT origin_id, waiting, round(mean_waiting_time / 60) FROM origin_summary", "a|1|30.0\nd|1|30.0\n")
  }
}
