import Foundation
import Geography
import Jobs
import Routing
import StreetNetwork
import TestMaps
import Testing

/// Traces in CSV, with one row per fix.
struct PointTraceTests {
  @Test(arguments: [
    "trace_id,time,lon,lat\nA,1000,8.5,47.25\n", "lat;lon;trace;time\r\n47.25;8.5;A;1970-01-01T00:16:40Z\r\n",
    "\u{FEFF}Time\tTrackID\tX\tY\n1970-01-01 01:16:40+01:00\tA\t8.5\t47.25\n",
    "\"longitude\",\"latitude\",\"trip_id\",\"timestamp\"\n\"8.5\",\"47.25\",\"A\",\"1000\"",
  ])
  func findsColumnsByName(text: String) throws {
    let scene = try TraceScene(text)
    #expect(scene.ids == ["A"] && scene.places == [["8.5 47.25"]] && scene.times == [[1000]])
  }

  @Test func readsMeasuredValuesOfFixes() throws {
    let scene = try TraceScene(
      "trace,time,lon,lat,accuracy,speed,course,received,group\nA,10,1,2,4.5,3,270,11,g\nA,20,1,2,,-1,,,\n")
    let fixes = scene.traces[0].fixes
    #expect(fixes.map(\.horizontalAccuracy) == [4.5, nil] && fixes.map(\.speed) == [3, nil])
    #expect(fixes.map(\.course) == [270, nil] && fixes.map(\.received) == [Date(timeIntervalSince1970: 11), nil])
    #expect(scene.traces[0].group == "g" && scene.traces[0].line == 2)
  }

  @Test func fileWithoutIdsIsOneTrace() throws {
    #expect(try TraceScene("lon,lat\n1,2\n3,4\n", as: "walk.csv").ids == ["walk"])
  }

  @Test(arguments: [
    ("0", 0), ("1372636858", 1_372_636_858), ("1372636858000", 1_372_636_858), ("1372636858.25", 1_372_636_858.25),
    ("1372636858250", 1_372_636_858.25), ("2013-07-01T00:00:58Z", 1_372_636_858),
    ("2013-07-01 02:00:58.250+02", 1_372_636_858.25), ("2013-06-30T20:30:58-0330", 1_372_636_858),
    ("2012-02-29T23:59:60z", 1_330_560_000), ("2013-07-01T24:00Z", 1_372_723_200), ("", -1),
  ])
  func readsTimes(text: String, seconds: Double) throws {
    #expect(try TraceScene("time,lon,lat\n\(text),1,2\n").times == [[seconds]])
  }

  @Test func keepsEqualDecreasingAndMissingTimes() throws {
    let scene = try TraceScene("time,lon,lat\n5,1,2\n5,1,2\n3,1,2\n,1,2\n")
    #expect(scene.times == [[5, 5, 3, -1]] && scene.reasons == [])
  }

  @Test func readsLocalTimesInTheJobsZone() throws {
    let text = "time,lon,lat\n2026-03-29 00:30:00,1,2\n2026-03-29T03:30:00,1,2\n2026-07-01T12:00:00Z,1,2\n"
    let scene = try TraceScene(text) { $0.clock = LocalClock(timeZone: "Europe/Lisbon") }
    #expect(scene.times == [[1_774_744_200, 1_774_751_400, 1_782_907_200]])
  }

  /// In Lisbon, clocks go back from 02:00 to 01:00 on 25 October 2026: at 01:00 UTC, second 1,792,890,000.
  @Test(arguments: [
    ("00:59 01:00 01:30 01:59 01:00 01:30 02:00", [-61, -60, -30, -1, 0, 30, 60]),
    // If the order is ambiguous, the first occurrence is used; a trace that goes on past the hour began in the second.
    ("00:50 01:30", [-70, -30]), ("01:10 01:50", [-50, -10]), ("01:10 01:50 02:10", [10, 50, 70]),
    // A fix that is a few minutes late is out of order, as on any other day.
    ("01:10 01:08 01:20", [-50, -52, -40]), ("01:50 01:10 01:08 02:00", [-10, 10, 8, 60]),
  ])
  func repeatedLocalTimesFollowTheOrderOfTheTrace(clocks: String, minutes: [Double]) throws {
    let rows = clocks.split(separator: " ").map { "2026-10-25 \($0),1,2" }
    let scene = try TraceScene("time,lon,lat\n" + rows.joined(separator: "\n")) {
      $0.clock = LocalClock(timeZone: "Europe/Lisbon")
    }
    #expect(scene.times == [minutes.map { 1_792_890_000 + $0 * 60 }])
  }

