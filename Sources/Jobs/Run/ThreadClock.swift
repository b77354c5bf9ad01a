import Foundation

/// CPU seconds of this thread.
enum ThreadClock {
  /// The CPU time of `body`, and its result.
  static func timed<R>(_ body: () throws -> R) rethrows -> (seconds: Double, result: R) {
    let start = now
    let result = try body()
    return (now - start, result)
  }

  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
