import Foundation
import TestMaps
import Testing

/// `verify` and `compare` for matrices whose cells are in files next to the database.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct CellFormCommandTests {
  private static let map = TestMap(
    """
    a-b-c
      | |
      d-e
    """
  ).way("abc").way("bd").way("de").way("ce")

  /// Computes a matrix of five places in `out` and, if other keys are given, another one in `new`.
  private func scene(_ keys: String, _ others: String...) throws -> Scratch {
    let list = "abcde".map { "\($0),\(Self.map[$0].longitude),\(Self.map[$0].latitude)\n" }
    let scratch = try Scratch(Self.map, ["places.csv": "id,lon,lat\n" + list.joined()], job: "")
    try scratch.write("id,lon,lat\n" + list.reversed().joined(), to: "reversed.csv")
    for (number, keys) in ([keys] + others).enumerated() {
      let job = "kind: 'matrix', \(keys.contains("origins") ? "" : "origins: 'places.csv',") \(keys)"
      try scratch.writeJob(job)
      if number > 0 {
        try scratch.write(scratch.text("job.json5").replacing("'out'", with: "'new'"), to: "job.json5")
      }
      #expect(try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder).status == 0)
    }
    return scratch
  }

  private func modify(_ scratch: Scratch, _ file: String, _ change: (inout Data) -> Void) throws {
    var bytes = scratch.bytes(file)
    change(&bytes)
    try bytes.write(to: URL(fileURLWithPath: scratch.path(file)))
  }

  @Test(arguments: ["npy", "csv"]) func findsCellsOfOtherPlaces(form: String) throws {
    let scratch = try scene("format: ['\(form)'],")
    defer { scratch.remove() }
    let right = try Run(odometer: "verify", "out", in: scratch.folder)
    #expect(
      right.status == 0
        && right.output.hasSuffix("25 rows computed again by plain Dijkstra, 9 sums added up again: all equal\n"))
    // The triggers of a GeoPackage need functions that plain SQLite lacks.
    let script = """
      sqlite3 out/results.sqlite "SELECT 'DROP TRIGGER ' || name || ';' FROM sqlite_schema WHERE type = 'trigger'" |
        sqlite3 out/results.sqlite && sqlite3 out/results.sqlite "$0"
      """
    let move = "UPDATE place SET longitude = \(Self.map["c"].longitude) WHERE place_id = 'b' AND role = 'origin'"
    #expect(try Run("/bin/sh", ["-c", script, move], in: scratch.folder).status == 0)
    let wrong = try Run(odometer: "verify", "out", in: scratch.folder)
    #expect(wrong.status == 5 && wrong.output.contains("cell b, "), "\(wrong.output)\(wrong.error)")
  }

  @Test func wrongCellsOfTheDatabaseAreNotReportedForTheFiles() throws {
    let scratch = try scene("format: ['sqlite', 'npy', 'csv'],")
    defer { scratch.remove() }
    _ = try scratch.sql("UPDATE matrix_row SET travel_times = replace(travel_times, '[0', '[1') WHERE rowid = 1")
    let run = try Run(odometer: "verify", "out", in: scratch.folder)
    #expect(run.status == 5 && run.output.contains("cell a, a: expected_travel_time is 1.0, expected 0.0"), "\(run)")
    #expect(!run.output.contains("cell a, a in "), "\(run)")
  }

  @Test func findsWrongSums() throws {
    let scratch = try scene("format: ['npy', 'csv'], summary: ['nearest'],")
    defer { scratch.remove() }
    _ = try scratch.sql(
      """
      UPDATE statistic SET mean = mean * 1.001 WHERE measure = 'distance';
      UPDATE origin_summary SET reachable = 4 WHERE origin_id = 'c'
      """)
    let run = try Run(odometer: "verify", "out", in: scratch.folder)
    #expect(run.status == 5 && run.output.contains("statistic: mean of distance in travel_times.npy is "))
    #expect(run.output.contains("origin c: reachable in matrix.csv.gz is 4.0, expected 5.0"), "\(run.output)")
  }

  @Test(arguments: ["summary: ['nearest'],", "departures: ['07:00'], date: '2026-11-23', hours: ['worst'],"])
  func reportsThatThereIsNothingToVerify(keys: String) throws {
    let scratch = try scene(keys, "format: ['npy'],")
    defer { scratch.remove() }
    let run = try Run(odometer: "verify", "out", in: scratch.folder)
    #expect(run.status == 0 && !run.output.contains("all equal"), "\(run.output)")
    #expect(run.output.contains("nothing to verify: the job kept only summaries, no cells"), "\(run.output)")
  }

  /// A kind of damage to a file, with the expected message.
  private enum Damage: String, CaseIterable {
    case flipped, truncated, longer, removed, foreign

    var sentence: String {
      switch self {
      case .flipped, .foreign: "the checksum differs from the job's"
      case .truncated, .longer: " bytes, expected "
      case .removed: "no such file; results.sqlite lists it among the job's files"
      }
    }
  }

  @Test(arguments: ["travel_times.npy", "distances.npy", "matrix.csv.gz"], Damage.allCases)
  private func namesModifiedFiles(file: String, damage: Damage) throws {
    let keys = "format: ['\(file.hasSuffix("npy") ? "npy" : "csv")'],"
    let scratch = try scene(keys, "\(keys) destinations: 'reversed.csv',")
    defer { scratch.remove() }
    switch damage {
    case .flipped: try modify(scratch, "out/\(file)") { $0[$0.count - 20] ^= 1 }
    case .truncated: try modify(scratch, "out/\(file)") { $0.removeLast(30) }
    case .longer: try modify(scratch, "out/\(file)") { $0.append(0) }
    case .removed: try FileManager.default.removeItem(atPath: scratch.path("out/\(file)"))
    case .foreign: try modify(scratch, "out/\(file)") { $0 = scratch.bytes("new/\(file)") }
    }
    let verified = try Run(odometer: "verify", "out", in: scratch.folder)
    #expect(verified.status == 3 && verified.error.split(separator: "\n").count == 1, "\(verified.output)")
    let isOther = damage == .foreign && file.hasSuffix("gz")
    #expect(verified.error.contains("out/\(file): "), "\(verified.error)")
    #expect(isOther || verified.error.contains(damage.sentence), "\(verified.error)")
    guard file != "distances.npy" else { return }
    let compared = try Run(odometer: "compare", "out", "new", in: scratch.folder)
    #expect(compared.status == 3 && compared.error.contains("out/\(file): "), "\(compared.error)")
  }

  @Test(arguments: ["sqlite", "npy", "csv"], ["sqlite", "npy", "csv"])
  func comparesDifferentFormats(old: String, new: String) throws {
    let scratch = try scene("format: ['\(old)'],", "format: ['\(new)'], origins: 'reversed.csv', snapLegs: false,")
    defer { scratch.remove() }
    let run = try Run(odometer: "compare", "out", "new", "--threshold", "0%", in: scratch.folder)
    #expect(run.status == 0 && run.output.contains("25 rows: all equal\n"), "\(run.output)\(run.error)")
    #expect(run.error.contains("32-bit floats") == (old == "npy" || new == "npy"), "\(run.error)")
  }

  @Test func refusesToCompareSummariesAlone() throws {
    let scratch = try scene("summary: ['nearest'],", "format: ['npy'],")
    defer { scratch.remove() }
    let run = try Run(odometer: "compare", "out", "new", in: scratch.folder)
    #expect(run.status == 3 && run.error.contains("its job kept only summaries"), "\(run.error)")
  }
}
