import Foundation
import Synchronization

private let asked = Atomic<Bool>(false)

/// Whether the person, or the system, asked the program to stop (SIGINT, SIGTERM).
///
/// From the first question on the signals are caught; before that, while a network is built, they end the program as
/// ever. A second signal ends it at once.
enum Interruption {
  static var isAsked: Bool { isListening && asked.load(ordering: .relaxed) }

  private static let isListening: Bool = {
    // Whoever started the program may have blocked them.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] {
      sigaddset(&signals, number)
      signal(number) { number in
        asked.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    return true
  }()
}
