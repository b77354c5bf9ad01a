import Foundation
import Geography
import Hierarchy
import Input
import Routing
import StreetNetwork
import Tables
import TransitNetwork

/// A run whose network is open:
///
///     source (computed, or shards) --pipeline of workers--> sink (results, or a shard's journal)
final class OpenRun {
  let run: JobRun
  let network: StreetNetwork
  let folder: ResultsFolder
  let lock: FolderLock
  let log: RunLog
  /// The job's identity.
  let record: JobRecord
  let phases: RunPhases
  /// The files read by the run, with their state at the start, or when their content was last found unchanged.
  private var inputs: [WatchedFile]

  init(
    _ run: JobRun, on network: StreetNetwork, in folder: ResultsFolder, _ lock: FolderLock, _ log: RunLog, started: Date
  ) throws {
    (self.run, self.network, self.folder, self.lock, self.log) = (run, network, folder, lock, log)
    var record = try JobRecord(of: run.job, on: network, version: run.options.version)
    record.run[.started] = started.formatted(.iso8601)
    (self.record, inputs) = (record, run.inputs)
    phases = RunPhases(run.display)
    run.display?.setDetail("\(network.mapName) \(record.travelling)")
  }

  var job: Job { run.job }
  var options: RunOptions { run.options }

  /// Runs the job, or resumes it.
  func finish() throws -> JobOutcome {
    log.record("start", (record.identity.entries + record.run.entries).map { ($0.key, .text($0.value)) })
    if let repeated = options.repeated { try record.check(repeating: repeated) }
    try checkSentinels()
    log.open(isAppending: folder.isUnfinished || folder.hasUnfinishedShard, note: options.note)
    var outcome = try options.shard.map(shard) ?? results()
    outcome.phases = phases.uses
    for (phase, use) in phases.uses {
      log.record(
        "phase", [("phase", .text(phase.rawValue))] + RunPhases.Use.figures.map { ($0.name, .seconds($0.value(use))) })
      if options.progress == .json { Progress.show(phase, use) }
    }
    log.record(outcome.isFinished ? "finished" : "interrupted", [("rows", .number(outcome.rows))])
    return outcome
  }

  // MARK: Results

  private func results() throws -> JobOutcome {
    try run.shards?.check(record)
    let previous = try run.previousRun(in: folder, of: record, log)
    var outcome: JobOutcome
    do {
      outcome = try previous == .sealed ? sealed() : filledResults(after: previous)
    } catch let error as ResultsError where previous == .unfinished {
      let error = PreviousRun.error(error, resuming: folder)
      guard options.restartsChanged && error.cause == .changed else { throw error }
      // The problem appeared only after the input was read.
      try run.restart(folder, error, log)
      throw Restarted()
    }
    guard outcome.isFinished else { return outcome }
    log.record("sealed", [("rows", .number(outcome.rows))])
    if job.verify != nil { outcome.verification = try phases.time(.verify) { try verified() } }
    try checkInputs(isRunning: false)
    try network.files.check(\.isUnmodified)
    try phases.time(.page) { try options.makeReport?(folder.database.unfinished, folder.report.unfinished) }
    try lock.check()
    try phases.time(.publish) { try folder.publish(outcome.files + (options.makeReport == nil ? [] : [folder.report])) }
    for sentence in job.linkAndPrune(record) { options.note(sentence) }
    return outcome
  }

  /// Returns the outcome of results that lack only their final names.
  private func sealed() throws -> JobOutcome {
    let figures = try ResultsDatabase(path: folder.database.unfinished).record.figures
    let rows = figures.integer(.rows) ?? 0
    return JobOutcome(job, rows: rows, of: rows, rejected: figures.integer(.rejected) ?? 0, isFinished: true)
  }

  private func filledResults(after previous: PreviousRun) throws -> JobOutcome {
    let context = try JobContext(
      job, on: network, workers: options.workers, run.shards.map { .merge($0) } ?? .whole, cache: options.cache,
      note: options.note)
    let input = try prepare(in: context)
    return try fillResults(of: input.job, input, in: context, after: previous)
  }

