import Foundation
import Geography
import Tables

/// The progress of a job, on stderr: a bar on a terminal, a line every ten seconds elsewhere, unless `ProgressStyle`
/// says otherwise.
struct Progress {
  private let total: Int
  private let unit: String
  /// The format of the output; nil if nothing is shown.
  private let format: OutputFormat?
  private let start = ContinuousClock.now
  private var shown: ContinuousClock.Instant
  /// The number of units done at the start.
  private let initialCount: Int
  private var done: Int
  /// The run's display, which shows the bar; nil to write bars, lines or JSON directly to stderr.
  private let display: PhaseDisplay?

  private enum OutputFormat {
    case bar, lines, json

    var interval: Duration {
      switch self {
      case .bar: .milliseconds(200)
      case .json: .seconds(1)
      case .lines: .seconds(10)
      }
    }
  }

  init(total: Int, done: Int, unit: String, isQuiet: Bool, _ style: ProgressStyle, on display: PhaseDisplay? = nil) {
    self.display = display
    self.total = total
    initialCount = done
    self.done = done
    self.unit = unit
    format =
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
    guard let format, now - shown >= format.interval else { return }
    shown = now
    show()
  }

  /// The mean number of units per second.
  private var rate: Double { Double(done - initialCount) / max(0.001, (ContinuousClock.now - start) / .seconds(1)) }

  private func show() {
    let rate = rate
    let remaining = Double(total - done) / max(rate, 0.001)
    if format == .json { return print(json(rate, remaining)) }
    let line =
      "\(done) of \(total) \(unit(of: total))"
      + (hasRate ? ", \(Int(rate)) per second, \(PhaseDisplay.clock(remaining)) left" : "")
    if let display { return display.setDetail("\(display.bar(done, of: total)) \(line)") }
    guard format == .bar else { return print(line + "\n") }
    let filled = total > 0 ? 24 * done / total : 24
    print("\r[\(String(repeating: "=", count: filled))\(String(repeating: " ", count: 24 - filled))] \(line)\u{1B}[K")
  }

  /// Returns the unit for a count: "route" for 1, else "routes".
  private func unit(of count: Int) -> Substring { count == 1 && unit.last == "s" ? unit.dropLast() : unit[...] }

  /// Whether the remaining time can be estimated, which takes at least one finished unit.
  private var hasRate: Bool { done > initialCount || done == total }

  private func json(_ rate: Double, _ remaining: Double) -> String {
    var line = TextBuffer()
    line.append("{")
    line.member("done", done)
    line.member("total", total)
    line.member("unit", unit)
    line.member("per_second", Int(rate))
    line.key("seconds_left")
    line.append(text: hasRate ? "\(Int(remaining.rounded(.up)))" : "null")
    line.append("}\n")
    return line.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Writes the cost of a phase, as a JSON object.
  static func show(_ phase: RunPhases.Phase, _ use: RunPhases.Use) {
    var line = TextBuffer()
    line.append("{")
    line.member("phase", phase.rawValue)
    for figure in RunPhases.Use.figures { line.member(figure.name, figure.value(use), places: 3) }
    line.append("}\n")
    StandardError.write(line.withBytes { String(decoding: $0, as: UTF8.self) })
  }

  /// Clears the bar, or writes the final progress as the last JSON object.
  func end() {
    if format == .json { show() }
    if let display {
      return display.setDetail(
        "\(Format.count(done)) \(unit(of: done)), \(Format.count(Int(rate))) per second")
    }
    if format == .bar && shown > start { print("\r\u{1B}[K") }
  }

  private func print(_ text: String) { StandardError.write(text) }
}

/// The format of the progress output.
package enum ProgressStyle: String, CaseIterable, Sendable {
  /// A bar on a terminal, a line every ten seconds elsewhere; nothing in quiet runs.
  case auto
  /// Always a bar, even in quiet runs.
  case always
  case never
  /// One JSON object per line, for programs.
  case json
}
