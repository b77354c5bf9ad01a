import Geography
import Settings

/// The exit codes for scripts, defined only here.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case finished = 0
  case notAllOK = 1
  case usage = 2
  case input = 3
  case output = 4
  case different = 5
  case implausible = 6
  case fewAnswers = 7
  case fault = 70
  case interrupted = 130

  /// The meaning in one line, for help and documentation.
  package var meaning: String {
    switch self {
    case .finished: "finished"
    case .notAllOK:
      "finished, but a row is not ok or was rejected (--strict), there is no route (route, eta), a trace is not "
        + "matched (match), a place is outside the coverage (coverage check), or no better table was found (calibrate)"
    case .usage: "usage error, or the job file or profile cannot be used"
    case .input: "map, input or results cannot be read, or a run cannot be resumed because something changed"
    case .output: "the output cannot be written: not enough disk space or memory, or another run or job owns the folder"
    case .different: "verify, compare or bench --check found a difference beyond its threshold"
    case .implausible: "a sentinel pair is out of range: no row was computed"
    case .fewAnswers: "finished, but no row is ok, or the share of ok rows is below the job's minimumShare"
    case .fault: "internal error; please report it with the command and the output of odometer --version"
    case .interrupted: "interrupted (SIGINT, SIGTERM); the same command resumes"
    }
  }

  static let meanings = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.meaning) })

  /// The exit codes of commands that open or build a network and print text.
  static let ofNetworks: [ExitCode: String] = [
    .usage: "wrong usage, or the profile cannot be used",
    .input: "the map cannot be read",
    .output: "there is not enough memory, or the network file or standard output cannot be written",
  ]

  /// The exit codes of commands for a single trip.
  static let ofTrips = ofNetworks.merging([.notAllOK: "there is no route, or no street within the snap limit"]) { $1 }

  static let ofEveryCommand: [ExitCode: String] = [
    .finished: "finished", .usage: "wrong usage", .output: "standard output cannot be written",
    .fault: ExitCode.fault.meaning, .interrupted: "interrupted (SIGINT, SIGTERM)",
  ]

  /// Returns codes and their meanings, one per line, in two columns.
  static func table(_ meanings: [ExitCode: String]) -> String {
    let rows = meanings.sorted { $0.key.rawValue < $1.key.rawValue }
    return HelpTable(rows.map { (String($0.key.rawValue), $0.value) }).description
  }
}

extension ExitCode {
  /// Maps an error that ends a command to its exit code. Commands do not choose the code themselves.
  package init(_ error: any Error) {
    let cause = error is CancellationError ? .interrupted : (error as? any CausedError)?.cause
    switch cause {
    case .notAllOK: self = .notAllOK
    case .usage: self = .usage
    case .input, .changed: self = .input
    case .output: self = .output
    case .different: self = .different
    case .implausible: self = .implausible
    case .interrupted: self = .interrupted
    case .fault, nil: self = .fault
    }
  }

  /// Returns the message for an error that ends a command with this code.
  package func sentence(about error: any Error) -> String {
    guard self == .fault else { return "\(error)" }
    return "internal error: \(error); please report this with the command and the output of odometer --version"
  }
}
