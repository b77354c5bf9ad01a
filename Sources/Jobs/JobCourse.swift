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
  private let log: RunLog

  init(
    _ job: Job, _ options: RunOptions, _ network: StreetNetwork, _ folder: ResultsFolder, _ leftover: Leftover,
    _ facts: JobFacts, _ log: RunLog
  ) {
    (self.job, self.options, self.network, self.folder) = (job, options, network, folder)
    (self.leftover, self.facts, self.log) = (leftover, facts, log)
  }

  var workers: Int { options.workers }

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
    log.note("chunks", [("rows", .number(total)), ("done", .number(before)), ("rejected", .number(rejected))])
    var progress = Progress(total: total * cells, done: before * cells, unit: unit, isQuiet: options.isQuiet)
    let isFinished = try Pipeline.run(
      chunks.dropFirst(store.chunks), workers: workers, shouldStop: options.shouldStop, makeWorker: makeWorker,
      write: { group in
        try writer.write(group)
        group.forEach(written)
        progress.advance(to: store.rows * cells)
        log.progress(rows: store.rows, of: total)
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
}
