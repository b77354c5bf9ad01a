import Foundation
import Synchronization

private let requested = Atomic<Bool>(false)
// What a signal handler may do: no more than write bytes that are there already.
private let notice: StaticString =
  "\nodometer: stopping after the chunks in progress; interrupt again to stop at once\n"

/// Whether a person or the system has asked the program to stop (SIGINT, SIGTERM).
///
/// From the first time this is read, the signals are caught, and a person is told that the chunks in progress are finished
/// first. A second signal ends the program at once.
enum Interruption {
  static var isRequested: Bool { isListening && requested.load(ordering: .relaxed) }

  private static let isListening: Bool = {
    // Whoever started the program may have blocked them.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] {
      sigaddset(&signals, number)
      signal(number) { number in
        requested.store(true, ordering: .relaxed)
        if isatty(STDERR_FILENO) == 1 { _ = write(STDERR_FILENO, notice.utf8Start, notice.utf8CodeUnitCount) }
        signal(number, SIG_DFL)
      }
    }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    return true
  }()
}
