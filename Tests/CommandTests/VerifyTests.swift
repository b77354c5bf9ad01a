import Foundation
import TestMaps
import Testing

/// `odometer verify`, and the key of the same name in jobs.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct VerifyTests {
  private let map = TestMap(
    """
    a-b-c
      | |
      d-e
    """
  ).way("abc").way("bd").way("de").way("ce")

  private func scene(_ keys: String, _ more: String = "") throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write(map.opl, to: "map.opl")
    try scratch.write(
      "id,o_lon,o_lat,d_lon,d_lat\n"
        + zip("abcde", "edabc").enumerated().map { number, ends in
          let (from, to) = (map[ends.0], map[ends.1])
          return "\(number),\(from.longitude),\(from.latitude),\(to.longitude),\(to.latitude)\n"
        }.joined(), to: "pairs.csv")
    let list = "abcde".map { "\($0),\(map[$0].longitude),\(map[$0].latitude)\n" }
    try scratch.write("id,lon,lat\n" + list.joined(), to: "places.csv")
    try scratch.write("id,lon,lat\n" + list.prefix(2).joined(), to: "stations.csv")
    try scratch.write(map.traces([map.fixes("t", along: "abde"), map.fixes("u", along: "cba")]), to: "traces.csv")
    try scratch.write(
      "{ map: 'map.opl', transportType: 'walking', output: 'out', \(keys) \(more) }", to: "job.json5")
    try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
    return scratch
  }

  private func tamper(_ scratch: Scratch, _ sql: String) throws {
    // The triggers of a GeoPackage need functions that plain SQLite lacks.
    let script = """
      sqlite3 out/results.sqlite "SELECT 'DROP TRIGGER ' || name || ';' FROM sqlite_schema WHERE type = 'trigger'" |
        sqlite3 out/results.sqlite && sqlite3 out/results.sqlite "$0"
      """
    let run = try Run("/bin/sh", ["-c", script, sql], in: scratch.folder)
    #expect(run.status == 0, "\(run.error)")
  }

  /// Verifies correct results, and then the same results with one wrong value.
  @Test(arguments: [
    (
      "kind: 'routes', pairs: 'pairs.csv',",
      "UPDATE route SET expected_travel_time = expected_travel_time + 0.001 WHERE fid = 2",
      "pair 1: expected_travel_time is "
    ),
    (
      "kind: 'routes', pairs: 'pairs.csv',", "UPDATE step_row SET centimetres = centimetres - 1 WHERE fid = 3",
      "distance of steps is "
    ),
    (
      "kind: 'etas', pairs: 'pairs.csv',", "UPDATE route SET distance = distance + 0.01 WHERE fid = 4",
      "pair 3: distance is "
    ),
    (
      "kind: 'etas', pairs: 'pairs.csv',",
      "UPDATE route SET status = 'directions_not_found', distance = NULL, expected_travel_time = NULL WHERE fid = 1",
      "pair 0: expected_travel_time is none, expected "
    ),
    (
      "kind: 'matrix', origins: 'places.csv',",
      "UPDATE matrix_row SET travel_times = replace(travel_times, ',', ',1') WHERE rowid = 2", "cell b, "
    ),
    (
      "kind: 'access', origins: 'places.csv', stations: 'stations.csv',",
      "UPDATE access_row SET milliseconds = milliseconds + 1 WHERE origin_fid = 5 AND rank = 2", "origin e: "
    ),
    (
      "kind: 'access', origins: 'places.csv', stations: 'stations.csv',",
      "UPDATE access_share SET value = value - 1 WHERE threshold = 900",
      "900 s, origins: share within is 4.0, expected 5.0"
    ),
    (
      "kind: 'access', origins: 'places.csv', stations: 'stations.csv',",
      "UPDATE access_share SET total = total + 1 WHERE threshold = 900", "900 s, origins: total is 6.0, expected 5.0"
    ),
    (
      "kind: 'access', origins: 'places.csv', stations: 'stations.csv',",
      "UPDATE access_share SET share = 0.5 WHERE threshold = 900",
      "900 s, origins: share of the total is 0.5, expected 1.0"
    ),
    (
      "kind: 'isochrones', origins: 'places.csv', thresholds: [1],",
      "UPDATE isochrone SET status = 'directions_not_found' WHERE fid = 2",
      "directions_not_found: rows is 1.0, expected 0.0"
    ),
    (
      "kind: 'isochrones', origins: 'places.csv', thresholds: [1],",
      "UPDATE isochrone SET street_length = street_length + 1 WHERE fid = 1", "area a, 60 s: street_length is "
    ),
    (
      "kind: 'isochrones', origins: 'places.csv', thresholds: [1, 2], bands: true, smooth: 20,",
      "UPDATE isochrone SET area = area + 1 WHERE fid = 2", "area a, 120 s: area is "
    ),
    (
      "kind: 'traces', traces: 'traces.csv',",
      "UPDATE trace SET expected_travel_time = expected_travel_time + 0.001 WHERE fid = 2",
      "trace u: expected_travel_time is "
    ),
    (
      "kind: 'traces', traces: 'traces.csv', fixes: 'none',", "UPDATE trace SET part_count = 2 WHERE fid = 1",
      "trace t: part_count is 2.0, expected 1.0"
    ),
    (
      "kind: 'traces', traces: 'traces.csv',", "UPDATE trace_street_row SET to_cm = to_cm - 1 WHERE fid = 1",
      "trace t: distance of streets is "
    ),
  ])
  func findsWrongValues(keys: String, change: String, sentence: String) throws {
    let scratch = try scene(keys)
    defer { scratch.remove() }
    let right = try Run(odometer: "verify", "out", in: scratch.folder)
    #expect(right.status == 0 && right.output.hasSuffix(": all equal\n"), "\(right.output)\(right.error)")
    try tamper(scratch, change)
    let wrong = try Run(odometer: "verify", "out", in: scratch.folder)
    #expect(wrong.status == 5 && wrong.output.contains(sentence), "\(wrong.output)\(wrong.error)")
    #expect(wrong.output.contains("in table verification"))
    let kept = try Run(
      "/usr/bin/env",
      [
        "sqlite3", "out/results.sqlite",
        "SELECT count(*) > 0 AND count(*) = (SELECT value FROM job WHERE key = 'verified_differences') FROM verification",
      ], in: scratch.folder)
    #expect(kept.output == "1\n", "\(kept.output)")
    #expect(scratch.text("out/report.html").contains("verified_differences"))
  }

  /// Corrupted numbers that would be used as indices.
  @Test(arguments: [
    (
      "kind: 'etas', pairs: 'pairs.csv', traffic: 'porto', departures: ['07:00'], week: ['Mo'],",
      "UPDATE route SET departure = 99"
    ),
    ("kind: 'matrix', origins: 'places.csv', format: ['npy'],", "UPDATE chunk SET rows = -1"),
    ("kind: 'matrix', origins: 'places.csv', format: ['npy'],", "UPDATE chunk SET first_row = 9223372036854775807"),
    ("kind: 'matrix', origins: 'places.csv',", "UPDATE place SET latitude = 99 WHERE fid = 5"),
  ])
  func refusesResultsWithNumbersOutOfRange(keys: String, change: String) throws {
    let scratch = try scene(keys)
    defer { scratch.remove() }
    try tamper(scratch, change)
    for command in ["verify", "report"] {
      let run = try Run(odometer: command, "out", in: scratch.folder)
      #expect(run.status == 3 || command == "report" && change.contains("chunk"), "\(command): \(run)")
    }
  }

  @Test func jobsVerifyThemselves() throws {
    let scratch = try scene("kind: 'routes', pairs: 'pairs.csv',", "verify: 3")
    defer { scratch.remove() }
    let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(run.output.contains("3 rows computed again by plain Dijkstra, 13 sums added up again: all equal\n"))
    #expect(scratch.text("out/report.html").contains("<dt>verified_rows</dt><dd>3</dd>"))
    #expect(scratch.text("out/log.jsonl").contains("\"event\":\"verified\""))
    let disordered = "SELECT count(*) FROM job AS a JOIN job AS b ON a.fid < b.fid WHERE a.key > b.key"
    #expect(try scratch.sql(disordered) == "0\n")
  }

  @Test func verifiesOnlyOnTheSameMap() throws {
    let scratch = try scene("kind: 'routes', pairs: 'pairs.csv',")
    defer { scratch.remove() }
    try scratch.write(map.opl + "\n", to: "other.opl")
    let other = try Run(odometer: "verify", "out", "--map", "other.opl", in: scratch.folder)
    #expect(other.status == 3 && other.error.contains("the map is not the one these results were computed with"))
    let gone = try Run(odometer: "verify", "out", "--map", "gone.opl", in: scratch.folder)
    #expect(gone.status == 3 && gone.error.contains("gone.opl: there is no such map"))
    let none = try Run(odometer: "verify", ".", in: scratch.folder)
    #expect(none.status == 3 && none.error.contains("this folder has no results.sqlite"), "\(none.error)")
  }
}
