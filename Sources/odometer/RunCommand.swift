import Foundation
import Jobs
import Reports
import Results

/// `odometer run JOB`.
enum RunCommand: Command {
  static let name = "run"
  static let summary = "Runs a job: tables in, a folder of results and a report out."
  static let operands = ["JOB"]
  static let options = [
    Shared.workers,
    .init(name: "output", value: "DIR", help: "the folder for results, instead of the job's"),
    Shared.cache,
    .init(name: "fresh", value: nil, help: "start over, whatever an earlier run has left"),
    .init(name: "dry-run", value: nil, help: "check the job and its input, say what would be done, do nothing"),
    .init(name: "links", value: nil, help: "add to each route the link that opens it in Maps"),
    .init(name: "explain", value: nil, help: "kind matrix: say how the engine answers, and what that will take"),
    .init(name: "metrics", value: "FILE", help: "write the run's figures for Prometheus (node_exporter's textfiles)"),
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
    A run that was stopped or killed goes on where it was when the same command is given again, if job, map, profile and
    input are the same; --fresh starts over. What happens is noted in log.jsonl.
    Exit codes: 0 finished; 1 finished, but with --strict a row is not ok, or verify found a difference; 2 wrong usage or
    job file; 3 bad map or input; 4 output cannot be written, or another run is writing it; 130 interrupted.
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
    options.isFresh = arguments.has("fresh")
    options.note = { [isQuiet = options.isQuiet] in if !isQuiet { note($0) } }
    options.makeReport = { database, path in try Report(of: database).write(to: path) }
    if arguments.has("explain") { options.explain = { note($0) } }
    options.report = Shared.report(isQuiet: options.isQuiet)
    if arguments.has("dry-run") {
      print(try JobRun(job, options).plan())
      return .finished
    }
    var metrics = arguments.text("metrics").map { MetricsFile(path: $0, job: job) }
    let outcome: JobOutcome
    do {
      outcome = try JobRun(job, options).run()
    } catch {
      try? metrics?.write(ExitCode(error), nil)
      throw error
    }
    let code = try told(outcome, isStrict: arguments.has("strict"), isQuiet: options.isQuiet)
    try metrics?.write(code, outcome)
    return code
  }

  /// Tells a person how the job ended.
  private static func told(_ outcome: JobOutcome, isStrict: Bool, isQuiet: Bool) throws -> ExitCode {
    guard outcome.isFinished else {
      note(
        """
        interrupted after \(outcome.rows) of \(outcome.totalRows) rows; what is written so far lies in \
        \(outcome.folder.path) under names ending in .part. Run the same command again to go on from there.
        """)
      return .interrupted
    }
    let summary = try Summary(of: outcome.folder)
    if !isQuiet {
      if !summary.table.isEmpty { print(summary.table + "\n") }
      for file in outcome.files + [outcome.folder.report] { print(file) }
    }
    if let verification = outcome.verification { print(verification) }
    print(summary.closingLine(kind: outcome.unit, rejected: outcome.rejected))
    if outcome.verification?.differences.isEmpty == false { return .notAllOK }
    return isStrict && summary.notOK + outcome.rejected > 0 ? .notAllOK : .finished
  }
}
