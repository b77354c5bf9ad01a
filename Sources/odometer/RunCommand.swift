import Foundation
import Jobs
import Reports
import Results

/// `odometer run JOB`.
enum RunCommand: Command {
  static let name = "run"
  static let summary = "Runs a job: a table of pairs in, a folder of results out."
  static let operands = ["JOB"]
  static let options = [
    Shared.workers,
    .init(name: "output", value: "DIR", help: "the folder for results, instead of the job's"),
    Shared.cache,
    .init(name: "fresh", value: nil, help: "start over, whatever an earlier run has left"),
    .init(name: "dry-run", value: nil, help: "check the job and its input, say what would be done, do nothing"),
    .init(name: "links", value: nil, help: "add to each route the link that opens it in Maps"),
    .init(name: "explain", value: nil, help: "kind matrix: say how the engine answers, and what that will take"),
    .init(name: "quiet", value: nil, help: "no progress, no summary"),
    .init(name: "strict", value: nil, help: "exit with 1 if any row is not ok, or is rejected"),
  ]
  static let details = """
    JOB is a JSON5 file:

        {
          kind: "routes",                    // routes: with steps and shapes; etas: time and distance alone
          map: "data/helsinki.osm.pbf",      // paths are relative to where odometer is started
          transportType: "walking",          // automobile, walking or cycling
          pairs: "data/helsinki-pairs.csv",  // origin_lon, origin_lat, destination_lon, destination_lat, …; or GeoJSON
          output: "reports/helsinki",
          snapLimit: 1000,                   // optional: how far a street may be from a place, in metres
          snapLegs: true,                    // optional: count the straight way between place and street
          profile: "my-walking.json5",       // optional: speeds, access and turns of your own
          coverage: "coverage.geojson",      // optional: pairs with an end outside are not computed
          departureDate: "2026-11-21T08:30:00+01:00",  // optional; or arrivalDate: what is open then, and when one arrives
          requestsAlternateRoutes: true,     // optional, kind routes: up to two other good routes
          tollPreference: "avoid",           // optional: any (default) or avoid
          highwayPreference: "any",          // optional: likewise
          language: "en",                    // optional: of instructions: en, pt
        }

    Pairs may also be links of Maps: a text file with one a line, or a column link. A column departure_time (ISO 8601
    with a zone) goes before the job's date.

    Kind matrix: every origin to every destination; in the place of pairs it has

          kind: "matrix",
          origins: "zones.csv",              // id, lon, lat; or GeoJSON points
          destinations: "stops.csv",         // optional: if left out, the origins among themselves
          distances: true,                   // optional: false for times alone, which takes less
          format: ["sqlite", "npy", "csv"],  // optional: rows in the database (default), NumPy files, a long CSV
          summary: ["nearest", "within:600,900", "mean"],  // optional: kept of each row; alone, cells are not written

    Writes results.sqlite and, for routes, routes.geojson.gz; for matrices as the format says travel_times.npy,
    distances.npy, matrix.csv.gz. Rows that cannot be used are kept in table rejected.
    Exit codes: 0 finished; 1 finished, but with --strict a row is not ok; 2 wrong usage or job file; 3 bad map or
    input; 4 output cannot be written; 130 interrupted.
    """

  static func run(_ arguments: Arguments) throws -> ExitCode {
    var job = try Job(path: arguments.operands[0])
    if let output = arguments.text("output") { job.output = output }
    job.writesLinks = arguments.has("links")
    var options = RunOptions()
    options.workers = try Shared.workers(arguments)
    options.cache = arguments.text("cache")
    options.isQuiet = arguments.has("quiet")
    options.version = version
    options.shouldStop = { Interruption.isAsked }
    if arguments.has("explain") { options.explain = { note($0) } }
    options.report = Shared.report(isQuiet: options.isQuiet)
    if arguments.has("dry-run") {
      print(try JobRun(job, options).plan())
      return .finished
    }
    let outcome = try JobRun(job, options).run()
    guard outcome.isFinished else {
      note(
        """
        interrupted after \(outcome.rows) of \(outcome.totalRows) rows; what is written so far lies in \
        \(outcome.folder.path) under names ending in .part. Run the same command again to do the job from its start.
        """)
      return .interrupted
    }
    try Report(of: outcome.folder.database).write(to: outcome.folder.report)
    let summary = try Summary(of: outcome.folder)
    if !options.isQuiet {
      if !summary.table.isEmpty { print(summary.table + "\n") }
      for file in outcome.files + [outcome.folder.report] { print(file) }
    }
    print(summary.closingLine(kind: outcome.unit, rejected: outcome.rejected))
    return arguments.has("strict") && summary.notOK + outcome.rejected > 0 ? .notAllOK : .finished
  }
}
