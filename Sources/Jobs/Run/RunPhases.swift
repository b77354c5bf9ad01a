/// The cost of a run's phases; a nested phase is counted separately. Belongs to the thread that runs the job.
package final class RunPhases {
  package enum Phase: String, CaseIterable, Sendable {
    /// The input is parsed.
    case read
    /// Places are snapped, and the engine is prepared.
    case snap
    /// A few rows are computed, for the forecast.
    case forecast
    /// The initial content of the tables is written.
    case head
    /// Workers compute, and the job waits for them.
    case compute
    case write
    case statistics
    case indices
    /// Rows are verified.
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

    /// By their names in logs and metrics.
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
  /// The cost of nested phases in the current one.
  private var inner = Use()

  /// - Parameter display: The terminal display; nil for none.
  init(_ display: PhaseDisplay? = nil) { self.display = display }

  func time<R>(_ phase: Phase, _ body: () throws -> R) rethrows -> R {
    if let label = phase.label { display?.begin(label) }
    let outer = inner
    inner = Use()
    let (since, start) = (ProcessUse.Since(), ThreadClock.now)
    defer {
      let own = ThreadClock.now - start
      // Workers continue computing while rows are written.
      let use = Use(
        seconds: since.seconds, cpuSeconds: own, workerSeconds: phase == .write ? 0 : since.cpuSeconds - own)
      known[phase, default: Use()] += use - inner
      inner = outer
      inner += use
    }
    return try body()
  }

  /// The phases of this run, in order.
  package var uses: [(phase: Phase, use: Use)] {
    Phase.allCases.compactMap { phase in known[phase].map { (phase, $0) } }
  }
}
