import Foundation

/// The resources used by this process so far.
package enum ProcessUse {
  /// Peak memory in bytes.
  package static var peakBytes: Int {
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
  package static var cpuSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
