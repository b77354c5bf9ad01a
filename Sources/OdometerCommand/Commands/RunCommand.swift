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
    CommonOptions.workers, output, shard, CommonOptions.cache, fresh, dryRun, links, explain, metrics,
    CommonOptions.quiet,
    strict,
  ]
  static let exitCodes: [ExitCode: String] = [
    .notAllOK: "finished, but a row is not ok or was rejected (--strict)",
    .usage: "wrong usage, or the job file or profile cannot be used",
    .input: "map or input cannot be read, or the run cannot be resumed because something changed",
    .output: "the output cannot be written: disk or memory is short, or another run or job has the folder",
    .different: "the job's verify found a difference",
    .interrupted: "interrupted (SIGINT, SIGTERM); the same command resumes",
  ]
  static var details: String {
    """
    JOB is a JSON5 file (odometer init KIND writes one):

        {
          kind: "routes",
          map: "data/helsinki.osm.pbf",
          transportType: "walking",
          pairs: "data/helsinki-pairs.csv",
          output: "reports/helsinki-walks",
        }

    \(KeyHelp.list)

    Writes results.sqlite, which is a GeoPackage, and report.html; next to them, as the kind has them, routes.geojson.gz,
    access.geojson.gz, isochrones.geojson.gz, reached-streets.geojson.gz, and of a matrix, as format says,
    travel_times.npy, distances.npy and matrix.csv.gz. Rows that cannot be used are kept in table rejected, and what
    happens is logged in log.jsonl.

    A run that was stopped or killed is resumed by the same command, if job, map, profile and input are the same;
    --fresh restarts it from scratch.

    --shard 2/8 computes the third of eight parts, on this machine or another one; odometer merge makes one run's results
    of all eight. The parts depend on nothing but the job: not on workers, memory or machine.
    """
  }

  static let output = Option("output", "DIR", .folder, help: "the folder for results, instead of the job's")
  private static let shard = Option(
    "shard", "I/N",
    help:
      "compute part I (from 0) of N into a folder of its own, OUTPUT/shard-0000I-of-0000N; odometer merge adds them up")
  static let fresh = Option("fresh", help: "restart from scratch, whatever an earlier run has left")
  private static let dryRun = Option(
    "dry-run", help: "check the job and its input, print what would be done, do nothing")
  private static let links = Option("links", help: "add to each route the link that opens it in Maps")
  private static let explain = Option(
    "explain", help: "kind matrix: print how the engine answers, and what that will take")
  static let metrics = Option(
    "metrics", "FILE", .file, help: "write the run's figures for Prometheus (node_exporter's textfile collector)")
  static let strict = Option("strict", help: "exit with 1 if any row is not ok or was rejected")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    // Signals are caught from here on: a run that is interrupted while its network is built stops before its first chunk.
    _ = Interruption.isRequested
    var job = try Job(path: arguments.operands[0])
    if let output = arguments.text(output) { job.output = output }
    job.writesLinks = arguments.has(links)
    var options = try options(arguments, console)
    if let text = arguments.text(shard) {
      guard let shard = Shard(text) else {
        throw UsageError(
          "--shard: got \(text), expected I/N, e.g. 0/8: the first of 8 shards, at most \(Shard.most)")
      }
      guard !arguments.has(strict) else {
        throw UsageError("--strict is for whole results: give it to odometer merge, not to --shard")
      }
      options.shard = shard
      if !arguments.has(output) { job.output += "/\(shard.folderName)" }
    }
    if arguments.has(explain) { options.explain = { console.note($0) } }
    if arguments.has(dryRun) {
      try console.print(JobRun(job, options).dryRun())
      return .finished
    }
    return try run(job, options, merging: nil, arguments, console)
  }

  /// What the options of this command, and of `merge`, say alike.
  static func options(_ arguments: Arguments, _ console: Console) throws -> RunOptions {
    var options = RunOptions()
    options.workers = try arguments.workers()
    options.cache = arguments.text(CommonOptions.cache)
    options.isQuiet = arguments.has(CommonOptions.quiet)
    options.version = Program.version
    options.shouldStop = { Interruption.isRequested }
    options.isFresh = arguments.has(fresh)
    options.note = { [isQuiet = options.isQuiet] in if !isQuiet { console.note($0) } }
    options.makeReport = { database, path in try Report(of: database).write(to: path) }
    options.networkEvent = console.networkEvents(isQuiet: options.isQuiet)
    return options
  }

  /// Runs a job, or merges its shards, and says how it ended.
  static func run(
    _ job: Job, _ options: RunOptions, merging shards: ShardSet?, _ arguments: Arguments, _ console: Console
  ) throws -> ExitCode {
    let metrics = arguments.text(metrics).map { MetricsFile(path: $0, job: job, shard: options.shard) }
    do {
      let outcome = try JobRun(job, options, merging: shards).run()
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
    if let shard = outcome.shard {
      if !isQuiet { try console.print(outcome.files[0]) }
      try console.print(
        "shard \(shard): \(outcome.rows) of the job's rows computed, \(outcome.rejected) rejected in all")
      return .finished
    }
    let summary = try Summary(of: outcome.folder)
    if !isQuiet {
      if !summary.table.isEmpty { try console.print(summary.table + "\n") }
      for file in outcome.files + [outcome.folder.report] { try console.print(file) }
    }
    if let verification = outcome.verification { try console.print(verification) }
    try console.print(summary.closingLine(unit: outcome.unit, rejected: outcome.rejected))
    if outcome.verification?.differences.isEmpty == false { return .different }
    return isStrict && summary.notOK + outcome.rejected > 0 ? .notAllOK : .finished
  }
}
