import Foundation
import Jobs
import Reports
import TestMaps
import Testing

/// Mean times between zones on a matrix's page, compared with its cells.
struct HeatTableTests {
  /// Returns the table's cells by row and column.
  private func cells(_ html: String) throws -> [[String]] {
    let table = try #require(
      html.firstMatch(of: /<table class="heat">.*?<tbody>(.*?)<\/tbody>/.dotMatchesNewlines())?.1)
    return table.split(separator: "</tr>").compactMap { row in
      let cells = row.matches(of: /<td[^>]*>([^<]*)<\/td>/).map { String($0.1) }
      return cells.isEmpty ? nil : cells
    }
  }

  @Test func fewPlacesAreRowsAndColumns() throws {
    let scene = try ReportScene("kind: 'matrix', origins: 'origins.csv', destinations: 'stations.csv'")
    defer { scene.remove() }
    #expect(scene.html.contains("<h2>Between places</h2>"))
    let rows = try cells(scene.html)
    #expect(rows.count == 3 && rows.allSatisfy { $0.count == 2 })
    let times = try scene.sql("SELECT printf('%.1f', travel_time / 60) FROM od WHERE travel_time NOT NULL")
    #expect(rows.joined().sorted() == times.split(separator: "\n").map(String.init).sorted())
  }

  @Test func timesToThePlaceItselfAreOmitted() throws {
    let scene = try ReportScene("kind: 'matrix', origins: 'origins.csv'")
    defer { scene.remove() }
    let rows = try cells(scene.html)
    #expect(rows.count == 3)
    for (row, times) in rows.enumerated() {
      for (column, time) in times.enumerated() { #expect((time == "–") == (row == column), "\(rows)") }
    }
  }

  /// Returns a finished job with a matrix of places along a street, and its page. Positions are from 0 to 1.
  private func street(_ positions: [Double], _ keys: String = "") throws -> (scratch: Scratch, html: String) {
    let map = TestMap("a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t").way("abcdefghijklmnopqrst")
    let (west, east) = (map["a"].longitude, map["t"].longitude)
    let rows = positions.enumerated().map { "\($0),\(west + (east - west) * $1),\(map["a"].latitude)\n" }
    let scratch = try Scratch(
      map, ["places.csv": "id,lon,lat\n" + rows.joined()], job: "kind: 'matrix', origins: 'places.csv', \(keys)")
    let text = scratch.text("job.json5").replacing(/'(map\.opl|out|places\.csv)'/) { "'\(scratch.path(String($0.1)))'" }
    try scratch.write(text, to: "job.json5")
    var options = RunOptions()
    (options.workers, options.isQuiet) = (1, true)
    _ = try JobRun(try Job(path: scratch.path("job.json5")), options).run()
    return (scratch, try Report(of: scratch.path("out/results.sqlite")).html())
  }

  /// Sixty places along a street, in three zones of twenty.
  @Test func manyPlacesAreGroupedIntoZones() throws {
    let (scratch, html) = try street((0..<60).map { Double($0) / 59 })
    defer { scratch.remove() }
    #expect(html.contains("<h2>Between zones</h2>"))
    let means = try scratch.sql(
      "SELECT printf(CASE WHEN avg(travel_time) < 600 THEN '%.1f' ELSE '%.0f' END, avg(travel_time) / 60) FROM od "
        + "WHERE from_id <> to_id GROUP BY CAST(from_id AS INTEGER) / 20, CAST(to_id AS INTEGER) / 20")
    #expect(try cells(html).joined().joined(separator: "\n") == means.trimmingCharacters(in: .newlines))
  }

  /// The page has the cells of every fifth origin, all of them in the eastern zone.
  @Test func zonesWithoutSampledOriginsAreNotRows() throws {
    let positions = (0..<1300).map { (index: Int) -> Double in (index % 5 == 1 ? 0 : 0.9) + Double(index) / 13_000 }
    let (scratch, html) = try street(positions, "format: ['sqlite']")
    defer { scratch.remove() }
    let rows = try cells(html)
    #expect(html.contains("260 of 1300 origins") && rows.count == 1 && rows[0].count == 2, "\(rows)")
  }
}
