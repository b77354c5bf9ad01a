import StreetNetwork
import Tables

/// The command-line options of a run.
package struct RunOptions: Sendable {
  package var workers = 1
  /// The prefix that marks a note as a warning.
  package static let warningPrefix = "warning: "
  package var cache: String?
  package var isQuiet = false
  package var progress = ProgressStyle.auto
  /// Whether phases have colours.
  package var isColored = false
  /// Whether to discard the results of an earlier run.
  package var isFresh = false
  /// Whether to restart if an earlier run cannot be resumed.
  package var restartsChanged = false
  /// Whether to only resume: throws `NothingToResume` if there is nothing to resume.
  package var onlyResumes = false
  /// The run to repeat exactly; nil for a new run.
  package var repeated: JobRecord?
  package var version = ""
  /// The shard to compute into a journal; nil for the whole job.
  package var shard: Shard?
  /// Polled between chunks: true stops the job.
  package var shouldStop: @Sendable () -> Bool = { false }
  /// Called with the engine's method and reason; nil for none.
  package var explain: (@Sendable (String) -> Void)?
  /// Called with a sentence for the terminal.
  package var note: @Sendable (String) -> Void = { _ in }
  /// Makes the page of a database at a path; nil for none.
  package var makeReport: (@Sendable (_ database: String, _ path: String) throws -> Void)?
  /// Called with events while the network is opened or built.
  package var networkEvent: @Sendable (NetworkEvent) -> Void = { _ in }
  package init() {}

  func explain(engineOf prepared: any PreparedJob) {
    explain?(
      prepared.explanation
        ?? "--explain: this job has one engine; kinds matrix, and access with hours, choose among several")
  }
}

/// Thrown by a run that may only resume if there is nothing to resume.
package struct NothingToResume: Error {}

/// Thrown after the files of an unfinished run were discarded: the run starts again, at the present time.
struct Restarted: Error {}

extension RunOptions {
  /// Returns the network of a job, opened or built unless `check` throws.
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
