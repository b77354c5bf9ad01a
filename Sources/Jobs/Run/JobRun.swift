import Foundation
import Geography
import StreetNetwork
import Tables

/// A run of a job of any kind.
package struct JobRun {
  let job: Job
  let options: RunOptions
  /// Whose rows are merged; nil where they are computed.
  let shards: ShardSet?
  /// What it reads, as that was when the run began.
  let inputs: [WatchedFile]
  /// Files of it that are read to the end of the run: those of traces, and shards.
  let streams: Set<String>

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
      let outcome = try OpenRun(resolved, on: network, in: folder, lock, log).finish()
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

  /// Reads the input, and says what whoever runs the job should know of it. `area` is the map's.
  func read(area: BoundingBox) throws -> any JobInput {
    let read = Result { try job.task.read(for: job, area: area) }
    // A change comes first: it may be why the input seems wrong.
    try inputs.check(\.isSame)
    let input = try read.get()
    input.notes.forEach(options.note)
    return input
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
