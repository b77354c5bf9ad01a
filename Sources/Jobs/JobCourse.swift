import Foundation
import Results
import StreetNetwork

/// A run of a job of any kind: what it runs on, and the way of its chunks through the workers into the results, from
/// where an earlier run stopped. Belongs to one thread.
final class JobCourse {
  let job: Job
  let options: RunOptions
  let network: StreetNetwork
  private let folder: ResultsFolder
  private let leftover: Leftover
  private let facts: JobFacts
  /// Nil where the job is planned and not run.
  private let log: RunLog?
  /// What the job will take, when its kind has said so.
  private(set) var forecast: Forecast?
  /// Chunks under way at once, and threads for them, as memory allows.
  private var window: Int?

  init(
    _ job: Job, _ options: RunOptions, _ network: StreetNetwork, _ folder: ResultsFolder, _ leftover: Leftover,
    _ facts: JobFacts, _ log: RunLog?
  ) {
    (self.job, self.options, self.network, self.folder) = (job, options, network, folder)
    (self.leftover, self.facts, self.log) = (leftover, facts, log)
  }

  var workers: Int { options.workers }

  /// Whether the job is to be begun: a plan ends here. *Throws*: `CapacityError` where it would not fit.
  func begins(_ forecast: Forecast) throws -> Bool {
    self.forecast = forecast
    guard let log else { return false }
    let limit = MemoryLimit(job.memory)
    let least = forecast.fixedMemory + forecast.chunkMemory
    guard least <= limit.bytes else {
      let who = limit.isChosen ? "memory allows" : "the machine has"
      throw CapacityError(
        description:
          "the job needs about \(MemoryLimit.text(least)) of memory, \(who) \(MemoryLimit.text(limit.bytes)); "
          + "\(limit.isChosen ? "allow more, or " : "")split its input, or take fewer workers")
    }
    window = max(1, min(2 * workers, (limit.bytes - forecast.fixedMemory) / max(1, forecast.chunkMemory)))
    let free = folder.freeBytes + folder.unfinishedBytes
    guard forecast.disk <= free else {
      throw CapacityError(
        description: "the results need about \(MemoryLimit.text(forecast.disk)), \(MemoryLimit.text(free)) are free in "
          + "\(folder.path); name another folder with --output, or write less (README, \"How much is written\")")
    }
    log.note(
      "forecast",
      [
        ("core_seconds", .seconds(forecast.seconds)), ("memory_bytes", .number(least)),
        ("disk_bytes", .number(forecast.disk)),
      ])
    return true
  }

  /// The results, begun or gone on with. `more` is for table `job`; other parameters as in `ResultsStore`.
  func store(
    rowBytes: Int = 0, idsAreNumbers: Bool, more: [(key: String, value: String)] = []
  ) throws -> ResultsStore {
    var record = facts.record
    record.course += more
    return try ResultsStore(folder, leftover, rowBytes: rowBytes, idsAreNumbers: idsAreNumbers, job: record)
  }

  /// Runs the chunks that are not written yet, and notes how far that went.
  ///
  /// - Parameters:
  ///   - total: Rows of the input, of all chunks.
  ///   - cells: Cells a row, where those are counted.
  ///   - written: Called with each answer after it was written.
  ///   - seal: Ends the results when all chunks are there.
  func run<Chunk: Sendable, Writer: ChunkWriter>(
    _ chunks: some Sequence<Chunk>, into writer: Writer, of store: ResultsStore, rows total: Int, rejected: Int,
    unit: String, cells: Int = 1, makeWorker: @escaping @Sendable () -> (Chunk) -> Writer.Chunk,
    written: (Writer.Chunk) -> Void = { _ in }, seal: ([(key: String, value: String)]) throws -> Void
  ) throws -> JobTally {
    let before = store.rows
    if store.isResumed {
      options.note("going on after \(before) of \(total) rows that are written")
    }
    log?.note("chunks", [("rows", .number(total)), ("done", .number(before)), ("rejected", .number(rejected))])
    var progress = Progress(total: total * cells, done: before * cells, unit: unit, isQuiet: options.isQuiet)
    let isFinished = try Pipeline.run(
      chunks.dropFirst(store.chunks), workers: min(workers, window ?? workers), ahead: window,
      shouldStop: options.shouldStop, makeWorker: makeWorker,
      write: { group in
        try writer.write(group)
        group.forEach(written)
        progress.advance(to: store.rows * cells)
        log?.progress(rows: store.rows, of: total)
      })
    progress.end()
    let ending = facts.ending(rows: store.rows - before, total: store.rows, rejected: rejected)
    if isFinished { try seal(ending) } else { try store.interrupt(job: ending) }
    return JobTally(rows: store.rows, totalRows: total, rejected: rejected, isFinished: isFinished)
  }
}

/// How far a job came.
struct JobTally {
  /// Rows written, of so many that can be used.
  var rows: Int
  var totalRows: Int
  var rejected: Int
  var isFinished: Bool

  /// Of a job that was planned, and not begun.
  static let planned = JobTally(rows: 0, totalRows: 0, rejected: 0, isFinished: false)
}
