import Foundation
import Jobs
import Tables
import TestMaps
import Testing

/// Streets and routes of two runs: tables `change_of_flow` and `change_of_route`.
struct ChangedStreetTests {
  private let open = TestMap(
    """
    a-b-c
    |   |
    d-e-f
    """
  ).way("abc", ["name": "High Street"]).way("ad").way("def", ["name": "Low Street"]).way("cf")
  private let closed = TestMap(
    """
    a-b-c
    |   |
    d-e-f
    """
  ).way("abc", ["name": "High Street", "foot": "no"]).way("ad").way("def", ["name": "Low Street"]).way("cf")

  /// Compares trips from a to c, with weights, and returns the result of a query on the comparison.
  private func answer(_ question: String, weights: [Double?] = [nil], kind: String = "routes") throws -> String {
    let scenes = try [open, closed].map { map in
      let rows = weights.enumerated().map { index, weight in
        "\(index + 1),\(map["a"].longitude),\(map["a"].latitude),\(map["c"].longitude),\(map["c"].latitude),"
          + "\(weight.map { "\($0)" } ?? "")\n"
      }
      return try JobScene(
        map, ["pairs.csv": "id,o_lon,o_lat,d_lon,d_lat,weight\n" + rows.joined()], "kind: '\(kind)', pairs: 'pairs.csv'"
      )
    }
    defer { for scene in scenes { scene.remove() } }
    let path = scenes[1].scratch.path("compare.sqlite")
    _ = try Comparison(
      old: scenes[0].scratch.path("out/results.sqlite"), new: scenes[1].scratch.path("out/results.sqlite"),
      try #require(ChangeThreshold("1%,1s"))
    ).write(to: path)
    return try Run("/usr/bin/env", ["sqlite3", path, question], in: scenes[1].scratch.folder).output
  }

  @Test func closedStreetsLoseTheirTripsToOthers() throws {
    #expect(
      try answer(
        "SELECT name, old_trips, new_trips, difference FROM change_of_flow WHERE name LIKE '%Street' ORDER BY name",
        weights: [nil, nil]) == "High Street|2|0|-2.0\nLow Street|0|2|2.0\n")
  }

  @Test func weightsTakePrecedenceOverTrips() throws {
    #expect(
      try answer(
        "SELECT name, old_weight, new_weight, difference FROM change_of_flow WHERE name LIKE '%Street' ORDER BY name",
        weights: [2.5, 1]) == "High Street|3.5||-3.5\nLow Street||3.5|3.5\n")
  }

  @Test func damagedResultsAreInputErrors() throws {
    let trips = "abcdef".flatMap { from in "fedcba".map { (from, $0) } }
    let scene = try JobScene(open, ["pairs.csv": open.pairs(trips)], "kind: 'routes', pairs: 'pairs.csv'")
    defer { scene.remove() }
    let (results, damaged) = (scene.scratch.path("out/results.sqlite"), scene.scratch.path("damaged.sqlite"))
    let (bytes, threshold) = (scene.bytes("results.sqlite"), try #require(ChangeThreshold("1%")))
    for start in stride(from: 16_384, to: bytes.count, by: 4096) {
      var page = bytes
      page.replaceSubrange(start..<start + 4096, with: Data(repeating: 0xFF, count: 4096))
      try page.write(to: URL(fileURLWithPath: damaged))
      do {
        _ = try Comparison(old: results, new: damaged, threshold).write(to: scene.scratch.path("compare.sqlite"))
      } catch let error as ResultsError {
        #expect(error.cause == .input && !error.path.contains("compare"), "\(start): \(error)")
      }
    }
  }

  @Test func changedRowsHaveBothRoutes() throws {
    let answer = try answer("SELECT change_id, old_name, new_name, old_geom <> new_geom FROM change_of_route")
    #expect(answer == "1|via High Street|via ad and Low Street|1\n")
  }

  @Test func etasHaveNoRoutes() throws {
    #expect(
      try answer("SELECT count(*) FROM change_of_flow UNION ALL SELECT count(*) FROM change_of_route", kind: "etas")
        == "0\n0\n")
  }
}
