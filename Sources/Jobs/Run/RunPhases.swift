import Foundation

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
    /// Wall-clock seconds, CPU seconds of the thread that runs the job, and CPU seconds of all other threads.
    fileprivate var seconds = SIMD3<Double>.zero

    /// The figures, with their names in logs and metrics.
    package static let figures: [(name: String, meaning: String, value: @Sendable (Use) -> Double)] = [
      ("seconds", "Duration of a phase of the run.", { $0.seconds[0] }),
      ("cpu_seconds", "Processor time of a phase on the thread that writes.", { $0.seconds[1] }),
      ("worker_cpu_seconds", "Processor time of a phase on all other threads.", { $0.seconds[2] }),
    ]
  }

  private let display: PhaseDisplay?
  private var recorded: [Phase: Use] = [:]
  /// The cost of nested phases in the current one.
  private var inner = SIMD3<Double>.zero

  /// - Parameter display: The terminal display; nil for none.
  init(_ display: PhaseDisplay? = nil) { self.display = display }

  func time<R>(_ phase: Phase, _ body: () throws -> R) rethrows -> R {
    if let label = phase.label { display?.begin(label) }
    let outer = inner
    inner = .zero
    let (stopwatch, start) = (ProcessUse.Stopwatch(), ProcessUse.threadSeconds)
    defer {
      let threadSeconds = ProcessUse.threadSeconds - start
      // Workers continue computing while rows are written.
      let use = SIMD3(stopwatch.seconds, threadSeconds, phase == .write ? 0 : stopwatch.cpuSeconds - threadSeconds)
      recorded[phase, default: Use()].seconds += use - inner
      inner = outer + use
    }
    return try body()
  }

  /// The cost of each phase of this run, in order.
  package var uses: [(phase: Phase, use: Use)] {
    Phase.allCases.compactMap { phase in recorded[phase].map { (phase, $0) } }
  }
}

/// The resources used by this process so far.
package enum ProcessUse {
  /// The address space that is free or already in memory, in bytes; nil without a limit.
  package static var addressSpace: Int? {
    let limits = (try? String(contentsOfFile: "/proc/self/limits", encoding: .utf8))?.split(separator: "\n") ?? []
    let name = "Max address space"
    guard let limit = limits.first(where: { $0.hasPrefix(name) })?.dropFirst(name.count).split(separator: " ").first,
      let bytes = Int(limit), let mapped = status("VmSize"), let resident = status("VmRSS")
    else { return nil }
    return max(0, bytes - mapped + resident)
  }

  /// Returns a value of the process's status in bytes; nil if unknown.
  package static func status(_ name: String, in file: String = "/proc/self/status") -> Int? {
    let lines = (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: "\n") ?? []
    let value = lines.first { $0.hasPrefix("\(name):") }?.split { $0 == ":" || $0.isWhitespace }.dropFirst().first
    return value.flatMap { Int($0) }.map { $0 * 1024 }
  }

  /// Peak memory in bytes.
  package static var peakBytes: Int {
    // The peak of getrusage includes the memory of a program that this one has replaced, such as a launcher.
    if let peak = status("VmHWM") { return peak }
    var usage = rusage()
    #if os(Linux)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss * 1024  // KiB on Linux, bytes elsewhere
    #else
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #endif
  }

  /// A stopwatch for the resources used since its creation.
  struct Stopwatch: Sendable {
    private let cpu = ProcessUse.cpuSeconds
    private let clock = ContinuousClock.now
    /// CPU seconds of all threads.
    var cpuSeconds: Double { ProcessUse.cpuSeconds - cpu }
    var seconds: Double { (ContinuousClock.now - clock) / .seconds(1) }
  }

  /// CPU seconds of all threads.
  package static var cpuSeconds: Double { seconds(of: CLOCK_PROCESS_CPUTIME_ID) }
  /// CPU seconds of this thread.
  static var threadSeconds: Double { seconds(of: CLOCK_THREAD_CPUTIME_ID) }

  private static func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns the CPU time of `body` on this thread, and its result.
  static func timed<R>(_ body: () throws -> R) rethrows -> (seconds: Double, result: R) {
    let start = threadSeconds
    let result = try body()
    return (threadSeconds - start, result)
  }
}
