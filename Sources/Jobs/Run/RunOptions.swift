import StreetNetwork
import Tables

/// How a job is run: what the command line adds to the job file.
package struct RunOptions: Sendable {
  package var workers = 1
  package var cache: String?
  package var isQuiet = false
  package var progress = ProgressStyle.auto
  /// Whether phases have colours.
  package var isColored = false
  /// Whether to restart from scratch, whatever an earlier run left.
  package var isFresh = false
  /// Whether to restart from scratch where an earlier run cannot be resumed.
  package var restartsChanged = false
  /// Whether the run is left where there is nothing to resume: `NothingToResume` is thrown.
  package var onlyResumes = false
  /// The run that is repeated: what differs from it is refused; nil for a new one.
  package var repeated: JobRecord?
  package var version = ""
  /// The part of the job that is computed, into a journal; nil for all of it.
  package var shard: Shard?
  /// Polled between chunks: true stops the job.
  package var shouldStop: @Sendable () -> Bool = { false }
  /// Called with how the engine computes the rows, and why; nil for none.
  package var explain: (@Sendable (String) -> Void)?
  /// Called with a sentence for the terminal.
  package var note: @Sendable (String) -> Void = { _ in }
  /// Makes a page of a database, to a path; nil for none.
  package var makeReport: (@Sendable (_ database: String, _ path: String) throws -> Void)?
  /// Called with what happens to the network file.
  package var networkEvent: @Sendable (NetworkEvent) -> Void = { _ in }
  package init() {}
}

/// Why a run that only resumes an earlier one is left.
package struct NothingToResume: Error {}

extension RunOptions {
  /// The network that a job travels on, opened or built where `check` does not throw.
  func network(of job: Job, check: (NetworkLocation) throws -> Void = { _ in }) throws -> StreetNetwork {
    let profile = try job.loadProfile()
    let location = try StreetNetwork.location(map: job.map, profile: profile, cache: cache)
    try check(location)
    return try StreetNetwork(at: location, workers: workers) { event in
      if event.precedesBuilding { try BuildForecast.check(map: job.map, profile: profile, memory: job.memory) }
      networkEvent(event)
    }
  }
}
