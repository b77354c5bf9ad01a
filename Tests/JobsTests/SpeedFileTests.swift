import Foundation
import Jobs
import TestMaps
import Testing

/// Speed files, as read by jobs. Cars travel at 25 km/h on the drawn street; its slowness is the mean of both
/// directions.
struct SpeedFileTests {
  // Nodes are numbered alphabetically, ways in drawing order.
  private let map = TestMap("a-b-c-d").way("abcd")

  @Test(arguments: [
    // OSRM's format, with and without rates; 0 means closed.
    ("1,4,12.5\n", "{ file: 'f', days: 'Mo', from: '07:00', to: '08:00' }", "1.5"),
    ("1,4,12.5,3.4\n4,1,5\n", "'f'", "3.5"),
    // Odometer's and Uber's formats.
    ("way_id,kmh\n1,12.5\n", "'f'", "2.0"), ("way_id,slowness\n1,3\n", "'f'", "3.0"),
    ("way_id,forward,slowness\n1,true,3\n1,false,5\n", "'f'", "4.0"),
    ("way_id,forward,slowness\n1,,3\n", "'f'", "3.0"), ("way_id,slowness\n-1,5\n", "'f'", "3.0"),
    ("from_node,to_node,kmh,passes\n1,4,12.5,7\n", "'f'", "1.5"),
    ("way_id,weekday,from,to,slowness\n1,Mo-Fr,07:00,09:00,4\n1,Sa,,,1\n", "'f'", "4.0"),
    ("way_id;weekday;from;to;slowness\n1;1;7:00:00;24:00;4\n", "'f'", "4.0"),
    ("osm_way_id,osm_start_node_id,osm_end_node_id,hour_of_day,speed_mph_mean\n1,1,4,7,7.767\n", "'f'", "1.5"),
    // kmh takes precedence over slowness, unless it was rounded to 0.
    ("way_id,kmh,slowness\n1,12.5,9\n", "'f'", "2.0"), ("way_id,kmh,slowness\n1,0.0,9\n", "'f'", "9.0"),
    // The content of observed_speeds.csv.gz.
    (
      "way_id,from_node,to_node,forward,weekday,from,to,kmh,passes,slowness,street_key\n1,1,4,1,Mo-Fr,07:00,08:00,12.5,3,2.000,99\n",
      "'f'", "1.5"
    ),
  ])
  func readsEachFormat(text: String, speeds: String, slowness: String) throws {
    let scene = try scene(text, speeds)
    defer { scene.remove() }
    try scene.expect(
      "SELECT round(slowness, 1) FROM speed_hour WHERE weekday = 'Mo' AND hour = 7", "\(slowness)\n")
  }

  @Test func aWeekBeginsOnSunday() throws {
    let monday = 12 * 24
    let week = (0..<2016).map { (monday + 7 * 12..<monday + 8 * 12).contains($0) ? "12.5" : "25" }
    let scene = try scene("1,4,\(week.joined(separator: ","))\n4,1,\(week.joined(separator: ","))\n", "'f'")
    defer { scene.remove() }
    try scene.expect(
      "SELECT weekday, hour, round(slowness, 2) FROM speed_hour WHERE slowness > 1.01", "Mo|7|2.0\n")
  }

  /// Streets refer to missing profiles, and the checksum is valid.
  @Test func cachedSpeedsWithBadReferencesAreRebuilt() throws {
    let scene = try scene("way_id,slowness\n1,3\n", "'f'")
    defer { scene.remove() }
    let name = try #require(scene.scratch.files.first { $0.hasSuffix(".speeds") })
    let bytes = scene.scratch.bytes(name)
    var crafted = CraftedColumns(bytes)
    try crafted.set(.max, in: 3)
    try crafted.sealed.write(to: URL(fileURLWithPath: scene.scratch.path(name)))
    #expect(try scene.run(workers: 1).isFinished)
    #expect(scene.scratch.bytes(name) == bytes)
    try scene.expect("SELECT DISTINCT slowness FROM speed_hour", "3.0\n")
  }

  @Test func readsCompressedFiles() throws {
    let scene = try scene("way_id,slowness\n1,3\n", "'f'")
    defer { scene.remove() }
    try Run("/usr/bin/env", ["gzip", "f"], in: scene.scratch.folder)
    try Run("/usr/bin/env", ["mv", "f.gz", "f"], in: scene.scratch.folder)
    #expect(try scene.run(workers: 1).isFinished)
    try scene.expect("SELECT DISTINCT slowness FROM speed_hour", "3.0\n")
  }

