import Foundation
import OdometerCommand

@main
enum Main {
  static func main() {
    // A file that may not grow any more is an error like any other, not the end.
    signal(SIGXFSZ, SIG_IGN)
    // Whoever closes the pipe (head) has seen enough, even where a parent ignores the signal.
    signal(SIGPIPE, SIG_DFL)
    exit(Program(console: .standard).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
