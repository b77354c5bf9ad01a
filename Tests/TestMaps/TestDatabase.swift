import CSQLite
import Foundation

/// A results database, queried in the test's process by the system's SQLite.
///
///     try TestDatabase(scratch.path("out/results.sqlite")).list("SELECT count(*) FROM route")    // "3\n"
public final class TestDatabase {
  private var handle: OpaquePointer?

  struct Failure: Error, CustomStringConvertible { let description: String }

  /// Opens the database at `path`, which must exist.
  public init(_ path: String) throws {
    guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      defer { sqlite3_close(handle) }
      throw Failure(description: "\(path): \(message)")
    }
  }

  deinit { sqlite3_close(handle) }

  private var message: String { sqlite3_errmsg(handle).map { String(cString: $0) } ?? "" }

  /// Returns the rows of statements, in the format of the sqlite3 program: one line per row, values separated by |,
  /// NULL as empty text.
  public func list(_ statements: String) throws -> String {
    var lines = ""
    try rows(of: statements) { row in
      lines +=
        (0..<sqlite3_column_count(row)).map { column in
          sqlite3_column_text(row, column).map { String(cString: $0) } ?? ""
        }.joined(separator: "|") + "\n"
    }
    return lines
  }

  /// Returns a hash of the content and declaration of every table: equal databases have equal hashes within a process.
  public func fingerprints() throws -> [String: Int] {
    var prints: [String: Int] = [:]
    for line in try list("SELECT name FROM sqlite_schema WHERE type = 'table'").split(separator: "\n") {
      var hasher = Hasher()
      let table = String(line)
      hasher.combine(try list("SELECT sql FROM sqlite_schema WHERE tbl_name = '\(table)' ORDER BY name"))
      try rows(of: "SELECT * FROM \"\(table)\"") { row in
        for column in 0..<sqlite3_column_count(row) {
          hasher.combine(sqlite3_column_type(row, column))
          let start = sqlite3_column_blob(row, column)
          let count = Int(sqlite3_column_bytes(row, column))
          hasher.combine(count)
          hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
        }
      }
      prints[table] = hasher.finalize()
    }
    return prints
  }

  private func rows(of statements: String, _ body: (OpaquePointer) -> Void) throws {
    try statements.withCString { start in
      var rest: UnsafePointer<CChar>? = start
      while let next = rest, next.pointee != 0 {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, next, -1, &statement, &rest) == SQLITE_OK else {
          throw Failure(description: "\(message) in \(statements)")
        }
        defer { sqlite3_finalize(statement) }
        guard let statement else { continue }
        var result = sqlite3_step(statement)
        while result == SQLITE_ROW {
          body(statement)
          result = sqlite3_step(statement)
        }
        guard result == SQLITE_DONE else { throw Failure(description: "\(message) in \(statements)") }
      }
    }
  }
}

extension Scratch {
  /// Returns the rows of statements on a database in the folder, in the format of `TestDatabase`.
  public func sql(_ statements: String, in database: String = "out/results.sqlite") throws -> String {
    try TestDatabase(path(database)).list(statements)
  }
}
