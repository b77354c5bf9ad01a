import CSQLite

/// Why results cannot be written, read or resumed, as one sentence.
package struct ResultsError: Error, CustomStringConvertible {
  package var path: String
  package var problem: String
  package var cause: Cause
  /// What SQLite said, where the problem is a database's.
  package var sqlite: Failure?
  /// The first that differs from the run that cannot be resumed, where that is known.
  package var change: String?

  /// Who can do something about it.
  package enum Cause: Sendable {
    /// The given results are missing, corrupt, unfinished or of another kind.
    case input
    /// An unfinished run cannot be resumed: its job, map, profile or input has changed.
    case changed
    /// The results cannot be written: the disk, the folder's permissions, a second run, another job's folder.
    case output
    /// A fault of this program.
    case fault
  }

  /// SQLite's own account of a failure.
  package struct Failure: Sendable, Hashable {
    /// SQLite's primary result code; `SQLITE_MISUSE` where the fault is this program's.
    package var code: Int32
    package var extendedCode: Int32
    package var sql: String

    /// Where the file is not a database, or no longer one.
    static let corruptCodes = [SQLITE_CORRUPT, SQLITE_NOTADB]
    /// Whether the file is damaged: no database, or one with rows that contradict each other.
    package var isDamage: Bool { Failure.corruptCodes.contains(code) || code == SQLITE_CONSTRAINT }

    package init(code: Int32 = SQLITE_MISUSE, extendedCode: Int32 = SQLITE_MISUSE, sql: String) {
      (self.code, self.extendedCode, self.sql) = (code, extendedCode, sql)
    }
  }

  package var description: String { "\(path): \(problem)" }

  package init(path: String, problem: String, cause: Cause, sqlite: Failure? = nil) {
    self.path = path
    self.problem = problem
    self.cause = cause
    self.sqlite = sqlite
  }
}
