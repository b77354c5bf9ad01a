import CSQLite

/// The prepared rows of a connection as virtual tables, from which INSERT statements select them:
///
///     INSERT INTO step_row (pair_id, leg, …) SELECT c0, c1, … FROM prepared_rows_11
///
/// One statement inserts all rows of a chunk, in half the time of a statement per row: SQLite neither starts and ends
/// a statement for each row nor stores bound values.
final class RowSource {
  /// The unread rows, in a place that SQLite's callbacks can read.
  private let unread: UnsafeMutablePointer<UnreadRows> = .allocate(capacity: 1)
  /// The numbers of columns of the virtual tables so far.
  private var widths: Set<Int> = []

  init() { unread.initialize(to: UnreadRows()) }

  deinit {
    unread.deinitialize(count: 1)
    unread.deallocate()
  }

  /// Returns the name of the virtual table whose rows have `columns` values, `c0` and so on.
  func table(columns: Int, in database: SQLite) throws -> String {
    let name = "prepared_rows_\(columns)"
    guard !widths.contains(columns) else { return name }
    guard let handle = database.handle,
      sqlite3_create_module_v2(handle, name, RowSource.module, unread, nil) == SQLITE_OK
    else { throw database.failure(name) }
    widths.insert(columns)
    return name
  }

  /// Executes a statement that inserts all prepared rows, or none of them if it fails.
  ///
  /// - Parameters:
  ///   - resolve: Returns the number of a reference.
  ///   - keeps: Returns whether a row, given by its index, keeps its omittable values.
  ///
  /// Neither function may insert rows.
  func insert<Row>(
    _ rows: RowValues<Row>, by statement: SQLite.Statement, _ resolve: @escaping (Int) -> Int,
    _ keeps: @escaping (Int) -> Bool
  ) throws {
    unread.pointee = UnreadRows(rows.bytes.start, rows: rows.count, columns: rows.columnCount, resolve, keeps)
    // Pointers to the values are not kept beyond this call.
    defer { unread.pointee = UnreadRows() }
    try withExtendedLifetime(rows) { try statement.execute() }
  }

  /// The functions of a virtual table that can only be read once, from first row to last.
  private nonisolated(unsafe) static let module: UnsafeMutablePointer<sqlite3_module> = {
    var module = sqlite3_module()
    module.xConnect = { database, unread, _, arguments, table, _ in
      // The table's name ends in its number of columns.
      let columns = Int(String(cString: arguments![0]!).split(separator: "_").last!)!
      let created = UnsafeMutablePointer<Table>.allocate(capacity: 1)
      created.initialize(
        to: Table(base: sqlite3_vtab(), unread: unread!.assumingMemoryBound(to: UnreadRows.self)))
      table!.pointee = UnsafeMutableRawPointer(created).assumingMemoryBound(to: sqlite3_vtab.self)
      return sqlite3_declare_vtab(
        database, "CREATE TABLE rows (\((0..<columns).map { "c\($0)" }.joined(separator: ",")))")
    }
    module.xDisconnect = { table in
      table?.deallocate()
      return SQLITE_OK
    }
    module.xBestIndex = { _, _ in SQLITE_OK }
    module.xOpen = { _, cursor in
      cursor!.pointee = .allocate(capacity: 1)
      cursor!.pointee!.initialize(to: sqlite3_vtab_cursor())
      return SQLITE_OK
    }
    module.xClose = { cursor in
      cursor?.deallocate()
      return SQLITE_OK
    }
    module.xFilter = { _, _, _, _, _ in SQLITE_OK }
    module.xEof = { unread($0).pointee.isAtEnd ? 1 : 0 }
    module.xNext = { unread($0).pointee.nextRow() }
    module.xColumn = { unread($0).pointee.pass(column: $2, to: $1) }
    module.xRowid = { _, number in
      number!.pointee = 0
      return SQLITE_OK
    }
    let constant = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    constant.initialize(to: module)
    return constant
  }()

  /// A virtual table. SQLite reads its first field.
  private struct Table {
    var base: sqlite3_vtab
    let unread: UnsafeMutablePointer<UnreadRows>
  }

  @inline(__always)
  private static func unread(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<UnreadRows> {
    UnsafeRawPointer(cursor!.pointee.pVtab).assumingMemoryBound(to: Table.self).pointee.unread
  }
}

/// Rows that a statement has not read yet. The statement reads every value of each row, from left to right.
private struct UnreadRows {
  private var next: UnsafeRawPointer?
  private var (row, column): (Int, Int32) = (0, 0)
  private var (rows, columns): (Int, Int32) = (0, 0)
  private var resolve: (Int) -> Int = { $0 }
  private var keeps: (Int) -> Bool = { _ in true }
  /// Whether the current row keeps its omittable values.
  private var keepsOmittable = true

  init() {}

  init(
    _ start: UnsafeRawPointer, rows: Int, columns: Int, _ resolve: @escaping (Int) -> Int,
    _ keeps: @escaping (Int) -> Bool
  ) {
    (next, self.rows, self.columns) = (start, rows, Int32(columns))
    (self.resolve, self.keeps) = (resolve, keeps)
    keepsOmittable = rows == 0 || keeps(0)
  }

  var isAtEnd: Bool { row == rows }

  mutating func nextRow() -> Int32 {
    guard column == columns else { return SQLITE_MISUSE }
    (row, column) = (row + 1, 0)
    if row < rows { keepsOmittable = keeps(row) }
    return SQLITE_OK
  }

  /// Passes the next value to SQLite, which copies texts and blobs into its record.
  @inline(__always)
  mutating func pass(column wanted: Int32, to result: OpaquePointer?) -> Int32 {
    guard let value = next, row < rows, column < columns, wanted == column else { return SQLITE_MISUSE }
    let first = value.load(as: UInt8.self)
    let isOmitted = !keepsOmittable && first & ValueBytes.isOmittable != 0
    let content = value + 1
    var length: Int { Int(content.loadUnaligned(as: UInt32.self)) }
    let size: Int
    switch ValueBytes.Kind(rawValue: first & ~ValueBytes.isOmittable)! {
    case .null:
      sqlite3_result_null(result)
      size = 0
    case .integer:
      sqlite3_result_int64(result, content.loadUnaligned(as: Int64.self))
      size = 8
    case .real:
      sqlite3_result_double(result, content.loadUnaligned(as: Double.self))
      size = 8
    case .reference:
      sqlite3_result_int64(result, Int64(resolve(Int(content.loadUnaligned(as: Int64.self)))))
      size = 8
    case .text:
      size = 4 + length
      if !isOmitted {
        sqlite3_result_text(result, (content + 4).assumingMemoryBound(to: CChar.self), Int32(length), nil)
      }
    case .blob:
      size = 4 + length
      if !isOmitted { sqlite3_result_blob(result, content + 4, Int32(length), nil) }
    case .borrowed:
      // A null pointer would be NULL.
      let address = content.loadUnaligned(as: Int.self)
      let text = UnsafePointer<CChar>(bitPattern: address) ?? content.assumingMemoryBound(to: CChar.self)
      let count = content.loadUnaligned(fromByteOffset: 8, as: Int.self)
      sqlite3_result_text64(result, text, UInt64(count), nil, UInt8(SQLITE_UTF8))
      size = 16
    }
    next = content + size
    column += 1
    return SQLITE_OK
  }
}
