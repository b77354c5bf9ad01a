import Foundation
import Geography
import StreetNetwork
import Tables

/// A run of a job of any kind.
package struct JobRun {
  let job: Job
  let options: RunOptions
  /// The shards to merge; nil if rows are computed.
  let shards: ShardSet?
  /// The input files, with their state at the start of the run.
  let inputs: [WatchedFile]
  /// Files that are read until the end of the run: trace files and shards.
  let streams: Set<String>
  /// The display on a terminal; nil for none.
  let display: PhaseDisplay?

  package init(_ job: Job, _ options: RunOptions, merging shards: ShardSet? = nil) {
    let journals = shards?.files.map(\.path) ?? []
    inputs = (job.inputs + journals).map { WatchedFile(path: $0) }
    streams = Set((job.task.isStreamed ? job.task.files : []) + journals)
    let display = PhaseDisplay(options)
    var options = options
    if let display {
      let (note, event) = (options.note, options.networkEvent)
      options.note = { sentence in display.pausing { note(sentence) } }
      options.networkEvent = { networkEvent in display.pausing { event(networkEvent) } }
    }
    (self.job, self.options, self.shards, self.display) = (job, options, shards, display)
  }

  /// Creates a copy of a run with the job resolved for network and date.
  private init(_ run: JobRun, resolved job: Job) {
    (self.job, options, shards, inputs, streams, display) = (
      job, run.options, run.shards, run.inputs, run.streams, run.display
    )
  }

  /// Runs the job, or resumes an earlier run, from the network to the final names of the results.
  package func run() throws -> JobOutcome {
    do {
      let outcome = try results()
      display?.finish(outcome.isFinished ? .finished : .interrupted)
      return outcome
    } catch {
      display?.finish(.failed)
      throw error
    }
  }

  private func results() throws -> JobOutcome {
    display?.begin("network", lastPathComponent(job.map))
    let folder = ResultsFolder(path: job.output)
    // A shard has no database.
    if options.shard == nil { try folder.checkLength() }
    let lock = try folder.lock()
    defer { withExtendedLifetime(lock) {} }
    let log = RunLog(path: folder.log)
    do {
      if options.shard == nil, folder.hasShard {
        throw ResultsError(
          path: folder.path, problem: "a shard of a job is in this folder; name another folder with --output",
          cause: .output)
      }
      try folder.checkNames()
      try job.checkHours()
      try job.checkInputs(folder)
      try check(folder, log)
      let network = try options.network(of: job)
      if options.isFresh { folder.discard() }
      func finish() throws -> JobOutcome {
        let started = start(in: folder)
        let resolved = JobRun(self, resolved: try job.resolved(on: network, now: started))
        return try OpenRun(resolved, on: network, in: folder, lock, log, started: started).finish()
      }
      let outcome: JobOutcome
      do { outcome = try finish() } catch is Restarted { outcome = try finish() }
      try lock.check()
      return outcome
    } catch let error as NothingToResume {
      throw error
    } catch  where (error as? OdometerError)?.cause != .implausible && lock.isLost {
      // A removed or replaced folder explains any other error.
      throw lock.lostError
    } catch var error as ResultsError where error.cause == .output && !log.isOpen {
      // The folder, including its log, belongs to another job. An earlier day's run is then merely not resumed.
      if options.onlyResumes { error.cause = .changed }
      throw error
    } catch {
      log.record("failed", [("problem", .text("\(error)"))] + JobRun.details(error))
      log.open(isAppending: true, note: options.note)
      throw error
    }
  }

  /// Returns the start of the run, to which dates such as tomorrow are relative: that of the merged shards, of the
  /// repeated run, or of the resumed run or shard; otherwise now.
  func start(in folder: ResultsFolder) -> Date {
    let previous = options.shard == nil ? PreviousRun.record(in: folder) : folder.shardRecord
    return shards?.started ?? options.repeated?.started ?? (options.isFresh ? nil : previous?.started) ?? Date()
  }

  /// Reads the input, and prints its notes.
  ///
  /// - Parameter context: Nil if there is no network yet.
  func read(in context: JobContext?) throws -> JobInput {
    let read = Result { try job.task.read(for: job, in: context) }
    // Changes are checked first: a changed file may be why the input seems wrong.
    try inputs.check(\.isSame)
    let input = try read.get()
    input.notes.forEach(options.note)
    return input
  }

  /// Returns SQLite's codes and statement, for the log.
  private static func details(_ error: any Error) -> [(String, RunLog.Value)] {
    guard let failure = (error as? ResultsError)?.sqlite else { return [] }
    return [
      ("sqlite_code", .number(Int(failure.code))), ("sqlite_extended_code", .number(Int(failure.extendedCode))),
      ("sql", .text(failure.sql)),
    ]
  }
}

