import Foundation
import TestMaps
import Testing

/// Areas by hour on a drawn map: at seven on Mondays, streets take four times as long.
struct HourlyIsochroneJobTests {
  private let map = TestMap("a-b-c-d-e-f-g-h").way("abcdefgh")

  private func run(_ keys: String) throws -> JobScene {
    try JobScene(
      map,
      [
        "origins.csv": map.list("a"),
        "city.json5": "{ classes: { residential: { \"Mo 07:00-08:00\": 4 } } }",
      ],
      "kind: 'isochrones', origins: 'origins.csv', traffic: 'city.json5', thresholds: [0.5], verify: 10, \(keys)",
      by: "automobile")
  }

  @Test func writesAnAreaPerPlaceAndHour() throws {
    let scene = try run("departures: ['06:00', '07:00'], week: ['Mo'],")
    defer { scene.remove() }
    try scene.expect("SELECT place_id, departure, threshold, status FROM isochrone", "a|1|30|ok\na|2|30|ok\n")
    try scene.expect(
      """
      SELECT late.street_length < 0.6 * early.street_length FROM isochrone AS early, isochrone AS late
      WHERE early.departure = 1 AND late.departure = 2
      """, "1\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
    #expect(try scene.unzipped("isochrones.geojson.gz").contains("\"departure\":2,\"departure_date\":\"Mo 07:00\""))
  }

  @Test func arrivalIsochronesContainOriginsArrivingInTime() throws {
    let scene = try run("arrivals: ['07:00', '08:00'], week: ['Mo'], direction: 'to',")
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT late.street_length < 0.6 * early.street_length FROM isochrone AS early, isochrone AS late
      WHERE early.departure = 1 AND late.departure = 2
      """, "1\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test(arguments: [
    (
      "departures: ['07:00'], week: ['Mo'], direction: 'to',",
      "departures: areas to a place are computed by arrival; use arrivals"
    ),
    (
      "arrivals: ['07:00'], week: ['Mo'],",
      "arrivals: areas from a place are computed by departure; use departures"
    ),
  ])
  func rejectsHoursAtTheOtherEnd(keys: String, message: String) throws {
    #expect { try run(keys) } throws: { "\($0)".hasSuffix(message) }
  }
}
