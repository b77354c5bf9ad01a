import Foundation
import TestMaps
import Testing

/// The last lines of a run: problems with places, and too few rows with a result.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct PlaceLinesTests {
  private func scratch(_ places: String, _ keys: String = "") throws -> Scratch {
    try Scratch(
      .block,
      [
        "homes.csv": "id,lon,lat,residents\nA,0,0,30\nB,0.0018,0,50\nC,5,5,20\n",
        "stations.csv": "id,lon,lat\n\(places)",
      ],
      job: "kind: 'access', origins: 'homes.csv', stations: 'stations.csv', thresholds: [10], \(keys)")
  }

  @Test func runsReportTheNumberOfPlacesOffTheMap() throws {
    let scratch = try scratch("s,0,0\nt,4,4\n")
    defer { scratch.remove() }
    let plain = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(plain.output.contains("missing: 1 of 3 origins outside the map; 1 of 2 stations outside the map\n"))
    let run = try Run(odometer: "run", "job.json5", "--stats", "--fresh", in: scratch.folder)
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.contains("of 3 origins: 1 outside the map, 20.0 % of residents\n"), "\(run.output)")
    #expect(run.output.contains("of 2 stations: 1 outside the map\n"))
    #expect(run.output.contains("residents within 10 min: 80.0 % of all, 100.0 % of those on the map\n"))
  }

  @Test func fewerRowsThanExpectedExitWithSeven() throws {
    let scratch = try scratch("s,0,0\n", "minimumShare: 0.9,")
    defer { scratch.remove() }
    let run = try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
    #expect(run.status == 7)
    #expect(run.error.contains("2 of 3 rows are ok; expected a share of 0.9 or more (minimumShare)"), "\(run.error)")
  }

  @Test func runsWithoutResultsExitWithSeven() throws {
    let scratch = try scratch("s,4,4\n")
    defer { scratch.remove() }
    #expect(try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder).status == 7)
  }
}