  @Test func repeatedLocalTimesAreResolvedPerTrace() throws {
    let rows = ["01:50", "01:55", "01:10", "01:15"].flatMap { ["A,2026-10-25T\($0),1,2", "B,2026-10-25T\($0),1,2"] }
    let scene = try TraceScene("trace,time,lon,lat\n" + rows.joined(separator: "\n")) {
      $0.clock = LocalClock(timeZone: "Europe/Lisbon")
    }
    let times = [-10.0, -5, 10, 15].map { 1_792_890_000 + $0 * 60 }
    #expect(scene.times == [times, times])
  }

  @Test func timesWithAZoneAreUnchanged() throws {
    let scene = try TraceScene("time,lon,lat\n2026-10-25T01:50+01:00,1,2\n2026-10-25T01:10+01:00,1,2\n") {
      $0.clock = LocalClock(timeZone: "Europe/Lisbon")
    }
    let hour: Double = 1_792_890_000
    #expect(scene.times == [[hour - 600, hour - 3000]])
  }

  @Test(arguments: [
    (
      "A,2013-07-01T00:00:58,1,2,",
      "time \"2013-07-01T00:00:58\" has no time zone; append Z or an offset such as +01:00, or set timeZone"
    ),
    (
      "A,yesterday,1,2,",
      "time \"yesterday\" is not a time, expected ISO 8601 with a zone, or seconds or milliseconds since 1970"
    ),
    (
      "A,2013-02-29T00:00:00Z,1,2,",
      "time \"2013-02-29T00:00:00Z\" is not a time, expected ISO 8601 with a zone, or seconds or milliseconds since 1970"
    ),
    (
      "A,1372636858000000,1,2,",
      "time \"1372636858000000\" is not a time, expected ISO 8601 with a zone, or seconds or milliseconds since 1970"
    ),
    (",5,1,2,", "the row has no trace id"), ("A,5,1,2", "got 4 fields, expected 5 as in the header"),
    ("A,5,1,91,", "the fix's latitude 91.0 lies outside -90…90; are longitude and latitude swapped?"),
    ("A,5,nan,2,", "the fix's coordinates are not finite numbers"),
    ("A,5,1e400,2,", "the fix's coordinates are not finite numbers"),
    ("A,5,,2,", "lon is empty"), ("A,5,\"1,5\",2,", "lon \"1,5\" is not a number; decimals are written with a point"),
    ("A,5,1,2,x", "accuracy \"x\" is not a number"), ("A,5,1,2,inf", "accuracy is not a finite number"),
  ])
  func rejectsOnlyTheBadRow(row: String, reason: String) throws {
    let scene = try TraceScene("trace_id,time,lon,lat,accuracy\nA,1,1,2,\n\(row)\nA,9,3,4,\n")
    #expect(scene.times == [[1, 9]] && scene.reasons == [reason])
    #expect(scene.table.rejected.map(\.line) == [3] && scene.table.rejected.map(\.text) == [row])
    #expect(scene.table.rejectedCount == 1 && scene.table.fixCount == 2)
  }

  @Test func joinsScatteredRowsOfATrace() throws {
    let scene = try TraceScene("trace,time,lon,lat\nA,1,1,1\nB,2,2,2\nA,3,3,3\nB,1,4,4\n")
    #expect(scene.ids == ["A", "B"] && scene.times == [[1, 3], [2, 1]] && scene.reasons == [])
  }