  /// Fills the results with chunks from the source: workers, or shards.
  private func fillResults(
    of prepared: some PreparedJob, _ input: PreparedInput, in context: JobContext, after previous: PreviousRun
  ) throws -> JobOutcome {
    guard let shards = run.shards else {
      return try fillResults(of: prepared, from: prepared, input, in: context, after: previous)
    }
    let journals = try ShardJournals(shards, of: prepared, rejected: input.rejected.count)
    return try fillResults(of: prepared, from: journals, input, in: context, after: previous)
  }

  private func fillResults<Source: ChunkSource>(
    of prepared: some PreparedJob<Source.Writer>, from source: Source, _ input: PreparedInput, in context: JobContext,
    after previous: PreviousRun
  ) throws -> JobOutcome {
    var record = record
    for owner in WeightOwner.allCases {
      if let column = input.weightColumns[owner] ?? nil { record.figures[.weight(of: owner)] = column }
    }
    return try fill(from: source, of: prepared, rejected: input.rejected.count, in: context) {
      let store = try ResultsStore(folder, previous, job: record, longestRow: prepared.longestRow, phases) {
        try prepared.writeHead(to: $0, record, rejected: input.rejected, in: context)
      }
      return ResultsSink(store: store, writer: try prepared.makeWriter(store))
    }
  }

  private func verified() throws -> Verification.Outcome? {
    guard let sample = job.verify else { return nil }
    let outcome = try Verification(
      of: folder.database.unfinished, on: network, workers: options.workers, cache: options.cache
    ).run(sample: sample, seed: Verification.newSeed)
    log.record("verified", [("outcome", .text("\(outcome)")), ("seed", .number(outcome.seed))])
    return outcome
  }

  // MARK: Shards

  /// Computes a shard into the journal of its folder, or resumes it; does nothing if it is finished.
  private func shard(_ shard: Shard) throws -> JobOutcome {
    if options.isFresh { folder.discardShard() }
    let previous = try run.previousShard(shard, in: folder, of: record, log)
    if let previous, previous.ending != nil {
      // An earlier run may have stopped before renaming the journal.
      try folder.publishShard()
      options.note("shard \(shard) is finished in \(folder.path); --fresh computes it again")
      return JobOutcome(
        job, rows: previous.rows, of: previous.rows, rejected: previous.header.rejectedCount, isFinished: true,
        shard: shard)
    }
    let snaps = SnapJournal()
    let context = try JobContext(
      job, on: network, workers: options.workers, .shard(shard, snaps), cache: options.cache, note: options.note)
    let input = try prepare(in: context)
    return try self.shard(shard, of: input.job, rejected: input.rejected.count, snaps, in: context, after: previous)
  }

  private func shard<Prepared: PreparedJob>(
    _ shard: Shard, of prepared: Prepared, rejected: Int, _ snaps: SnapJournal, in context: JobContext,
    after previous: ShardFile?
  ) throws -> JobOutcome {
    try fill(from: prepared, of: prepared, rejected: rejected, in: context) {
      let header = ShardHeader(
        shard: shard, chunkCount: prepared.chunkCount, rowCount: prepared.rows, rejectedCount: rejected,
        record: record, jobText: job.text.bytes, writesLinks: job.writesLinks)
      return try ShardJournal<Prepared.Writer>(in: folder, header, places: snaps.take(), after: previous)
    }
  }

  // MARK: From source to sink

  /// The prepared input. Nothing else may hold it: the job frees it before the results are sealed.
  private typealias PreparedInput = (
    job: any PreparedJob, rejected: [RejectedRow], weightColumns: [WeightOwner: String?]
  )

  private func prepare(in context: JobContext) throws -> PreparedInput {
    let input = try phases.time(.read) { try run.read(in: context) }
    let prepared = try phases.time(.snap) { try input.prepare(context) }
    return (prepared, input.rejected, input.weightColumns)
  }

