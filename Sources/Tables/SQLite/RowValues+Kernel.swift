import CSQLite
import Foundation
import Geography

/// The values of rows of a table, in column order. Any thread can prepare them; the writing thread passes them to
/// SQLite, at about ten nanoseconds per value.
///
///     let values = RowValues(of: RouteRow.table, rows)     // on a worker
///     try insert(values)                                   // on the database's thread
package final class RowValues<Row>: @unchecked Sendable {
  private let columns: [@Sendable (Row, ValueBytes) -> Void]
  package private(set) var count = 0
  fileprivate let bytes: ValueBytes

  package convenience init(of table: Table<Row>, _ rows: some Sequence<Row>) {
    self.init(of: table.filledColumns)
    for row in rows { append(row) }
  }

  init(of columns: [Column<Row>]) {
    self.columns = columns.compactMap(\.put)
    bytes = ValueBytes()
  }

  package func append(_ row: Row) {
    for put in columns { put(row, bytes) }
    count += 1
  }

  func removeAll() {
    count = 0
    bytes.removeAll()
  }
}

/// Encoded values, stored consecutively: a type byte, then the number, or the length and the bytes. Numbers are not
/// aligned.
final class ValueBytes {
  fileprivate enum Kind: UInt8 { case null, integer, real, text, blob, staying, reference }
  /// Marks an omittable value.
  fileprivate static let isOmittable: UInt8 = 0x80

  fileprivate private(set) var start: UnsafeMutableRawPointer
  private var count = 0
  private var capacity = 256

  init() { start = .allocate(byteCount: capacity, alignment: 16) }
  deinit { start.deallocate() }

  func removeAll() { count = 0 }

  /// Returns space for a value's type byte and content.
  private func room(_ kind: Kind, _ size: Int) -> UnsafeMutableRawPointer {
    if count + size + 1 > capacity {
      capacity = max(2 * capacity, count + size + 1)
      let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
      larger.copyMemory(from: start, byteCount: count)
      start.deallocate()
      start = larger
    }
    defer { count += size + 1 }
    (start + count).storeBytes(of: kind.rawValue, as: UInt8.self)
    return start + count + 1
  }

  func putNull() { _ = room(.null, 0) }
  func put(_ value: Int) { room(.integer, 8).storeBytes(of: Int64(value), as: Int64.self) }
  func put(_ value: Double) { room(.real, 8).storeBytes(of: value, as: Double.self) }

  func put(_ value: String) {
    var value = value
    value.withUTF8 { put(.text, UnsafeRawBufferPointer($0)) }
  }

  func put(_ identifier: Identifier) {
    switch identifier {
    case .number(let number): put(Int(number))
    case .text(let text): put(text)
    }
  }

  func put(blob: [UInt8]) { blob.withUnsafeBytes { put(.blob, $0) } }

  func put(point: FixedCoordinate) {
    let end = room(.blob, 4 + GeometryBlob.pointBytes)
    end.storeBytes(of: UInt32(GeometryBlob.pointBytes), as: UInt32.self)
    GeometryBlob.write(point, at: (end + 4).assumingMemoryBound(to: CChar.self))
  }

  /// Writes a text without copying it: it must stay valid until its row is written.
  func put(staying text: UnsafeBufferPointer<UInt8>) {
    let end = room(.staying, 16)
    end.storeBytes(of: text.baseAddress.map { Int(bitPattern: $0) } ?? 0, as: Int.self)
    (end + 8).storeBytes(of: text.count, as: Int.self)
  }

  /// Writes a reference by index to a value whose number is known only when the row is written.
  func put(reference: Int) { room(.reference, 8).storeBytes(of: Int64(reference), as: Int64.self) }

  /// Marks the value that `put` writes as omittable.
  func omittable(_ put: () -> Void) {
    let first = count
    put()
    (start + first).storeBytes(of: (start + first).load(as: UInt8.self) | ValueBytes.isOmittable, as: UInt8.self)
  }

  private func put(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
    let end = room(kind, 4 + bytes.count)
    end.storeBytes(of: UInt32(bytes.count), as: UInt32.self)
    if let from = bytes.baseAddress { (end + 4).copyMemory(from: from, byteCount: bytes.count) }
  }
}

extension SQLite.Statement {
  /// Executes the statement once per row.
  ///
  /// - Parameters:
  ///   - resolve: Returns the number of a reference.
  ///   - keeps: Returns whether a row, given by its index, keeps its omittable values.
  func execute<Row>(_ rows: RowValues<Row>, _ resolve: (Int) -> Int, _ keeps: (Int) -> Bool) throws {
    // Pointers to the values are not kept beyond this call.
    defer { clear() }
    var next = UnsafeRawPointer(rows.bytes.start)
    for row in 0..<rows.count {
      let isWhole = keeps(row)
      for position in 1...parameterCount {
        let first = next.load(as: UInt8.self)
        let size = bind(next, at: position, isLeftOut: !isWhole && first & ValueBytes.isOmittable != 0, resolve)
        next += size
      }
      try executeOnce()
    }
  }

  /// Binds the encoded value at an offset and returns its size in bytes.
  @inline(__always)
  private func bind(
    _ value: UnsafeRawPointer, at position: Int32, isLeftOut: Bool, _ resolve: (Int) -> Int
  ) -> Int {
    let kind = ValueBytes.Kind(rawValue: value.load(as: UInt8.self) & ~ValueBytes.isOmittable)!
    let content = value + 1
    var length: Int { Int(content.loadUnaligned(as: UInt32.self)) }
    let (code, size): (Int32, Int)
    switch kind {
    case .null: (code, size) = (sqlite3_bind_null(handle, position), 0)
    case .integer: (code, size) = (sqlite3_bind_int64(handle, position, content.loadUnaligned(as: Int64.self)), 8)
    case .real: (code, size) = (sqlite3_bind_double(handle, position, content.loadUnaligned(as: Double.self)), 8)
    case .reference:
      let number = resolve(Int(content.loadUnaligned(as: Int64.self)))
      (code, size) = (sqlite3_bind_int64(handle, position, Int64(number)), 8)
    case .text:
      let text = (content + 4).assumingMemoryBound(to: CChar.self)
      size = 4 + length
      code =
        isLeftOut
        ? sqlite3_bind_null(handle, position) : sqlite3_bind_text(handle, position, text, Int32(length), nil)
    case .blob:
      size = 4 + length
      code =
        isLeftOut
        ? sqlite3_bind_null(handle, position) : sqlite3_bind_blob(handle, position, content + 4, Int32(length), nil)
    case .staying:
      // A null pointer would bind NULL.
      let address = content.loadUnaligned(as: Int.self)
      let text = UnsafePointer<CChar>(bitPattern: address) ?? content.assumingMemoryBound(to: CChar.self)
      let count = content.loadUnaligned(fromByteOffset: 8, as: Int.self)
      size = 16
      code = sqlite3_bind_text64(handle, position, text, UInt64(count), nil, UInt8(SQLITE_UTF8))
    }
    took(code)
    return size + 1
  }
}
