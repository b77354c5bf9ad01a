import Foundation
import Geography
import Jobs
import Synchronization

private let requested = Atomic<Bool>(false)
/// The pipe through which the signal handler wakes the thread that ends the process.
private let wakeUpPipe = Atomic<Int32>(-1)
private let isPolled = Atomic<Bool>(false)
private let hasFinished = Atomic<Bool>(false)
// A signal handler can only write bytes that already exist.
private let stoppingMessage: StaticString =
  "\nodometer: stopping within five seconds; interrupt again to stop at once\n"

private let stoppedMessage: StaticString =
  "\nodometer: stopped at once; written results are kept, and the same command resumes\n"

/// The program's reaction to a request to stop (SIGINT, SIGTERM).
///
/// The first signal ends the process within five seconds. Work that polls `isRequested` has that time to stop. All
/// other work, such as building a network, ends at once: files on disk are always valid. A second signal ends the
/// process immediately.
enum Interruption {
  /// Whether to stop. After the first read of this property, a signal gives the process time to stop.
  static var isRequested: Bool {
    isPolled.store(true, ordering: .relaxed)
    return requested.load(ordering: .relaxed)
  }

  /// A function that is called on a separate thread before the process ends with an exit code; it returns the last
  /// message of an interruption.
  static let beforeExit = Mutex<(@Sendable (ExitCode) -> String)?>(nil)

  /// In seconds; writing the last message may take one more.
  private static let gracePeriod = 4.0
  private static let numbers = [SIGINT, SIGTERM]

  /// Handles the signals while `body` runs.
  static func handlingSignals<R>(during body: () -> R) -> R {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return body() }
    let (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wakeUpPipe.store(writeEnd, ordering: .relaxed)
    // Initialized here: a signal handler may not initialize them.
    _ = (requested.load(ordering: .relaxed), isPolled.load(ordering: .relaxed))
    let thread = Thread {
      var byte: UInt8 = 0
      var count = read(readEnd, &byte, 1)
      while count < 0 && errno == EINTR { count = read(readEnd, &byte, 1) }
      close(readEnd)
      if count == 1 { end() }
    }
    thread.start()
    let before = installHandlers()
    defer {
      for (number, action) in zip(numbers, before) { signal(number, action) }
      close(writeEnd)
    }
    hasFinished.store(false, ordering: .relaxed)
    let result = body()
    // A result that becomes ready now must not pre-empt the thread that ends the process.
    while requested.load(ordering: .relaxed) && !isPolled.load(ordering: .relaxed) { pause() }
    hasFinished.store(true, ordering: .relaxed)
    return result
  }

  private static func installHandlers() -> [__sighandler_t?] {
    defer { unblockSignals(numbers) }
    return numbers.map { number in
      signal(number) { _ in
        let before = errno
        defer { errno = before }
        requested.store(true, ordering: .relaxed)
        if isPolled.load(ordering: .relaxed), isatty(STDERR_FILENO) == 1 {
          _ = write(STDERR_FILENO, stoppingMessage.utf8Start, stoppingMessage.utf8CodeUnitCount)
        }
        for number in [SIGINT, SIGTERM] {
          signal(number) { number in
            if isPolled.load(ordering: .relaxed), isatty(STDERR_FILENO) == 1 {
              _ = write(STDERR_FILENO, stoppedMessage.utf8Start, stoppedMessage.utf8CodeUnitCount)
            }
            // The default action ends the process once this handler returns.
            signal(number, SIG_DFL)
            raise(number)
          }
        }
        _ = write(wakeUpPipe.load(ordering: .relaxed), stoppingMessage.utf8Start, 1)
      }
    }
  }

  private static func end() {
    if isPolled.load(ordering: .relaxed) { Thread.sleep(forTimeInterval: gracePeriod) }
    // The command stopped in time, and a host process that uses the library continues.
    if hasFinished.load(ordering: .relaxed) { return }
    // Neither the disk nor a full pipe connected to stderr may delay the end.
    unblockSignals([SIGALRM])
    signal(SIGALRM) { _ in _exit(ExitCode.interrupted.rawValue) }
    alarm(1)
    // The closure may still write the metrics file.
    let sentence = beforeExit.withLock { $0 }?(.interrupted) ?? "interrupted"
    TemporaryFiles.removeAll {
      StandardError.write("odometer: \(sentence)\n")
      _exit(ExitCode.interrupted.rawValue)
    }
  }
}
