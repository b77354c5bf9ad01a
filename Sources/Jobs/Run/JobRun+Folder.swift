import Foundation
import Results
import StreetNetwork

/// What an earlier run has left in the folder of results, and what becomes of it.
extension JobRun {
  /// Refuses what need not wait for a network: another job's results, and an unfinished run that cannot be resumed,
  /// whatever the network is. *Throws*: `ResultsError`.
  func check(_ folder: ResultsFolder, _ log: RunLog) throws {
    guard options.repeated != nil || folder.isUnfinished || folder.isFinished else { return }
    let profile = try job.loadProfile()
    let map = try StreetNetwork.location(map: job.map, profile: profile, cache: options.cache).mapDigest
    let record = JobRecord(of: job, by: profile, map: map, version: options.version)
    if let repeated = options.repeated { try record.check(early: repeated) }
    guard !options.isFresh, options.shard == nil else { return }
    try folder.checkFinished(of: record)
    do {
      try PreviousRun.check(early: record, in: folder)
    } catch let error as ResultsError where options.restartsChanged && error.cause == .changed {
      try restart(folder, error, log)
    }
  }

  /// What is resumed. *Throws*: `ResultsError`.
  func previousRun(in folder: ResultsFolder, of record: JobRecord, _ log: RunLog) throws -> PreviousRun {
    do {
      return try PreviousRun(in: folder, of: record)
    } catch let error as ResultsError where options.restartsChanged && error.cause == .changed {
      try restart(folder, error, log)
      return .none
    }
  }

  /// Only what is unfinished is discarded.
  private func restart(_ folder: ResultsFolder, _ why: ResultsError, _ log: RunLog) throws {
    let change = why.change ?? why.problem
    options.note("starting from scratch, for since the unfinished run started \(change)")
    log.record("restarted", [("change", .text(change))])
    folder.discard()
    if options.onlyResumes { throw NothingToResume() }
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
    var known = earlier
    for key in earlier.identity.keys where identity[key] == nil { known.identity[key] = nil }
    try check(repeating: known)
  }
}
