import Foundation
import Geography
import Jobs
import Synchronization

private let requested = Atomic<Bool>(false)
/// The pipe through which the signal handler wakes the thread that ends the process.
private let wakingPipe = Atomic<Int32>(-1)
private let isPolled = Atomic<Bool>(false)
private let isOver = Atomic<Bool>(false)
// A signal handler can only write bytes that already exist.
private let notice: StaticString = "\nodometer: stopping within five seconds; interrupt again to stop at once\n"

private let farewell: StaticString =
  "\nodometer: stopped at once; written results are kept, and the same command resumes\n"

/// Whether the program has been asked to stop (SIGINT, SIGTERM).
///
/// The first signal ends the process within five seconds. Work that polls `isRequested` has that time to stop. All
/// other work, such as building a network, ends at once: files on disk are always valid. A second signal ends the
/// process immediately, after a message on the terminal.
enum Interruption {
  /// Whether to stop. After the first read of this property, a signal gives the process time to stop.
  static var isRequested: Bool {
    isPolled.store(true, ordering: .relaxed)
    return requested.load(ordering: .relaxed)
  }

  /// Called on a separate thread before the process ends with an exit code; returns the last message of an
  /// interruption.
  static let last = Mutex<(@Sendable (ExitCode) -> String)?>(nil)

  private static let patience = 4.0
  private static let numbers = [SIGINT, SIGTERM]

  /// Handles the signals while `body` runs.
  static func observed<R>(during body: () -> R) -> R {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return body() }
    let (waiting, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wakingPipe.store(writing, ordering: .relaxed)
    // Initialized here: a signal handler may not initialize them.
    _ = (requested.load(ordering: .relaxed), isPolled.load(ordering: .relaxed))
    let thread = Thread {
      var byte: UInt8 = 0
      var count = read(waiting, &byte, 1)
      while count < 0 && errno == EINTR { count = read(waiting, &byte, 1) }
      close(waiting)
      if count == 1 { end() }
    }
    thread.start()
    let before = listen()
    defer {
      for (number, action) in zip(numbers, before) { signal(number, action) }
      close(writing)
    }
    isOver.store(false, ordering: .relaxed)
    let result = body()
    // A result that becomes ready now must not pre-empt the thread that ends the process.
    while requested.load(ordering: .relaxed) && !isPolled.load(ordering: .relaxed) { pause() }
    isOver.store(true, ordering: .relaxed)
    return result
  }

  private static func listen() -> [__sighandler_t?] {
    defer { unblockSignals(numbers) }
    return numbers.map { number in
      signal(number) { _ in
        let before = errno
        defer { errno = before }
        requested.store(true, ordering: .relaxed)
        if isPolled.load(ordering: .relaxed), isatty(STDERR_FILENO) == 1 {
          _ = write(STDERR_FILENO, notice.utf8Start, notice.utf8CodeUnitCount)
        }
        for number in [SIGINT, SIGTERM] {
          signal(number) { number in
            if isPolled.load(ordering: .relaxed), isatty(STDERR_FILENO) == 1 {
              _ = write(STDERR_FILENO, farewell.utf8Start, farewell.utf8CodeUnitCount)
            }
            // The default action ends the process once this handler returns.
            signal(number, SIG_DFL)
            raise(number)
          }
        }
        _ = write(wakingPipe.load(ordering: .relaxed), notice.utf8Start, 1)
      }
    }
  }

  private static func end() {
    if isPolled.load(ordering: .relaxed) { Thread.sleep(forTimeInterval: patience) }
    // The command stopped in time, and a host process that uses the library continues.
    if isOver.load(ordering: .relaxed) { return }
    // Neither the disk nor a full pipe connected to stderr may delay the end.
    unblockSignals([SIGALRM])
    signal(SIGALRM) { _ in _exit(ExitCode.interrupted.rawValue) }
    alarm(1)
    // The closure may still write the metrics file.
    let sentence = last.withLock { $0 }?(.interrupted) ?? "interrupted"
    TemporaryFiles.removeAll {
      StandardError.write("odometer: \(sentence)\n")
      _exit(ExitCode.interrupted.rawValue)
    }
  }
}
