import Foundation
import Tables

/// The remains of an earlier run in a results folder.
package enum PreviousRun: Sendable {
  case none
  /// Rows up to the end of a chunk.
  case unfinished
  /// Complete except for the final names.
  case sealed

  /// - Throws: `ResultsError` if the run belongs to another job, or the job has changed since.
  package init(in folder: ResultsFolder, of job: JobRecord) throws {
    let path = folder.database.unfinished
    self = .none
    guard folder.isUnfinished else { return }
    do {
      let database = try SQLite(path: path, .writing)
      try database.execute(ResultsStore.exclusive)
      guard try database.hasTable(JobRecord.table.name) else { return }
      let previous = try database.jobRecord()
      try PreviousRun.check(job, against: previous, in: folder)
      self = previous.run[.state] == RunState.finished.rawValue ? .sealed : .unfinished
      // Leaves a single file, without a journal next to it.
      if case .sealed = self { try database.execute("PRAGMA journal_mode = DELETE;") }
      try database.close()
    } catch let error as ResultsError where error.path == path {
      throw PreviousRun.unresumable(error)
    }
  }

  /// Returns an error saying that the unfinished run cannot be resumed.
  static func unresumable(_ error: ResultsError) -> ResultsError {
    ResultsError(
      path: error.path, problem: "cannot resume the unfinished run: \(error.problem); restart with --fresh",
      cause: error.sqlite?.isDamage == true ? .changed : error.cause, sqlite: error.sqlite)
  }

  /// Returns the error of a resumed run; if its database is corrupt, the error says that the run cannot be resumed.
  package static func error(_ error: ResultsError, resuming folder: ResultsFolder) -> ResultsError {
    let isAboutDatabase = error.path == folder.database.unfinished
    return isAboutDatabase && error.sqlite?.isDamage == true ? unresumable(error) : error
  }

  /// Compares the part of a job known before the network is loaded with the unfinished run in a folder: differences in
  /// this part are independent of the network. *Throws*: `ResultsError`, as `init` does.
  package static func check(early job: JobRecord, in folder: ResultsFolder) throws {
    // Unreadable databases are reported by `init`, which may repair them.
    guard let previous = record(in: folder) else { return }
    try check(job, against: previous.withKeys(of: job), in: folder)
  }

  /// Returns whether the unfinished run in a folder has committed anything: `init` ignores it otherwise.
  package static func hasBegun(in folder: ResultsFolder) -> Bool {
    (try? database(in: folder)?.hasTable(JobRecord.table.name)) ?? folder.isUnfinished
  }

  /// Returns the record of the unfinished run in a folder; nil if there is none, or it cannot be read.
  package static func record(in folder: ResultsFolder) -> JobRecord? { try? database(in: folder)?.jobRecord() }

  private static func database(in folder: ResultsFolder) -> SQLite? {
    guard folder.isUnfinished, let database = try? SQLite(path: folder.database.unfinished, .writing),
      (try? database.execute(ResultsStore.exclusive)) != nil
    else { return nil }
    return database
  }

  /// Throws if the identities differ; kind, mode and job file name then distinguish another job from a changed one.
  static func check(
    _ job: JobRecord, against previous: JobRecord, in folder: ResultsFolder, remains: String = "unfinished run"
  ) throws {
    let changes = job.changes(from: previous)
    if changes.isEmpty { return }
    let before = previous.run[.jobFile] ?? ""
    let isSameJob = job.mismatch(with: previous) == nil
    let list = changes.joined(separator: "; ")
    let problem =
      isSameJob
      ? "cannot resume the \(remains) in this folder: since it started, \(list); undo that to resume, or restart "
        + "with --fresh"
      : "\(remains == "unfinished run" ? "an" : "a") \(remains) of another job, \(before), is in this folder (\(list))"
        + "; name another folder with --output, or discard that run with --fresh"
    var error = ResultsError(path: folder.path, problem: problem, cause: isSameJob ? .changed : .output)
    error.change = changes[0]
    throw error
  }
}
