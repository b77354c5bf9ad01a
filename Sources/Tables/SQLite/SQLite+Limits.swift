import CSQLite

extension SQLite {
  /// The most bytes that SQLite holds in a row, and in one text; a program can lower it, not raise it.
  package static func longestRow() throws -> Int {
    let memory = try SQLite(path: ":memory:", .creating)
    return Int(sqlite3_limit(memory.handle, SQLITE_LIMIT_LENGTH, -1))
  }
}