/// Handles the remains of an earlier run in the results folder.
extension JobRun {
  /// Performs the checks that need no network: rejects another job's results, and an unfinished run that cannot be
  /// resumed on any network. *Throws*: `ResultsError`.
  func check(_ folder: ResultsFolder, _ log: RunLog) throws {
    try checkForeign(folder)
    let hasShard = options.shard != nil && folder.hasShard
    guard options.repeated != nil || folder.isUnfinished || folder.isFinished || hasShard else { return }
    let profile = try job.loadProfile()
    let map = try StreetNetwork.location(map: job.map, profile: profile, cache: options.cache).mapDigest
    let record = try JobRecord(of: job, by: profile, map: map, version: options.version)
    if let repeated = options.repeated { try record.check(early: repeated) }
    guard !options.isFresh else { return }
    if options.shard == nil { try folder.checkFinished(of: record) }
    do {
      if let shard = options.shard {
        _ = try ShardFile(of: shard, in: folder, of: record, early: true)
      } else {
        try PreviousRun.check(early: record, in: folder)
      }
    } catch let error as ResultsError where options.restartsChanged && error.cause == .changed {
      try restart(folder, error, log)
    }
  }

  /// Checks that the results replace only files that a run has written. *Throws*: `ResultsError`.
  func checkForeign(_ folder: ResultsFolder) throws {
    // A shard writes only its journal.
    guard options.shard == nil, !options.isFresh, let file = folder.foreignFile else { return }
    throw ResultsError(
      path: file,
      problem: "results here would replace this file, which no run has written; name another folder with --output, or "
        + "replace it with --fresh", cause: .output)
  }

  /// Returns the run to resume. *Throws*: `ResultsError`; `Restarted` if its files were discarded.
  func previousRun(in folder: ResultsFolder, of record: JobRecord, _ log: RunLog) throws -> PreviousRun {
    do {
      let previous = try PreviousRun(in: folder, of: record)
      // The run was stopped before it had begun, or another process has since finished it.
      if case .none = previous, options.onlyResumes { throw NothingToResume() }
      return previous
    } catch let error as ResultsError where options.restartsChanged && error.cause == .changed {
      try restart(folder, error, log)
      throw Restarted()
    }
  }

  /// Returns the shard to resume, or the finished one; nil if there is neither. *Throws*: `ResultsError`; `Restarted`
  /// if it was discarded.
  func previousShard(_ shard: Shard, in folder: ResultsFolder, of record: JobRecord, _ log: RunLog) throws -> ShardFile?
  {
    do {
      return try ShardFile(of: shard, in: folder, of: record)
    } catch let error as ResultsError where options.restartsChanged && error.cause == .changed {
      try restart(folder, error, log)
      throw Restarted()
    }
  }

  /// Discards the unfinished files of a run, or all files of a shard. *Throws*: `NothingToResume` if the run may only
  /// resume.
  func restart(_ folder: ResultsFolder, _ error: ResultsError, _ log: RunLog) throws {
    let change = error.change ?? error.problem
    let remains = options.shard.map { "shard \($0)" } ?? "the unfinished run"
    let reason = error.change.map { "since \(remains) started, \($0)" } ?? "\(remains) cannot be read"
    guard !options.onlyResumes else {
      options.note("\(RunOptions.warningPrefix)\(folder.path) is kept: \(reason); --fresh discards it")
      throw NothingToResume()
    }
    options.note("starting from scratch: \(reason)")
    log.record("restarted", [("change", .text(change))])
    if options.shard == nil { folder.discard() } else { folder.discardShard() }
  }
}

extension JobRecord {
  var started: Date? { run[.started].flatMap { try? Date($0, strategy: .iso8601) } }

  /// Checks that the run repeats an earlier one without changes. *Throws*: `ResultsError`.
  func check(repeating earlier: JobRecord) throws {
    guard let change = changes(from: earlier).first else { return }
    throw ResultsError(
      path: run[.jobFile] ?? "", problem: "the run cannot be repeated: since the earlier run, \(change)",
      cause: .changed)
  }

  /// Performs the same check on the keys that are known before the network is loaded.
  func check(early earlier: JobRecord) throws { try check(repeating: earlier.withKeys(of: self)) }
}

