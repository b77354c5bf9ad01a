import Foundation
import Synchronization

private let asked = Atomic<Bool>(false)

/// Whether the person, or the system, asked the program to stop (SIGINT, SIGTERM). A second time stops at once.
enum Interruption {
  static var isAsked: Bool { asked.load(ordering: .relaxed) }

  static func listen() {
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        asked.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
  }
}
