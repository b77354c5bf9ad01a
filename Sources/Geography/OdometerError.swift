/// Who can do something about an error: it decides the exit code of a command.
package enum ErrorCause: Sendable {
  /// There is no such answer: no route, no street at a place.
  case notAllOK
  /// The command line, a job file or a profile is wrong.
  case usage
  /// A map, a table or given results are missing, corrupt, unfinished or of another kind.
  case input
  /// An unfinished run cannot be resumed: its job, map, profile or input has changed.
  case changed
  /// The output cannot be written: no room, no permission, another run at work there, another job's folder.
  case output
  /// An answer is wrong.
  case different
  /// An answer contradicts what the job says is known of a pair.
  case implausible
  case interrupted
  /// A fault of this program.
  case fault
}

/// An error that ends a command, and is one sentence for the person who can act.
package protocol CausedError: Error, CustomStringConvertible {
  var cause: ErrorCause { get }
}

/// Such an error that is nothing but its sentence.
package struct OdometerError: CausedError {
  package var description: String
  package var cause: ErrorCause
  package init(_ description: String, cause: ErrorCause) { (self.description, self.cause) = (description, cause) }
}
