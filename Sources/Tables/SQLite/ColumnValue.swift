/// A type that a column's values can be read as.
@usableFromInline package protocol ColumnValue {
  /// The name of the type in messages.
  static var columnType: String { get }
  /// Reads a column of the current row; nil if the value is NULL or has another type.
  init?(_ row: SQLite.Statement, _ index: Int32)
}

extension Int: ColumnValue {
  @usableFromInline package static var columnType: String { "whole number" }
  @usableFromInline package init?(_ row: SQLite.Statement, _ index: Int32) {
    guard let value = row.integer(at: index) else { return nil }
    self.init(value)
  }
}

extension Double: ColumnValue {
  @usableFromInline package static var columnType: String { "number" }
  @usableFromInline package init?(_ row: SQLite.Statement, _ index: Int32) {
    guard let value = row.double(at: index) else { return nil }
    self = value
  }
}

extension String: ColumnValue {
  @usableFromInline package static var columnType: String { "text" }
  @usableFromInline package init?(_ row: SQLite.Statement, _ index: Int32) {
    guard let value = row.text(at: index) else { return nil }
    self = value
  }
}

extension Identifier: ColumnValue {
  @usableFromInline package static var columnType: String { "id" }
  @usableFromInline package init?(_ row: SQLite.Statement, _ index: Int32) {
    if let number = row.integer(at: index) {
      self = .number(number)
    } else if let text = row.text(at: index) {
      self = .text(text)
    } else {
      return nil
    }
  }
}

extension [UInt8]: ColumnValue {
  @usableFromInline package static var columnType: String { "blob" }
  @usableFromInline package init?(_ row: SQLite.Statement, _ index: Int32) {
    guard let bytes = row.blob(at: index) else { return nil }
    self = bytes
  }
}

extension GeometryBlob: ColumnValue {
  @usableFromInline package static var columnType: String { "geometry" }
  @usableFromInline package init?(_ row: SQLite.Statement, _ index: Int32) {
    guard let bytes = row.blob(at: index) else { return nil }
    self.init(bytes: bytes)
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  @usableFromInline package static var columnType: String { Wrapped.columnType }
  @inlinable package init?(_ row: SQLite.Statement, _ index: Int32) {
    if row.isNull(at: index) {
      self = .none
    } else if let value = Wrapped(row, index) {
      self = .some(value)
    } else {
      return nil
    }
  }
}

/// Values from a fixed list of words in tables: `RowStatus`, `PlaceRole`, `Statistic.Measure`, `Change`.
extension ColumnValue where Self: RawRepresentable, RawValue == String {
  @usableFromInline package static var columnType: String { "\(Self.self)" }
  @usableFromInline package init?(_ row: SQLite.Statement, _ index: Int32) {
    guard let text = row.text(at: index), let value = Self(rawValue: text) else { return nil }
    self = value
  }
}

/// A value that can be a query's parameter.
package protocol BindableValue { func bind(to statement: SQLite.Statement) }

extension Int: BindableValue { package func bind(to statement: SQLite.Statement) { statement.bind(self) } }
extension String: BindableValue { package func bind(to statement: SQLite.Statement) { statement.bind(self) } }
extension Identifier: BindableValue { package func bind(to statement: SQLite.Statement) { statement.bind(self) } }
