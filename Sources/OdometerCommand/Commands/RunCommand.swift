import Foundation
import Geography
import Jobs
import Reports
import Tables

enum RunCommand: Command {
  static let name = "run"
  static let summary = "Run a job and write its results and report to a folder"
  static let operands = [Operand("JOB", .file)]
  static let options = [
    CommonOptions.workers, output, shard, CommonOptions.cache, fresh, resumeOrFresh, again, dryRun, problems, links,
    explain,
    metrics, CommonOptions.quiet, CommonOptions.progress, statistics, strict,
  ]
  static let exitCodes = ExitCode.meanings.merging([
    .notAllOK: "finished, but a row is not ok or was rejected (--strict)",
    .input: "map or input cannot be read, or the run cannot be resumed because something changed",
    .different: "the job's verify found a difference",
  ]) { $1 }
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

    Writes results.sqlite, which is a GeoPackage, and report.html; depending on the kind also files of GeoJSON, CSV and
    NumPy (docs/results.md). Table rejected has the rejected rows; log.jsonl is the log.

    The same command resumes a run that was stopped or killed, if job, map, profile and input are unchanged. --fresh
    always restarts it; --resume-or-fresh restarts it only if something has changed, and reports the change. Finished
    results of the same job are replaced; the run refuses to replace results of another job (another kind, transportType
    or job file name).

    JOB may be - for standard input. output: "reports/{date}" makes a new folder every night: an unfinished one is
    resumed first, reports/latest links to the last finished one, and keep: 14 removes all but the newest 14.