  /// Computes and writes the remaining chunks.
  private func fill<Source: ChunkSource>(
    from source: Source, of prepared: some PreparedJob<Source.Writer>, rejected: Int, in context: JobContext,
    _ makeSink: () throws -> some ChunkSink<Source.Writer>
  ) throws -> JobOutcome {
    note(prepared, context.speeds, isComputed: run.shards == nil)
    let window = try window(of: phases.time(.forecast) { try source.cost() }, in: context)
    let sink = try phases.time(.head) { try makeSink() }
    let range = context.chunks(of: source.chunkCount)
    try check(written: range.lowerBound..<range.lowerBound + sink.chunks, rows: sink.rows, source, prepared)
    let (resumedRows, total) = (sink.rows, prepared.rows(ofChunks: range))
    if sink.isResumed { options.note("resuming after \(resumedRows) of \(total) rows") }
    log.record("chunks", [("rows", .number(total)), ("done", .number(resumedRows)), ("rejected", .number(rejected))])
    let isFinished: Bool
    do {
      isFinished = try phases.time(.compute) {
        try compute(range, of: prepared, from: source, to: sink, window: window, in: context)
      }
    } catch {
      // Chunks before the failure are kept.
      try? sink.commit()
      throw error
    }
    let record = JobRecord.ending(
      rows: sink.rows, new: sink.rows - resumedRows, rejected: rejected, seconds: max(0.001, context.spent.seconds),
      workers: options.workers)
    if isFinished {
      // Computing the sums may take a long time; a crash in the meantime must not lose the last chunks.
      try sink.commit()
      let services = try source.services()
      prepared.finish()
      try sink.seal(services, record)
    } else {
      try sink.interrupt(record)
    }
    return JobOutcome(
      job, rows: sink.rows, of: isFinished ? sink.rows : total, rejected: rejected, isFinished: isFinished,
      shard: options.shard)
  }

  /// Computes and writes the remaining chunks, with progress. *Returns* whether all were written.
  private func compute<Source: ChunkSource>(
    _ range: Range<Int>, of prepared: some PreparedJob<Source.Writer>, from source: Source,
    to sink: some ChunkSink<Source.Writer>, window: Int, in context: JobContext
  ) throws -> Bool {
    let remaining = source.chunks.dropFirst(range.lowerBound + sink.chunks).prefix(max(0, range.count - sink.chunks))
    let rows = prepared.rows(ofChunks: range)
    var progress = Progress(
      total: rows * prepared.unitsPerRow, done: sink.rows * prepared.unitsPerRow,
      unit: prepared.rowUnit ?? job.task.unit(of: job), isQuiet: options.isQuiet, options.progress, on: run.display)
    var checked: ContinuousClock.Instant?
    let isFinished = try Pipeline.run(
      remaining, workers: min(options.workers, window), ahead: window, shouldStop: options.shouldStop,
      makeWorker: { [encode = sink.encode] in
        let compute = source.makeWorker()
        return { encode(try compute($0)) }
      },
      write: { group in
        // At most once a second, since there may be very many files.
        if checked.map({ $0.duration(to: .now) >= .seconds(1) }) ?? true {
          try checkFiles(context)
          checked = .now
        }
        try phases.time(.write) { try sink.write(group) }
        progress.advance(to: sink.rows * prepared.unitsPerRow)
        log.progress(rows: sink.rows, of: rows)
      }, whileWaiting: { try phases.time(.write) { try sink.commit() } })
    try checkFiles(context)
    progress.end()
    return isFinished
  }

  /// Checks that no file has changed since the start, so that results from a changed file are not stored. *Throws*:
  /// `OdometerError`.
  private func checkFiles(_ context: JobContext) throws {
    try checkInputs(isRunning: true)
    try (network.files + [context.speeds?.speeds.file].compactMap(\.self) + (context.feeds?.watched ?? []))
      .check(\.isUnmodified)
  }

