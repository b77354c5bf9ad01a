import Foundation
import TestMaps
import Testing

/// 25 streets along the equator, 2,990 km in total: walking takes longer than the 597 hours that weights can represent.
struct LongTripTests {
  private let map = zip("abcdefghijklmnopqrstuvwxy", "bcdefghijklmnopqrstuvwxyz").reduce(
    TestMap("a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t-u-v-w-x-y-z", spacing: 119_600)
  ) { $0.way("\($1.0)\($1.1)") }

  @Test(arguments: ["etas", "routes"]) func distinguishesTooLongTripsFromMissingOnes(kind: String) throws {
    let scene = try JobScene(
      map, ["pairs.csv": map.pairs([("a", "y"), ("a", "z"), ("z", "a")])],
      "kind: '\(kind)', pairs: 'pairs.csv', verify: 10,", by: "walking")
    defer { scene.remove() }
    try scene.expect(
      "SELECT pair_id, status, reason, expected_travel_time / 3600 BETWEEN 560 AND 597 FROM route",
      "1|ok||1\n2|directions_not_found|too_long|\n3|directions_not_found|too_long|\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func matricesOmitTooLongTrips() throws {
    let scene = try JobScene(
      map, ["places.csv": map.list("ayz")], "kind: 'matrix', origins: 'places.csv', verify: 10,", by: "walking")
    defer { scene.remove() }
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
    try scene.expect(
      "SELECT origin_id, (SELECT count(value) FROM json_each(CAST(travel_times AS TEXT))) FROM matrix_row",
      "a|2\ny|3\nz|2\n")
  }
}
