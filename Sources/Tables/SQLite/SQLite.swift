import CSQLite
import Foundation
import Geography
import Synchronization

/// A connection to an SQLite database. Must be used by only one thread.
@usableFromInline package final class SQLite {
  package private(set) var handle: OpaquePointer?
  package let path: String
  private let use: Use
  /// Statements that are not yet finalized. SQLite's own list includes statements of virtual tables.
  private var statements: Set<OpaquePointer> = []
  /// The rows that INSERT statements read.
  let preparedRows = RowSource()
  private static let isConfigured = sqlite3_config_no_memory_statistics() == SQLITE_OK

  /// The purpose of a connection.
  package enum Use { case reading, writing, creating }

  /// Opens the database at `path`. *Throws*: `ResultsError`.
  ///
  /// - Parameter isImmutable: Whether nothing writes to the file. SQLite then locks nothing and creates no other files.
  package init(path: String, _ use: Use, isImmutable: Bool = false) throws {
    self.path = path
    self.use = use
    _ = SQLite.isConfigured
    // Opening a pipe would wait for its writer.
    if let problem = FileManager.irregularity(of: path, expecting: "a database") {
      throw ResultsError(path: path, problem: problem, cause: use == .reading ? .input : .output)
    }
    try SQLite.checkJournal(of: path)
    let flags =
      switch use {
      case .reading: SQLITE_OPEN_READONLY
      case .writing: SQLITE_OPEN_READWRITE
      case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    let encoded = isImmutable ? path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) : nil
    let name = encoded.map { "file:\(path.hasPrefix("/") ? "//" : "")\($0)?immutable=1" } ?? path
    let options = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (isImmutable ? SQLITE_OPEN_URI : 0)
    guard sqlite3_open_v2(name, &handle, flags | options, nil) == SQLITE_OK else {
      let failure = failure()
      sqlite3_close_v2(handle)
      handle = nil
      throw failure
    }
    if use != .reading, path != ":memory:" { setTemporaryFolder() }
  }

  /// Whether SQLite's temporary files have a folder.
  private static let hasTemporaryFolder = Mutex(false)

  /// Makes SQLite sort on the disk of the first written database instead of in /var/tmp, which may be full. Set only
  /// once, since older versions of SQLite read this process-wide setting without a lock.
  private func setTemporaryFolder() {
    guard ProcessInfo.processInfo.environment["SQLITE_TMPDIR"] == nil else { return }
    SQLite.hasTemporaryFolder.withLock { isSet in
      guard !isSet else { return }
      let folder = path.folder.isEmpty ? "." : path.folder.replacing("'", with: "''")
      isSet = sqlite3_exec(handle, "PRAGMA temp_store_directory = '\(folder)'", nil, nil, nil) == SQLITE_OK
    }
  }

  /// Rejects a journal that names a super-journal (of several databases): SQLite would delete the named file, whatever
  /// it is. This program changes one database at a time, so it never writes such a journal. *Throws*: `ResultsError`.
  private static func checkJournal(of path: String) throws {
    let journal = journal(of: path)
    guard FileManager.default.fileExists(atPath: journal) else { return }
    if let problem = FileManager.irregularity(of: journal, expecting: "a journal") {
      throw ResultsError(path: journal, problem: problem, cause: .input)
    }
    guard let file = FileHandle(forReadingAtPath: journal), let size = try? file.seekToEnd(), size >= 16,
      (try? file.seek(toOffset: size - 8)) != nil, let end = try? file.readToEnd()
    else { return }
    guard end != Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]) else {
      throw ResultsError(
        path: journal, problem: "this is a journal of several databases, which odometer does not write; remove it",
        cause: .input)
    }
  }

  /// Returns the path of the journal. SQLite resolves links: the journal is next to the target file.
  private static func journal(of path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path + "-journal"
  }

  /// Rolls back the transaction of an interrupted command, if any: only a writing connection can do so.
  package static func rollBack(_ path: String) {
    guard (FileManager.size(of: journal(of: path)) ?? 0) > 0 else { return }
    try? SQLite(path: path, .writing).execute("PRAGMA schema_version")
  }

  deinit { finalizeAndClose() }

  /// Closes the file. Remaining statements can no longer be executed.
  package func close() throws {
    guard finalizeAndClose() == SQLITE_OK else {
      throw ResultsError(path: path, problem: "the database cannot be closed", cause: .output)
    }
  }

  @discardableResult
  private func finalizeAndClose() -> Int32 {
    for statement in statements { sqlite3_finalize(statement) }
    statements.removeAll()
    let code = sqlite3_close(handle)
    // If closing fails, the connection is closed when its last statement is finalized; `deinit` must not try again.
    if code != SQLITE_OK { sqlite3_close_v2(handle) }
    handle = nil
    return code
  }

  /// Executes statements that return no rows.
  package func execute(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  /// Executes the body in one transaction.
  package func transaction(_ body: () throws -> Void) throws {
    try execute("BEGIN")
    do {
      try body()
      try execute("COMMIT")
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  package func prepare(_ sql: String) throws -> Statement {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
      let statement
    else { throw failure(sql) }
    statements.insert(statement)
    return Statement(statement, of: self, sql: sql)
  }

  /// Finalizes a statement, unless the connection has already done so.
  package func finalize(_ statement: OpaquePointer) {
    if statements.remove(statement) != nil { sqlite3_finalize(statement) }
  }

  /// Returns the rows of a query; `arguments` are its parameters, from left to right.
  package func rows<Row>(
    _ sql: String, _ arguments: (any BindableValue)?..., decode: (Statement) throws -> Row
  ) throws -> [Row] { try prepare(sql).rows(arguments, decode: decode) }

  /// Returns the single value of a query. *Throws*: `ResultsError`, also if there is no row.
  package func value<Value: ColumnValue>(_ sql: String, _ arguments: (any BindableValue)?...) throws -> Value {
    let statement = try prepare(sql)
    statement.bind(arguments)
    guard try statement.next() else {
      throw ResultsError(path: path, problem: "a query returned no row", cause: .input, sqlite: .init(sql: sql))
    }
    return try statement.value(at: 0)
  }

  package func hasTable(_ name: String) throws -> Bool {
    try value("SELECT count(*) FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?", name) > 0
  }

  /// Returns the error of the last call. SQLite reports many disk problems with the same message, so the system's
  /// message is added.
  package func failure(_ sql: String = "") -> ResultsError {
    guard let handle else {
      return ResultsError(path: path, problem: "the database is closed", cause: .fault, sqlite: .init(sql: sql))
    }
    let (code, extended) = (sqlite3_errcode(handle) & 0xFF, sqlite3_extended_errcode(handle))
    // A newly created database is not corrupt, but an attached one may be.
    let isInput = use == .reading || use == .creating && ResultsError.Failure.corruptCodes.contains(code)
    let cause: ErrorCause = isInput ? .input : .output
    let isSystemError = [SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_FULL].contains(code)
    var number = isSystemError ? sqlite3_system_errno(handle) : 0
    // SQLite forgets the system's error number if several files are written at once, but the file remembers it.
    if isSystemError, number == 0 { sqlite3_file_control(handle, "main", SQLITE_FCNTL_LAST_ERRNO, &number) }
    let detail = number == 0 ? "" : ": \(String(cString: strerror(number)))"
    return ResultsError(
      path: path, problem: String(cString: sqlite3_errmsg(handle)) + detail, cause: cause,
      sqlite: .init(code: code, extendedCode: extended, sql: sql))
  }
}

extension SQLite {
  /// The maximum length in bytes of a database's path: SQLite allows 512 bytes, including the suffix "-journal".
  package static let longestPath = 512 - 8

  /// Returns the size in bytes of the largest row or string that SQLite stores; a program can only lower the limit.
  package static func longestRow() throws -> Int {
    let memory = try SQLite(path: ":memory:", .creating)
    return Int(sqlite3_limit(memory.handle, SQLITE_LIMIT_LENGTH, -1))
  }
}
