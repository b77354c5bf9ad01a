import Foundation
import Jobs
import Results
import TestMaps
import Testing

/// Small matrices from a drawn map to every form they are written in. 100 m take 72 s, but for the coordinates' seven
/// decimals.
struct MatrixJobTests {
  /// 9 is far from every street, and f on one of its own.
  private let map = TestMap(
    """
    a-b-c   e-f
      |
      d-g             9
    """
  ).way("abc").way("bd").way("dg").way("ef")

  private func list(_ letters: String, _ header: String = "id,lon,lat", _ more: String = "") -> String {
    "\(header)\n"
      + letters.map { "\($0),\(map[$0].longitude),\(map[$0].latitude)\(more)\n" }.joined()
  }

  private func run(_ origins: String, _ destinations: String?, _ keys: String = "", workers: Int = 1) throws -> Scratch
  {
    let scratch = try Scratch()
    try scratch.write(map.opl, to: "map.opl")
    try scratch.write(origins, to: "origins.csv")
    if let destinations { try scratch.write(destinations, to: "destinations.csv") }
    let lists =
      "origins: \"\(scratch.path("origins.csv"))\", "
      + (destinations == nil ? "" : "destinations: \"\(scratch.path("destinations.csv"))\", ")
    let path = try scratch.write(
      """
      { kind: "matrix", map: "\(scratch.path("map.opl"))", transportType: "walking", \(lists) \(keys)
        snapLimit: 200, output: "\(scratch.path("out"))" }
      """, to: "job.json5")
    var options = RunOptions()
    options.workers = workers
    options.isQuiet = true
    #expect(try JobRun(Job(path: path), options).run().isFinished)
    return scratch
  }

  private func sql(_ scratch: Scratch, _ statement: String) throws -> String {
    try Run("/usr/bin/env", ["sqlite3", "out/results.sqlite", statement], in: scratch.folder).output
  }

