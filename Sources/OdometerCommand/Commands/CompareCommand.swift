import Foundation
import Geography
import Input
import Jobs
import Reports
import Tables

enum CompareCommand: Command {
  static let name = "compare"
  static let summary = "Compare the results of two runs, row by row"
  static let operands = [Operand("OLD", .file), Operand("NEW", .file, isOptional: true)]
  static let options = [with, unit, output, threshold, failOver, rows, quiet]
  static let exitCodes: [ExitCode: String] = [
    .input: "results cannot be read, or cannot be compared",
    .output: "the comparison cannot be written",
    .different: "a difference is beyond --fail-over",
  ]
  static let details = """
    OLD and NEW are the results.sqlite of two finished jobs of the same kind, or their folders (routes can be compared
    with etas). Rows are matched by id (pairs, cells of a matrix, origins with their nearest station, areas); cells
    are read from the database, else from NumPy files, else from matrix.csv.gz. Writes compare.sqlite, with tables
    change, change_count, change_quantile and change_by_zone, and compare.html.

    A row is new, gone, faster, slower (areas: smaller, larger), newly_unreachable, newly_reachable, or the same. The
    reason is one of: place moved, snapping moved, map changed, profile changed, settings changed, input changed,
    version changed.

    odometer compare RESULTS --with FILE uses another program's times as the old run, for kinds routes, etas, matrix
    and access. FILE is a CSV with a row per trip (from_id, to_id, or pair_id; travel_time or duration in seconds,
    travel_time_p50 in minutes, as r5r writes it, or a name that ends in its unit), a CSV with the origin in the first
    column and a column per destination, a .npy array in the order of npy_origins.csv and npy_destinations.csv, or the
    JSON of OSRM's table service or of openrouteservice's, GraphHopper's and Valhalla's matrices. Only times are
    compared.

    --fail-over takes mean, p05, p25, median, p75, p95, p99 or max of the relative change, positive for slower
    (p95>10%), and new, gone, faster, slower, smaller, larger, unreachable, reachable as a number or a share of rows
    (slower>5%,unreachable>0).
    """

  private static let with = Option(
    "with", "FILE", .file, help: "compare RESULTS (instead of OLD and NEW) with another program's travel times")
  private static let unit = Option(
    "unit", "UNIT", .choice(["seconds", "minutes", "hours"]),
    help: "with --with: unit of its times (default: from the column's name, else seconds)")
  private static let output = Option(
    "output", "DIR", .folder, help: "output folder (default: a folder named compare next to NEW)")
  private static let threshold = Option(
    "threshold", "LIST", help: "smallest differences to report; all must be reached (default: 1%,1s; areas: 1%)")
  private static let failOver = Option(
    "fail-over", "LIST", help: "exit with 5 beyond these, e.g. p95>10%,unreachable>0")
  private static let rows = Option(
    "rows", "N", help: "maximum rows in table change (default: 1000000); all changes are counted")
  private static let quiet = Option("quiet", help: "print only differences beyond --fail-over")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let smallest =
      try arguments.value(threshold, ChangeThreshold.expected) { ChangeThreshold($0) } ?? ChangeThreshold("1%,1s")!
    let failOver = try arguments.value(failOver, FailureConditions.expected) { FailureConditions($0) }
    let comparison = try comparison(arguments, smallest, console)
    let (unit, measure) = comparison.facts.comparesAreas ? ("m2", "areas") : ("s", "times")
    let parts = arguments.text(threshold)?.split(separator: ",") ?? []
    if let wrong = parts.first(where: { !$0.hasSuffix("%") && !$0.hasSuffix(unit) }) {
      throw .usage("--threshold: got \(wrong), but \(measure) are compared; expected a share or an amount in \(unit)")
    }
    let output =
      arguments.text(output)
      ?? (comparison.facts.new.path.folder as NSString)
      .appendingPathComponent("compare")
    let folder = ResultsFolder(path: output)
    // Before the folder is created.
    try checkFreeSpace(for: comparison, in: folder, isQuiet: arguments.has(quiet), console)
    let lock = try folder.lock()
    let (summary, headline) = try withExtendedLifetime(lock) {
      let summary = try comparison.write(to: "\(output)/compare.sqlite")
      let page = try ComparisonPage(of: "\(output)/compare.sqlite")
      try page.write(to: "\(output)/compare.html")
      return (summary, try page.headline)
    }
    if !arguments.has(quiet) {
      if let precision = comparison.facts.precision { console.note(precision) }
      if let omission = comparison.omission(of: summary) { console.note(omission) }
      if let oneSided = comparison.noteOnUnmatchedRows(summary) { console.note(oneSided) }
      try console.printSentence(headline)
      try console.print("\(output)/compare.sqlite\n\(output)/compare.html\n\(summary)")
    }
    let failures = failOver?.failures(summary) ?? []
    for failure in failures { console.fail("beyond \(failure)") }
    return failures.isEmpty ? .finished : .different
  }

  /// Compares two runs, or one run with another program's times.
  private static func comparison(
    _ arguments: Arguments, _ threshold: ChangeThreshold, _ console: Console
  ) throws -> Comparison {
    let runs = try arguments.operands.map { try ResultsFolder.database(named: $0) }
    let rowLimit = try arguments.count(rows, atMost: 1_000_000_000) ?? 1_000_000
    guard let file = arguments.text(with) else {
      guard runs.count == 2 else {
        throw .usage("compare: got \(arguments.operands[0]), expected OLD NEW, or RESULTS --with FILE")
      }
      guard !arguments.has(unit) else { throw .usage("--unit needs --with: it is the unit of the times in FILE") }
      return try Comparison(old: runs[0], new: runs[1], threshold, rowLimit: rowLimit)
    }
    guard runs.count == 1 else {
      throw .usage("compare: got \(arguments.operands.joined(separator: " ")), expected one RESULTS with --with FILE")
    }
    let times = try TravelTimeFile(file, for: runs[0], unit: arguments.choice(unit).flatMap(TimeUnit.init)).read()
    if !arguments.has(quiet) { times.notes.forEach { console.note($0) } }
    return try Comparison(of: runs[0], with: times, threshold, rowLimit: rowLimit)
  }

  /// Checks the free disk space. *Throws*: `OdometerError` if it may be insufficient.
  private static func checkFreeSpace(
    for comparison: Comparison, in folder: ResultsFolder, isQuiet: Bool, _ console: Console
  ) throws {
    let (bytes, free) = (comparison.maximumBytes, folder.freeBytes)
    guard bytes <= free else {
      throw OdometerError(
        "the comparison may need \(MemoryLimit.text(bytes)) of disk space, but only \(MemoryLimit.text(free: free)) is free in "
          + "\(folder.path); name another folder with --output, or keep fewer rows with --rows", cause: .output)
    }
    if !isQuiet { console.note("compare.sqlite will take at most \(MemoryLimit.text(bytes))") }
  }
}
