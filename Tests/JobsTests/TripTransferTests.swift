import TestMaps
import Testing

/// Rules in transfers.txt for routes and trips.
struct TripTransferTests {
  private static let columns =
    "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_trip_id,to_trip_id,from_route_id,to_route_id"

  /// Expects a travel time of `seconds` from a to e when departing at 6:59. Trip t of route 1 arrives at c at 7:05,
  /// where u of route 2 leaves at 7:06, v of route 2 at 7:08 and w of route 3 at 7:15; each takes four minutes to e.
  private func expect(
    _ seconds: String, _ keys: String = "departures: ['06:59']", rules: String...
  ) throws {
    let map = TestMap("a----------c-----------e", spacing: 200).way("ace")
    let feed = FeedScene(
      on: map, "ace", "t,a,1,7:00:00", "t,c,2,7:05:00", "u,c,1,7:06:00", "u,e,2,7:10:00", "v,c,1,7:08:00",
      "v,e,2,7:12:00", "w,c,1,7:15:00", "w,e,2,7:19:00",
      files: [
        "routes.txt": "route_id,route_short_name,route_type\n1,1,3\n2,2,3\n3,3,3",
        "trips.txt": "trip_id,route_id,service_id\nt,1,s\nu,2,s\nv,2,s\nw,3,s",
        "transfers.txt": ([TripTransferTests.columns] + rules).joined(separator: "\n"),
      ])
    let scene = try JobScene(
      map, ["from.csv": map.list("a"), "to.csv": map.list("e")],
      "kind: 'matrix', origins: 'from.csv', destinations: 'to.csv', boardingSlack: 60, walkLimit: 5, limit: 30, verify: 100, "
        + "date: '2026-11-23', gtfs: 'feed.zip', \(keys)", by: "transit", feed: feed)
    defer { scene.remove() }
    try scene.expect("SELECT coalesce(round(travel_times ->> 0), 'none') FROM matrix_row", "\(seconds)\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
    try scene.expect("SELECT count(*) FROM rejected", "0\n")
  }

  @Test func withoutARuleTheNextVehicleIsTaken() throws { try expect("660.0") }

  @Test func aRuleForATripDoesNotAffectOtherVehicles() throws {
    try expect("780.0", rules: "c,c,3,,t,u,,")
  }

  @Test func aRuleForARouteAppliesToAllItsTrips() throws {
    try expect("1200.0", rules: "c,c,3,,,,,2")
    try expect("1200.0", rules: "c,c,2,300,,,1,2")
  }

  @Test func theMostSpecificRuleApplies() throws {
    try expect("780.0", rules: "c,c,3,,,,1,2", "c,c,2,120,,v,,")
    try expect("780.0", rules: "c,c,2,120,t,v,,", "c,c,3,,,,1,2", "c,c,3,,t,,,2")
    try expect("660.0", rules: "c,c,3,,,,,", "c,c,1,,t,,,")
  }

  @Test func rulesAlsoApplyToArrivals() throws {
    try expect("780.0", "arrivals: ['07:12']", rules: "c,c,3,,t,u,,")
    try expect("1200.0", "arrivals: ['07:19']", rules: "c,c,3,,,,,2")
  }

  @Test(arguments: [
    ("c,c,3,,x,,,", "from_trip_id is not in trips.txt"),
    ("c,c,3,,t,,q,", "from_trip_id is not a trip of from_route_id"),
    ("c,c,3,,,t,,9", "to_route_id is not in routes.txt"), ("b,c,3,,t,,,", "from_trip_id does not call at from_stop_id"),
  ])
  func impossibleRulesAreRejected(row: String, reason: String) throws {
    let feed = try FeedScene([
      "routes.txt": "route_id,route_short_name,route_type\nr,1,3\nq,2,3",
      "transfers.txt": "\(TripTransferTests.columns)\n\(row)",
    ]).read()
    #expect(feed.rejections == ["transfers.txt:2: \(reason)"])
  }
}
