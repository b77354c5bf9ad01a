import Foundation
import Synchronization

private let requested = Atomic<Bool>(false)

/// Whether a person or the system has asked the program to stop (SIGINT, SIGTERM).
///
/// From the first time this is read, the signals are caught; before that, while a network is built, they end the program
/// as usual. A second signal ends it at once.
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
        signal(number, SIG_DFL)
      }
    }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    return true
  }()
}
