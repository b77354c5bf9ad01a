import Foundation
import Geography

extension ResultsFolder {
  /// Whether a run has ended here.
  package var isFinished: Bool { FileManager.default.fileExists(atPath: database) }

  /// What the finished results here say of their run; nil where there are none, or they cannot be read.
  private var finishedRecord: JobRecord? {
    guard isFinished else { return nil }
    return try? SQLite(path: database, .reading).jobRecord()
  }

  /// Whether results of the same job have ended here.
  func hasResults(of job: JobRecord) -> Bool { finishedRecord.map { job.otherness(than: $0) == nil } ?? false }

  /// Refuses to replace another job's finished results. *Throws*: `ResultsError`.
  package func checkFinished(of job: JobRecord) throws {
    guard let finished = finishedRecord, let otherness = job.otherness(than: finished) else { return }
    throw ResultsError(
      path: path,
      problem: "finished results of another job are in this folder (\(otherness)); name another folder with --output, "
        + "or replace them with --fresh", cause: .output)
  }

  /// Removes finished results, and the folder where nothing else is in it. Returns whether it is gone.
  func remove() -> Bool {
    for file in [database, log] + everyFile + ["compare.sqlite", "compare.html"].map({ file("compare/\($0)") }) {
      unlink(file)
    }
    rmdir(file("compare"))
    guard rmdir(path) == 0 else { return false }
    // Of reports/{date}/etas the folder of the day, where it was the last.
    _ = rmdir(path.folder)
    return true
  }
}
