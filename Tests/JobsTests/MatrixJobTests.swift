import Foundation
import TestMaps
import Testing

/// Small matrices from a drawn map to every output format. 100 m take 72 s, within the seven decimals of coordinates.
struct MatrixJobTests {
  /// 9 is far from all streets, and f is on an isolated one.
  private let map = TestMap(
    """
    a-b-c   e-f
      |
      d-g             9
    """
  ).way("abc").way("bd").way("dg").way("ef")

  private func run(
    _ origins: String, _ destinations: String?, _ keys: String = "", workers: Int = 1
  ) throws -> JobScene {
    var (files, lists) = (["origins.csv": origins], "origins: 'origins.csv',")
    if let destinations {
      files["destinations.csv"] = destinations
      lists += " destinations: 'destinations.csv',"
    }
    return try JobScene(map, files, "kind: 'matrix', \(lists) \(keys)", workers: workers)
  }

  @Test func writesRowsAsArraysAndAViewOfCells() throws {
    let scene = try run(map.list("a9f"), map.list("bcf9"))
    defer { scene.remove() }
    #expect(
      try scene.sql("SELECT origin_id, travel_times, distances FROM matrix_row")
        == """
        a|[71.998,143.996,null,null]|[100.00,200.00,null,null]
        9|[null,null,null,null]|[null,null,null,null]
        f|[null,null,0.000,null]|[null,null,0.00,null]

        """)
    #expect(
      try scene.sql("SELECT * FROM matrix WHERE origin_id = 'a'")
        == "a|b|71.998|100.0\na|c|143.996|200.0\na|f||\na|9||\n")
    #expect(try scene.sql("SELECT count(*), sum(distance) FROM matrix") == "12|300.0\n")
    #expect(
      try scene.sql("SELECT key, value FROM job WHERE key LIKE 'cells%' ORDER BY key")
        == "cells_directions_not_found|3\ncells_ok|3\ncells_placemark_not_found|6\n")
    #expect(
      try scene.sql("SELECT measure, count, min, max, mean FROM statistic ORDER BY measure")
        == "distance|2|100.0|200.0|150.0\nexpected_travel_time|2|71.998|143.996|107.997\n")
  }

  @Test func writesTimesWithoutDistances() throws {
    let scene = try run(map.list("ab"), nil, "distances: false, format: ['sqlite', 'npy', 'csv'],")
    defer { scene.remove() }
    #expect(try scene.sql("SELECT * FROM matrix") == "a|a|0.0|\na|b|71.998|\nb|a|71.998|\nb|b|0.0|\n")
    #expect(try scene.sql("SELECT role, count(*) FROM place GROUP BY role") == "destination|2\norigin|2\n")
    #expect(
      scene.files == [
        "log.jsonl", "matrix.csv.gz", "npy_destinations.csv", "npy_origins.csv", "results.sqlite", "travel_times.npy",
      ])
    #expect(
      try scene.unzipped("matrix.csv.gz")
        == "origin_id,destination_id,expected_travel_time\na,a,0\na,b,71.998\nb,a,71.998\nb,b,0\n")
  }

  @Test func writesTheSameToNumPyAndCSV() throws {
    let scene = try run(map.list("ag"), map.list("b9c"), "format: ['npy', 'csv'],")
    defer { scene.remove() }
    #expect(
      try scene.unzipped("matrix.csv.gz")
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
      numbers(scene, "travel_times.npy").map(\.description) == [
        "71.998", "nan", "143.996", "215.995", "nan", "287.993",
      ])
    #expect(
      numbers(scene, "distances.npy").map(\.description) == ["100.0", "nan", "200.0", "300.0", "nan", "400.0"])
    #expect(try scene.sql("SELECT count(*) FROM matrix_row") == "0\n")
  }

  /// Returns the floats of a file with a header of NumPy's format 1.0.
  private func numbers(_ scene: JobScene, _ file: String) -> [Float] {
    let bytes = Array(scene.bytes(file))
    #expect(bytes.starts(with: [0x93] + Array("NUMPY".utf8) + [1, 0]))
    let start = 10 + Int(bytes[8]) + Int(bytes[9]) * 256
    let about = String(decoding: bytes[10..<start], as: UTF8.self)
    #expect(start % 64 == 0 && about.hasSuffix("\n"))
    #expect(about.hasPrefix("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"))
    return bytes[start...].withUnsafeBytes { part in
      (0..<part.count / 4).map { part.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
  }

  @Test func summarizesEachRowOnRequest() throws {
    let weighted = map.list("bcg", ",weight", ["b": ",10", "c": ",10", "g": ",10"])
    let scene = try run(map.list("a9"), weighted, "summary: ['nearest', 'within:100,150', 'mean'],")
    defer { scene.remove() }
    #expect(
      try scene.sql(
        "SELECT origin_id, reachable, nearest_id, nearest_travel_time, nearest_distance, mean_travel_time, mean_distance FROM origin_summary"
      )
        == "a|3|b|71.998|100.0|167.995666666667|233.333333333333\n9|0|||||\n")
    #expect(
      try scene.sql("SELECT origin_id, threshold, destinations, weight FROM within")
        == "a|100|1|10.0\na|150|2|20.0\n9|100|0|0.0\n9|150|0|0.0\n")
    #expect(try scene.sql("SELECT count(*) FROM matrix_row") == "0\n")
  }

  /// An origin's trip to itself counts neither as nearest nor in a mean, whichever file the destinations are from.
  @Test(arguments: [nil, "bca"]) func nearestIsAnotherPlace(destinations: String?) throws {
    let scene = try run(
      map.list("abc"), destinations.map { map.list($0) }, "summary: ['nearest', 'within:10', 'mean'],")
    defer { scene.remove() }
    try scene.expect(
      """
      SELECT origin_id, reachable, nearest_id, nearest_travel_time, mean_travel_time, mean_distance FROM origin_summary
      WHERE origin_id <> 'b'
      """, "a|3|b|71.998|107.997|150.0\nc|3|b|71.998|107.997|150.0\n")
    try scene.expect("SELECT destinations FROM within", "1\n1\n1\n")
  }

  /// The cell is kept and counts as reached, but is in no statistic, whichever file the destinations are from.
  @Test(arguments: [nil, "bca"], ["'sqlite'", "'npy', 'csv'"])
  func statisticsOmitTripsToTheSamePlace(destinations: String?, formats: String) throws {
    let scene = try run(
      map.list("abc"), destinations.map { map.list($0) }, "verify: 9, summary: ['mean'], format: [\(formats)],")
    defer { scene.remove() }
    try scene.expect(
      "SELECT measure, count, min, max FROM statistic ORDER BY measure",
      "distance|6|100.0|200.0\nexpected_travel_time|6|71.998|143.996\n")
    try scene.expect("SELECT value FROM job WHERE key = 'cells_ok'", "9\n")
    try scene.expect("SELECT reachable FROM origin_summary", "3\n3\n3\n")
    try scene.expect("SELECT value FROM job WHERE key = 'verified_differences'", "0\n")
  }

  @Test func matrixOfOnePlaceHasNoNearest() throws {
    let scene = try run(map.list("a"), nil, "summary: ['nearest', 'mean'],")
    defer { scene.remove() }
    try scene.expect("SELECT reachable, nearest_id, mean_travel_time, mean_distance FROM origin_summary", "1|||\n")
  }

  /// In two files without ids, places get equal numbers.
  @Test func placesWithTheSameNumberAreNotTheSame() throws {
    func unnamed(_ letters: String) -> String {
      map.list(letters).split(separator: "\n").map {
        "\($0.split(separator: ",").dropFirst().joined(separator: ","))\n"
      }
      .joined()
    }
    let scene = try run(unnamed("a"), unnamed("ba"), "summary: ['nearest'],")
    defer { scene.remove() }
    try scene.expect("SELECT nearest_id, nearest_travel_time FROM origin_summary", "2|0.0\n")
  }

  /// DuckDB rejects gzip headers with a comment.
  @Test func gzipHeadersHaveNoFlags() throws {
    let scene = try run(map.list("ab"), nil, "format: ['csv'],")
    defer { scene.remove() }
    #expect(scene.bytes("matrix.csv.gz").prefix(4).elementsEqual([0x1F, 0x8B, 8, 0]))
  }

  @Test func writesTheSameWithAnyNumberOfWorkers() throws {
    let many = (0..<60).map { _ in "abcdg" }.joined()
    let keys = "format: ['sqlite', 'npy', 'csv'], summary: ['nearest', 'mean'],"
    let (one, three) = (
      try run(map.list(many), map.list("gab"), keys), try run(map.list(many), map.list("gab"), keys, workers: 3)
    )
    defer {
      one.remove()
      three.remove()
    }
    for file in ["travel_times.npy", "distances.npy", "matrix.csv.gz"] {
      #expect(one.bytes(file) == three.bytes(file) && !one.bytes(file).isEmpty)
    }
    let dump = "SELECT * FROM matrix_row; SELECT * FROM origin_summary; SELECT * FROM statistic; SELECT * FROM chunk"
    #expect(try one.sql(dump) == three.sql(dump))
  }

  @Test(arguments: [
    ("format: ['xlsx'],", "format: got [\"xlsx\"], expected a list of sqlite, npy, csv"),
    ("format: [],", "format: got an empty list and no summary: nothing would be written"),
    (
      "summary: ['median'],",
      "summary: got [\"median\"], expected a list of \"nearest\", \"mean\", \"waiting\" and \"within:\" with seconds, e.g. \"within:600,900,1800\""
    ),
    (
      "summary: ['within:5m'],",
      "summary: got [\"within:5m\"], expected a list of \"nearest\", \"mean\", \"waiting\" and \"within:\" with seconds, e.g. \"within:600,900,1800\""
    ),
    ("distances: 'yes',", "distances: got \"yes\", expected true or false"),
    (
      "requestsAlternateRoutes: true,",
      "requestsAlternateRoutes: it belongs to kind routes, but this job is of kind matrix"
    ),
  ])
  func rejectsInvalidKeys(keys: String, message: String) throws {
    #expect { try run(map.list("a"), nil, keys) } throws: { "\($0)".hasSuffix(": \(message)") }
  }
}