  @Test(arguments: [("'f'", "1.0"), ("{ file: 'f', fill: 'ratio' }", "3.0")])
  func otherHoursAreFilledByRatioOnlyOnRequest(speeds: String, slowness: String) throws {
    let scene = try scene("way_id,weekday,from,to,slowness\n1,Mo-Fr,07:00,09:00,3\n", speeds)
    defer { scene.remove() }
    try scene.expect(
      "SELECT DISTINCT slowness FROM speed_hour WHERE hour = 3 AND weekday = 'Tu'", "\(slowness)\n")
  }

  @Test func countsRowsByOutcome() throws {
    let rows = "1,4,12.5\n4,1,300\n77,78,10\n1,99,10\n"
    let scene = try scene(rows, "'f'")
    defer { scene.remove() }
    try scene.expect(
      "SELECT format, rows, matched, unmatched, implausible, first_unmatched FROM speed_source",
      "osrm|4|2|2|1|nodes 77 to 78\nnodes 1 to 99\n")
    try scene.expect("SELECT class, distance, distance_with_data FROM speed_class", "street|600.0|600.0\n")
  }

  @Test(arguments: [
    ("1,4,fast\n", "{ file: 'f', format: 'osrm' }", "f: 1 of 1 rows cannot be read, more than 1 %; the first ones:"),
    ("way_id,weekday,from,to,kmh\n1,Mo,07:02,08:00,10\n", "'f'", "expected times at multiples of five minutes"),
    ("way_id,forward,kmh\n1,maybe,10\n", "'f'", "2: forward is \"maybe\", expected true, false or nothing"),
    ("way_id,forward,kmh\n-1,true,10\n", "'f'", "a negative way means backward"),
    ("way_id\n1\n", "'f'", "the header has no column for the speed"),
    ("from_node,kmh\n1,2\n", "'f'", "the header has no column for the"),
    ("hello\n", "'f'", "not a speed file"),
    ("way_id,hour,kmh\n1,7,10\n", "{ file: 'f', days: 'Mo' }", "its rows have their own times"),
    ("1,4,10\n1,4,11\n", "'f'", "f:2: line 1 already has a speed for the same street and time (Mo 00:00)"),
    ("1,4,10\n", "{ file: 'f', dayz: 'Mo' }", "speeds: unknown key dayz"),
    ("1,4,10\n", "{ file: 'f', duplicates: 'last' }", "duplicates is \"last\", expected \"mean\""),
    ("1,4,10\n", "{ file: 'f', fill: 'mean' }", "fill is \"mean\", expected \"ratio\""),
    (
      "1,4" + String(repeating: ",25", count: 2015) + "\n", "'f'", "got 2017 fields, expected from, to and 2016 speeds"
    ),
    ("1,4,10\n", "{ file: 'f', format: 'csv' }", "format is \"csv\", expected one of osrm, week, long"),
    ("1,4,10\n", "[]", "speeds: got an empty list"),
    ("1,4,10\n", "['f', 'f']", "f twice, expected each file once"),
  ])
  func rejectsMalformedFilesAndKeys(text: String, speeds: String, problem: String) throws {
    do {
      try scene(text, speeds).remove()
      Issue.record("nothing was rejected")
    } catch {
      #expect("\(error)".contains(problem), "\(error)")
    }
  }

  @Test func aFewMalformedRowsAreCounted() throws {
    let rows = (0..<200).map { "1\($0),2\($0),10\n" }.joined()
    let scene = try scene("1,4,10\n\(rows)1,4\n", "'f'")
    defer { scene.remove() }
    try scene.expect(
      "SELECT rows, malformed, matched, first_malformed FROM speed_source",
      "202|1|1|202: got 2 fields, expected from, to and speed\n")
  }

  @Test func aChangedFileMakesADifferentJob() throws {
    let scene = try scene("1,4,10\n", "'f'")
    defer { scene.remove() }
    let before = try scene.sql("SELECT value FROM job WHERE key = 'speeds_sha256'")
    try scene.scratch.write("1,4,11\n", to: "f")
    #expect(try scene.run(workers: 1).isFinished)
    #expect(try scene.sql("SELECT value FROM job WHERE key = 'speeds_sha256'") != before)
  }

  private func scene(_ text: String, _ speeds: String) throws -> JobScene {
    try JobScene(
      map, ["pairs.csv": map.pairs([("a", "d")]), "f": text],
      "kind: 'etas', pairs: 'pairs.csv', departures: ['07:00'], week: ['Mo'], speeds: \(speeds)", by: "automobile")
  }
}
