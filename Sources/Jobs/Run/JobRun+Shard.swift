import Foundation
import Results
import Settings
import StreetNetwork

extension JobRun {
  /// Computes a shard into the journal of its folder, or resumes it where an earlier run stopped; does nothing where it is
  /// finished.
  func run(
    _ shard: Shard, in folder: ResultsFolder, _ record: JobRecord, on network: StreetNetwork, _ log: RunLog
  ) throws -> JobOutcome {
    if options.isFresh { folder.discardShard() }
    let previous = try previousShard(shard, in: folder, of: record, log)
    if let previous, previous.ending != nil {
      // It may have stopped before it had its name.
      try folder.publishShard()
      options.note("shard \(shard) is finished in \(folder.path); --fresh computes it again")
      return JobOutcome(
        job, rows: previous.rows, of: previous.rows, rejected: previous.header.rejectedCount, isFinished: true,
        shard: shard)
    }
    let snaps = SnapJournal()
    let context = try JobContext(job, on: network, workers: options.workers, .shard(shard, snaps))
    let input = try read(area: network.box)
    return try compute(
      shard, input.prepare(in: context), snaps, context, rejected: input.rejected.count, record, on: network,
      after: previous, log)
  }

  private func compute(
    _ shard: Shard, _ prepared: some PreparedJob, _ snaps: SnapJournal, _ context: JobContext, rejected: Int,
    _ record: JobRecord,
    on network: StreetNetwork, after previous: ShardFile?, _ log: RunLog
  ) throws -> JobOutcome {
    note(prepared, context.speeds, on: network)
    let folder = ResultsFolder(path: job.output)
    let window = try window(of: prepared.cost(), in: folder, context, log)
    let header = ShardHeader(
      shard: shard, chunkCount: prepared.chunkCount, rowCount: prepared.rows, rejectedCount: rejected, record: record,
      jobText: job.text.bytes, writesLinks: job.writesLinks)
    let journal = try ShardJournal(in: folder, header, places: snaps.take(), after: previous)
    let first = header.chunks.lowerBound
    try checkCut(of: prepared, first..<first + journal.chunks, rows: journal.rows, in: folder)
    let total = prepared.rows(ofChunks: header.chunks)
    let left = prepared.chunks.dropFirst(first + journal.chunks)
      .prefix(header.chunks.count - journal.chunks)
    let isFinished = try compute(
      left, of: prepared, rows: total, rejected: rejected, isResumed: previous != nil, window: window, context, log,
      done: { journal.rows }, write: journal.append)
    if isFinished { try journal.finish(prepared.ending()) }
    log.record(isFinished ? "finished" : "interrupted", [("rows", .number(journal.rows))])
    return JobOutcome(
      job, rows: journal.rows, of: isFinished ? journal.rows : total, rejected: rejected, isFinished: isFinished,
      shard: shard)
  }
}

extension Job {
  /// The job of a run, as its record has it. *Throws*: `SettingsError`; `ResultsError` where the record has none.
  package init(of record: JobRecord, in path: String, output: String? = nil) throws {
    guard let text = record.run[.jobText], let name = record.run[.jobFile] else {
      throw ResultsError(
        path: path, problem: "its table job has no job_text: a version that did not keep it wrote these results",
        cause: .input)
    }
    try self.init(SettingsFile(name: name, bytes: Data(text.utf8)), output: output)
    writesLinks = record.identity.flag(.links) ?? false
  }

  /// The job whose shards are merged. *Throws*: `SettingsError`.
  package init(of shards: ShardSet, output: String? = nil) throws {
    let name = shards.header.record.run[.jobFile] ?? "the shards' job file"
    try self.init(SettingsFile(name: name, bytes: Data(shards.header.jobText)), output: output)
    writesLinks = shards.header.writesLinks
  }
}
