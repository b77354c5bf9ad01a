import Foundation
import OdometerCommand

@main
enum Main {
  static func main() {
    // A file that may not grow any more is an error like any other, not the end.
    signal(SIGXFSZ, SIG_IGN)
    // A closed pipe (head) ends what is written to stdout (StandardOutput), and loses what is said on stderr.
    signal(SIGPIPE, SIG_IGN)
    exit(Program(console: .standard).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
