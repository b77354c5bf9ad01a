import Foundation

/// What this process has used so far.
package enum ProcessUse {
  /// The most memory it has held at once.
  package static var peakBytes: Int {
    var usage = rusage()
    #if os(Linux)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss * 1024  // KiB there, bytes elsewhere
    #else
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #endif
  }

  /// What has been used since some moment.
  struct Since: Sendable {
    private let cpu = ProcessUse.cpuSeconds
    private let clock = ContinuousClock.now
    /// Of all threads.
    var cpuSeconds: Double { ProcessUse.cpuSeconds - cpu }
    var seconds: Double { (ContinuousClock.now - clock) / .seconds(1) }
  }

  /// Of all threads.
  package static var cpuSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
