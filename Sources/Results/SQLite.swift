import CSQLite
import Foundation
import Geography

/// A connection to one SQLite database. Belongs to one thread.
final class SQLite {
  private var handle: OpaquePointer?
  let path: String
  private static let isConfigured = sqlite3_config_no_memory_statistics() == SQLITE_OK

  /// What a connection is for.
  enum Use { case reading, writing, creating }

  /// Opens the database at `path`. *Throws*: `ResultsError`.
  init(path: String, _ use: Use) throws {
    self.path = path
    _ = SQLite.isConfigured
    let flags =
      switch use {
      case .reading: SQLITE_OPEN_READONLY
      case .writing: SQLITE_OPEN_READWRITE
      case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    guard sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
      defer { sqlite3_close_v2(handle) }
      throw error()
    }
  }

  deinit { sqlite3_close_v2(handle) }

  /// Closes the file. No statement may be left.
  func close() throws {
    guard sqlite3_close(handle) == SQLITE_OK else { throw error() }
    handle = nil
  }

  /// Runs statements that return no rows.
  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error() }
  }

  /// In one transaction: all of it or nothing.
  func transaction(_ body: () throws -> Void) throws {
    try run("BEGIN")
    do {
      try body()
      try run("COMMIT")
    } catch {
      try? run("ROLLBACK")
      throw error
    }
  }

  /// Notes facts in table `job`, in the place of earlier ones.
  func note(_ facts: [(key: String, value: String)]) throws {
    let set = try prepare(Schema.setJob)
    for (key, value) in facts {
      set.bind(key)
      set.bind(value)
      try set.run()
    }
  }

  func prepare(_ sql: String) throws -> Statement {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK else {
      throw error()
    }
    return Statement(statement!, of: self)
  }

  fileprivate func error() -> ResultsError {
    guard let handle else { return ResultsError(path: path, problem: "out of memory") }
    // SQLite has one word for many troubles of a disk; the system's is the one that helps.
    let isSystems = [SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_FULL].contains(sqlite3_errcode(handle))
    let number = isSystems ? sqlite3_system_errno(handle) : 0
    let detail = number == 0 ? "" : ": \(String(cString: strerror(number)))"
    return ResultsError(path: path, problem: String(cString: sqlite3_errmsg(handle)) + detail)
  }

  /// A prepared statement. Values are bound from left to right with `bind`, then `run` or `next`.
  final class Statement {
    private let handle: OpaquePointer
    private let database: SQLite
    private var position: Int32 = 0
    /// Texts of the row in hand: SQLite reads them here until the row is run.
    private let texts: UnsafeMutablePointer<CChar>
    private var textCount = 0
    private static let textCapacity = 1 << 14

    fileprivate init(_ handle: OpaquePointer, of database: SQLite) {
      self.handle = handle
      self.database = database
      texts = .allocate(capacity: Statement.textCapacity)
    }

    deinit {
      sqlite3_finalize(handle)
      texts.deallocate()
    }

    func bind(_ value: Int64) {
      position += 1
      sqlite3_bind_int64(handle, position, value)
    }

    func bind(_ value: Int) { bind(Int64(value)) }

    func bind(optional value: Int?) {
      if let value {
        bind(value)
      } else {
        position += 1
        sqlite3_bind_null(handle, position)
      }
    }

    func bind(_ value: Double?) {
      position += 1
      if let value { sqlite3_bind_double(handle, position, value) } else { sqlite3_bind_null(handle, position) }
    }

    func bind(_ value: String?) {
      position += 1
      guard var value else {
        sqlite3_bind_null(handle, position)
        return
      }
      value.withUTF8 { bytes in
        let start = texts + textCount
        if textCount + bytes.count <= Statement.textCapacity {
          if let from = bytes.baseAddress { memcpy(start, from, bytes.count) }
          textCount += bytes.count
          sqlite3_bind_text(handle, position, start, Int32(bytes.count), nil)
        } else {
          // A text beyond all measure: SQLite takes a copy of its own (SQLITE_TRANSIENT).
          let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
          bytes.withMemoryRebound(to: CChar.self) {
            _ = sqlite3_bind_text(handle, position, $0.baseAddress, Int32($0.count), copied)
          }
        }
      }
    }

    /// Binds a point as a geometry.
    func bind(point: FixedCoordinate) {
      guard textCount + GeometryBlob.pointBytes <= Statement.textCapacity else {
        return bind(blob: GeometryBlob(point: point).bytes)
      }
      position += 1
      let start = texts + textCount
      GeometryBlob.write(point, at: start)
      textCount += GeometryBlob.pointBytes
      sqlite3_bind_blob(handle, position, start, Int32(GeometryBlob.pointBytes), nil)
    }

    /// Binds bytes; SQLite takes a copy of what is too long to wait here.
    func bind(blob bytes: [UInt8]?) {
      position += 1
      guard let bytes else {
        sqlite3_bind_null(handle, position)
        return
      }
      bytes.withUnsafeBytes { bytes in
        let start = texts + textCount
        guard textCount + bytes.count <= Statement.textCapacity else {
          let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
          sqlite3_bind_blob(handle, position, bytes.baseAddress, Int32(bytes.count), copied)
          return
        }
        if let from = bytes.baseAddress { memcpy(start, from, bytes.count) }
        textCount += bytes.count
        sqlite3_bind_blob(handle, position, start, Int32(bytes.count), nil)
      }
    }

    /// Binds a text without copying it: the bytes must stay until the row is run.
    func bind(staying text: UnsafeBufferPointer<UInt8>) {
      position += 1
      text.withMemoryRebound(to: CChar.self) {
        _ = sqlite3_bind_text64(handle, position, $0.baseAddress, UInt64($0.count), nil, UInt8(SQLITE_UTF8))
      }
    }

    func bind(_ identifier: Identifier) {
      switch identifier {
      case .number(let number): bind(number)
      case .text(let text): bind(text)
      }
    }

    /// Runs a statement that returns no rows, and makes it ready for the next values.
    func run() throws {
      guard sqlite3_step(handle) == SQLITE_DONE else {
        defer { reset() }
        throw database.error()
      }
      reset()
    }

    /// Goes to the next row; false behind the last.
    func next() throws -> Bool {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: return true
      case SQLITE_DONE:
        reset()
        return false
      default:
        defer { reset() }
        throw database.error()
      }
    }

    func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }
    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    func text(_ column: Int32) -> String? {
      sqlite3_column_text(handle, column).map { String(cString: $0) }
    }

    func blob(_ column: Int32) -> [UInt8] {
      guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
      return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Bytes of a text, valid until the next row.
    func textBytes(_ column: Int32) -> (start: UnsafePointer<UInt8>?, count: Int) {
      (sqlite3_column_text(handle, column), Int(sqlite3_column_bytes(handle, column)))
    }

    /// Makes it ready to be asked again, whatever rows are left.
    func rewind() { reset() }

    private func reset() {
      sqlite3_reset(handle)
      position = 0
      textCount = 0
    }
  }
}

/// Why results cannot be written or read, as one sentence.
package struct ResultsError: Error, CustomStringConvertible {
  package var path: String
  package var problem: String
  package var description: String { "\(path): \(problem)" }

  package init(path: String, problem: String) {
    self.path = path
    self.problem = problem
  }
}