/// The outcome of a job.
package struct JobOutcome: Sendable {
  package let folder: ResultsFolder
  /// The written files.
  package let files: [String]
  /// The counted unit: "routes", "etas", "cells".
  package let unit: String
  /// The unit of verified items: the cells of a matrix, else rows.
  package var items: String { unit == "cells" ? unit : "rows" }
  /// The number of rows written, out of `totalRows`.
  package let rows: Int
  package let totalRows: Int
  package let rejected: Int
  package let isFinished: Bool
  /// The computed shard; nil for the whole job.
  package let shard: Shard?
  /// The folder of all runs of a job with key `index`.
  package let indexedFolder: String?
  /// The outcome of recomputing rows; nil for a job without `verify`.
  package internal(set) var verification: Verification.Outcome?
  /// The resources used by each phase of the run.
  package internal(set) var phases: [(phase: RunPhases.Phase, use: RunPhases.Use)] = []

  /// Peak memory of this process so far.
  package static var peakMemoryBytes: Int { ProcessUse.peakBytes }

  init(_ job: Job, rows: Int, of totalRows: Int, rejected: Int, isFinished: Bool, shard: Shard? = nil) {
    folder = ResultsFolder(path: job.output)
    files = shard == nil ? [folder.database] + job.task.outputs(of: job, in: folder) : [folder.journal]
    unit = job.task.unit(of: job)
    indexedFolder = job.indexedFolder
    self.shard = shard
    (self.rows, self.totalRows, self.rejected, self.isFinished) = (rows, totalRows, rejected, isFinished)
  }
}

/// `log.jsonl` next to the results: the events of a run, one per line. Belongs to one thread.
final class RunLog {
  private let path: String
  private var file: Int32 = -1
  /// Whether the file at the path is not a log.
  private var isRefused = false
  /// The beginning of each line.
  private static let start = "{\"time\":"
  /// Lines recorded before the log is open.
  private var waiting: [String] = []
  private let started = ContinuousClock.now
  private var last: ContinuousClock.Instant

  enum Value {
    case text(String)
    case number(Int)
    case seconds(Double)
  }

  /// Creates the log at `path`, which is written only after it is opened: a refused run leaves the previous log
  /// unchanged.
  init(path: String) {
    self.path = path
    last = started
  }

  var isOpen: Bool { file >= 0 }

  /// Starts the file, or appends to an existing one. Failures do not stop the job: `note` is called with the reason,
  /// including for links and for a file that is not a log, which are left unchanged.
  func open(isAppending: Bool, note: (String) -> Void) {
    guard !isOpen, !isRefused else { return }
    // Opening a pipe would wait for its other end.
    file = Foundation.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
    if let problem = file < 0 ? RunLog.message(errno) : problem() {
      isRefused = true
      if isOpen { close(file) }
      file = -1
      note("\(RunOptions.warningPrefix)\(path): no log is written: \(problem)")
    } else if !isAppending {
      ftruncate(file, 0)
    }
    for line in waiting where isOpen { write(line) }
    waiting = []
  }

  private static func message(_ code: Int32) -> String {
    code == ELOOP ? "this is a symbolic link" : String(cString: strerror(code))
  }

  /// Returns why the open file is not a log; nil if it is one, or empty.
  private func problem() -> String? {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return "this is not a file" }
    guard status.st_nlink <= 1 else { return "other hard links to this file exist" }
    let start = Array(RunLog.start.utf8)
    var found = [UInt8](repeating: 0, count: min(start.count, Int(status.st_size)))
    let count = pread(file, &found, found.count, 0)
    guard count >= 0 else { return RunLog.message(errno) }
    return count == found.count && start.starts(with: found) ? nil : "this is a different kind of file"
  }

  // One call per line, so that lines are written whole.
  private func write(_ line: String) {
    var line = line
    line.withUTF8 { _ = Foundation.write(file, $0.baseAddress, $0.count) }
  }

  deinit { if file >= 0 { close(file) } }

  /// Records an event, with the time, the seconds of the run, and peak memory.
  func record(_ event: String, _ values: [(String, Value)] = []) {
    let elapsed = (ContinuousClock.now - started) / .seconds(1)
    let common: [(String, Value)] = [
      ("time", .text(Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))),
      ("event", .text(event)), ("elapsed_seconds", .seconds(elapsed)),
      ("peak_memory_bytes", .number(ProcessUse.peakBytes)),
    ]
    var line = TextBuffer()
    line.append("{")
    for (key, value) in common + values {
      switch value {
      case .text(let text): line.member(key, text)
      case .number(let number): line.member(key, number)
      case .seconds(let seconds): line.member(key, seconds, places: 3)
      }
    }
    line.append("}\n")
    let text = line.string()
    if isOpen { write(text) } else if !isRefused { waiting.append(text) }
  }

  /// Records the progress of a job, at most every ten seconds.
  func progress(rows: Int, of total: Int) {
    let now = ContinuousClock.now
    guard now - last >= .seconds(10) else { return }
    last = now
    record("progress", [("rows", .number(rows)), ("of", .number(total))])
  }
}
