import Results
import StreetNetwork

/// How a job is run: what the command line adds to the job file.
package struct RunOptions: Sendable {
  package var workers = 1
  package var cache: String?
  package var isQuiet = false
  /// Whether to begin anew, whatever an earlier run has left.
  package var isFresh = false
  package var version = ""
  /// Asked between chunks: true stops the job.
  package var shouldStop: @Sendable () -> Bool = { false }
  /// Called with how the engine answers, and why so; nil where nobody asks.
  package var explain: (@Sendable (String) -> Void)?
  /// Called with a sentence for the person who waits.
  package var note: @Sendable (String) -> Void = { _ in }
  /// Makes a page of a database, to a path; nil for none.
  package var makeReport: (@Sendable (_ database: String, _ path: String) throws -> Void)?
  /// Called with what happens to the network file.
  package var report: @Sendable (NetworkEvent) -> Void = { _ in }
  package init() {}
}

extension RunOptions {
  /// The network that a job travels on, opened or built.
  func network(of job: Job) throws -> StreetNetwork {
    try StreetNetwork(map: job.map, profile: job.loadProfile(), cache: cache, workers: workers, report: report)
  }
}

/// What became of a job.
package struct JobOutcome: Sendable {
  package var folder: ResultsFolder
  /// The files that were written.
  package var files: [String]
  /// What is counted in the end: "routes", "etas", "cells".
  package var unit: String
  /// Rows written, of so many that can be used.
  package var rows: Int
  package var totalRows: Int
  package var rejected: Int
  package var isFinished: Bool
  /// What was found by computing rows again, where that was asked for.
  package var verification: Verification.Outcome?

  /// The most memory that this process has held at once, so far.
  package static var peakMemoryBytes: Int { ProcessUse.peakBytes }

  init(folder: ResultsFolder, files: [String], unit: String, _ tally: JobTally) {
    (self.folder, self.files, self.unit) = (folder, files, unit)
    (rows, totalRows, rejected, isFinished) = (tally.rows, tally.totalRows, tally.rejected, tally.isFinished)
  }
}
