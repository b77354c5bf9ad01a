import Results
import StreetNetwork

/// How a job is run: what the command line adds to the job file.
package struct RunOptions: Sendable {
  package var workers = 1
  package var cache: String?
  package var isQuiet = false
  package var version = ""
  /// Asked between chunks: true stops the job.
  package var shouldStop: @Sendable () -> Bool = { false }
  /// Called with how the engine answers, and why so; nil where nobody asks.
  package var explain: (@Sendable (String) -> Void)?
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
}
