/// A type that a column's values can be read as.
@usableFromInline package protocol ColumnValue {
  /// The name of the type in messages.
  static var columnType: String { get }
  /// Reads a column of the current row; nil if the value is NULL or has another type.
  static func read(_ row: SQLite.Statement, _ index: Int32) -> Self?
}

extension Int: ColumnValue {
  @usableFromInline package static var columnType: String { "whole number" }
  @usableFromInline package static func read(_ row: SQLite.Statement, _ index: Int32) -> Int? {
    row.integer(at: index).map { Int($0) }
  }
}

extension Double: ColumnValue {
  @usableFromInline package static var columnType: String { "number" }
  @usableFromInline package static func read(_ row: SQLite.Statement, _ index: Int32) -> Double? {
    row.double(at: index)
  }
}

extension String: ColumnValue {
  @usableFromInline package static var columnType: String { "text" }
  @usableFromInline package static func read(_ row: SQLite.Statement, _ index: Int32) -> String? { row.text(at: index) }
}

extension Identifier: ColumnValue {
  @usableFromInline package static var columnType: String { "id" }
  @usableFromInline package static func read(_ row: SQLite.Statement, _ index: Int32) -> Identifier? {
    row.integer(at: index).map { .number($0) } ?? row.text(at: index).map { .text($0) }
  }
}

extension [UInt8]: ColumnValue {
  @usableFromInline package static var columnType: String { "blob" }
  @usableFromInline package static func read(_ row: SQLite.Statement, _ index: Int32) -> [UInt8]? {
    row.blob(at: index)
  }
}

extension GeometryBlob: ColumnValue {
  @usableFromInline package static var columnType: String { "geometry" }
  @usableFromInline package static func read(_ row: SQLite.Statement, _ index: Int32) -> GeometryBlob? {
    row.blob(at: index).map { GeometryBlob(bytes: $0) }
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  @usableFromInline package static var columnType: String { Wrapped.columnType }
  @inlinable package static func read(_ row: SQLite.Statement, _ index: Int32) -> Wrapped?? {
    if row.isNull(at: index) { return .some(nil) }
    return Wrapped.read(row, index).map { .some($0) }
  }
}

/// Values from a fixed list of words in tables: `RowStatus`, `PlaceRole`, `Statistic.Measure`, `Change`.
extension ColumnValue where Self: RawRepresentable, RawValue == String {
  @usableFromInline package static var columnType: String { "\(Self.self)" }
  @usableFromInline package static func read(_ row: SQLite.Statement, _ index: Int32) -> Self? {
    row.text(at: index).flatMap { Self(rawValue: $0) }
  }
}

/// A value that can be a query's parameter.
package protocol BindableValue { func bind(to statement: SQLite.Statement) }

extension Int: BindableValue { package func bind(to statement: SQLite.Statement) { statement.bind(self) } }
extension String: BindableValue { package func bind(to statement: SQLite.Statement) { statement.bind(self) } }
extension Identifier: BindableValue { package func bind(to statement: SQLite.Statement) { statement.bind(self) } }
