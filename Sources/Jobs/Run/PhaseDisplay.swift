import Foundation
import Geography
import Synchronization

/// The phases of a run on a terminal, one line each; the line of the current phase is animated.
///
///     ✓ network   porto.osm.pbf                                0.1 s
///     ⠋ compute   ████████░░░░ 61 %  197 of 323 origins        5 s
final class PhaseDisplay: Sendable {
  private struct State {
    /// The label of the current line; nil before the first line and after the last.
    var label: String?
    var detail = ""
    var since = ContinuousClock.now
    var frame = 0
    var isOver = false

    var seconds: Double { (ContinuousClock.now - since) / .seconds(1) }
  }

  private let state = Mutex(State())
  private let isColored: Bool
  /// Whether the terminal supports more than ASCII.
  private let isUnicode: Bool

  /// Nil if stderr is not a terminal, or if progress is not to be shown.
  init?(_ options: RunOptions) {
    guard options.progress == .always || options.progress == .auto && !options.isQuiet, isatty(STDERR_FILENO) == 1
    else { return nil }
    isColored = options.isColored
    let environment = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    isUnicode = locale.lowercased().replacing("-", with: "").contains("utf8")
    // The line is animated independently of the work.
    Thread.detachNewThread { [weak self] in
      while let self, self.tick() { Thread.sleep(forTimeInterval: 0.1) }
    }
  }

  /// Ends the current line and begins another; does nothing if the current line has the same label.
  func begin(_ label: String, _ detail: String = "") {
    state.withLock { state in
      guard state.label != label, !state.isOver else { return }
      end(&state, sign: doneSign)
      (state.label, state.detail, state.since) = (label, detail, .now)
      draw(state)
    }
  }

  /// Sets the text of the current line.
  func setDetail(_ detail: String) { state.withLock { $0.detail = detail } }

  /// Ends the last line.
  func finish(_ outcome: Outcome) {
    state.withLock { state in
      end(
        &state,
        sign: outcome == .finished ? doneSign : outcome == .interrupted ? ("!", "33") : (isUnicode ? "✕" : "x", "31"))
      state.isOver = true
    }
  }

  enum Outcome { case finished, interrupted, failed }

  /// Clears the current line for other output on the terminal.
  func pausing(_ body: () -> Void) {
    state.withLock { state in
      if state.label != nil { StandardError.write("\r\u{1B}[K") }
      body()
      if state.label != nil { draw(state) }
    }
  }

  private var doneSign: (text: String, color: String) { (isUnicode ? "✓" : "*", "32") }

  private func tick() -> Bool {
    state.withLock { state in
      guard !state.isOver else { return false }
      state.frame += 1
      if state.label != nil { draw(state) }
      return true
    }
  }

  private func draw(_ state: State) {
    let frames = isUnicode ? Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏") : Array("|/-\\")
    write(
      state, sign: (String(frames[state.frame % frames.count]), "36"), seconds: state.seconds.rounded(.down), end: "")
  }

  private func end(_ state: inout State, sign: (text: String, color: String)) {
    guard state.label != nil else { return }
    write(state, sign: sign, seconds: state.seconds, end: "\n")
    state.label = nil
  }

  /// Writes one line, truncated to the terminal's width.
  private func write(_ state: State, sign: (text: String, color: String), seconds: Double, end: String) {
    let time = end.isEmpty ? PhaseDisplay.clock(seconds) : "\((seconds * 10).rounded() / 10) s"
    let width = min(Terminal.width(of: STDERR_FILENO) ?? 80, 100) - 1
    let label = (state.label ?? "").padding(toLength: 10, withPad: " ", startingAt: 0)
    let detailWidth = max(0, width - 2 - label.count - 10)
    let detail = String(printable(state.detail).prefix(detailWidth))
      .padding(toLength: detailWidth, withPad: " ", startingAt: 0)
    let mark = isColored ? "\u{1B}[\(sign.color)m\(sign.text)\u{1B}[0m" : sign.text
    let gap = String(repeating: " ", count: max(1, 10 - time.count))
    StandardError.write("\r\(mark) \(label)\(detail)\(gap)\(time)\u{1B}[K\(end)")
  }

  static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0 ? "\(hours):\(minutes.twoDigits):\(rest.twoDigits)" : "\(minutes):\(rest.twoDigits)"
  }

  func bar(_ done: Int, of total: Int) -> String {
    let length = 16
    let filled = total > 0 ? length * done / total : length
    let (full, empty) = isUnicode ? ("█", "░") : ("=", " ")
    return String(repeating: full, count: filled) + String(repeating: empty, count: length - filled)
  }
}

extension RunPhases.Phase {
  /// The display name; nil for phases too short to notice.
  var label: String? {
    switch self {
    case .read: "input"
    case .snap: "streets"
    case .forecast, .head, .compute: "compute"
    case .write, .publish: nil
    case .statistics, .indices: "tables"
    case .verify: "verify"
    case .page: "page"
    }
  }
}
