import CSQLite
import Geography

/// Reading the current row: by column names, or by indices looked up once for many rows.
extension SQLite.Statement {
  /// The value of a column, by its name. *Throws*: `ResultsError` if there is no such column, or its value has another
  /// type; NULL is valid only for an optional.
  // Inlinable, so that other modules specialise it: pages read millions of values.
  @inlinable package subscript<Value: ColumnValue>(_ name: String) -> Value {
    get throws { try value(at: index(of: name)) }
  }

  /// The index of a column, for reading many rows.
  @usableFromInline package func index(of name: String) throws -> Int32 {
    guard let index = column(name) else {
      throw ResultsError(
        path: database.path, problem: "the query has no column \(name)", cause: .fault, sqlite: .init(sql: sql))
    }
    return index
  }

  @inlinable package func value<Value: ColumnValue>(at index: Int32) throws -> Value {
    guard let value = Value(self, index) else { throw mismatch(at: index, Value.columnType) }
    return value
  }

  @usableFromInline package func mismatch(at index: Int32, _ type: String) -> ResultsError {
    mismatch("column \(String(cString: sqlite3_column_name(handle, index))) has no \(type)")
  }

  /// The point of two columns of degrees.
  package func point(_ latitude: String = "latitude", _ longitude: String = "longitude") throws -> FixedCoordinate {
    let point = Coordinate(latitude: try self[latitude], longitude: try self[longitude])
    guard point.isValid else { throw mismatch("\(latitude) and \(longitude) are not a point on the earth") }
    return FixedCoordinate(point)
  }

  /// An integer in a range, such as an index. *Throws*: `ResultsError` for another one.
  package func integer(_ name: String, in range: some RangeExpression<Int>) throws -> Int {
    let value: Int = try self[name]
    guard range.contains(value) else { throw mismatch("column \(name): got \(value), which is out of range") }
    return value
  }

  private func mismatch(_ problem: String) -> ResultsError {
    ResultsError(path: database.path, problem: problem, cause: .input, sqlite: .init(sql: sql))
  }

  @usableFromInline package func isNull(at index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }

  /// The bytes of a text, valid until the next row.
  package func withBytes<R>(_ name: String, _ body: (UnsafeBufferPointer<UInt8>) -> R) throws -> R {
    guard let result = try withText(at: index(of: name), body) else {
      throw mismatch("column \(name) has no \(String.columnType)")
    }
    return result
  }

  /// The same by an index; nil if the column has no text.
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
