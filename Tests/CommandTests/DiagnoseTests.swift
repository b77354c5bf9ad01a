import TestMaps
import Testing

/// `odometer diagnose`.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct DiagnoseTests {
  private func scratch() throws -> Scratch {
    let map = TestMap("a-b-c-d").way("ab").way("bc", ["foot": "no"]).way("cd")
    return try Scratch(
      map, ["pairs.csv": "id,o_lon,o_lat,d_lon,d_lat\ntrip-1,0,0,0.0027,0\ntrip-2,0,0,0.0009,0\n"],
      job: "kind: 'etas', pairs: 'pairs.csv', snapLimit: 50,")
  }

  @Test func namesTheClosingTag() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    #expect(try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder).status == 0)
    let run = try Run(odometer: "diagnose", "out", "trip-1", in: scratch.folder)
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.contains("way/2  foot=no  bc"), "\(run.output)")
  }

  @Test func unknownIdExitsWithThree() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    #expect(try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder).status == 0)
    let run = try Run(odometer: "diagnose", "out", "trip-3", in: scratch.folder)
    #expect(run.status == 3)
    let known = "known ids: trip-1, trip-2, 1, 2, 3; did you mean trip-1?"
    #expect(run.error.contains("has the id trip-3; \(known)"), "\(run.error)")
  }

  @Test func aDryRunWritesProblemPointsAndNoResults() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    try scratch.write("id,o_lon,o_lat,d_lon,d_lat\nA,0,0,5,5\n", to: "pairs.csv")
    let run = try Run(odometer: "run", "job.json5", "--dry-run", "--problems", "bad.geojson", in: scratch.folder)
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.contains("problems: 1 point in bad.geojson (1 off_map)"), "\(run.output)")
    #expect(scratch.text("bad.geojson").contains("\"reason\":\"off_map\""))
    #expect(!scratch.files.contains("out"))
  }

  @Test func problemsRequireADryRun() throws {
    let scratch = try scratch()
    defer { scratch.remove() }
    let run = try Run(odometer: "run", "job.json5", "--problems", "bad.geojson", in: scratch.folder)
    #expect(run.status == 2)
    #expect(run.error.contains("--problems needs --dry-run"), "\(run.error)")
  }
}
