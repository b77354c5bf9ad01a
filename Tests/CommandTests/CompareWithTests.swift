import Foundation
import TestMaps
import Testing

/// `odometer compare RESULTS --with FILE`: results of other programs.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct CompareWithTests {
  /// Computes results in `out`. The pairs are ab, ad and da; the places are a, b and d, and a place off the map with
  /// the id 9.
  private func scene(_ keys: String) throws -> Scratch {
    let map = TestMap("a-b-c-d").way("abcd")
    func point(_ name: Character) -> String { "\(map[name].longitude),\(map[name].latitude)" }
    let scratch = try Scratch(
      map,
      [
        "places.csv": "id,lon,lat\n" + "abd".map { "\($0),\(point($0))\n" }.joined() + "9,0.5,0.5\n",
        "pairs.csv": "id,origin_id,destination_id,o_lon,o_lat,d_lon,d_lat\n"
          + ["ab", "ad", "da"].map { "\($0),\($0.first!),\($0.last!),\(point($0.first!)),\(point($0.last!))\n" }
          .joined(),
      ], job: keys)
    let run = try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder)
    #expect(run.status == 0, "\(run.error)")
    return scratch
  }

  private static let etas = "kind: 'etas', pairs: 'pairs.csv'"
  private static let matrix = "kind: 'matrix', origins: 'places.csv', format: ['sqlite', 'npy']"

  private func compare(_ scratch: Scratch, _ file: String, _ words: String...) throws -> Run {
    try Run(Project.binary, ["compare", "out", "--with", file] + words, in: scratch.folder)
  }

  private func sql(_ scratch: Scratch, _ query: String) throws -> String {
    try Run("/usr/bin/env", ["sqlite3", "out/compare/compare.sqlite", query], in: scratch.folder).output
  }

  /// Writes the rows of a query on the results to a file for `--with`.
  private func export(_ scratch: Scratch, _ query: String, to file: String = "other.csv") throws {
    let run = try Run(
      "/usr/bin/env", ["sqlite3", "-csv", "-header", "out/results.sqlite", query], in: scratch.folder)
    try scratch.write(run.output, to: file)
  }

  @Test(arguments: [
    "SELECT from_id, to_id, travel_time FROM od", "SELECT from_id AS fromId, to_id AS toId, travel_time_p50 FROM od",
    "SELECT travel_time * 1000 AS duration_ms, from_id AS origin, to_id AS destination, 7 AS distance FROM od",
    "SELECT from_id AS o_zone_id, to_id AS d_zone_id, coalesce(travel_time / 3600, 'inf') AS travel_time_hours FROM od",
    "SELECT from_id, to_id, column1 AS percentile, travel_time * column1 / 50 AS travel_time FROM od, (VALUES (25), (50))",
  ])
  func tablesWithTheSameTimesAreEqual(query: String) throws {
    let scratch = try scene(CompareWithTests.matrix)
    defer { scratch.remove() }
    try export(scratch, query)
    let run = try compare(scratch, "other.csv", "--threshold", "0%", "--fail-over", "max>0%,new>0,gone>0")
    #expect(run.status == 0 && run.output.contains("16 rows: all equal\n"), "\(run.output)\(run.error)")
    #expect(run.output.hasPrefix("Nothing differs from another program's times.\n"), "\(run.output)")
  }

  @Test(arguments: ["mean", "max"]) func changesOfAThousandthOfAPerCentExceedZero(measure: String) throws {
    let scratch = try scene(CompareWithTests.matrix)
    defer { scratch.remove() }
    try export(scratch, "SELECT from_id, to_id, max(0, travel_time - 0.001) AS travel_time FROM od")
    let run = try compare(scratch, "other.csv", "--threshold", "0%", "--fail-over", "\(measure)>0%,p99>0.01%")
    #expect(run.status == 5 && run.error.contains("\(measure)>0%: got 0.00"), "\(run)")
  }

  @Test func pairsAreFoundByTheirEndsOrTheirIDs() throws {
    let scratch = try scene(CompareWithTests.etas)
    defer { scratch.remove() }
    try scratch.write("from_id,to_id,duration\na,b,60\na,d,60\nd,b,60\n", to: "ends.csv")
    let ends = try compare(scratch, "ends.csv", "--threshold", "0%")
    #expect(ends.output.hasSuffix("4 rows: 1 new, 1 gone, 2 slower\n"), "\(ends.output)\(ends.error)")
    #expect(ends.error.contains("1 row is only in out/results.sqlite (new), 1 only in ends.csv (gone)"))
    #expect(
      try sql(scratch, "SELECT item, change, reason FROM change WHERE change = 'gone'")
        == "d, b|gone|only in the file\n")
    try scratch.write("id,duration\nab,60\nad,\nda,60\n", to: "ids.csv")
    let ids = try compare(scratch, "ids.csv")
    #expect(ids.output.hasSuffix("3 rows: 2 slower, 1 newly_reachable\n"), "\(ids.output)\(ids.error)")
    #expect(
      try sql(scratch, "SELECT change, reason FROM change ORDER BY item")
        == "slower|another program's times\nnewly_reachable|no time in the file\nslower|another program's times\n")
  }

  @Test func reportsPlacesOffTheMap() throws {
    let scratch = try scene(CompareWithTests.matrix)
    defer { scratch.remove() }
    try scratch.write("from_id,to_id,travel_time\na,9,60\na,a,0\n", to: "other.csv")
    #expect(try compare(scratch, "other.csv").output.hasSuffix("16 rows: 1 same, 14 new, 1 newly_unreachable\n"))
    #expect(try sql(scratch, "SELECT DISTINCT reason FROM change WHERE change <> 'new'") == "destination: off_map\n")
    let page = scratch.text("out/compare/compare.html")
    #expect(page.contains("other.csv") && page.contains("another program"))
  }

  @Test func readsTablesWithAColumnPerDestination() throws {
    let scratch = try scene(CompareWithTests.matrix)
    defer { scratch.remove() }
    try scratch.write("id;d;a\na;129,6;0\nb;NA;64.8\n", to: "wide.csv")
    let run = try compare(scratch, "wide.csv", "--threshold", "50%")
    #expect(run.output.hasSuffix("16 rows: 2 same, 12 new, 1 slower, 1 newly_reachable\n"), "\(run.output)\(run.error)")
  }

  @Test(arguments: ["float32", "float64", "int16"], ["C", "F"])
  func numPyArraysAreInTheOrderOfTheResults(type: String, order: String) throws {
    let scratch = try scene(CompareWithTests.matrix)
    defer { scratch.remove() }
    let script = """
      import sys; sys.path.insert(0, '\(KindsOfResults.modules)')
      import numpy
      times = numpy.nan_to_num(numpy.load('out/travel_times.npy').astype(float), nan=-1)
      numpy.save('other.npy', numpy.array(numpy.round(times), dtype='\(type)', order='\(order)'))
      """
    guard KindsOfResults.hasModules else { return }
    let made = try Run("/usr/bin/env", ["python3", "-c", script], in: scratch.folder)
    #expect(made.status == 0, "\(made.error)")
    let run = try compare(scratch, "other.npy")
    #expect(run.output.contains("16 rows: 16 same\n") || run.output.contains("16 rows: all equal\n"), "\(run)")
  }

  @Test(arguments: [
    #"{"code":"Ok","durations":[[0,1,2,null],[1,0,2,null],[1,2,0,null],[null,null,null,null]]}"#,
    #"{"times":[[0,1,2,null],[1,0,2,null],[1,2,0,null],[null,null,null,null]]}"#,
    #"{"sources_to_targets":{"durations":[[0,1,2,null],[1,0,2,null],[1,2,0,null],[null,null,null,null]],"distances":[]}}"#,
    #"{"sources_to_targets":[[{"time":0},{"time":1},{"time":2},{"time":null}],[{"time":1},{"time":0},{"time":2},{"time":null}],[{"time":1},{"time":2},{"time":0},{"time":null}],[{"time":null},{"time":null},{"time":null},{"time":null}]]}"#,
  ])
  func readsServerResponses(response: String) throws {
    let scratch = try scene(CompareWithTests.matrix)
    defer { scratch.remove() }
    try scratch.write(response, to: "response.json")
    let run = try compare(scratch, "response.json", "--unit", "seconds")
    #expect(run.output.hasSuffix("16 rows: 10 same, 6 slower\n"), "\(run.output)\(run.error)")
    let scaled = try compare(scratch, "response.json")
    #expect(scaled.status == 3 && scaled.error.contains("if they are in another unit, set --unit"), "\(scaled.error)")
    #expect(!scratch.files(in: "out/compare").contains { $0.hasSuffix(".part") })
  }

  @Test func nearestStationsAreComparedOneByOne() throws {
    let scratch = try scene("kind: 'access', origins: 'places.csv', stations: 'places.csv', nearest: 2")
    defer { scratch.remove() }
    try export(scratch, "SELECT * FROM od")
    #expect(scratch.text("other.csv").contains("9,,,"))
    let run = try compare(scratch, "other.csv", "--threshold", "0%")
    #expect(run.output.contains("6 rows: all equal\n"), "\(run.output)\(run.error)")
  }

  @Test func hoursAreGivenByNumberOrDate() throws {
    let scratch = try KindsOfResults.scratch("matrix by hour")
    defer { scratch.remove() }
    for columns in ["*", "from_id, to_id, departure_date, travel_time"] {
      try export(scratch, "SELECT \(columns) FROM od")
      let run = try compare(scratch, "other.csv", "--threshold", "0%")
      #expect(run.output.contains("32 rows: all equal\n"), "\(run.output)\(run.error)")
    }
    let array = try compare(scratch, "out/travel_times.npy")
    #expect(array.output.contains("32 rows: all equal\n"), "\(array.output)\(array.error)")
    try export(scratch, "SELECT from_id, to_id, travel_time FROM od WHERE departure = 1")
    let without = try compare(scratch, "other.csv")
    #expect(without.status == 3 && without.error.contains("expected a column departure"), "\(without.error)")
  }

  @Test(arguments: [("[100]", "16"), ("[100, 0]", "32")])
  func percentilesAreGivenByColumnOrByRow(percentiles: String, rows: String) throws {
    let scratch = try scene(
      "kind: 'matrix', origins: 'places.csv', format: ['sqlite', 'csv'], departures: ['07:00', '12:00'], week: ['Mo'], "
        + "traffic: 'porto', percentiles: \(percentiles)")
    defer { scratch.remove() }
    try export(scratch, "SELECT *, 1 AS travel_time_p50, 1 AS travel_time FROM od", to: "columns.csv")
    // As r5r writes small percentiles.
    try scratch.write(scratch.text("columns.csv").replacing("_p", with: "_p0"), to: "padded.csv")
    try export(
      scratch,
      """
      SELECT origin_id, destination_id, 50 AS percentile, 1 AS duration FROM matrix
      UNION ALL SELECT origin_id, destination_id, percentile, expected_travel_time FROM matrix
      """, to: "rows.csv")
    for file in ["columns.csv", "padded.csv", "rows.csv", "out/matrix.csv.gz"] {
      let run = try compare(scratch, file, "--threshold", "0%")
      #expect(run.output.contains("\(rows) rows: all equal\n"), "\(run)")
    }
    for (column, value) in [
      ("travel_time_p50", "1"), ("travel_time_p0,travel_time_p50", "1,1"), ("percentile,time", "7,1"),
    ] {
      try scratch.write("from_id,to_id,\(column)\na,b,\(value)\n", to: "other.csv")
      let run = try compare(scratch, "other.csv")
      #expect(run.status == 3 && run.error.contains(", expected ") && run.error.contains("100"), "\(run)")
    }
  }

  @Test func rowsOfOnePairAreNamedByTheirHour() throws {
    let scratch = try scene("\(CompareWithTests.etas), departures: ['07:00', '08:00'], week: ['Mo'], traffic: 'porto'")
    defer { scratch.remove() }
    try scratch.write("pair_id,departure,duration\nad,1,100\nad,2,100\n9,2,100\n", to: "other.csv")
    #expect(try compare(scratch, "other.csv").status == 0)
    let items = try sql(scratch, "SELECT item FROM change WHERE change IN ('slower', 'gone') ORDER BY change_id")
    #expect(items == "ad, Mo 07:00\nad, Mo 08:00\n9, Mo 08:00\n")
  }

  @Test func rowsWithTheirOwnTimesAreCompared() throws {
    let scratch = try scene("\(CompareWithTests.etas), departureDate: '2026-11-23T07:00:00Z', traffic: 'porto'")
    defer { scratch.remove() }
    try scratch.write(
      scratch.text("pairs.csv").replacing("\n", with: ",\n").replacing("d_lat,", with: "d_lat,departure_time")
        .replacing(/(\nad,.*,)\n/) { "\($0.1)2026-11-23T08:00:00Z\n" }, to: "pairs.csv")
    let job = try Run(odometer: "run", "job.json5", "--quiet", "--fresh", in: scratch.folder)
    #expect(job.status == 0, "\(job.error)")
    for columns in ["pair_id, expected_travel_time", "pair_id, departure, expected_travel_time"] {
      try export(scratch, "SELECT \(columns) FROM route")
      let run = try compare(scratch, "other.csv", "--threshold", "0%")
      #expect(run.output.contains("3 rows: all equal\n"), "\(run)")
    }
  }

  @Test func notesIgnoredInput() throws {
    let scratch = try scene(CompareWithTests.etas)
    defer { scratch.remove() }
    try scratch.write("from_id,to_id,travel_time_p50,fare\na,b,1,3\na,b,9,3\na,d,2,3\nd,a,2,3\n", to: "r5r.csv")
    let run = try compare(scratch, "r5r.csv")
    #expect(run.error.contains("r5r.csv: 4 times by from_id, to_id, travel_time_p50, in minutes; not compared: fare"))
    #expect(run.error.contains("1 of 4 rows repeat the ids of an earlier one: the first of each is used"))
    #expect(run.error.contains("its times are whole minutes; --threshold 60s matches their precision"), "\(run.error)")
  }

  @Test(arguments: [
    (
      "from_id,to_id,km\na,b,1\n",
      "the header has no column for the travel time: got from_id, to_id, km, expected one of"
    ),
    ("id,travel_tme\nab,1\n", "the header has no column for the travel time: got id, travel_tme, expected one of"),
    ("origin,x,y\na,1,2\n", ", or the ids of destinations, such as b, d, a"),
    ("from_id,travel_time\na,1\n", "the header has no column for the destination: got from_id, travel_time"),
    ("from_id,to_id,travel_time\na,b\n", "other.csv:2: got 2 fields, expected 3 as in the header"),
    ("from_id,to_id,travel_time\na,b,soon\n", "other.csv:2: travel_time: got \"soon\", expected a number or nothing"),
    ("from_id,to_id,travel_time\n,b,1\n", "other.csv:2: from_id is empty"),
    (
      "from_id,to_id,travel_time\nx,y,1\n",
      "its time matches no row of out/results.sqlite: it is for x, … to y, …"
    ),
    (
      "from_id,to_id,travel_time\na,b,2\na,d,4\nd,a,4\n",
      "if they are in another unit, set --unit to seconds, minutes or hours"
    ),
    (
      "from_id,to_id,travel_time_p25,travel_time_p75\na,b,1,2\n",
      "got travel_time_p25, travel_time_p75, expected travel_time_p50"
    ),
    ("name,b\na,one\n", "b: got \"one\", expected a time; a table has columns from_id, to_id and travel_time"),
    ("{\"code\":\"NoTable\",\"message\":\"none\"}", "the server answered NoTable: none"),
    (
      "{\"code\":\"NoTable\",\"message\":\"\(String(repeating: "x", count: 99))\"}",
      "NoTable: \(String(repeating: "x", count: 60))…\n"
    ),
    (
      #"{"sources_to_targets":[[{"time":0,"from_index":0,"to_index":0},{"time":1,"from_index":0,"to_index":2}]]}"#,
      "got to_index 2 where 1 was expected"
    ),
    ("{\"durations\":[[0]]}", "its times have no ids, only positions"),
    ("from_id,to_id,travel_time\n", "the file has no rows below its header"), ("", "the file is empty"),
  ])
  func explainsWhyAFileCannotBeCompared(text: String, sentence: String) throws {
    let scratch = try scene(CompareWithTests.etas)
    defer { scratch.remove() }
    try scratch.write(text, to: "other.csv")
    let run = try compare(scratch, "other.csv")
    // Only notes precede the error.
    let error = "\(run.error.split(separator: "\n").last ?? "")\n"
    #expect(error.hasPrefix("odometer: other.csv:") && error.contains(sentence), "\(run.error)")
    #expect(run.status == 3 && run.output.isEmpty)
  }

  @Test(arguments: [
    (["out"], "compare: got out, expected OLD NEW, or RESULTS --with FILE"),
    (["out", "out", "--with", "other.csv"], "compare: got out out, expected one RESULTS with --with FILE"),
    (["out", "out", "--unit", "minutes"], "--unit needs --with: it is the unit of the times in FILE"),
    (["out", "--with", "other.csv", "--unit", "days"], "--unit: got days, expected one of seconds, minutes, hours"),
  ])
  func rejectsWrongArguments(words: [String], sentence: String) throws {
    let scratch = try scene(CompareWithTests.etas)
    defer { scratch.remove() }
    try scratch.write("from_id,to_id,travel_time\na,b,60\n", to: "other.csv")
    let run = try Run(Project.binary, ["compare"] + words, in: scratch.folder)
    #expect(run.status == 2 && run.error.contains(sentence), "\(run.error)")
  }

  @Test(arguments: [
    ("travel_time_min", "seconds", "the name of column travel_time_min states minutes, but --unit is seconds"),
    ("Duration (hours)", "minutes", "the name of column Duration (hours) states hours, but --unit is minutes"),
    ("travel_time_min", "minutes", nil), ("travel_times", "minutes", nil), ("travel_time_p50", "seconds", nil),
  ])
  func refusesAUnitThatContradictsTheColumn(column: String, unit: String, sentence: String?) throws {
    let scratch = try scene(CompareWithTests.etas)
    defer { scratch.remove() }
    try scratch.write("from_id,to_id,\(column)\na,b,60\n", to: "other.csv")
    let run = try compare(scratch, "other.csv", "--unit", unit)
    #expect(run.status == (sentence == nil ? 0 : 3) && run.error.contains(sentence ?? "in \(unit)"), "\(run.error)")
  }

  @Test func refusesToCompareResultsWithThemselves() throws {
    let scratch = try scene(CompareWithTests.etas)
    defer { scratch.remove() }
    let run = try compare(scratch, "out/results.sqlite")
    #expect(run.status == 3 && run.error.contains("odometer compare OLD NEW compares two of them"), "\(run.error)")
  }

  @Test(arguments: ["isochrones", "traces"]) func kindsWithoutTripsAreRefused(kind: String) throws {
    let scratch = try KindsOfResults.scratch(kind)
    defer { scratch.remove() }
    try scratch.write("from_id,to_id,travel_time\na,b,60\n", to: "other.csv")
    let run = try compare(scratch, "other.csv")
    #expect(run.status == 3 && run.error.contains("expected routes, etas, matrix or access"), "\(run.error)")
  }
}
