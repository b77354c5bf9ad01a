import Foundation
import Geography

/// `log.jsonl` next to the results: what happened in a run, one event per line. Belongs to one thread.
final class RunLog {
  private let path: String
  private var file: Int32 = -1
  /// Lines before it is open.
  private var waiting: [String] = []
  private let started = ContinuousClock.now
  private var last: ContinuousClock.Instant

  enum Value {
    case text(String)
    case number(Int)
    case seconds(Double)
  }

  /// The log at `path`, which is touched once it is open: what is refused leaves that of the last run as it is.
  init(path: String) {
    self.path = path
    last = started
  }

  var isOpen: Bool { file >= 0 }

  /// Starts the file, or appends to the one that is there. A log that cannot be written stops no job.
  func open(isAppending: Bool) {
    guard !isOpen else { return }
    file = Foundation.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (isAppending ? 0 : O_TRUNC), 0o644)
    for line in waiting { write(line) }
    waiting = []
  }

  // One call per line, so that lines are whole.
  private func write(_ line: String) {
    var line = line
    line.withUTF8 { _ = Foundation.write(file, $0.baseAddress, $0.count) }
  }

  deinit { if file >= 0 { close(file) } }

  /// Records an event, with the time, the seconds of the run, and the most memory that was used so far.
  func record(_ event: String, _ values: [(String, Value)] = []) {
    let elapsed = (ContinuousClock.now - started) / .seconds(1)
    let common: [(String, Value)] = [
      ("time", .text(Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))),
      ("event", .text(event)), ("elapsed_seconds", .seconds(elapsed)),
      ("peak_memory_bytes", .number(ProcessUse.peakBytes)),
    ]
    var line = TextBuffer()
    for (index, (key, value)) in (common + values).enumerated() {
      line.append(text: index == 0 ? "{" : ",")
      line.append(jsonString: key)
      line.append(":")
      switch value {
      case .text(let text): line.append(jsonString: text)
      case .number(let number): line.append(integer: number)
      case .seconds(let seconds): line.append(decimal: Int64((seconds * 1000).rounded()), places: 3)
      }
    }
    line.append("}\n")
    let text = line.string()
    if isOpen { write(text) } else { waiting.append(text) }
  }

  /// Records how far a job is, every ten seconds.
  func progress(rows: Int, of total: Int) {
    let now = ContinuousClock.now
    guard now - last >= .seconds(10) else { return }
    last = now
    record("progress", [("rows", .number(rows)), ("of", .number(total))])
  }
}