  /// Checks that no input has been written to, unless its content matches the record: touching a file, or copying it
  /// over itself, is harmless once the file has been read. *Throws*: `OdometerError`.
  ///
  /// - Parameter isRunning: Whether streams are still being read, and so must be the same, untouched files.
  private func checkInputs(isRunning: Bool) throws {
    func isUnchanged(_ file: WatchedFile) -> Bool {
      isRunning && run.streams.contains(file.path) ? file.isSame : file.isUnmodified
    }
    guard inputs.contains(where: { !isUnchanged($0) }) else { return }
    let now = inputs.map { isUnchanged($0) || run.streams.contains($0.path) ? $0 : WatchedFile(path: $0.path) }
    if isContentUnchanged { inputs = now }
    try inputs.check(isUnchanged)
  }

  private var isContentUnchanged: Bool {
    guard let profile = try? job.loadProfile(),
      let map = try? StreetNetwork.location(map: job.map, profile: profile, cache: options.cache).mapDigest,
      let now = try? JobRecord(of: job, by: profile, map: map, version: options.version)
    else { return false }
    return (try? now.check(early: record)) != nil
  }

  /// Checks that an unfinished run wrote as many rows as the chunks that are now skipped have, if their sizes are known
  /// in advance. *Throws*: `ResultsError`.
  private func check(
    written: Range<Int>, rows: Int, _ source: some ChunkSource, _ prepared: some PreparedJob
  ) throws {
    guard source.chunks is [Range<Int>] else { return }
    guard written.upperBound <= source.chunkCount, prepared.rows(ofChunks: written) == rows else {
      throw ResultsError(
        path: folder.path, problem: "the unfinished run divided its rows into different chunks; restart with --fresh",
        cause: .changed)
    }
  }

  /// Prints the job's notes.
  private func note(_ prepared: some PreparedJob, _ speeds: JobSpeeds?, isComputed: Bool) {
    if isComputed { options.explain(engineOf: prepared) }
    let notes = (speeds?.facts.notes ?? []) + job.trafficNotes + (prepared.stops?.allNotes ?? []) + prepared.notes
    // If pairs have their own times, the notes about the date of the stops may repeat notes about the pairs.
    var known = Set<String>()
    for note in notes + job.hoursNotes(on: network) where known.insert(note).inserted { options.note(note) }
  }

  /// Returns the maximum number of chunks in progress. *Throws*: `OdometerError`.
  private func window(of cost: JobCost, in context: JobContext) throws -> Int {
    let (forecast, limit) = (Forecast(cost, in: context), MemoryLimit(job.memory, workers: options.workers))
    try forecast.checkFit(limit, free: folder.bytesForResults, in: folder.path)
    log.record(
      "forecast",
      [
        ("core_seconds", .seconds(forecast.seconds)),
        ("memory_bytes", .number(forecast.memory(workers: options.workers))),
        ("least_memory_bytes", .number(forecast.minimumMemory)),
        ("worker_memory_bytes", .number(forecast.workerMemory)),
        ("disk_bytes", .number(forecast.disk)),
      ])
    return forecast.window(workers: options.workers, limit: limit)
  }
}

/// The destination of a run's chunks, in order. Belongs to one thread.
protocol ChunkSink<Writer> {
  associatedtype Writer: ChunkWriter
  associatedtype Encoded: Sendable
  /// Called on the worker threads.
  var encode: @Sendable (Writer.Chunk) -> Encoded { get }
  /// The number of chunks written so far; `rows` counts their rows.
  var chunks: Int { get }
  var rows: Int { get }
  /// Whether an earlier run wrote some of these chunks.
  var isResumed: Bool { get }
  func write(_ chunks: [Encoded]) throws
  /// Flushes everything to the disk.
  func commit() throws
  /// Adds the sums after all chunks are written.
  func seal(_ services: ServiceSums?, _ job: JobRecord) throws
  func interrupt(_ job: JobRecord) throws
}

/// The tables and files of results.
struct ResultsSink<Writer: ChunkWriter>: ChunkSink {
  let store: ResultsStore
  let writer: Writer

