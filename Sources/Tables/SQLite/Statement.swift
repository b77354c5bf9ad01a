import CSQLite
import Foundation
import Geography

extension SQLite {
  /// A prepared statement. Values are bound from left to right, then `execute` or `next`.
  ///
  /// Every run checks that each parameter was bound and that SQLite took it: a row can neither be shifted by a column nor
  /// keep a value of the row before.
  package final class Statement {
    package let handle: OpaquePointer
    package let database: SQLite
    package let sql: String
    private let parameterCount: Int32
    private var bound: Int32 = 0
    private var bindingCode = SQLITE_OK
    private var isAtRow = false
    /// Those of the columns, in their order; of several with one name the first has it, and the others have none.
    package private(set) lazy var names = (0..<sqlite3_column_count(handle)).reduce(into: [String]()) { names, index in
      let name = String(cString: sqlite3_column_name(handle, index))
      names.append(names.contains(name) ? "" : name)
    }
    /// Where the next name is looked for first: rows are read column after column.
    private var nextName = 0
    /// Texts and geometries of the row in hand: SQLite reads them here until the row is run.
    private let scratch: UnsafeMutablePointer<CChar>
    private var scratchCount = 0
    private static let scratchCapacity = 1 << 14

    package init(_ handle: OpaquePointer, of database: SQLite, sql: String) {
      self.handle = handle
      self.database = database
      self.sql = sql
      parameterCount = sqlite3_bind_parameter_count(handle)
      scratch = .allocate(capacity: Statement.scratchCapacity)
    }

    deinit {
      database.finalize(handle)
      scratch.deallocate()
    }

    // MARK: Binding

    private func bind(_ code: (Int32) -> Int32) {
      guard database.handle != nil else { return }
      bound += 1
      let code = code(bound)
      if code != SQLITE_OK { bindingCode = code }
    }

    func bindNull() { bind { sqlite3_bind_null(handle, $0) } }
    package func bind(_ value: Int64) { bind { sqlite3_bind_int64(handle, $0, value) } }
    package func bind(_ value: Int) { bind(Int64(value)) }
    package func bind(_ value: Int?) { if let value { bind(Int64(value)) } else { bindNull() } }
    package func bind(_ value: Double) { bind { sqlite3_bind_double(handle, $0, value) } }
    package func bind(_ value: Double?) { if let value { bind(value) } else { bindNull() } }
    package func bind(_ value: String?) { if let value { bind(value) } else { bindNull() } }

    package func bind(_ value: String) {
      var value = value
      value.withUTF8 { bytes in
        bind { position in
          if let start = kept(UnsafeRawBufferPointer(bytes)) {
            return sqlite3_bind_text(handle, position, start, Int32(bytes.count), nil)
          }
          return bytes.withMemoryRebound(to: CChar.self) {
            sqlite3_bind_text(handle, position, $0.baseAddress, Int32($0.count), Statement.copied)
          }
        }
      }
    }

    package func bind(_ identifier: Identifier) {
      switch identifier {
      case .number(let number): bind(number)
      case .text(let text): bind(text)
      }
    }

    /// Binds a point as a geometry.
    package func bind(point: FixedCoordinate) {
      guard scratchCount + GeometryBlob.pointBytes <= Statement.scratchCapacity else {
        return bind(blob: GeometryBlob(point: point).bytes)
      }
      let start = scratch + scratchCount
      GeometryBlob.write(point, at: start)
      scratchCount += GeometryBlob.pointBytes
      bind { sqlite3_bind_blob(handle, $0, start, Int32(GeometryBlob.pointBytes), nil) }
    }

    /// Binds bytes.
    package func bind(blob bytes: [UInt8]) {
      bytes.withUnsafeBytes { bytes in
        bind { position in
          guard let start = kept(bytes) else {
            return sqlite3_bind_blob(handle, position, bytes.baseAddress, Int32(bytes.count), Statement.copied)
          }
          return sqlite3_bind_blob(handle, position, start, Int32(bytes.count), nil)
        }
      }
    }

    /// Binds a text without copying it: the bytes must stay until the row is run.
    package func bind(staying text: UnsafeBufferPointer<UInt8>) {
      // A null pointer would be NULL.
      guard text.baseAddress != nil else { return bind("") }
      text.withMemoryRebound(to: CChar.self) { text in
        bind { sqlite3_bind_text64(handle, $0, text.baseAddress, UInt64(text.count), nil, UInt8(SQLITE_UTF8)) }
      }
    }

    /// SQLITE_TRANSIENT: SQLite takes a copy of its own of what is too long to be kept here.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private func kept(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<CChar>? {
      guard scratchCount + bytes.count <= Statement.scratchCapacity else { return nil }
      let start = scratch + scratchCount
      if let from = bytes.baseAddress { memcpy(start, from, bytes.count) }
      scratchCount += bytes.count
      return start
    }

    // MARK: Columns

    /// The index of the first column of a name; nil where there is none.
    package func column(_ name: String) -> Int32? {
      if nextName < names.count, names[nextName] == name {
        nextName += 1
        return Int32(nextName - 1)
      }
      guard let index = names.firstIndex(of: name) else { return nil }
      nextName = index + 1
      return Int32(index)
    }

    // MARK: Running

    /// Runs a statement that returns no rows, and makes it ready for the next values.
    package func execute() throws {
      try checkBindings()
      defer { reset() }
      guard sqlite3_step(handle) == SQLITE_DONE else { throw database.failure(sql) }
    }

    /// Goes to the next row; false behind the last.
    package func next() throws -> Bool {
      if !isAtRow { try checkBindings() }
      switch sqlite3_step(handle) {
      case SQLITE_ROW:
        isAtRow = true
        return true
      case SQLITE_DONE:
        reset()
        return false
      default:
        defer { reset() }
        throw database.failure(sql)
      }
    }

    /// Makes it ready to be run again, whatever rows are left.
    package func reset() {
      guard database.handle != nil else { return }
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
      (bound, scratchCount, bindingCode, isAtRow) = (0, 0, SQLITE_OK, false)
    }

    private func checkBindings() throws {
      guard database.handle != nil else { throw database.failure(sql) }
      guard bound == parameterCount, bindingCode == SQLITE_OK else {
        defer { reset() }
        let problem =
          bound == parameterCount
          ? "SQLite refused a value: \(String(cString: sqlite3_errstr(bindingCode)))"
          : "bound \(bound) values, the statement has \(parameterCount) parameters"
        let code = bindingCode == SQLITE_OK ? SQLITE_MISUSE : bindingCode
        throw ResultsError(
          path: database.path, problem: problem, cause: .fault,
          sqlite: .init(code: code, extendedCode: code, sql: sql))
      }
    }
  }
}
