import Foundation
import TestMaps
import Testing

/// `odometer compare` for the results of two nights, on drawn maps.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct CompareTests {
  private static let monday = TestMap(
    """
    a-b-c
      | |
      d-e
    """
  ).way("abc").way("bd", ["highway": "footway", "name": "Short Cut"]).way("de").way("ce")
  /// Monday's map with the shortcut closed and e unreachable.
  private static let tuesday = TestMap(
    """
    a-b-c
      | |
      d-e
    """
  ).way("abc").way("bd", ["highway": "footway", "foot": "no"]).way("de").way("ce")

  /// Computes Monday's and Tuesday's results of a job, in `old` and `new`.
  private func scene(
    _ keys: String, places: (String, String) = ("abcde", "abcde"), maps: (TestMap, TestMap) = (monday, tuesday),
    more: (String, String) = ("", "")
  ) throws -> Scratch {
    let scratch = try Scratch()
    for (name, map, letters, extra) in [("old", maps.0, places.0, more.0), ("new", maps.1, places.1, more.1)] {
      try scratch.write(map.opl, to: "map.opl")
      let lines = letters.map { "\($0),\(map[$0].longitude),\(map[$0].latitude)\n" }
      try scratch.write("id,lon,lat\n" + lines.joined(), to: "places.csv")
      try scratch.write("id,lon,lat\n" + lines.suffix(1).joined(), to: "stations.csv")
      let pairs = letters.dropFirst().map { letter -> String in
        let (from, to) = (map[letters.first!], map[letter])
        return "\(letters.first!)\(letter),\(from.longitude),\(from.latitude),\(to.longitude),\(to.latitude)\n"
      }
      try scratch.write("id,o_lon,o_lat,d_lon,d_lat\n" + pairs.joined(), to: "pairs.csv")
      try scratch.write(
        "{ map: 'map.opl', transportType: 'walking', output: '\(name)', \(keys) \(extra) }", to: "job.json5")
      let run = try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
      #expect(run.status == 0, "\(run.error)")
    }
    return scratch
  }

  private func compare(_ scratch: Scratch, _ words: String...) throws -> Run {
    try Run(Project.binary, ["compare", "old", "new"] + words, in: scratch.folder)
  }

  private func sql(_ scratch: Scratch, _ query: String) throws -> String {
    try Run("/usr/bin/env", ["sqlite3", "new/compare/compare.sqlite", query], in: scratch.folder).output
  }

  @Test func closedWaysMakeRowsSlower() throws {
    let scratch = try scene("kind: 'routes', pairs: 'pairs.csv',")
    defer { scratch.remove() }
    let run = try compare(scratch)
    #expect(run.status == 0 && run.output.hasSuffix("4 rows: 3 same, 1 slower\n"), "\(run.output)\(run.error)")
    let changed = try sql(scratch, "SELECT item, change, reason, round(ratio, 1) FROM change")
    #expect(changed == "ad|slower|map changed|0.7\n")
    #expect(try sql(scratch, "SELECT sum(rows), sum(slower) FROM change_by_zone") == "4|1\n")
    let page = scratch.text("new/compare/compare.html")
    #expect(page.contains("<td>ad</td><td>slower</td>"))
  }

  @Test(arguments: [
    ("['07:00', '08:00']", "", "8 rows: 4 same, 4 slower\n", "ad, Mo 07:00\nad, Mo 08:00\n"),
    (
      "['07:00', '08:00']", "percentiles: [0, 90],", "8 rows: 4 same, 4 slower\n",
      "ad, percentile 0\nad, percentile 90\n"
    ),
    ("['07:00']", "", "4 rows: 2 same, 2 slower\n", "ad\n"),
  ])
  func rowsOfOnePairAreNamedByHourOrPercentile(hours: String, percentiles: String, counts: String, items: String) throws
  {
    let scratch = try scene(
      "kind: 'etas', pairs: 'pairs.csv', departures: \(hours), week: ['Mo'], traffic: 'porto', \(percentiles)")
    defer { scratch.remove() }
    #expect(try compare(scratch).output.hasSuffix(counts))
    #expect(try sql(scratch, "SELECT item FROM change WHERE item LIKE 'ad%' ORDER BY change_id") == items)
  }

  @Test func documentedQueriesCountByStreet() throws {
    let scratch = try scene("kind: 'routes', pairs: 'pairs.csv',")
    defer { scratch.remove() }
    _ = try compare(scratch)
    let document = try String(contentsOfFile: Project.path("docs/operations.md"), encoding: .utf8)
    let queries = document.split(separator: "\n").filter { $0.hasPrefix("    sqlite3 new/") }
    #expect(queries.count == 2)
    let answers = try queries.map { try Run("/bin/sh", ["-c", String($0)], in: scratch.folder).output }
    #expect(answers[0].hasSuffix("|slower|1\n") && answers[0].split(separator: "\n").count == 1, "\(answers[0])")
    #expect(answers[1].contains("Short Cut|-"), "\(answers[1])")
  }

  @Test func reportsAddedAndRemovedRows() throws {
    let scratch = try scene(
      "kind: 'etas', pairs: 'pairs.csv',", places: ("abcd", "abce"), maps: (CompareTests.monday, CompareTests.monday))
    defer { scratch.remove() }
    #expect(try compare(scratch).output.hasSuffix("4 rows: 2 same, 1 new, 1 gone\n"))
    #expect(
      try sql(scratch, "SELECT item, change, reason FROM change ORDER BY item")
        == "ad|gone|input changed\nae|new|input changed\n")
  }

  @Test func reportsNewlyUnreachableRows() throws {
    let island = TestMap(
      """
      a-b c
        | |
        d-e
      """
    ).way("ab").way("bd", ["highway": "footway", "foot": "no"]).way("de").way("ce")
    let scratch = try scene("kind: 'etas', pairs: 'pairs.csv',", maps: (CompareTests.monday, island))
    defer { scratch.remove() }
    let run = try compare(scratch, "--fail-over", "unreachable>0", "--quiet")
    #expect(run.status == 5 && run.output.isEmpty, "\(run.output)")
    #expect(run.error.hasPrefix("odometer: beyond unreachable>0: got "), "\(run.error)")
    #expect(try sql(scratch, "SELECT count(*) > 0 FROM change WHERE change = 'newly_unreachable'") == "1\n")
  }

  @Test(arguments: ["sqlite", "npy", "csv"], ["sqlite", "npy", "csv"])
  func cellsAreComparedOneByOne(old: String, new: String) throws {
    let scratch = try scene(
      "kind: 'matrix', origins: 'places.csv',", places: ("abcde", "edcba"),
      more: ("format: ['\(old)']", "format: ['\(new)']"))
    defer { scratch.remove() }
    #expect(try compare(scratch).output.hasSuffix("25 rows: 21 same, 4 slower\n"))
    let items = try sql(scratch, "SELECT item FROM change ORDER BY item")
    #expect(items == "a, d\nb, d\nd, a\nd, b\n")
    let zones = try sql(scratch, "SELECT zone, rows, slower FROM change_by_zone")
    #expect(zones == "a|5|1\nb|5|1\nd|5|2\n")
    #expect(try sql(scratch, "SELECT sum(rows) FROM change_count") == "25\n")
  }

  @Test(arguments: ["sqlite", "npy", "csv"]) func reportsAddedAndRemovedCells(format: String) throws {
    let scratch = try scene(
      "kind: 'matrix', origins: 'places.csv', format: ['\(format)'],", places: ("abcd", "abce"),
      maps: (CompareTests.monday, CompareTests.monday))
    defer { scratch.remove() }
    #expect(try compare(scratch).output.hasSuffix("23 rows: 9 same, 7 new, 7 gone\n"))
    #expect(
      try sql(scratch, "SELECT count(*), min(item), max(item) FROM change WHERE change = 'gone'") == "7|a, d|d, d\n")
  }

  @Test func nearestStationsAndAreasAreCompared() throws {
    let access = try scene("kind: 'access', origins: 'places.csv', stations: 'stations.csv',", places: ("abed", "abed"))
    defer { access.remove() }
    #expect(try compare(access).output.contains("slower"))
    let areas = try scene("kind: 'isochrones', origins: 'places.csv', thresholds: [2],")
    defer { areas.remove() }
    let changed = try compare(areas, "--threshold", "1%")
    #expect(changed.output.contains("smaller"), "\(changed)")
    #expect(try sql(areas, "SELECT count(*) FROM change WHERE item LIKE 'a, 120 s'") == "1\n")
    let wrong = try compare(areas, "--threshold", "1%,30s")
    #expect(wrong.status == 2 && wrong.error.contains("got 30s, but areas are compared"), "\(wrong)")
  }

  /// Runs `explore.py`, which selects, sorts and searches as a user would.
  @Test(
    .enabled(if: KindsOfResults.hasDriver, "chromedriver is not installed"),
    arguments: [
      "kind: 'etas', pairs: 'pairs.csv',", "kind: 'matrix', origins: 'places.csv',",
      "kind: 'access', origins: 'places.csv', stations: 'stations.csv',",
      "kind: 'isochrones', origins: 'places.csv', thresholds: [2],",
    ])
  func pageRespondsToTheUser(keys: String) throws {
    let scratch = try scene(keys, places: ("abced", "abced"))
    defer { scratch.remove() }
    _ = try compare(scratch)
    let run = try Run(
      "/usr/bin/python3", [Project.path("Tests/CommandTests/explore.py"), scratch.path("new/compare")],
      in: scratch.folder)
    #expect(run.output.isEmpty && run.status == 0, "\(run.output)\(run.error)")
  }

  @Test func storesSharesOfBothRunsAndChangedPlaces() throws {
    let scratch = try scene(
      "kind: 'access', origins: 'places.csv', stations: 'stations.csv', thresholds: [2],", places: ("abce", "abcd"))
    defer { scratch.remove() }
    _ = try compare(scratch)
    let shares = try sql(scratch, "SELECT threshold, measure, old_value, new_value FROM change_of_share")
    let expected = try ["old", "new"].map { run in
      try Run(
        "/usr/bin/env", ["sqlite3", "\(run)/results.sqlite", "SELECT value FROM access_share"], in: scratch.folder
      ).output.trimmingCharacters(in: .newlines)
    }
    #expect(shares == "120|origins|\(expected[0])|\(expected[1])\n")
    #expect(
      try sql(scratch, "SELECT place_id, role, change FROM place WHERE change NOT NULL ORDER BY 2, 1")
        == "d|origin|new\ne|origin|gone\nd|station|new\ne|station|gone\n")
    #expect(try sql(scratch, "SELECT count(*) > 0 FROM backdrop") == "1\n")
  }

  @Test func movedPlacesAreGivenAsTheReason() throws {
    let scratch = try scene(
      "kind: 'matrix', origins: 'places.csv',", maps: (CompareTests.monday, CompareTests.monday))
    defer { scratch.remove() }
    let moved = scratch.text("places.csv").replacing("a,0.0,", with: "a,0.0003,")
    try scratch.write(moved, to: "places.csv")
    try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
    #expect(try compare(scratch).output.contains("faster"))
    #expect(try sql(scratch, "SELECT DISTINCT reason FROM change") == "place moved\n")
  }

  /// Without ids, places are numbered in order of appearance: those after the removed b get different numbers.
  @Test func removedPairsDoNotMoveOtherPlaces() throws {
    let scratch = try scene("kind: 'etas', pairs: 'pairs.csv',", places: ("abcde", "acde"))
    defer { scratch.remove() }
    _ = try compare(scratch)
    #expect(
      try sql(scratch, "SELECT item, change, reason FROM change") == "ab|gone|input changed\nad|slower|map changed\n")
    #expect(try sql(scratch, "SELECT place_id, change FROM place WHERE change NOT NULL") == "2 (old)|gone\n")
  }

  /// The ids of the old run are numbers, those of the new one text.
  @Test(arguments: ["routes', pairs: 'pairs.csv", "isochrones', origins: 'places.csv"])
  func leadingZerosMakeADifferentID(keys: String) throws {
    let scratch = try scene("kind: '\(keys)',", maps: (CompareTests.monday, CompareTests.monday))
    defer { scratch.remove() }
    let job = scratch.text("job.json5")
    for (output, id) in [("old", "7"), ("new", "007")] {
      for file in ["pairs.csv", "places.csv"] {
        let lines = scratch.text(file).split(separator: "\n")
        try scratch.write("\(lines[0])\n\(id)\(lines[1].drop { $0 != "," })\n", to: file)
      }
      try scratch.write(job.replacing("'new'", with: "'\(output)'"), to: "job.json5")
      try Run(odometer: "run", "job.json5", "--fresh", "--quiet", in: scratch.folder)
    }
    _ = try compare(scratch)
    #expect(try sql(scratch, "SELECT DISTINCT change FROM change ORDER BY change") == "gone\nnew\n")
  }

  @Test func refusesCorruptResults() throws {
    let scratch = try scene("kind: 'etas', pairs: 'pairs.csv',")
    defer { scratch.remove() }
    let path = "old/results.sqlite"
    var bytes = scratch.bytes(path)
    // The first page lists the tables; all others are corrupted.
    bytes.replaceSubrange(16_384..., with: [UInt8](repeating: 0xA5, count: bytes.count - 16_384))
    try bytes.write(to: URL(fileURLWithPath: scratch.path(path)))
    let run = try compare(scratch)
    #expect(run.status == 3 && run.error.contains("old/results.sqlite"), "\(run.error)")
    #expect(run.error.split(separator: "\n").count == 1 && run.output.isEmpty)
  }

  @Test(arguments: [
    (["old", "gone"], 3, "gone: no such file"),
    (["old", "map.opl"], 3, "map.opl: not a results database"),
    (["old", "new", "--fail-over", "p95>ten"], 2, "--fail-over: got p95>ten, expected conditions such as p95>10%"),
    (["old", "new", "--fail-over", "p95>10"], 2, "--fail-over: got p95>10"),
    (["old", "new", "--threshold", "5"], 2, "--threshold: got 5, expected a share"),
    (["old", "new", "--threshold", "9m2"], 2, "got 9m2, but times are compared; expected a share or an amount in s"),
  ])
  func rejectsWrongArguments(words: [String], status: Int32, sentence: String) throws {
    let scratch = try scene("kind: 'etas', pairs: 'pairs.csv',")
    defer { scratch.remove() }
    let run = try Run(Project.binary, ["compare"] + words, in: scratch.folder)
    #expect(run.status == status && run.error.contains(sentence), "\(run.error)")
    #expect(run.error.split(separator: "\n").count == 1)
    #expect(!scratch.files.contains("compare"))
  }

  @Test(arguments: [("p95>10%", 5), ("p95>9%,slower>0", 5), ("slower>10%", 5), ("slower>30%", 0), ("max>99%", 5)])
  func thresholdsDecideTheExitCode(condition: String, status: Int32) throws {
    let scratch = try scene("kind: 'matrix', origins: 'places.csv',")
    defer { scratch.remove() }
    // Four of 25 cells take at least twice as long.
    #expect(try compare(scratch, "--fail-over", condition).status == status)
  }

  // MARK: Equal runs, and the size of a comparison

  @Test(arguments: KindsOfResults.all) func equalRunsHaveNoDifferences(kind: String) throws {
    let scratch = try KindsOfResults.scratch(kind)
    defer { scratch.remove() }
    try Run(odometer: "run", "job.json5", "--quiet", "--output", "again", in: scratch.folder)
    let run = try Run(
      odometer: "compare", "out", "again", "--threshold", "0%", "--fail-over", "max>0%,new>0,gone>0,slower>0",
      in: scratch.folder)
    #expect(run.status == 0 && run.output.hasSuffix(" rows: all equal\n"), "\(run.output)\(run.error)")
    let changes = try Run(
      "/usr/bin/env", ["sqlite3", "again/compare/compare.sqlite", "SELECT count(*) FROM change"], in: scratch.folder)
    #expect(changes.output == "0\n")
  }

  @Test func checksTheFreeSpaceBeforeItCreatesItsFolder() throws {
    let scratch = try scene("kind: 'matrix', origins: 'places.csv',")
    defer { scratch.remove() }
    // The file system of processes has no free space and no new folders.
    let run = try compare(scratch, "--output", "/proc/compare")
    #expect(run.status == 4 && run.error.contains("but only 0 kB is free in /proc/compare"), "\(run.error)")
  }

  @Test func forecastsAndCapsTheSizeOfItsFile() throws {
    let scratch = try scene("kind: 'matrix', origins: 'places.csv',")
    defer { scratch.remove() }
    let run = try compare(scratch, "--rows", "3")
    #expect(run.error.contains("compare.sqlite will take at most 6 MB"), "\(run.error)")
    #expect(scratch.bytes("new/compare/compare.sqlite").count < 2_000_000)
    #expect(run.error.contains("table change has only the first 3 of 4 changed rows"), "\(run.error)")
    #expect(try sql(scratch, "SELECT count(*) FROM change") == "3\n")
    #expect(try sql(scratch, "SELECT rows FROM change_count WHERE change = 'slower'") == "4\n")
  }
}
