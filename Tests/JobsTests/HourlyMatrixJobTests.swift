import Foundation
import Jobs
import Tables
import TestMaps
import Testing

/// Matrices with departures on ASCII maps. On Mondays from seven to eight, residential streets take twice as long;
/// `verify` checks the times.
struct HourlyMatrixJobTests {
  private let map = TestMap(
    """
    a-b-c
      |
      d
    """
  ).way("abc").way("bd")
  private let traffic = """
    { periods: '60min', classes: { residential: { 'Mo 07:00-08:00': 2 } } }
    """.replacing("'", with: "\"")

  private func run(_ keys: String, origins: String = "ac", workers: Int = 1) throws -> JobScene {
    try JobScene(
      map, ["origins.csv": map.list(origins), "city.json5": traffic],
      "kind: 'matrix', origins: 'origins.csv', traffic: 'city.json5', verify: 100, \(keys)", by: "automobile",
      workers: workers)
  }

  @Test func writesARowPerOriginAndHour() throws {
    let scene = try run("departures: ['06:00', '07:00'], week: ['Mo', 'Tu'], distances: false,")
    defer { scene.remove() }
    try scene.expect(
      "SELECT departure, departure_date, weekday, time, day, clock_change FROM departure",
      "1|Mo 06:00|Mo|06:00||\n2|Mo 07:00|Mo|07:00||\n3|Tu 06:00|Tu|06:00||\n4|Tu 07:00|Tu|07:00||\n")
    try scene.expect(
      "SELECT origin_id, departure FROM matrix_row", "a|1\na|2\na|3\na|4\nc|1\nc|2\nc|3\nc|4\n")
    try scene.expect(
      """
      SELECT departure_date, round(expected_travel_time / (SELECT min(expected_travel_time) FROM matrix
        WHERE origin_id = 'a' AND destination_id = 'c'), 1)
      FROM matrix WHERE origin_id = 'a' AND destination_id = 'c'
      """, "Mo 06:00|1.0\nMo 07:00|2.0\nTu 06:00|1.0\nTu 07:00|1.0\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func writesThreeDimensionalArraysAndADepartureColumn() throws {
    let scene = try run("departures: ['06:00', '07:00'], week: ['Mo'], distances: false, format: ['npy', 'csv'],")
    defer { scene.remove() }
    #expect(
      String(decoding: scene.bytes("travel_times.npy").prefix(128), as: UTF8.self).contains("'shape': (2, 2, 2), }"))
    #expect(scene.bytes("travel_times.npy").count == 128 + 8 * 4)
    let lines = try scene.unzipped("matrix.csv.gz").split(separator: "\n")
    #expect(lines.first == "origin_id,destination_id,departure_date,expected_travel_time")
    #expect(lines.dropFirst().first == "a,a,Mo 06:00,0" && lines.count == 9)
  }

  @Test func keepsTheWorstTheMeanAndTheNearestRank() throws {
    let scene = try run(
      "departures: ['05:00', '06:00', '07:00', '08:00'], week: ['Mo'], hours: ['worst', 'mean', 'p50', 'p90'],")
    defer { scene.remove() }
    try scene.expect("SELECT count(*) FROM matrix_row", "0\n")
    try scene.expect(
      """
      SELECT origin_id, destination_id, weekday, reachable, worst_departure, round(worst / p50, 2), round(mean / p50, 2),
        p90 = worst FROM matrix_hours WHERE worst > 0
      """, "a|c|Mo|4|3|2.0|1.25|1\nc|a|Mo|4|3|2.0|1.25|1\n")
  }

  @Test func tripsArriveAtTheGivenTimes() throws {
    let scene = try run("arrivals: ['07:00', '08:00'], week: ['Mo'],")
    defer { scene.remove() }
    try scene.expect("SELECT departure_date, expected_arrival_date FROM departure", "|Mo 07:00\n|Mo 08:00\n")
    try scene.expect(
      """
      SELECT late.expected_travel_time > 1.9 * early.expected_travel_time FROM matrix AS early, matrix AS late
      WHERE early.departure = 1 AND late.departure = 2 AND early.origin_id = 'a' AND late.origin_id = 'a'
        AND early.destination_id = 'c' AND late.destination_id = 'c'
      """, "1\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func writesTheSameWithAnyNumberOfWorkers() throws {
    let many = (0..<60).map { _ in "abcd" }.joined()
    let keys = """
      departures: { from: '06:30', to: '08:30', every: '10min' }, week: ['Mo'], format: ['sqlite', 'npy', 'csv'],
      hours: ['worst', 'p50'],
      """
    let (one, two) = (try run(keys, origins: many), try run(keys, origins: many, workers: 2))
    defer {
      one.remove()
      two.remove()
    }
    for file in ["travel_times.npy", "distances.npy", "matrix.csv.gz"] {
      #expect(one.bytes(file) == two.bytes(file) && !one.bytes(file).isEmpty)
    }
    let dump = "SELECT * FROM matrix_row; SELECT * FROM matrix_hours; SELECT * FROM departure; SELECT * FROM statistic"
    #expect(try one.sql(dump) == two.sql(dump))
  }

  @Test func interpretsDatesInLocalTime() throws {
    let scene = try run("departures: ['07:00'], date: '2026-03-29', timeZone: 'Europe/Lisbon',")
    defer { scene.remove() }
    try scene.expect(
      "SELECT departure_date, weekday, day, clock_change FROM departure", "2026-03-29T07:00:00+01:00|Su|2026-03-29|60\n"
    )
    try scene.expect(
      "SELECT value FROM job WHERE key IN ('date', 'time_zone') ORDER BY key", "2026-03-29\nEurope/Lisbon\n")
  }

  /// 01:00 and 01:30 are skipped; 01:30 is the same instant as 02:30.
  @Test func instantsAreComputedOnce() throws {
    let scene = try run("departures: ['01:00', '01:30', '02:30'], date: '2026-03-29', timeZone: 'Europe/Lisbon',")
    defer { scene.remove() }
    try scene.expect("SELECT time FROM departure", "02:00\n02:30\n")
  }

  @Test func movesATimeSkippedByAClockChange() throws {
    let scene = try run("departures: ['01:30'], date: '2026-03-29', timeZone: 'Europe/Lisbon',")
    defer { scene.remove() }
    try scene.expect("SELECT departure_date, time FROM departure", "2026-03-29T02:30:00+01:00|02:30\n")
  }
}
