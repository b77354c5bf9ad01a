import OdometerCommand
import Synchronization

/// The output of a command line that is run in the test's process.
struct Printed {
  let code: ExitCode
  let output: String
  let error: String

  init(_ words: String...) { self.init(words) }

  /// - Parameter width: The width of the terminal of stdout; nil for none.
  init(_ words: [String], width: Int? = nil) {
    let recorder = Recorder()
    let console = Console(
      output: { text in recorder.texts.withLock { $0.output += text } },
      error: { text in recorder.texts.withLock { $0.error += text } }, width: width)
    code = Program(console: console).run(words)
    (output, error) = recorder.texts.withLock { ($0.output, $0.error) }
  }

  private final class Recorder: Sendable {
    let texts = Mutex((output: "", error: ""))
  }
}
