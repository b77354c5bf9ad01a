import CSQLite
import Geography

/// The reason why results cannot be written, read or resumed, in one sentence.
@usableFromInline package struct ResultsError: CausedError {
  package var path: String
  package var problem: String
  package var cause: ErrorCause
  /// SQLite's failure, if the problem comes from the database.
  package var sqlite: Failure?
  /// The first difference from the run that cannot be resumed, if known.
  package var change: String?
  /// The reason why an earlier run is not resumed.
  package var reasonNotToResume: String { change.map { "since it started, \($0)" } ?? problem }

  /// SQLite's description of a failure.
  package struct Failure: Sendable, Hashable {
    /// SQLite's primary result code; `SQLITE_MISUSE` if this program is at fault.
    package var code: Int32
    package var extendedCode: Int32
    package var sql: String

    /// The codes for a file that is not, or is no longer, a database.
    static let corruptCodes = [SQLITE_CORRUPT, SQLITE_NOTADB]
    /// Whether the file is damaged: not a database, or one with contradictory rows or lengths.
    package var isDamage: Bool {
      Failure.corruptCodes.contains(code) || [SQLITE_CONSTRAINT, SQLITE_TOOBIG].contains(code)
    }

    package init(code: Int32 = SQLITE_MISUSE, extendedCode: Int32 = SQLITE_MISUSE, sql: String) {
      (self.code, self.extendedCode, self.sql) = (code, extendedCode, sql)
    }
  }

  @usableFromInline package var errorDescription: String? { description }
  @usableFromInline package var description: String { "\(path): \(problem)" }

  package init(path: String, problem: String, cause: ErrorCause, sqlite: Failure? = nil) {
    self.path = path
    self.problem = problem
    self.cause = cause
    self.sqlite = sqlite
  }
}
