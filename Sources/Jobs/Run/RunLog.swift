import Foundation
import Geography

/// `log.jsonl` next to the results: what happened in a run, one event per line. Belongs to one thread.
final class RunLog {
  private let path: String
  private var file: Int32 = -1
  /// Whether the file at the path is no log.
  private var isRefused = false
  /// How each line starts.
  private static let start = "{\"time\":"
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

  /// Starts the file, or appends to the one that is there. A log that cannot be written stops no job: `note` gets the reason,
  /// also for a link and for a file that is no log, which are left alone.
  func open(isAppending: Bool, note: (String) -> Void) {
    guard !isOpen, !isRefused else { return }
    // Opening a pipe would wait for its other end.
    file = Foundation.open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
    if let problem = file < 0 ? RunLog.words(errno) : problem() {
      isRefused = true
      if isOpen { close(file) }
      file = -1
      note("warning: \(path): no log is written: \(problem)")
    } else if !isAppending {
      ftruncate(file, 0)
    }
    for line in waiting where isOpen { write(line) }
    waiting = []
  }

  private static func words(_ code: Int32) -> String {
    code == ELOOP ? "this is a symbolic link" : String(cString: strerror(code))
  }

  /// Why the file that is open is no log; nil where it is one, or empty.
  private func problem() -> String? {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return "this is no file" }
    let start = Array(RunLog.start.utf8)
    var found = [UInt8](repeating: 0, count: min(start.count, Int(status.st_size)))
    return pread(file, &found, found.count, 0) == found.count && start.starts(with: found)
      ? nil : "this is another file"
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
    if isOpen { write(text) } else if !isRefused { waiting.append(text) }
  }

  /// Records how far a job is, every ten seconds.
  func progress(rows: Int, of total: Int) {
    let now = ContinuousClock.now
    guard now - last >= .seconds(10) else { return }
    last = now
    record("progress", [("rows", .number(rows)), ("of", .number(total))])
  }
}
