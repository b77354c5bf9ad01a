import Foundation

/// How far a job is, on stderr: a bar where that is a terminal, a line every ten seconds where it is not.
struct Progress {
  private let total: Int
  private let unit: String
  private let isTerminal: Bool
  private let isQuiet: Bool
  private let start = ContinuousClock.now
  private var shown: ContinuousClock.Instant
  /// Done when it started.
  private let before: Int
  private var done: Int

  init(total: Int, done: Int, unit: String, isQuiet: Bool) {
    self.total = total
    before = done
    self.done = done
    self.unit = unit
    self.isQuiet = isQuiet
    isTerminal = isatty(STDERR_FILENO) == 1
    shown = start
  }

  mutating func advance(to count: Int) {
    done = count
    let now = ContinuousClock.now
    guard !isQuiet, now - shown >= (isTerminal ? .milliseconds(200) : .seconds(10)) else { return }
    shown = now
    let seconds = max(0.001, (now - start) / .seconds(1))
    let rate = Double(done - before) / seconds
    let left = Double(total - done) / max(rate, 0.001)
    let line = "\(done) of \(total) \(unit), \(Int(rate)) per second, \(Progress.clock(left)) left"
    guard isTerminal else { return print(line + "\n") }
    let filled = total > 0 ? 24 * done / total : 24
    print("\r[\(String(repeating: "=", count: filled))\(String(repeating: " ", count: 24 - filled))] \(line)\u{1B}[K")
  }

  /// Clears the bar.
  func end() {
    if isTerminal && !isQuiet && shown > start { print("\r\u{1B}[K") }
  }

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }

  private func print(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