  var chunks: Int { store.chunks }
  var rows: Int { store.rows }
  var isResumed: Bool { store.isResumed }
  var encode: @Sendable (Writer.Chunk) -> (rows: Int, append: AppendChunk<Writer>) {
    { [encode = writer.encode] in ($0.rows, encode($0)) }
  }
  func write(_ chunks: [(rows: Int, append: AppendChunk<Writer>)]) throws { try store.write(chunks, to: writer) }
  func commit() throws { try store.commit() }
  func seal(_ services: ServiceSums?, _ job: JobRecord) throws { try writer.seal(job, services) }
  func interrupt(_ job: JobRecord) throws { try store.interrupt(job: job) }
}

/// The check of sentinels by plain Dijkstra, at the job's hours, before any row is computed.
extension OpenRun {
  /// *Throws*: `OdometerError`, also if a sentinel is out of range.
  func checkSentinels() throws {
    guard let file = job.sentinels, run.shards == nil else { return }
    let sentinels = try Sentinel.all(in: file, area: network.box, transportType: job.transportType)
    let context = try JobContext(job, on: network, workers: options.workers, .whole)
    let days = context.timedNetworks
    var rows: [SentinelTrip] = []
    try Pipeline.run(
      sentinels, workers: options.workers, makeWorker: { context.makeSentinelWorker(days) },
      write: { rows += $0.joined() })
    let failed = Set(rows.filter { !$0.isInRange }.map(\.sentinel.name)).count
    log.record("sentinels", [("count", .number(sentinels.count)), ("out_of_range", .number(failed))])
    guard failed > 0 else { return }
    let subject = "\(failed) of \(sentinels.count) \(sentinels.count == 1 ? "sentinel is" : "sentinels are")"
    var error = OdometerError(
      file: file, problem: "\(subject) out of range; no row was computed: check the map, the profile and the speeds",
      cause: .implausible)
    error.table = SentinelTrip.table(rows)
    throw error
  }
}

/// The trip of a sentinel at one hour.
struct SentinelTrip: Sendable {
  var sentinel: Sentinel
  /// The job's departure or arrival time; nil in a job without such times, and for a sentinel's own time.
  var time: String?
  var status: RowStatus
  var weight: Weight?

  var isInRange: Bool {
    weight.map { sentinel.seconds.contains($0.seconds) && sentinel.metres.contains($0.metres) } ?? false
  }

  static func table(_ trips: [SentinelTrip]) -> String {
    let hasTimes = trips.contains { $0.time != nil }
    var table = TextTable(
      ["sentinel"] + (hasTimes ? ["time"] : []) + ["seconds", "allowed", "metres", "allowed", ""], hasNotes: true)
    for trip in trips {
      func text(_ number: Double?) -> String { number.map { String(($0 * 10).rounded() / 10) } ?? "-" }
      let note = trip.isInRange ? "" : trip.status == .ok ? "out of range" : trip.status.rawValue
      table.append(
        [RowProblem.excerpt(trip.sentinel.name)] + (hasTimes ? [trip.time ?? ""] : []) + [
          text(trip.weight?.seconds), "\(trip.sentinel.seconds)", text(trip.weight?.metres),
          "\(trip.sentinel.metres)", note,
        ])
    }
    return table.description
  }
}

extension JobContext {
  /// Returns a function that computes a sentinel's trips at each hour of the job, on one thread.
  fileprivate func makeSentinelWorker(_ days: TimedNetworks) -> (Sentinel) -> [SentinelTrip] {
    let router = Router(network, job.options)
    let oracles = DayOracles(days)
    let names = job.departures.map { departures in departures.hours.map { departures.text(of: $0) } } ?? []
    return { [self] sentinel in
      guard let from = router.end(at: sentinel.from), let to = router.end(at: sentinel.to) else {
        return [SentinelTrip(sentinel: sentinel, status: .placemarkNotFound)]
      }
      let times = sentinel.departure.map { [job.tripTime($0)] } ?? job.tripTimes
      return times.enumerated().map { index, time in
        let weight = oracles.weight(from: from, to: to, at: time)
        return SentinelTrip(
          sentinel: sentinel, time: sentinel.departure == nil && !names.isEmpty ? names[index] : nil,
          status: weight == nil ? .directionsNotFound : .ok, weight: weight)
      }
    }
  }
}
