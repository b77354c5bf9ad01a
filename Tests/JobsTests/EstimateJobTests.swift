import Foundation
import Jobs
import Results
import TestMaps
import Testing

/// Matrices with `exact: false` on drawn maps. 100 m of a residential street take longer from seven to eight.
struct EstimateJobTests {
  /// be is as fast at all hours, cd is closed from 8 to 9.
  private let map = TestMap(
    """
    a-b-c-d
      |
      e
    """
  ).way("abc").way("be", ["highway": "primary"]).way("cd", ["motor_vehicle:conditional": "no @ (08:00-09:00)"])
  private let traffic = """
    { periods: '60min', classes: { residential: { '07:00-08:00': 64, '08:00-09:00': 16 } } }
    """.replacing("'", with: "\"")

  private func run(_ keys: String, origins: String = "ae", workers: Int = 1, verify: Int = 100) throws -> JobScene {
    try JobScene(
      map, ["origins.csv": map.list(origins), "city.json5": traffic],
      "kind: 'matrix', origins: 'origins.csv', traffic: 'city.json5', distances: false, verify: \(verify), \(keys)",
      by: "automobile", workers: workers)
  }

  private let crossing = "departures: { from: '06:50', to: '07:55', every: '5min' }, week: ['Mo'],"

  @Test func saysThatTimesAreEstimatesAndHowFarTheyAreOff() throws {
    let scene = try run("exact: false, \(crossing)")
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT key, value FROM job WHERE key IN ('exact', 'estimate_sample_cells', 'estimate_sample_unlike',
        'verified_differences') ORDER BY key
      """, "estimate_sample_cells|28\nestimate_sample_unlike|0\nexact|false\nverified_differences|0\n")
  }

  @Test func tellsTheErrorOfItsSample() throws {
    let (estimates, exact) = (try run("exact: false, \(crossing)"), try run(crossing))
    defer {
      estimates.remove()
      exact.remove()
    }
    func times(_ scene: JobScene) throws -> [Double] {
      try scene.sql("SELECT expected_travel_time FROM matrix ORDER BY origin_id, departure, destination_id")
        .split(separator: "\n").map { try #require(Double($0)) }
    }
    let errors = zip(try times(estimates), try times(exact)).filter { $0.1 > 0 }.map { abs($0.0 - $0.1) / $0.1 }
    let figures = "SELECT value FROM job WHERE key = 'estimate_error_"
    let told = try ["mean", "max"].map { try Double(estimates.sql(figures + $0 + "'").dropLast()) ?? -1 }
    #expect(abs(told[0] - errors.reduce(0, +) / Double(errors.count)) < 1e-5 && abs(told[1] - errors.max()!) < 1e-5)
    #expect(errors.count == 28 && told[1] > 0.001)
  }

  @Test func waitsForWhatIsClosedBeforeItSetsOut() throws {
    let scene = try run("exact: false, departures: ['08:30', '09:00'], date: '2026-11-23',", origins: "ad")
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT early.expected_travel_time - late.expected_travel_time FROM matrix AS early, matrix AS late
      WHERE early.departure = 1 AND late.departure = 2 AND early.origin_id = 'a' AND late.origin_id = 'a'
        AND early.destination_id = 'd' AND late.destination_id = 'd'
      """, "1800.0\n")
  }

  @Test func verificationFindsWhatIsNotTheEstimate() throws {
    let scene = try run("exact: false, departures: ['07:30'], week: ['Mo'],")
    defer { scene.remove() }
    _ = try scene.sql("UPDATE matrix_row SET travel_times = '[0, 1]' WHERE origin_id = 'a'")
    let path = scene.scratch.path("out/results.sqlite")
    let network = try Verification.network(of: path, map: nil, profile: nil, cache: nil, workers: 1) { _ in }
    let verification = try Verification(of: path, on: network, workers: 1).run(sample: 50, seed: 1)
    #expect(!verification.differences.isEmpty && "\(verification)".contains("off on average"))
  }

  /// 48 x 48 x 2016 cells: two blocks.
  @Test func writesTheSameWithAnyNumberOfWorkers() throws {
    let many = (0..<12).map { _ in "abce" }.joined()
    let week = "week: ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'], format: ['npy', 'csv'],"
    let keys = "exact: false, departures: { from: '00:00', to: '23:55', every: '5min' }, \(week)"
    let one = try run(keys, origins: many, verify: 10)
    let two = try run(keys, origins: many, workers: 2, verify: 10)
    defer {
      one.remove()
      two.remove()
    }
    for file in ["travel_times.npy", "matrix.csv.gz"] { #expect(one.bytes(file) == two.bytes(file)) }
    #expect(!one.bytes("matrix.csv.gz").isEmpty)
  }

  @Test(arguments: ["departures", "arrivals"]) func estimatesDaysThatAreApartInAnyOrder(key: String) throws {
    let week = "\(key): ['00:10', '07:55', '08:05', '23:50'], week: ['Tu', 'Sa', 'Mo'],"
    let scene = try run("exact: false, \(week)", origins: "abe")
    defer { scene.remove() }
    try scene.expect(
      "SELECT key, value FROM job WHERE key IN ('estimate_sample_unlike', 'verified_differences') ORDER BY key",
      "estimate_sample_unlike|0\nverified_differences|0\n")
  }
}
