import Tables

/// The outcome of a job.
package struct JobOutcome: Sendable {
  package let folder: ResultsFolder
  /// The files that were written.
  package let files: [String]
  /// What is counted: "routes", "etas", "cells".
  package let unit: String
  /// What has a status, and is verified: the cells of a matrix, else rows.
  package var items: String { unit == "cells" ? unit : "rows" }
  /// Rows written, of `totalRows` that can be computed.
  package let rows: Int
  package let totalRows: Int
  package let rejected: Int
  package let isFinished: Bool
  /// What of the job it is; nil for all.
  package let shard: Shard?
  /// What was found by computing rows again; nil for a job without `verify`.
  package internal(set) var verification: Verification.Outcome?

  /// The most memory that this process has held at once, so far.
  package static var peakMemoryBytes: Int { ProcessUse.peakBytes }

  init(_ job: Job, rows: Int, of totalRows: Int, rejected: Int, isFinished: Bool, shard: Shard? = nil) {
    folder = ResultsFolder(path: job.output)
    files = shard == nil ? [folder.database] + job.task.outputs(of: job, in: folder) : [folder.journal]
    unit = job.task.unit(of: job)
    self.shard = shard
    (self.rows, self.totalRows, self.rejected, self.isFinished) = (rows, totalRows, rejected, isFinished)
  }
}
