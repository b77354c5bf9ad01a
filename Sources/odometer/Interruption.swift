import Foundation
import Synchronization

private let asked = Atomic<Bool>(false)

/// Whether the person, or the system, asked the program to stop (SIGINT, SIGTERM). A second time stops at once.
enum Interruption {
  static var isAsked: Bool { asked.load(ordering: .relaxed) }

  static func listen() {
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
  }
}
