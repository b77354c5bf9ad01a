import CSQLite
import Geography

/// Why results cannot be written, read or resumed, in one sentence.
package struct ResultsError: CausedError {
  package var path: String
  package var problem: String
  package var cause: ErrorCause
  /// SQLite's message, for problems of a database.
  package var sqlite: Failure?
  /// The first key that differs, if a run cannot be resumed and the key is known.
  package var change: String?

  /// SQLite's report of a failure.
  package struct Failure: Sendable, Hashable {
    /// SQLite's primary result code; `SQLITE_MISUSE` for a bug in this program.
    package var code: Int32
    package var extendedCode: Int32
    package var sql: String

    /// Whether the file is not a database, or no longer one.
    static let corruptCodes = [SQLITE_CORRUPT, SQLITE_NOTADB]
    /// Whether the file is damaged: not a database, or with contradictory rows.
    package var isDamage: Bool { Failure.corruptCodes.contains(code) || code == SQLITE_CONSTRAINT }

    package init(code: Int32 = SQLITE_MISUSE, extendedCode: Int32 = SQLITE_MISUSE, sql: String) {
      (self.code, self.extendedCode, self.sql) = (code, extendedCode, sql)
    }
  }

  package var description: String { "\(path): \(problem)" }

  package init(path: String, problem: String, cause: ErrorCause, sqlite: Failure? = nil) {
    self.path = path
    self.problem = problem
    self.cause = cause
    self.sqlite = sqlite
  }
}
