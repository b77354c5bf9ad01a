import Foundation

/// The category of an error, which determines the command's exit code.
package enum ErrorCause: Sendable {
  /// There is no result: no route, or no street near a place.
  case notAllOK
  /// The command line, a job file or a profile is wrong.
  case usage
  /// A map, a table or a results folder is missing, corrupt, unfinished or of the wrong kind.
  case input
  /// An unfinished run cannot be resumed: its job, map, profile or input has changed.
  case changed
  /// The output cannot be written: disk full, no permission, another run in the folder, another job's folder.
  case output
  /// A result differs from the expected one.
  case different
  /// A sentinel pair is out of range.
  case implausible
  case interrupted
  /// A bug in this program.
  case fault
}

/// An error that ends a command with a one-sentence message for the user.
package protocol CausedError: LocalizedError, CustomStringConvertible {
  var cause: ErrorCause { get }
}

/// An error in a file, a setting, an argument or a link, described in one sentence.
public struct OdometerError: LocalizedError, CustomStringConvertible, CausedError {
  /// The file that the problem is in, if any.
  public var file: String?
  /// The line of the file, or the number of the feature, from 1.
  package var line: Int?
  package var isFeature = false
  /// The problem, without the file and the line.
  public var problem: String
  package var cause: ErrorCause
  /// A table to print before the error.
  package var table: String?
  /// The file, the line and the problem.
  public var description: String {
    guard let file else { return problem }
    return "\(file)\(line.map { isFeature ? ", feature \($0)" : ":\($0)" } ?? ""): \(problem)"
  }
  /// The same as `description`, for Foundation.
  public var errorDescription: String? { description }

  package init(_ problem: String, cause: ErrorCause) { (self.problem, self.cause) = (problem, cause) }

  package init(file: String, line: Int? = nil, problem: String, cause: ErrorCause = .input) {
    (self.file, self.line, self.problem, self.cause) = (file, line, problem, cause)
  }
}

extension Error where Self == OdometerError {
  /// Creates the error for a file that is missing, corrupt or of the wrong kind.
  package static func input(_ file: String, line: Int? = nil, _ problem: String) -> OdometerError {
    OdometerError(file: file, line: line, problem: problem)
  }

  /// Creates the error for a wrong setting in a job, profile or language file.
  package static func settings(file: String, line: Int? = nil, problem: String) -> OdometerError {
    OdometerError(file: file, line: line, problem: problem, cause: .usage)
  }

  /// Creates the error for wrong arguments or a wrong link.
  package static func usage(_ problem: String) -> OdometerError { OdometerError(problem, cause: .usage) }
}
