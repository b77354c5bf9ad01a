import Foundation

/// The category of an error, which determines the command's exit code.
package enum ErrorCause: Sendable {
  /// There is no result: no route, or no street near a place.
  case notAllOK
  /// The command line, a job file or a profile is wrong.
  case usage
  /// A map, a table or given results are missing, corrupt, unfinished or of the wrong kind.
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

extension CausedError {
  /// The same message, for Foundation.
  package var errorDescription: String? { description }
}

/// An error with a message and a cause, and no other data.
package struct OdometerError: CausedError {
  package var description: String
  package var cause: ErrorCause
  package init(_ description: String, cause: ErrorCause) { (self.description, self.cause) = (description, cause) }
}
