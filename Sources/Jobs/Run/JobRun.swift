import Foundation
import Geography
import Results
import StreetNetwork

/// A run of a job of any kind.
package struct JobRun {
  let job: Job
  let options: RunOptions
  /// Whose rows are merged; nil where they are computed.
  let shards: ShardSet?
  /// What it reads, as that was when the run began.
  private let inputs: [WatchedFile]
  /// Files of it that are read to the end of the run: those of traces, and shards.
  private let streams: Set<String>

  package init(_ job: Job, _ options: RunOptions, merging shards: ShardSet? = nil) {
    let journals = shards?.files.map(\.path) ?? []
    inputs = (job.inputs + journals).map { WatchedFile(path: $0) }
    streams = Set((job.kind == .traces ? job.task.files : []) + journals)
    (self.job, self.options, self.shards) = (job, options, shards)
  }

  /// The same run, of the job with what depends on network and date.
  private init(_ run: JobRun, resolved job: Job) {
    (self.job, options, shards, inputs, streams) = (job, run.options, run.shards, run.inputs, run.streams)
  }

  /// Runs the job, or resumes it where an earlier run stopped, from the network to the final names of the results.
  package func run() throws -> JobOutcome {
    let folder = ResultsFolder(path: job.output)
    let lock = try folder.lock()
    defer { withExtendedLifetime(lock) {} }
    if options.shard == nil, folder.hasShard {
      throw ResultsError(
        path: folder.path, problem: "a shard of a job is in this folder; name another folder with --output",
        cause: .output)
    }
    try folder.checkNames()
    let log = RunLog(path: folder.log)
    do {
      try job.checkHours()
      try job.checkInputs(folder)
      try check(folder, log)
      let network = try options.network(of: job)
      if options.isFresh { folder.discard() }
      // A date such as tomorrow is the one that it was when the run began that is resumed, or the shards.
      let began = shards?.started ?? options.repeated?.started ?? PreviousRun.record(in: folder)?.started
      let resolved = JobRun(self, resolved: try job.resolved(on: network, now: began ?? Date()))
      let outcome = try resolved.run(in: folder, on: network, lock, log)
      try lock.check()
      return outcome
    } catch let error as NothingToResume {
      throw error
    } catch let error where !(error is SentinelFailure) && lock.isLost {
      // Whatever else was the matter came of that.
      throw lock.loss
    } catch let error as ResultsError where error.cause == .output && !log.isOpen {
      // The folder, with its log, is another job's.
      throw error
    } catch {
      log.record("failed", [("problem", .text("\(error)"))] + JobRun.details(error))
      log.open(isAppending: true, note: options.note)
      throw error
    }
  }

  private func run(
    in folder: ResultsFolder, on network: StreetNetwork, _ lock: FolderLock, _ log: RunLog
  ) throws -> JobOutcome {
    let record = JobRecord(of: job, on: network, version: options.version)
    log.record("start", (record.identity.entries + record.run.entries).map { ($0.key, .text($0.value)) })
    if let repeated = options.repeated { try record.check(repeating: repeated) }
    try checkSentinels(on: network, log)
    log.open(isAppending: folder.isUnfinished || folder.hasUnfinishedShard, note: options.note)
    if let shard = options.shard { return try run(shard, in: folder, record, on: network, log) }
    try shards?.check(record)
    let previous = try previousRun(in: folder, of: record, log)
    var outcome: JobOutcome
    do {
      outcome = try previous == .sealed ? sealed(folder) : compute(previous, record, on: network, log)
    } catch let error as ResultsError where previous == .unfinished {
      let error = PreviousRun.error(error, resuming: folder)
      guard options.restartsChanged && error.cause == .changed else { throw error }
      // What could be seen only after the input was read.
      try restart(folder, error, log)
      outcome = try compute(.none, record, on: network, log)
    }
    if outcome.isFinished {
      log.record("sealed", [("rows", .number(outcome.rows))])
      outcome.verification = try verified(folder, on: network, log)
      try (inputs + network.files).check(\.isUnwritten)
      try options.makeReport?(ResultsFolder.unfinished(folder.database), ResultsFolder.unfinished(folder.report))
      try lock.check()
      try folder.publish(outcome.files + (options.makeReport == nil ? [] : [folder.report]))
      for sentence in job.tidy(record) { options.note(sentence) }
    }
    log.record(outcome.isFinished ? "finished" : "interrupted", [("rows", .number(outcome.rows))])
    return outcome
  }

  /// Of results that have everything but their final names.
  private func sealed(_ folder: ResultsFolder) throws -> JobOutcome {
    let figures = try ResultsDatabase(path: ResultsFolder.unfinished(folder.database)).record.figures
    let rows = figures.integer(.rows) ?? 0
    return JobOutcome(job, rows: rows, of: rows, rejected: figures.integer(.rejected) ?? 0, isFinished: true)
  }

  private func compute(
    _ previous: PreviousRun, _ record: JobRecord, on network: StreetNetwork, _ log: RunLog
  ) throws -> JobOutcome {
    let start = ContinuousClock.now
    let context = try JobContext(
      job, on: network, workers: options.workers, shards.map { .merge($0, .init()) } ?? .whole)
    var record = record
    let (prepared, rejected) = try prepare(in: context, &record)
    return try compute(
      prepared, context, rejected: rejected, previous, record, on: network, since: start, log)
  }

  /// Reads the input, which nothing holds afterwards but its job: that lets go of it in time.
  private func prepare(
    in context: JobContext, _ record: inout JobRecord
  ) throws -> (any PreparedJob, rejected: [RejectedRow]) {
    let input = try read(area: context.network.box)
    for owner in WeightOwner.allCases {
      if let column = input.weightColumns[owner] { record.figures[.weight(of: owner)] = column }
    }
    return (try input.prepare(in: context), input.rejected)
  }

  /// Reads the input, and says what whoever runs the job should know of it. `area` is the map's.
  func read(area: BoundingBox) throws -> any JobInput {
    let read = Result { try job.task.read(for: job, area: area) }
    // A change comes first: it may be why the input seems wrong.
    try inputs.check(\.isSame)
    let input = try read.get()
    input.notes.forEach(options.note)
    return input
  }

  /// Refuses to store what was computed from files that changed since. *Throws*: `InputError`.
  private func checkFiles(_ context: JobContext) throws {
    try inputs.check { streams.contains($0.path) ? $0.isSame : $0.isUnwritten }
    try (context.network.files + [context.speeds?.speeds.file].compactMap(\.self)).check(\.isUnwritten)
  }

  private func compute(
    _ prepared: some PreparedJob, _ context: JobContext, rejected: [RejectedRow], _ previous: PreviousRun,
    _ record: JobRecord, on network: StreetNetwork, since start: ContinuousClock.Instant, _ log: RunLog
  ) throws -> JobOutcome {
    guard let shards else {
      return try write(prepared, context, rejected: rejected, previous, record, on: network, since: start, log)
    }
    return try write(
      MergedJob(prepared, shards, rejected: rejected.count), context, rejected: rejected, previous, record, on: network,
      since: start, log)
  }

  /// Computes and writes the chunks that are not written yet.
  private func write(
    _ prepared: some PreparedJob, _ context: JobContext, rejected: [RejectedRow], _ previous: PreviousRun,
    _ record: JobRecord, on network: StreetNetwork, since start: ContinuousClock.Instant, _ log: RunLog
  ) throws -> JobOutcome {
    let speeds = context.speeds
    note(prepared, speeds, on: network)
    let folder = ResultsFolder(path: job.output)
    let window = try window(of: prepared.cost(), in: folder, context, log)
    let store = try ResultsStore(folder, previous, job: record) {
      let (box, reach) = prepared.extent
      var head = prepared.head(rejected: rejected, backdrop: BackdropRow.rows(of: network, around: box, reach: reach))
      if job.hasSpeeds { head.speeds = speeds?.tables(on: network) }
      return head
    }
    try checkCut(of: prepared, 0..<store.chunks, rows: store.rows, in: folder)
    let writer = try prepared.makeWriter(store, shards?.files ?? [])
    let before = store.rows
    let isFinished: Bool
    do {
      isFinished = try compute(
        prepared.chunks.dropFirst(store.chunks), of: prepared, rows: prepared.rows, rejected: rejected.count,
        isResumed: store.isResumed, window: window, context, log, done: { store.rows },
        write: writer.write, whileWaiting: store.commit)
    } catch {
      // What came before the failure is kept.
      try? store.commit()
      throw error
    }
    let seconds = max(0.001, (ContinuousClock.now - start) / .seconds(1))
    let ending = JobRecord.ending(
      rows: store.rows, new: store.rows - before, rejected: rejected.count, seconds: seconds, workers: options.workers)
    if isFinished { prepared.finish() }
    if isFinished { try writer.seal(ending) } else { try store.interrupt(job: ending) }
    return JobOutcome(
      job, rows: store.rows, of: prepared.rows, rejected: rejected.count, isFinished: isFinished)
  }

  /// Checks that the chunks that an unfinished run wrote have as many rows as those that would be left out, where that is
  /// known before they are read. *Throws*: `ResultsError`.
  func checkCut(
    of prepared: some PreparedJob, _ written: Range<Int>, rows: Int, in folder: ResultsFolder
  ) throws {
    guard prepared.chunks is [Range<Int>] else { return }
    guard written.upperBound <= prepared.chunkCount, prepared.rows(ofChunks: written) == rows else {
      throw ResultsError(
        path: folder.path, problem: "the unfinished run cut its rows into other chunks; restart with --fresh",
        cause: .changed)
    }
  }

  /// Says what whoever runs the job should know.
  func note(_ prepared: some PreparedJob, _ speeds: JobSpeeds?, on network: StreetNetwork) {
    if let explanation = prepared.explanation { options.explain?(explanation) }
    for note in (speeds?.notes ?? []) + prepared.notes + job.hoursNotes(on: network) { options.note(note) }
    if job.localTime != nil || job.departures?.date != nil, job.holidays == nil,
      case let count = network.conditions.holidayCount, count > 0
    {
      options.note(
        "\(count) conditions of the map are about holidays: no day counts as one, since the job has no key holidays")
    }
  }

  /// Computes chunks and has them written, and tells how far that is.
  ///
  /// - Parameters:
  ///   - rows: Of all chunks, those that are written already included.
  ///   - done: Rows that are written.
  ///   - whileWaiting: Called when nothing is written for a moment.
  /// - Returns: Whether all were.
  func compute<Job: PreparedJob>(
    _ chunks: some Sequence<Job.Chunks.Element>, of prepared: Job, rows: Int, rejected: Int, isResumed: Bool,
    window: Int, _ context: JobContext, _ log: RunLog, done: () -> Int, write: ([Job.Writer.Chunk]) throws -> Void,
    whileWaiting: () throws -> Void = {}
  ) throws -> Bool {
    if isResumed { options.note("resuming after \(done()) of \(rows) rows that are written") }
    log.record("chunks", [("rows", .number(rows)), ("done", .number(done())), ("rejected", .number(rejected))])
    var progress = Progress(
      total: rows * prepared.unitsPerRow, done: done() * prepared.unitsPerRow,
      unit: prepared.rowUnit ?? job.task.unit(of: job), isQuiet: options.isQuiet, options.progress)
    var checked: ContinuousClock.Instant?
    let isFinished = try Pipeline.run(
      chunks, workers: min(options.workers, window), ahead: window, shouldStop: options.shouldStop,
      makeWorker: { prepared.makeWorker() },
      write: { group in
        // There may be very many files.
        if checked.map({ $0.duration(to: .now) >= .seconds(1) }) ?? true {
          try checkFiles(context)
          checked = .now
        }
        try write(group)
        group.forEach(prepared.release)
        progress.advance(to: done() * prepared.unitsPerRow)
        log.progress(rows: done(), of: rows)
      }, whileWaiting: whileWaiting)
    try checkFiles(context)
    progress.end()
    return isFinished
  }

  /// How many chunks may be under way at once. *Throws*: `CapacityError`.
  func window(of cost: JobCost, in folder: ResultsFolder, _ context: JobContext, _ log: RunLog) throws -> Int {
    let forecast = Forecast(cost, on: context.network, workers: options.workers, spent: context.spent)
    let window = try forecast.window(
      workers: options.workers, limit: MemoryLimit(job.memory), free: folder.bytesForResults, in: folder.path)
    log.record(
      "forecast",
      [
        ("core_seconds", .seconds(forecast.seconds)),
        ("memory_bytes", .number(forecast.memory(workers: options.workers))),
        ("least_memory_bytes", .number(forecast.leastMemory)),
        ("disk_bytes", .number(forecast.disk)),
      ])
    return window
  }

  private func verified(
    _ folder: ResultsFolder, on network: StreetNetwork, _ log: RunLog
  ) throws -> Verification.Outcome? {
    guard let sample = job.verify else { return nil }
    let outcome = try Verification(
      of: ResultsFolder.unfinished(folder.database), on: network, workers: options.workers
    ).run(sample: sample, seed: Verification.newSeed)
    log.record("verified", [("outcome", .text("\(outcome)")), ("seed", .number(outcome.seed))])
    return outcome
  }

  /// What SQLite said, for the log.
  private static func details(_ error: any Error) -> [(String, RunLog.Value)] {
    guard let failure = (error as? ResultsError)?.sqlite else { return [] }
    return [
      ("sqlite_code", .number(Int(failure.code))), ("sqlite_extended_code", .number(Int(failure.extendedCode))),
      ("sql", .text(failure.sql)),
    ]
  }
}
