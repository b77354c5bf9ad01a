import Foundation
import StreetNetwork
import Tables

/// What an earlier run has left in the folder of results, and what becomes of it.
extension JobRun {
  /// Refuses what need not wait for a network: another job's results, and an unfinished run that cannot be resumed,
  /// whatever the network is. *Throws*: `ResultsError`.
  func check(_ folder: ResultsFolder, _ log: RunLog) throws {
    try checkForeign(folder)
    let hasShard = options.shard != nil && folder.hasShard
    guard options.repeated != nil || folder.isUnfinished || folder.isFinished || hasShard else { return }
    let profile = try job.loadProfile()
    let map = try StreetNetwork.location(map: job.map, profile: profile, cache: options.cache).mapDigest
    let record = JobRecord(of: job, by: profile, map: map, version: options.version)
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

  /// Refuses to replace files that no run has written. *Throws*: `ResultsError`.
  func checkForeign(_ folder: ResultsFolder) throws {
    // A shard writes only its journal.
    guard options.shard == nil, !options.isFresh, let file = folder.foreignFile else { return }
    throw ResultsError(
      path: file,
      problem: "results here would replace this file, which no run has written; name another folder with --output, or "
        + "replace it with --fresh", cause: .output)
  }

  /// What is resumed. *Throws*: `ResultsError`.
  func previousRun(in folder: ResultsFolder, of record: JobRecord, _ log: RunLog) throws -> PreviousRun {
    do {
      let previous = try PreviousRun(in: folder, of: record)
      // One that was stopped before it had begun, or that another process has finished since.
      if case .none = previous, options.onlyResumes { throw NothingToResume() }
      return previous
    } catch let error as ResultsError where options.restartsChanged && error.cause == .changed {
      try restart(folder, error, log)
      return .none
    }
  }

  /// What is resumed of a shard, or found finished; nil for nothing. *Throws*: `ResultsError`.
  func previousShard(_ shard: Shard, in folder: ResultsFolder, of record: JobRecord, _ log: RunLog) throws -> ShardFile?
  {
    do {
      return try ShardFile(of: shard, in: folder, of: record)
    } catch let error as ResultsError where options.restartsChanged && error.cause == .changed {
      try restart(folder, error, log)
      return nil
    }
  }

  /// Only what is unfinished is discarded, and of a shard all.
  func restart(_ folder: ResultsFolder, _ why: ResultsError, _ log: RunLog) throws {
    let change = why.change ?? why.problem
    let what = options.shard.map { "shard \($0)" } ?? "the unfinished run"
    let reason = why.change.map { "since \(what) started \($0)" } ?? "\(what) cannot be read"
    guard !options.onlyResumes else {
      options.note("\(folder.path) is left, for \(reason); --fresh discards it")
      throw NothingToResume()
    }
    options.note("starting from scratch, for \(reason)")
    log.record("restarted", [("change", .text(change))])
    if options.shard == nil { folder.discard() } else { folder.discardShard() }
  }
}

extension JobRecord {
  /// When the run started.
  var started: Date? { run[.started].flatMap { try? Date($0, strategy: .iso8601) } }

  /// Refuses to repeat a run that would have other results. *Throws*: `ResultsError`.
  func check(repeating earlier: JobRecord) throws {
    guard let change = changes(from: earlier).first else { return }
    throw ResultsError(
      path: run[.jobFile] ?? "", problem: "the run cannot be repeated, for since then \(change)", cause: .changed)
  }

  /// The same of what is known before there is a network.
  func check(early earlier: JobRecord) throws {
    try check(repeating: earlier.known(to: self))
  }
}
