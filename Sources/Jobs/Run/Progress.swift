import Foundation
import Geography

/// How far a job is, on stderr: a bar where that is a terminal, a line every ten seconds where it is not, or as
/// `ProgressStyle` says.
struct Progress {
  private let total: Int
  private let unit: String
  /// Nil for silence.
  private let form: Form?
  private let start = ContinuousClock.now
  private var shown: ContinuousClock.Instant
  /// Done when it started.
  private let before: Int
  private var done: Int

  private enum Form {
    case bar, lines, json

    var pause: Duration {
      switch self {
      case .bar: .milliseconds(200)
      case .json: .seconds(1)
      case .lines: .seconds(10)
      }
    }
  }

  init(total: Int, done: Int, unit: String, isQuiet: Bool, _ style: ProgressStyle) {
    self.total = total
    before = done
    self.done = done
    self.unit = unit
    form =
      switch style {
      case .auto: isQuiet ? nil : isatty(STDERR_FILENO) == 1 ? .bar : .lines
      case .always: .bar
      case .never: nil
      case .json: .json
      }
    shown = start
    if style == .always || style == .json { show() }
  }

  mutating func advance(to count: Int) {
    done = count
    let now = ContinuousClock.now
    guard let form, now - shown >= form.pause else { return }
    shown = now
    show()
  }

  private func show() {
    let seconds = max(0.001, (ContinuousClock.now - start) / .seconds(1))
    let rate = Double(done - before) / seconds
    let left = Double(total - done) / max(rate, 0.001)
    if form == .json { return print(json(rate, left)) }
    let line =
      "\(done) of \(total) \(unit)" + (isKnown ? ", \(Int(rate)) per second, \(Progress.clock(left)) left" : "")
    guard form == .bar else { return print(line + "\n") }
    let filled = total > 0 ? 24 * done / total : 24
    print("\r[\(String(repeating: "=", count: filled))\(String(repeating: " ", count: 24 - filled))] \(line)\u{1B}[K")
  }

  /// Time left is not known before something is done.
  private var isKnown: Bool { done > before || done == total }

  private func json(_ rate: Double, _ left: Double) -> String {
    var line = TextBuffer()
    line.append("{")
    line.member("done", done)
    line.member("total", total)
    line.member("unit", unit)
    line.member("per_second", Int(rate))
    line.key("seconds_left")
    line.append(text: isKnown ? "\(Int(left.rounded(.up)))" : "null")
    line.append("}\n")
    return line.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// What a phase took, as an object of JSON.
  static func show(_ phase: RunPhases.Phase, _ use: RunPhases.Use) {
    var line = TextBuffer()
    line.append("{")
    line.member("phase", phase.rawValue)
    for figure in RunPhases.Use.figures { line.member(figure.name, figure.value(use), places: 3) }
    line.append("}\n")
    StandardError.write(line.withBytes { String(decoding: $0, as: UTF8.self) })
  }

  /// Clears the bar; the last object of JSON says how far it came.
  func end() {
    if form == .json { show() }
    if form == .bar && shown > start { print("\r\u{1B}[K") }
  }

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }

  private func print(_ text: String) { StandardError.write(text) }
}

/// How a run tells how far it is.
package enum ProgressStyle: String, CaseIterable, Sendable {
  /// A bar on a terminal, a line every ten seconds elsewhere; nothing where the run is quiet.
  case auto
  /// The bar, wherever stderr leads, and in quiet runs, too.
  case always
  case never
  /// An object of JSON per line, for programs.
  case json
}
