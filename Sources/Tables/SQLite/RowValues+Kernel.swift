import Geography

/// The values of rows of a table, in column order. Any thread can prepare them; the writing thread passes them to
/// SQLite through `RowSource`.
///
///     let values = RowValues(of: RouteRow.table, rows)     // on a worker
///     try insert(values)                                   // on the database's thread
package final class RowValues<Row>: @unchecked Sendable {
  private let columns: [@Sendable (Row, ValueBytes) -> Void]
  package private(set) var count = 0
  let bytes: ValueBytes
  /// The number of values in a row.
  var columnCount: Int { columns.count }

  package convenience init(of table: Table<Row>) { self.init(of: table.filledColumns) }

  @inlinable package convenience init(of table: Table<Row>, _ rows: some Sequence<Row>) {
    self.init(of: table)
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
  enum Kind: UInt8 { case null, integer, real, text, blob, borrowed, reference }
  /// The flag of a value that its row may omit. SQLite receives NULL instead of an omitted value.
  static let isOmittable: UInt8 = 0x80

  private(set) var start: UnsafeMutableRawPointer
  private var count = 0
  private var capacity = 256

  init() { start = .allocate(byteCount: capacity, alignment: 16) }
  deinit { start.deallocate() }

  func removeAll() { count = 0 }

  /// Writes a value's type byte, and returns the space for its content of `size` bytes.
  private func reserve(_ kind: Kind, _ size: Int) -> UnsafeMutableRawPointer {
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

  func putNull() { _ = reserve(.null, 0) }

  /// Writes a value with `put`, or NULL. Inlined: an unspecialized call would look up the type of each value at run
  /// time.
  @inline(__always)
  func put<Value>(optional value: Value?, by put: (Value) -> Void) {
    if let value { put(value) } else { putNull() }
  }

  func put(_ value: Int) { reserve(.integer, 8).storeBytes(of: Int64(value), as: Int64.self) }
  func put(_ value: Double) { reserve(.real, 8).storeBytes(of: value, as: Double.self) }

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
    let space = reserve(.blob, 4 + GeometryBlob.pointBytes)
    space.storeBytes(of: UInt32(GeometryBlob.pointBytes), as: UInt32.self)
    GeometryBlob.write(point, at: (space + 4).assumingMemoryBound(to: CChar.self))
  }

  /// Writes the address of a string without copying it: it must stay valid until its row is written.
  func put(borrowed text: UnsafeBufferPointer<UInt8>) {
    let space = reserve(.borrowed, 16)
    space.storeBytes(of: text.baseAddress.map { Int(bitPattern: $0) } ?? 0, as: Int.self)
    (space + 8).storeBytes(of: text.count, as: Int.self)
  }

  /// Writes a reference by index to a value whose number is known only when the row is written.
  func put(reference: Int) { reserve(.reference, 8).storeBytes(of: Int64(reference), as: Int64.self) }

  /// Marks the value that `put` writes as one that its row may omit.
  func omittable(_ put: () -> Void) {
    let first = count
    put()
    (start + first).storeBytes(of: (start + first).load(as: UInt8.self) | ValueBytes.isOmittable, as: UInt8.self)
  }

  private func put(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
    let space = reserve(kind, 4 + bytes.count)
    space.storeBytes(of: UInt32(bytes.count), as: UInt32.self)
    if let from = bytes.baseAddress { (space + 4).copyMemory(from: from, byteCount: bytes.count) }
  }
}
