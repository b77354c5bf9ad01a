import CSQLite
import Foundation
import Geography

extension SQLite {
  /// A prepared statement. Bind values from left to right, then call `execute` or `next`.
  ///
  /// Each execution checks that every parameter was bound and that SQLite accepted it, so a row can neither be shifted
  /// by a column nor keep a value of the previous row.
  @usableFromInline package final class Statement {
    package let handle: OpaquePointer
    package let database: SQLite
    package let sql: String
    let parameterCount: Int32
    private var bound: Int32 = 0
    private var bindingCode = SQLITE_OK
    private var isAtRow = false
    /// The column names by index; if several columns have the same name, only the first is named.
    package private(set) lazy var names = (0..<sqlite3_column_count(handle)).reduce(into: [String]()) { names, index in
      let name = String(cString: sqlite3_column_name(handle, index))
      names.append(names.contains(name) ? "" : name)
    }
    /// The column at which the next lookup starts, since rows are usually read column by column.
    private var nextName = 0

    package init(_ handle: OpaquePointer, of database: SQLite, sql: String) {
      self.handle = handle
      self.database = database
      self.sql = sql
      parameterCount = sqlite3_bind_parameter_count(handle)
    }

    deinit { database.finalize(handle) }

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
    package func bind(_ value: Double) { bind { sqlite3_bind_double(handle, $0, value) } }
    package func bind(_ value: Double?) { if let value { bind(value) } else { bindNull() } }

    package func bind(_ value: String) {
      var value = value
      value.withUTF8 { bytes in
        bind { position in
          bytes.withMemoryRebound(to: CChar.self) {
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

    package func bind(blob bytes: [UInt8]) {
      bytes.withUnsafeBytes { bytes in
        bind { sqlite3_bind_blob(handle, $0, bytes.baseAddress, Int32(bytes.count), Statement.copied) }
      }
    }

    func bind(_ arguments: [(any BindableValue)?]) {
      for argument in arguments { if let argument { argument.bind(to: self) } else { bindNull() } }
    }

    /// SQLITE_TRANSIENT: SQLite makes a copy.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    // MARK: Columns

    /// Returns the index of the first column with a name; nil if there is none.
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

    /// Executes a statement that returns no rows, and resets it for the next values.
    package func execute() throws {
      try checkBindings()
      defer { reset() }
      guard sqlite3_step(handle) == SQLITE_DONE else { throw database.failure(sql) }
    }

    /// Binds the parameters from left to right and executes a statement that returns no rows.
    package func execute(_ arguments: (any BindableValue)?...) throws {
      bind(arguments)
      try execute()
    }

    /// Binds the parameters from left to right, executes a query, and returns its rows.
    package func rows<Row>(_ arguments: [(any BindableValue)?], decode: (Statement) throws -> Row) throws -> [Row] {
      reset()
      bind(arguments)
      var rows: [Row] = []
      while try next() { rows.append(try decode(self)) }
      return rows
    }

    /// Moves to the next row. Returns false after the last row.
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

    /// Resets the statement for the next execution, even if rows remain.
    package func reset() {
      guard database.handle != nil else { return }
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
      (bound, bindingCode, isAtRow) = (0, SQLITE_OK, false)
    }

    private func checkBindings() throws {
      guard database.handle != nil else { throw database.failure(sql) }
      guard bound == parameterCount, bindingCode == SQLITE_OK else {
        defer { reset() }
        let problem =
          bound == parameterCount
          ? "SQLite refused a value: \(String(cString: sqlite3_errstr(bindingCode)))"
          : "bound \(bound.counted("value")), expected \(parameterCount): one per parameter"
        let code = bindingCode == SQLITE_OK ? SQLITE_MISUSE : bindingCode
        throw ResultsError(
          path: database.path, problem: problem, cause: .fault, sqlite: .init(code: code, extendedCode: code, sql: sql))
      }
    }
  }
}

/// Reading the current row: by column name, or by an index looked up once for many rows.
extension SQLite.Statement {
  /// The value of a column, by name. *Throws*: `ResultsError` if there is no such column or its value has another type;
  /// NULL is valid only for optional types.
  // Inlinable, so that other modules specialize it: pages read millions of values.
  @inlinable package subscript<Value: ColumnValue>(_ name: String) -> Value {
    get throws { try value(at: index(of: name)) }
  }

  /// Returns the index of a column, for reading many rows.
  @usableFromInline package func index(of name: String) throws -> Int32 {
    guard let index = column(name) else {
      throw ResultsError(
        path: database.path, problem: "the query has no column \(name)", cause: .fault, sqlite: .init(sql: sql))
    }
    return index
  }

  @inlinable package func value<Value: ColumnValue>(at index: Int32) throws -> Value {
    guard let value = Value.read(self, index) else { throw mismatch(at: index, Value.columnType) }
    return value
  }

  @usableFromInline package func mismatch(at index: Int32, _ type: String) -> ResultsError {
    mismatch("column \(String(cString: sqlite3_column_name(handle, index))) has no \(type)")
  }

  /// Returns the point given by two columns of degrees.
  package func point(_ latitude: String = "latitude", _ longitude: String = "longitude") throws -> FixedCoordinate {
    try point(latitude: self[latitude], longitude: self[longitude])
  }

  package func point(latitude: Double, longitude: Double) throws -> FixedCoordinate {
    let point = Coordinate(latitude: latitude, longitude: longitude)
    guard point.isValid else {
      throw mismatch("latitude \(latitude) and longitude \(longitude) are not a point on the earth")
    }
    return FixedCoordinate(point)
  }

  /// Returns an integer in a range, such as an index. *Throws*: `ResultsError` if it is out of range.
  package func integer(_ name: String, in range: some RangeExpression<Int>) throws -> Int {
    let value: Int = try self[name]
    guard range.contains(value) else { throw mismatch("column \(name): got \(value), which is out of range") }
    return value
  }

  private func mismatch(_ problem: String) -> ResultsError {
    ResultsError(path: database.path, problem: problem, cause: .input, sqlite: .init(sql: sql))
  }

  @usableFromInline package func isNull(at index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }

  /// Calls `body` with the bytes of a string, valid until the next row.
  package func withBytes<R>(_ name: String, _ body: (UnsafeBufferPointer<UInt8>) -> R) throws -> R {
    guard let result = try withText(at: index(of: name), body) else {
      throw mismatch("column \(name) has no \(String.columnType)")
    }
    return result
  }

  /// Calls `body` with the bytes of a string, by column index. Returns nil if the value is not a string.
  func withText<R>(at index: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R? {
    guard sqlite3_column_type(handle, index) == SQLITE_TEXT, let start = sqlite3_column_text(handle, index) else {
      return nil
    }
    return body(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index))))
  }

  package func integer(at index: Int32) -> Int64? {
    sqlite3_column_type(handle, index) == SQLITE_INTEGER ? sqlite3_column_int64(handle, index) : nil
  }

  package func double(at index: Int32) -> Double? {
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER, SQLITE_FLOAT: sqlite3_column_double(handle, index)
    default: nil
    }
  }

  @usableFromInline package func text(at index: Int32) -> String? {
    withText(at: index) { String(decoding: $0, as: UTF8.self) }
  }

  package func blob(at index: Int32) -> [UInt8]? {
    guard sqlite3_column_type(handle, index) == SQLITE_BLOB else { return nil }
    return Array(
      UnsafeRawBufferPointer(
        start: sqlite3_column_blob(handle, index), count: Int(sqlite3_column_bytes(handle, index))))
  }
}
