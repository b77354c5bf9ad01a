/// What the phases of a run take; a phase inside another counts for itself alone. Belongs to the thread that runs the job.
package final class RunPhases {
  package enum Phase: String, CaseIterable, Sendable {
    /// The input is parsed.
    case read
    /// Its places are snapped, and what the engine needs is made.
    case snap
    /// A few rows are computed, for the forecast.
    case forecast
    /// What is in the tables before the first row.
    case head
    /// Workers compute, and the job waits for them.
    case compute
    case write
    case statistics
    case indices
    /// Rows are computed again.
    case verify
    case page
    case publish
  }

  package struct Use: Sendable {
    var seconds = 0.0
    /// Of the thread that runs the job.
    var cpuSeconds = 0.0
    /// Of all other threads.
    var workerSeconds = 0.0

    /// By the names that logs and metrics have.
    package static let figures: [(name: String, meaning: String, value: @Sendable (Use) -> Double)] = [
      ("seconds", "How long a phase of the run took.", { $0.seconds }),
      ("cpu_seconds", "Processor time of a phase on the thread that writes.", { $0.cpuSeconds }),
      ("worker_cpu_seconds", "Processor time of a phase on all other threads.", { $0.workerSeconds }),
    ]

    fileprivate static func - (one: Use, other: Use) -> Use {
      Use(
        seconds: one.seconds - other.seconds, cpuSeconds: one.cpuSeconds - other.cpuSeconds,
        workerSeconds: one.workerSeconds - other.workerSeconds)
    }
    fileprivate static func += (one: inout Use, other: Use) {
      one = Use(
        seconds: one.seconds + other.seconds, cpuSeconds: one.cpuSeconds + other.cpuSeconds,
        workerSeconds: one.workerSeconds + other.workerSeconds)
    }
  }

  private let display: PhaseDisplay?
  private var known: [Phase: Use] = [:]
  /// Of the phases inside the one under way.
  private var inner = Use()

  /// - Parameter display: Where a person sees them; nil for nowhere.
  init(_ display: PhaseDisplay? = nil) { self.display = display }

  func time<R>(_ phase: Phase, _ body: () throws -> R) rethrows -> R {
    if let label = phase.label { display?.begin(label) }
    let outer = inner
    inner = Use()
    let (since, start) = (ProcessUse.Since(), ThreadClock.now)
    defer {
      let own = ThreadClock.now - start
      // Workers go on computing while rows are written.
      let use = Use(
        seconds: since.seconds, cpuSeconds: own, workerSeconds: phase == .write ? 0 : since.cpuSeconds - own)
      known[phase, default: Use()] += use - inner
      inner = outer
      inner += use
    }
    return try body()
  }

  /// The phases that there were, in the order of a run.
  package var uses: [(phase: Phase, use: Use)] {
    Phase.allCases.compactMap { phase in known[phase].map { (phase, $0) } }
  }
}
