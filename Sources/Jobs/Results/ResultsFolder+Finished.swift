import Foundation
import Geography
import Tables

extension ResultsFolder {
  /// Whether a run has ended here.
  package var isFinished: Bool { FileManager.default.fileExists(atPath: database) }

  /// What the finished results here say of their run; nil where there are none, or they cannot be read.
  private var finishedRecord: JobRecord? {
    guard isFinished else { return nil }
    return try? SQLite(path: database, .reading).jobRecord()
  }

  /// Whether a run of the same job, or a shard of it, has started here and not ended.
  func isUnfinished(of job: JobRecord, shard: String? = nil) -> Bool {
    let record: JobRecord?
    if let shard {
      let path = (ResultsFolder(path: file(shard)).journal).unfinished
      guard FileManager.default.fileExists(atPath: path) else { return false }
      record = (try? ShardFile(path: path, isWhole: false))??.header.record
    } else {
      guard isUnfinished else { return false }
      let database = try? SQLite(path: self.database.unfinished, .writing)
      _ = try? database?.execute(ResultsStore.exclusive)
      record = try? database?.jobRecord()
    }
    return record.map { $0.identity[.kind] != nil && job.otherness(than: $0) == nil } ?? false
  }

  /// Whether results of the same job have ended here.
  func hasResults(of job: JobRecord) -> Bool { finishedRecord.map { job.otherness(than: $0) == nil } ?? false }

  /// Refuses to replace another job's finished results. *Throws*: `ResultsError`.
  func checkFinished(of job: JobRecord) throws {
    guard isFinished else { return }
    guard let finished = finishedRecord, finished.identity[.kind] != nil else {
      throw ResultsError(
        path: database,
        problem: "this file is not of a job, or cannot be read; name another folder with --output, or replace it with "
          + "--fresh", cause: .output)
    }
    guard let otherness = job.otherness(than: finished) else { return }
    throw ResultsError(
      path: path,
      problem: "finished results of another job are in this folder (\(otherness)); name another folder with --output, "
        + "or replace them with --fresh", cause: .output)
  }

  /// Removes finished results with their folder. *Returns*: The files of others in it, for which nothing is removed.
  func remove() -> [String] {
    let compared = ["compare.sqlite", "compare.html"].map { file("compare/\($0)") }
    // The database last: without it, the other files belong to no run.
    let own = everyFile + compared + [log, database]
    let isOwn = Set(own + [file("compare")])
    let others = (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).filter {
      // What a link leads to is not the run's.
      !isOwn.contains(file($0)) || FileProblem.isLink(file($0))
    }
    guard others.isEmpty else { return others.sorted() }
    for file in own { unlink(file) }
    rmdir(file("compare"))
    rmdir(path)
    // Of reports/{date}/etas the folder of the day, where it was the last.
    _ = rmdir(path.folder)
    return []
  }
}