    --shard 2/8 computes the third of eight shards, on any machine; odometer merge combines all eight into the results
    of a single run. The shards depend only on the job, not on workers, memory or machine.
    """
  }

  static let output = Option("output", "DIR", .folder, help: "results folder; overrides the job's key output")
  private static let shard = Option(
    "shard", "I/N",
    help:
      "compute shard I of N (counted from 0) into OUTPUT/shard-0000I-of-0000N, or into the folder of --output; "
      + "odometer merge combines them")
  static let fresh = Option("fresh", help: "discard any previous results")
  static let resumeOrFresh = Option(
    "resume-or-fresh", help: "resume an unfinished run of the same job, or restart it if something has changed")
  private static let dryRun = Option(
    "dry-run", help: "check the job and its input and print a forecast; compute nothing")
  private static let problems = Option(
    "problems", "FILE", .file,
    help:
      "with --dry-run: write problem places and rejected rows with coordinates as GeoJSON; "
      + "builds the network")
  private static let links = Option("links", help: "add a Maps link to each route")
  private static let explain = Option(
    "explain", help: "print the engine's plan and its cost (kinds matrix, and access with hours)")
  static let metrics = Option(
    "metrics", "FILE", .file, help: "write the run's metrics for Prometheus (node_exporter's textfile collector)")
  private static let strict = Option(
    "strict", help: "exit with 1 if any row is not ok or was rejected; with --dry-run, if any would be rejected")

  static let statistics = Option("stats", help: "print the distribution of each measure and all problems with places")

  private static let again = Option(
    "again",
    help: "repeat the run of a results folder, given as JOB, into JOB-again or --output, if nothing has changed")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    guard !arguments.has(dryRun) || !arguments.has(RunCommand.metrics) else {
      throw .usage("--metrics cannot be combined with --dry-run")
    }
    let metrics = metrics(of: arguments.operands[0], arguments)
    return try recording(metrics, console) { try run(arguments, console) }
  }

  private static func run(_ arguments: Arguments, _ console: Console) throws -> (ExitCode, JobOutcome?) {
    var options = try options(arguments, console)
    var job: Job
    try checkProblems(arguments)
    // Made absolute, since a repeated run changes the working directory.
    let problemFile = arguments.text(problems).map { arguments.has(again) ? RepeatedRun.absolute($0) : $0 }
    if arguments.has(again) {
      let run = try RepeatedRun(arguments.operands[0], output: arguments.text(output))
      if let cache = options.cache { options.cache = RepeatedRun.absolute(cache) }
      try run.enter()
      (job, options.repeated) = (try run.job(), run.record)
    } else {
      job = try Job(path: arguments.operands[0], output: arguments.text(output))
      job.writesLinks = arguments.has(links)
      if job.writesLinks, !job.hasTrips {
        throw .usage(
          "--links: this job of kind \(job.kind.rawValue) writes no routes, expected kind routes or etas, or access with "
            + "routes: true")
      }
    }
    if arguments.has(explain) { options.explain = { console.note($0) } }
    options.shard = try shard(arguments)
    if job.keep != nil && job.template == nil && options.repeated == nil {
      options.note(
        "\(RunOptions.warningPrefix)keep: the output, \(job.output), has no {date}, so there is nothing to remove")
    }
    let shardFolder = options.shard.map { arguments.has(output) ? "." : $0.folderName }
    let unfinished = job.unfinishedDays(shard: shardFolder)
    for sentence in job.notes(onUnfinished: unfinished) { options.note(RunOptions.warningPrefix + sentence) }
    var jobs = job.runs(resuming: options.isFresh ? [] : unfinished)
    if let shardFolder, !arguments.has(output) {
      for index in jobs.indices { jobs[index].output += "/\(shardFolder)" }
    }
    guard !arguments.has(dryRun) else {
      var earlier = options
      earlier.onlyResumes = true
      for job in jobs.dropLast() { try console.print(JobRun(job, earlier).resumption()) }
      let plan = try JobRun(jobs[jobs.count - 1], options).dryRun(problems: problemFile)
      try console.print(plan.plan)
      return (arguments.has(strict) && plan.rejected > 0 ? .notAllOK : .finished, nil)
    }
    return try run(jobs, options, arguments, console)
  }

  /// Checks that problem points are requested only for dry runs without shards. *Throws*: `OdometerError`.
  private static func checkProblems(_ arguments: Arguments) throws {
    guard arguments.has(problems) else { return }
    guard arguments.has(dryRun) else {
      throw .usage("--problems needs --dry-run: problem points are written before a run")
    }
    guard !arguments.has(shard) else {
      throw .usage("--problems cannot be combined with --shard: problem points cover the whole job")
    }
  }

  /// Runs jobs one after another: unfinished jobs of earlier nights first, then tonight's. Always updates the index of
  /// all runs at the end.
  private static func run(
    _ jobs: [Job], _ options: RunOptions, _ arguments: Arguments, _ console: Console
  ) throws -> (ExitCode, JobOutcome?) {
    defer { if options.shard == nil { writeIndex(of: jobs[jobs.count - 1], console) } }
    var options = options
    var worst = ExitCode.finished
    for job in jobs.dropLast() {
      options.onlyResumes = true
      options.note("resuming the unfinished run in \(job.output) first")
      do {
        let (code, outcome) = try run(job, options, merging: nil, arguments, console)
        if code == .interrupted { return (code, outcome) }
        if code != .finished { worst = code }
      } catch is NothingToResume {
        continue
      } catch let error as ResultsError where error.cause == .changed || error.cause == .output {
        options.note(
          "\(RunOptions.warningPrefix)\(job.output): the unfinished run is kept: \(error.reasonNotToResume)")
        if error.cause == .output { worst = .output }
      }
    }
    options.onlyResumes = false
    let (code, outcome) = try run(jobs[jobs.count - 1], options, merging: nil, arguments, console)
    return (code == .finished ? worst : code, outcome)
  }

  private static func shard(_ arguments: Arguments) throws -> Shard? {
    let expected = "I/N, e.g. 0/8: the first of 8 shards, at most \(Shard.maximumCount)"
    guard let shard = try arguments.value(shard, expected, { Shard($0) }) else { return nil }
    guard !arguments.has(strict) else {
      throw .usage("--strict applies to whole results: use it with odometer merge, not with --shard")
    }
    return shard
  }

  /// Returns the metrics of a run; nil if they were not requested.
  static func metrics(of job: String, _ arguments: Arguments) -> MetricsFile? {
    // Made absolute, since a repeated run changes the working directory.
    arguments.text(metrics).map {
      MetricsFile(path: RepeatedRun.absolute($0), displayPath: $0, job: job, shard: arguments.text(shard))
    }
  }

  /// Runs `body` and writes its metrics, however it ends.
  static func recording(
    _ metrics: MetricsFile?, _ console: Console, _ body: () throws -> (ExitCode, JobOutcome?)
  ) throws -> ExitCode {
    try metrics?.check()
    Interruption.beforeExit.withLock {
      $0 = { code in
        metrics?.write(code, nil, console)
        return "interrupted; the same command resumes the run"
      }
    }
    defer { Interruption.beforeExit.withLock { $0 = nil } }
    do {
      let (code, outcome) = try body()
      metrics?.write(code, outcome, console)
      return code
    } catch {
      if let table = (error as? OdometerError)?.table { console.tell(table) }
      metrics?.write(ExitCode(error), nil, console)
      throw error
    }
  }

  /// Returns the options shared with `merge`.
  static func options(_ arguments: Arguments, _ console: Console) throws -> RunOptions {
    var options = RunOptions()
    options.workers = try arguments.workers()
    options.cache = arguments.text(CommonOptions.cache)
    options.isQuiet = arguments.has(CommonOptions.quiet)
    options.version = Program.version
    options.shouldStop = { Interruption.isRequested }
    options.progress = try arguments.choice(CommonOptions.progress).flatMap(ProgressStyle.init) ?? .auto
    options.isColored = console.isColored
    options.isFresh = arguments.has(fresh)
    options.restartsChanged = arguments.has(resumeOrFresh)
    guard !options.isFresh || !options.restartsChanged else {
      throw .usage("--fresh and --resume-or-fresh: expected one of them")
    }
    options.note = { [isQuiet = options.isQuiet] in
      if !isQuiet || $0.hasPrefix(RunOptions.warningPrefix) { console.say($0) }
    }
    options.makeReport = { [workers = options.workers] database, path in
      var report = try Report(of: database)
      report.workers = workers
      try report.write(to: path)
    }
    options.networkEvent = console.networkEvents(isQuiet: options.isQuiet)
    return options
  }

  /// Updates the index of all runs, if the job has one.
  static func writeIndex(of job: Job, _ console: Console) {
    guard let folder = job.indexedFolder else { return }
    do { try IndexPage(of: folder).write() } catch { console.warn("\(error)") }
  }

  /// Runs a job, or merges its shards, and prints the outcome.
  static func run(
    _ job: Job, _ options: RunOptions, merging shards: ShardSet?, _ arguments: Arguments, _ console: Console
  ) throws -> (ExitCode, JobOutcome?) {
    let outcome = try JobRun(job, options, merging: shards).run()
    let code = try report(
      outcome, of: job, isStrict: arguments.has(strict), isQuiet: options.isQuiet,
      showsStatistics: arguments.has(statistics), console)
    return (code, outcome)
  }

  /// Prints how the job ended, and returns the exit code.
  private static func report(
    _ outcome: JobOutcome, of job: Job, isStrict: Bool, isQuiet: Bool, showsStatistics: Bool, _ console: Console
  ) throws -> ExitCode {
    guard outcome.isFinished else {
      console.note(
        """
        interrupted after \(outcome.rows) of \(outcome.totalRows) rows; the results so far are in \
        \(outcome.folder.path) under names ending in .part; the same command resumes from there
        """)
      return .interrupted
    }
    if let shard = outcome.shard {
      guard !isQuiet else { return .finished }
      try console.print(outcome.files[0])
      try console.print(
        "shard \(shard): \(outcome.rows) of the job's rows computed, \(outcome.rejected) rejected in all")
      return .finished
    }
    let summary = try Summary(of: outcome.folder)
    if !isQuiet {
      if showsStatistics, !summary.table.isEmpty { try console.print(summary.table + "\n") }
      try console.printSentence(summary.headline)
      for file in outcome.files + [outcome.folder.report] { try console.print(file) }
    }
    let isDifferent = outcome.verification?.differences.isEmpty == false
    let hasTooFew = !summary.hasShare(job.minimumShare)
    let code: ExitCode =
      isDifferent
      ? .different : hasTooFew ? .fewAnswers : isStrict && summary.notOK + outcome.rejected > 0 ? .notAllOK : .finished
    if !isQuiet || code != .finished {
      if let verification = outcome.verification { try console.print(verification) }
      if !summary.missing.isEmpty { try console.printSentence("missing: \(summary.missing)") }
      if showsStatistics { for line in try summary.problemLines() { try console.print(line) } }
      try console.print(summary.closingLine(unit: outcome.unit, rejected: outcome.rejected))
      if hasTooFew {
        console.fail(
          "\(summary.okShare); expected \(job.minimumShare.map { "a share of \($0) or more (minimumShare)" } ?? "at least one row")"
        )
      }
    }
    return code
  }
}

/// A run repeated from its own record, which is table `job` of its results.
struct RepeatedRun {
  private let output: String
  let record: JobRecord
  private let database: String

  /// - Parameters:
  ///   - folder: The results, or the folder that contains them.
  ///   - output: The folder for the new results; if nil, a new folder next to the old one.
  /// - Throws: `ResultsError` if there are no results.
  init(_ folder: String, output: String?) throws {
    database = RepeatedRun.absolute(try ResultsFolder.database(named: folder))
    record = try ResultsDatabase(path: database).record
    let defaultOutput = ResultsFolder(ofDatabase: database).path + "-again"
    self.output = output.map(RepeatedRun.absolute) ?? defaultOutput
  }

  /// Returns the job, with paths relative to the directory that `enter` changes to. *Throws*: `ResultsError` if the
  /// record is incomplete.
  func job() throws -> Job { try Job(of: record, in: database, output: output) }

  /// Changes to the directory to which the job's paths are relative. *Throws*: `ResultsError`.
  func enter() throws {
    guard let folder = record.run[.workingFolder], FileManager.default.changeCurrentDirectoryPath(folder) else {
      let name = record.run[.workingFolder] ?? "unknown"
      // The record has this character in place of bytes that are not UTF-8.
      let problem = name.contains("\u{FFFD}") ? "has a name that is not UTF-8" : "does not exist"
      throw ResultsError(
        path: database, problem: "the run cannot be repeated: its working directory, \(name), \(problem)",
        cause: .changed)
    }
  }

  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : (FileManager.default.currentDirectoryPath as NSString).appendingPathComponent(path)
  }
}

enum MergeCommand: Command {
  static let name = "merge"
  static let summary = "Merge the shards of a job into results identical to a single run's"
  static let operands = [Operand("FOLDER", .folder, isRepeated: true)]
  static let options = [
    CommonOptions.workers, RunCommand.output, CommonOptions.cache, RunCommand.fresh,
    RunCommand.resumeOrFresh, RunCommand.metrics, CommonOptions.quiet, CommonOptions.progress, strict,
  ]
  static let exitCodes = RunCommand.exitCodes.filter { $0.key != .implausible }.merging([
    .input:
      "shards are missing, duplicate, unfinished, damaged or of another job; map or input cannot be read or have changed"
  ]) { $1 }
  static let details = """
    Each FOLDER has one shard of the job (odometer run JOB --shard 0/8, 1/8, …); all shards are required. The input is
    read again from the job file's paths, so run this where the shards ran. The output is identical to a single run's:
    tables, files, report and verification. The same command resumes an interrupted merge.

        odometer merge out/shard-* --output out
    """

  private static let strict = Option("strict", help: "exit with 1 if any row is not ok or was rejected")

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let shards = Result { try ShardSet(folders: arguments.operands) }
    let name = (try? shards.get())?.header.record.run[.jobFile]
    let metrics = RunCommand.metrics(of: name ?? arguments.operands[0], arguments)
    return try RunCommand.recording(metrics, console) { try merge(shards.get(), arguments, console) }
  }

  private static func merge(
    _ shards: ShardSet, _ arguments: Arguments, _ console: Console
  ) throws -> (ExitCode, JobOutcome?) {
    let options = try RunCommand.options(arguments, console)
    let job = try Job(of: shards, output: arguments.text(RunCommand.output))
      .runs(at: shards.started ?? Date())[0]
    if arguments.operands.contains(where: { ResultsFolder(path: $0).isSame(as: ResultsFolder(path: job.output)) }) {
      throw .usage("--output: \(job.output) has a shard; name another folder")
    }
    defer { RunCommand.writeIndex(of: job, console) }
    return try RunCommand.run(job, options, merging: shards, arguments, console)
  }
}