  @Test func rejectsAScatteredTraceInALargeFile() throws {
    let scene = try TraceScene("trace,time,lon,lat\nA,1,1,1\nB,2,2,2\nA,3,3,3\nA,4,3,3\n") { $0.memory = 100 }
    #expect(scene.ids == ["A", "B"] && scene.times == [[1], [2]])
    #expect(
      scene.reasons == [
        "trace A is rejected from here (2 fixes): it began at line 2 and had already ended; "
          + "rows of a trace must be adjacent, or the file must fit in memory"
      ])
    #expect(scene.table.rejected.map(\.line) == [4])
  }

  @Test(arguments: [
    (
      "trace,lon\nA,1\n",
      "t.csv:1: the header has no column for the latitude: got trace, lon, expected one of lat, latitude, y, or polyline"
    ),
    ("", "t.csv: the file is empty"), ("\n\n", "t.csv: the file has no rows"),
    ("lon,lat\n", "t.csv: the file has no rows"),
    ("lon,lat\n1,x\n", "t.csv:2: all rows of the file are rejected; the first one: lat \"x\" is not a number"),
    (
      "PK\u{3}\u{4}\u{14}\u{0}",
      "t.csv: got a zip file, expected text such as CSV or GeoJSON; unpack it, or save a spreadsheet as CSV"
    ),
  ])
  func refusesFilesThatAreNotTraces(text: String, message: String) {
    #expect(TraceScene.refusal(["t.csv": text]) == message)
  }

  /// The longest file has more than one block.
  @Test(arguments: [1, 2000, 400_000]) func refusesANULInAnyRow(rows: Int) {
    let text = "lon,lat\n" + String(repeating: "1,2\n", count: rows) + "1,\u{0}\n1,2\n"
    #expect(
      TraceScene.refusal(["t.csv": text]) == "t.csv:\(rows + 2): got a NUL byte, expected text such as CSV or GeoJSON")
  }

  @Test func cutsChunksOfWholeTraces() throws {
    let many = (0..<150).map { "\($0),1,2\n" }.joined()
    #expect(try TraceScene("trace,lon,lat\n" + many).chunks == [64, 64, 22])
    let long = ["a", "b", "c"].map { id in String(repeating: "\(id),1,2\n", count: 15_000) }.joined()
    #expect(try TraceScene("trace,lon,lat\n" + long).chunks == [2, 1])
  }

  /// Rows with quotes and line ends of every kind, across block boundaries, give the same result as `CSVReader`.
  @Test func readsRowsLikeTheOtherReaders() throws {
    var random = SeededGenerator(seed: 11)
    let ends = ["\n", "\r\n", "\n\n", "\n\r\n"]
    var text = "trace,note,lon,lat\n"
    for number in 0..<40_000 {
      let long = String(repeating: "é", count: .random(in: 0...60, using: &random))
      let note = ["", "x", " \"\"", "\"a, \"\"b\"\"\nc\"", "\"\"", "\"\(long)\r\n,\""].randomElement(using: &random)!
      let point = ["1.5,2", " 1.5 ,\"2\"", "1.5,2,", "x,2"].randomElement(using: &random)!
      text += "\(number / 9),\(note),\(point)" + ends.randomElement(using: &random)!
    }
    let rows = CSVReader(Array(text.utf8)).dropFirst()
    let scene = try TraceScene(text)
    let bad = rows.filter { $0.fields.count != 4 || $0.fields[2] != "1.5" }
    #expect(scene.table.rejected.map(\.line) == bad.map(\.line) && scene.table.rejected.map(\.text) == bad.map(\.text))
    #expect(scene.table.fixCount == rows.count { $0.fields.count == 4 && $0.fields[2] == "1.5" })
  }

  @Test func readsNumbersAsDoubleDoes() throws {
    var random = SeededGenerator(seed: 2)
    let odd = ["-0", "+5", ".5", "5.", "1e2", "0x1p3", "179.99999999999999999", "0.000000000000000000001", "00012.50"]
    let texts =
      odd
      + (0..<5000).map { _ in
        let digits = Int.random(in: 0...18, using: &random)
        return String(format: "%.\(digits)f", Double.random(in: -90...90, using: &random))
      }
    let scene = try TraceScene("lon,lat\n" + texts.map { "\($0),\($0)\n" }.joined())
    let expected = texts.compactMap { Double(decimal: $0) }.filter { abs($0) <= 90 }
    #expect(scene.traces[0].fixes.map(\.coordinate.latitude) == expected)
  }

  @Test func readsGzippedFilesAndRefusesTruncatedOnes() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let rows = (0..<100_000).map { "\($0 / 100),1.\($0 * 7919 % 99_991),2\n" }.joined()
    try scratch.write("trace,lon,lat\n" + rows, to: "t.csv")
    try Run("/usr/bin/env", ["gzip", "t.csv"], in: scratch.folder)
    #expect(try TraceScene(scratch, ["t.csv.gz"]).table.traceCount == 1000)
    try Data(scratch.bytes("t.csv.gz").dropLast(1000)).write(to: URL(fileURLWithPath: scratch.path("cut.csv.gz")))
    #expect { try TraceScene(scratch, ["cut.csv.gz"]) } throws: { error in
      "\(error)".hasSuffix("cut.csv.gz: the compressed file is corrupt or truncated")
    }
  }
}
