import Foundation
import TestMaps
import Testing

/// Stations and areas on the sample map, compared with other kinds of job and with GDAL.
@Suite(
  .enabled(if: Project.hasBinary, "the release binary is not built: make build"),
  .enabled(if: Project.hasHelsinki, "the sample map is missing: make sample"))
struct RealAccessTests {
  private func sql(_ scratch: Scratch, _ database: String, _ statement: String, csv: Bool = false) throws -> String {
    let run = try Run("/usr/bin/env", ["sqlite3", csv ? "-csv" : "-list", database, statement], in: scratch.folder)
    #expect(run.status == 0, "\(run.error)")
    return run.output
  }

  private func run(_ scratch: Scratch, _ job: String) throws {
    try scratch.write("{ map: '\(Project.helsinki)', transportType: 'walking', \(job) }", to: "job.json5")
    let run = try Run(odometer: "run", "job.json5", "--quiet", "--cache", "cache", in: scratch.folder)
    #expect(run.status == 0, "\(run.error)")
  }

  /// Every row of `access` equals the result of kind `etas` from the origin to the entrance, and no entrance is nearer
  /// than the one found.
  @Test(arguments: ["to", "from"])
  func rowsEqualETAs(direction: String) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try run(
      scratch,
      """
      kind: 'access', origins: '\(Project.path("data/helsinki-addresses.csv"))', nearest: 4, direction: '\(direction)',
      stations: 'osm:railway=station,subway_entrance,tram_stop', output: 'access'
      """)
    let (first, second) = direction == "to" ? ("origin", "destination") : ("destination", "origin")
    let pairs = """
      SELECT access.origin_id || '/' || rank AS id, place.place_id AS \(first)_id, place.longitude AS \(first)_lon,
        place.latitude AS \(first)_lat, door.place_id AS \(second)_id, door.longitude AS \(second)_lon,
        door.latitude AS \(second)_lat
      FROM access JOIN place ON place.place_id = origin_id AND place.role = 'origin'
      JOIN place AS door ON door.place_id = coalesce(entrance_id, station_id)
        AND door.role = CASE WHEN entrance_id IS NULL THEN 'station' ELSE 'entrance' END
      """
    let header = "id,\(first)_id,\(first)_lon,\(first)_lat,\(second)_id,\(second)_lon,\(second)_lat\n"
    try scratch.write(header + sql(scratch, "access/results.sqlite", pairs, csv: true), to: "pairs.csv")
    try run(scratch, "kind: 'etas', pairs: 'pairs.csv', output: 'etas'")
    let mine = try sql(
      scratch, "access/results.sqlite", "SELECT origin_id || '/' || rank, expected_travel_time, distance FROM access")
    #expect(
      try mine == sql(scratch, "etas/results.sqlite", "SELECT pair_id, expected_travel_time, distance FROM route"))
    #expect(mine.split(separator: "\n").count == 640)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ogrinfo"), "gdal-bin is not installed"))
  func everyAreaIsValidAndHasStreets() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try run(
      scratch,
      """
      kind: 'isochrones', origins: '\(Project.path("data/helsinki-stations.csv"))', thresholds: [2, 5, 9], bands: true,
      output: 'out'
      """)
    let answer = try Run(
      "/usr/bin/ogrinfo",
      [
        "-q", "-dialect", "SQLite", "-sql", "SELECT count(*) AS n, sum(ST_IsValid(geom)) AS valid FROM isochrone",
        "out/results.sqlite",
      ],
      in: scratch.folder)
    #expect(answer.output.contains("n (Integer) = 180") && answer.output.contains("valid (Integer) = 180"))
    // Every band has an area and streets.
    #expect(
      try sql(
        scratch, "out/results.sqlite",
        "SELECT count(*) FROM isochrone WHERE area IS NULL OR area <= 0 OR street_length <= 0") == "0\n")
  }
}
