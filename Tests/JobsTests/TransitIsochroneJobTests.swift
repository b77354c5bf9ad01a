import Foundation
import TestMaps
import Testing

/// Areas by public transport. Walking a kilometre takes 12 minutes.
struct TransitIsochroneJobTests {
  private let map = TestMap("a-b-c-d-e-f-g", spacing: 1000).way("abcdefg")
  /// Vehicles go from b to d, and from e to g; riders walk from d to e.
  private var feed: FeedScene {
    FeedScene(on: map, "bdeg", "t,b,1,7:20:00", "t,d,2,7:25:00", "u,e,1,7:45:00", "u,g,2,7:52:00")
  }

  private func run(_ places: String, _ keys: String) throws -> JobScene {
    try JobScene(
      map, ["places.csv": map.list(places)],
      """
      kind: 'isochrones', origins: 'places.csv', thresholds: [30], date: '2026-11-23', timeZone: 'Etc/UTC',
      gtfs: 'feed.zip', verify: 100, \(keys)
      """, by: "transit", feed: feed)
  }

  /// 2.5 km on foot; after the ride to d, another five minutes of walking.
  @Test func vehiclesReachStreetsAroundTheirStops() throws {
    let scene = try run("a", "departures: ['07:00', '07:10']")
    defer { scene.remove() }
    try scene.expect("SELECT departure, status, round(street_length / 100) FROM isochrone", "1|ok|33.0\n2|ok|25.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func percentilesApplyToTheTimesOfStreets() throws {
    let scene = try run("a", "departures: ['07:00', '07:10'], percentiles: [50, 100]")
    defer { scene.remove() }
    try scene.expect("SELECT percentile, round(street_length / 100) FROM isochrone", "50|33.0\n100|25.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
    #expect(try scene.unzipped("isochrones.geojson.gz").contains("\"percentile\":50"))
  }

  /// Pages draw areas for any time limit from these grids.
  @Test func percentilesHaveTheirOwnGrids() throws {
    let scene = try run("a", "departures: ['07:00', '07:10'], percentiles: [50, 100]")
    defer { scene.remove() }
    // At 7:00 the vehicle reaches d, 3 km away; at 7:10 there is none, and 2.5 km are walked.
    try scene.expect(
      "SELECT percentile, round(columns * cell_width / 0.009) AS kilometres FROM travel_time_grid", "50|4.0\n100|3.0\n")
  }

  /// Trips leave e at 7:44: 14 minutes remain around e, and 30 around g.
  @Test func areasToAPlaceIncludeRides() throws {
    let scene = try run("g", "arrivals: ['08:00'], direction: 'to'")
    defer { scene.remove() }
    try scene.expect("SELECT round(street_length / 100) FROM isochrone", "32.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  /// To arrive by 8:00, trips leave e at 7:44; for 9:30 there is no vehicle within the limit.
  @Test func percentilesOfArrivalsAreVerified() throws {
    let scene = try run("g", "arrivals: ['08:00', '09:30'], direction: 'to', percentiles: [0, 50, 100]")
    defer { scene.remove() }
    try scene.expect(
      "SELECT percentile, round(street_length / 100) FROM isochrone", "0|32.0\n50|32.0\n100|25.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func placesOffTheMapHaveNoArea() throws {
    let scene = try JobScene(
      map, ["places.csv": "id,lon,lat\nx,1,1\n"],
      """
      kind: 'isochrones', origins: 'places.csv', thresholds: [30], date: '2026-11-23', timeZone: 'Etc/UTC',
      gtfs: 'feed.zip', departures: ['07:00']
      """, by: "transit", feed: feed)
    defer { scene.remove() }
    try scene.expect("SELECT status, street_length FROM isochrone", "placemark_not_found|\n")
  }
}
