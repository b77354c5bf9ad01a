/// A type that column values can be read as.
package protocol ColumnValue {
  /// Its name in messages.
  static var columnType: String { get }
  /// Nil if the value has another type or is NULL.
  init?(_ row: SQLite.Statement, _ index: Int32)
}

extension Int: ColumnValue {
  package static var columnType: String { "whole number" }
  package init?(_ row: SQLite.Statement, _ index: Int32) {
    guard let value = row.integer(at: index) else { return nil }
    self.init(value)
  }
}

extension Double: ColumnValue {
  package static var columnType: String { "number" }
  package init?(_ row: SQLite.Statement, _ index: Int32) {
    guard let value = row.double(at: index) else { return nil }
    self = value
  }
}

extension String: ColumnValue {
  package static var columnType: String { "text" }
  package init?(_ row: SQLite.Statement, _ index: Int32) {
    guard let value = row.text(at: index) else { return nil }
    self = value
  }
}

extension Identifier: ColumnValue {
  package static var columnType: String { "id" }
  package init?(_ row: SQLite.Statement, _ index: Int32) {
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
  package static var columnType: String { "blob" }
  package init?(_ row: SQLite.Statement, _ index: Int32) {
    guard let bytes = row.blob(at: index) else { return nil }
    self = bytes
  }
}

extension GeometryBlob: ColumnValue {
  package static var columnType: String { "geometry" }
  package init?(_ row: SQLite.Statement, _ index: Int32) {
    guard let bytes = row.blob(at: index) else { return nil }
    self.init(bytes: bytes)
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  package static var columnType: String { Wrapped.columnType }
  package init?(_ row: SQLite.Statement, _ index: Int32) {
    if row.isNull(at: index) {
      self = .none
    } else if let value = Wrapped(row, index) {
      self = .some(value)
    } else {
      return nil
    }
  }
}

/// Types with a fixed list of words: `RowStatus`, `PlaceRole`, `Statistic.Measure`, `Change`.
extension ColumnValue where Self: RawRepresentable, RawValue == String {
  package static var columnType: String { "\(Self.self)" }
  package init?(_ row: SQLite.Statement, _ index: Int32) {
    guard let text = row.text(at: index), let value = Self(rawValue: text) else { return nil }
    self = value
  }
}

/// A value that a query accepts as a parameter.
package protocol BindableValue { func bind(to statement: SQLite.Statement) }

extension Int: BindableValue { package func bind(to statement: SQLite.Statement) { statement.bind(self) } }
extension String: BindableValue { package func bind(to statement: SQLite.Statement) { statement.bind(self) } }
extension Identifier: BindableValue { package func bind(to statement: SQLite.Statement) { statement.bind(self) } }
