import Foundation
import Jobs
import Tables
import TestMaps
import Testing

/// Matrices with cells in NumPy files, in CSV, in the database, or in several of them: all are verified in the same
/// way.
struct CellFormTests {
  /// f is on an isolated street, and 9 is far from all streets. IDs need quotes in CSV.
  private let map = TestMap(
    """
    a-b-c   e-f
      |
      d-g             9
    """
  ).way("abc").way("bd").way("dg").way("ef")
  private let traffic = "{ periods: \"60min\", classes: { footway: { \"Mo 07:00-08:00\": 2 } } }"

  private func run(_ keys: String, places: String = "abg9f", workers: Int = 1) throws -> JobScene {
    let list = map.list(places).replacing("\nb,", with: "\n\"b,\"\"\nB\",")
    return try JobScene(
      map, ["places.csv": list, "city.json5": traffic],
      "kind: 'matrix', origins: 'places.csv', verify: 60, \(keys)", workers: workers)
  }

  private func expectVerified(
    _ scene: JobScene, rows: Int = 60, sums: Int, _ location: SourceLocation = #_sourceLocation
  ) throws {
    try scene.expect(
      "SELECT key, value FROM job WHERE key LIKE 'verified%' ORDER BY key",
      "verified_differences|0\nverified_rows|\(rows)\nverified_sums|\(sums)\n", location)
  }

  private static let forms = ["sqlite", "npy", "csv", "npy', 'csv", "sqlite', 'npy', 'csv"]
  private static let hours = "departures: ['06:30', '07:30', '08:30'], week: ['Mo'], traffic: 'city.json5',"

  @Test(arguments: zip(forms, [10, 10, 10, 19, 28]))
  func verifiesCellsInEveryForm(form: String, sums: Int) throws {
    let scene = try run("format: ['\(form)'], summary: ['mean'],")
    defer { scene.remove() }
    // The matrix has only 25 cells.
    try expectVerified(scene, rows: 25, sums: sums)
  }

  @Test(arguments: zip(forms, [5, 5, 5, 9, 13]))
  func verifiesTimesWithoutDistances(form: String, sums: Int) throws {
    let scene = try run("format: ['\(form)'], distances: false,")
    defer { scene.remove() }
    // The matrix has only 25 cells.
    try expectVerified(scene, rows: 25, sums: sums)
  }

  @Test(arguments: zip(forms, [10, 10, 10, 19, 28]))
  func verifiesHoursInEveryForm(form: String, sums: Int) throws {
    let scene = try run("format: ['\(form)'], summary: ['mean'], \(CellFormTests.hours)")
    defer { scene.remove() }
    try expectVerified(scene, sums: sums)
  }

  /// Rows of several chunks, which are read in any order.
  @Test(arguments: ["npy", "csv"]) func verifiesManyChunks(form: String) throws {
    let many = (0..<240).map { _ in "abcdg" }.joined()
    let scene = try run("format: ['\(form)'], duplicates: 'number',", places: many, workers: 2)
    defer { scene.remove() }
    try expectVerified(scene, sums: 9)
    try scene.expect("SELECT count(*) > 1 FROM chunk", "1\n")
  }

  @Test func longTimesAreRoundedToFloats() throws {
    let long = zip("abcdefghijkl", "bcdefghijklm").reduce(TestMap("a-b-c-d-e-f-g-h-i-j-k-l-m", spacing: 119_613)) {
      $0.way("\($1.0)\($1.1)")
    }
    let scene = try JobScene(
      long, ["places.csv": long.list("abcdefghijklm")],
      "kind: 'matrix', origins: 'places.csv', format: ['sqlite', 'npy', 'csv'], verify: 60,")
    defer { scene.remove() }
    try expectVerified(scene, sums: 25)
    try scene.expect("SELECT max > 900000 FROM statistic WHERE measure = 'expected_travel_time'", "1\n")
  }

  @Test func weightsAreEqualIfTheirFloatsAre() {
    var random = SeededGenerator(seed: 17)
    for _ in 0..<100_000 {
      let time = Int.random(in: 0..<1 << Int.random(in: 1...31, using: &random), using: &random)
      let other = max(0, time + Int.random(in: -200...200, using: &random))
      let areEqual = Float(time) / 1000 == Float(other) / 1000
      let weights = [time, other].map { VerifiedWeight(milliseconds: $0, centimetres: nil).single }
      #expect((weights[0] == weights[1]) == areEqual, "\(time), \(other)")
    }
  }
}