  @Test func rowsAreArraysAndTheViewUnfoldsThem() throws {
    let scratch = try run(list("a9f"), list("bcf9"))
    defer { scratch.remove() }
    #expect(
      try sql(scratch, "SELECT * FROM matrix_row")
        == """
        a|[71.998,143.996,null,null]|[100.00,200.00,null,null]
        9|[null,null,null,null]|[null,null,null,null]
        f|[null,null,0.000,null]|[null,null,0.00,null]

        """)
    #expect(
      try sql(scratch, "SELECT * FROM matrix WHERE origin_id = 'a'")
        == "a|b|71.998|100.0\na|c|143.996|200.0\na|f||\na|9||\n")
    #expect(try sql(scratch, "SELECT count(*), sum(distance) FROM matrix") == "12|300.0\n")
    #expect(
      try sql(scratch, "SELECT key, value FROM job WHERE key LIKE 'cells%' ORDER BY key")
        == "cells_directions_not_found|3\ncells_ok|3\ncells_placemark_not_found|6\n")
    #expect(
      try sql(scratch, "SELECT measure, count, min, max, mean FROM statistic ORDER BY measure")
        == "distance|3|0.0|200.0|100.0\nexpected_travel_time|3|0.0|143.996|71.998\n")
  }

  @Test func withoutDistancesThereAreTimesAlone() throws {
    let scratch = try run(list("ab"), nil, "distances: false, format: ['sqlite', 'npy', 'csv'],")
    defer { scratch.remove() }
    #expect(try sql(scratch, "SELECT * FROM matrix") == "a|a|0.0|\na|b|71.998|\nb|a|71.998|\nb|b|0.0|\n")
    #expect(try sql(scratch, "SELECT role, count(*) FROM place GROUP BY role") == "destination|2\norigin|2\n")
    let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path("out")).sorted()
    #expect(files == ["log.jsonl", "matrix.csv.gz", "results.sqlite", "travel_times.npy"])
    #expect(
      try gunzipped(scratch, "matrix.csv.gz")
        == "origin_id,destination_id,expected_travel_time\na,a,0\na,b,71.998\nb,a,71.998\nb,b,0\n")
  }

  private func gunzipped(_ scratch: Scratch, _ file: String) throws -> String {
    try Run("/usr/bin/env", ["gzip", "-dc", scratch.path("out/\(file)")], in: scratch.folder).output
  }

  @Test func numPyAndCSVSayTheSame() throws {
    let scratch = try run(list("ag"), list("b9c"), "format: ['npy', 'csv'],")
    defer { scratch.remove() }
    #expect(
      try gunzipped(scratch, "matrix.csv.gz")
        == """
        origin_id,destination_id,expected_travel_time,distance
        a,b,71.998,100
        a,9,,
        a,c,143.996,200
        g,b,215.995,300
        g,9,,
        g,c,287.993,400

        """)
    #expect(
      try numbers(scratch, "travel_times.npy").map(\.description) == [
        "71.998", "nan", "143.996", "215.995", "nan", "287.993",
      ])
    #expect(
      try numbers(scratch, "distances.npy").map(\.description) == ["100.0", "nan", "200.0", "300.0", "nan", "400.0"])
    #expect(try sql(scratch, "SELECT count(*) FROM matrix_row") == "0\n")
  }

  /// The floats of a file whose head is as NumPy's format 1.0 has it.
  private func numbers(_ scratch: Scratch, _ file: String) throws -> [Float] {
    let bytes = Array(scratch.bytes("out/\(file)"))
    #expect(bytes.starts(with: [0x93] + Array("NUMPY".utf8) + [1, 0]))
    let start = 10 + Int(bytes[8]) + Int(bytes[9]) * 256
    let about = String(decoding: bytes[10..<start], as: UTF8.self)
    #expect(start % 64 == 0 && about.hasSuffix("\n"))
    #expect(about.hasPrefix("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"))
    return bytes[start...].withUnsafeBytes { part in
      (0..<part.count / 4).map { part.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
  }

  @Test func aSummaryKeepsWhatIsAskedOfEachRow() throws {
    let weighted = list("bcg", "id,lon,lat,weight", ",10")
    let scratch = try run(list("a9"), weighted, "summary: ['nearest', 'within:100,150', 'mean'],")
    defer { scratch.remove() }
    #expect(
      try sql(scratch, "SELECT * FROM origin_summary")
        == "a|3|b|71.998|100.0|167.995666666667|233.333333333333\n9|0|||||\n")
    #expect(
      try sql(scratch, "SELECT * FROM within")
        == "a|100|1|10.0\na|150|2|20.0\n9|100|0|0.0\n9|150|0|0.0\n")
    #expect(try sql(scratch, "SELECT count(*) FROM matrix_row") == "0\n")
  }

  @Test func anyNumberOfWorkersWritesTheSame() throws {
    let many = (0..<60).map { _ in "abcdg" }.joined()
    let keys = "format: ['sqlite', 'npy', 'csv'], summary: ['nearest', 'mean'],"
    let (one, three) = (try run(list(many), list("gab"), keys), try run(list(many), list("gab"), keys, workers: 3))
    defer {
      one.remove()
      three.remove()
    }
    for file in ["travel_times.npy", "distances.npy", "matrix.csv.gz"] {
      #expect(one.bytes("out/\(file)") == three.bytes("out/\(file)") && !one.bytes("out/\(file)").isEmpty)
    }
    let dump = "SELECT * FROM matrix_row; SELECT * FROM origin_summary; SELECT * FROM statistic; SELECT * FROM chunk"
    #expect(try sql(one, dump) == sql(three, dump))
  }

  @Test(arguments: [
    ("format: ['xlsx'],", "format: got [\"xlsx\"], expected a list of sqlite, npy, csv"),
    ("format: [],", "format: got an empty list and no summary: nothing would be written"),
    (
      "summary: ['median'],",
      "summary: got [\"median\"], expected a list of \"nearest\", \"mean\" and \"within:\" with seconds, e.g. \"within:600,900,1800\""
    ),
    (
      "summary: ['within:5m'],",
      "summary: got [\"within:5m\"], expected a list of \"nearest\", \"mean\" and \"within:\" with seconds, e.g. \"within:600,900,1800\""
    ),
    ("distances: 'yes',", "distances: got \"yes\", expected true or false"),
    (
      "requestsAlternateRoutes: true,",
      "requestsAlternateRoutes: kind matrix has no routes to choose from; use kind routes"
    ),
  ])
  func wrongKeysAreRefused(keys: String, message: String) throws {
    #expect { try run(list("a"), nil, keys) } throws: { "\($0)".hasSuffix(": \(message)") }
  }
}
