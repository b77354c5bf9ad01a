import Foundation
import Jobs
import Reports
import Results

/// `odometer run JOB`.
enum RunCommand: Command {
  static let name = "run"
  static let summary = "Run a job: tables in, a folder of results and a report out"
  static let operands = [Operand("JOB", .file)]
  static let options = [
    CommonOptions.workers, output, CommonOptions.cache, fresh, dryRun, links, explain, metrics, CommonOptions.quiet,
    strict,
  ]
  static let exitCodes = [ExitCode.notAllOK, .input, .output, .different, .interrupted]
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
          shapes: false,                     // optional, kind routes: shapes in the GeoJSON alone, not in the database
          tollPreference: "avoid",           // optional: any (default) or avoid
          highwayPreference: "any",          // optional: likewise
          language: "en",                    // optional: of instructions: en, pt
          verify: 1000,                      // optional: so many rows are computed again by plain Dijkstra in the end
          memory: "4 GB",                    // optional: what the job may use; less is done at once where it is short
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

    Kind access: the stations nearest to each origin, and whom each station and line serves:

          kind: "access",
          origins: "hexagons.csv",           // id, lon, lat; columns of numbers are counted: population, jobs
          stations: "gtfs.zip",              // or a CSV, GeoJSON, "osm:railway=station,subway_entrance"
          nearest: 3,                        // optional: how many stations
          thresholds: [5, 10, 15],           // optional: minutes
          limit: 60,                         // optional: the longest way to look for, in minutes
          direction: "to",                   // optional: to the stations, or from them
          weights: ["population"],           // optional: only these columns
          routeTypes: ["metro", "rail"],     // optional, GTFS: only stops of such lines
          routes: true,                      // optional: the way to the nearest station

    Kind isochrones: the areas within some times of each place:

          kind: "isochrones",
          origins: "places.csv",
          thresholds: [5, 10, 15],           // optional: minutes
          direction: "from",                 // optional: from the places, or to them
          bands: true,                       // optional: rings; else each area holds the one before
          buffer: 30,                        // optional: metres around the streets
          streets: true,                     // optional: the stretches of streets, too

    Writes results.sqlite, which is a GeoPackage, and report.html; beside them routes.geojson.gz, access.geojson.gz,
    isochrones.geojson.gz and reached-streets.geojson.gz as the kind has them; for matrices as the format says
    travel_times.npy, distances.npy, matrix.csv.gz. Rows that cannot be used are kept in table rejected.
    A run that was stopped or killed is resumed by the same command, if job, map, profile and input are the same;
    --fresh restarts it from scratch. What happens is logged in log.jsonl.
    """

  private static let output = Option("output", "DIR", .folder, help: "the folder for results, instead of the job's")
  private static let fresh = Option("fresh", help: "restart from scratch, whatever an earlier run has left")
  private static let dryRun = Option(
    "dry-run", help: "check the job and its input, print what would be done, do nothing")
  private static let links = Option("links", help: "add to each route the link that opens it in Maps")
  private static let explain = Option(
    "explain", help: "kind matrix: print how the engine answers, and what that will take")
  private static let metrics = Option(
    "metrics", "FILE", .file, help: "write the run's figures for Prometheus (node_exporter's textfile collector)")
  private static let strict = Option("strict", help: "exit with 1 if any row is not ok or was rejected")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    var job = try Job(path: arguments.operands[0])
    if let output = arguments.text(output) { job.output = output }
    job.writesLinks = arguments.has(links)
    var options = RunOptions()
    options.workers = try arguments.workers()
    options.cache = arguments.text(CommonOptions.cache)
    options.isQuiet = arguments.has(CommonOptions.quiet)
    options.version = Program.version
    options.shouldStop = { Interruption.isRequested }
    options.isFresh = arguments.has(fresh)
    options.note = { [isQuiet = options.isQuiet] in if !isQuiet { console.note($0) } }
    options.makeReport = { database, path in try Report(of: database).write(to: path) }
    if arguments.has(explain) { options.explain = { console.note($0) } }
    options.report = console.networkEvents(isQuiet: options.isQuiet)
    if arguments.has(dryRun) {
      console.print(try JobRun(job, options).plan())
      return .finished
    }
    let metrics = arguments.text(metrics).map { MetricsFile(path: $0, job: job) }
    do {
      let outcome = try JobRun(job, options).run()
      let code = try report(outcome, isStrict: arguments.has(strict), isQuiet: options.isQuiet, console)
      metrics?.write(code, outcome, console)
      return code
    } catch {
      metrics?.write(ExitCode(error), nil, console)
      throw error
    }
  }

  /// Prints how the job ended.
  private static func report(
    _ outcome: JobOutcome, isStrict: Bool, isQuiet: Bool, _ console: Console
  ) throws -> ExitCode {
    guard outcome.isFinished else {
      console.note(
        """
        interrupted after \(outcome.rows) of \(outcome.totalRows) rows; what is written so far is in \
        \(outcome.folder.path) under names ending in .part; the same command resumes from there
        """)
      return .interrupted
    }
    let summary = try Summary(of: outcome.folder)
    if !isQuiet {
      if !summary.table.isEmpty { console.print(summary.table + "\n") }
      for file in outcome.files + [outcome.folder.report] { console.print(file) }
    }
    if let verification = outcome.verification { console.print(verification) }
    console.print(summary.closingLine(kind: outcome.unit, rejected: outcome.rejected))
    if outcome.verification?.differences.isEmpty == false { return .different }
    return isStrict && summary.notOK + outcome.rejected > 0 ? .notAllOK : .finished
  }
}
