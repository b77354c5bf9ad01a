import Geography

/// An R-tree of many boxes, made at once: along a Hilbert curve, every node full (I. Kamel, C. Faloutsos 1993).
///
/// Written into the tables of SQLite's own R-tree, which then reads and changes it like any other; inserting a million
/// boxes one by one takes twenty times as long.
struct PackedRTree {
  /// A row and its box.
  struct Entry {
    var row: Int64
    var box: BoundingBox
  }

  private let entries: [Entry]

  /// As SQLite has them: cells in a node, and bytes of a node.
  private static let nodeCells = 51
  private static let nodeBytes = 4 + nodeCells * 24

  init(_ entries: [Entry]) {
    let whole = entries.reduce(into: BoundingBox.empty) { $0.formUnion($1.box) }
    // One number says where along the curve, and which entry.
    let order = entries.indices
      .map { UInt64(HilbertIndex(entries[$0].box.centre, in: whole).value) << 32 | UInt64($0) }
      .sorted()
    self.entries = order.map { entries[Int($0 & 0xFFFF_FFFF)] }
  }

  /// Makes the R-tree `name` with columns id, minx, maxx, miny, maxy.
  func write(to name: String, in database: SQLite) throws {
    try database.execute("CREATE VIRTUAL TABLE \"\(name)\" USING rtree(id, minx, maxx, miny, maxy);")
    guard !entries.isEmpty else { return }
    try database.execute("DELETE FROM \"\(name)_node\"")
    let insertNode = try database.prepare("INSERT INTO \"\(name)_node\" VALUES (?,?)")
    let insertRow = try database.prepare("INSERT INTO \"\(name)_rowid\" VALUES (?,?)")
    let insertParent = try database.prepare("INSERT INTO \"\(name)_parent\" VALUES (?,?)")

    // Level by level from the rows up; the last node is the root, and has number 1.
    var cells = entries
    var (depth, next) = (0, Int64(2))
    var rowNodes: [(row: Int64, node: Int64)] = []
    while true {
      let isRoot = cells.count <= PackedRTree.nodeCells
      var parents: [Entry] = []
      for start in stride(from: 0, to: cells.count, by: PackedRTree.nodeCells) {
        let part = cells[start..<min(start + PackedRTree.nodeCells, cells.count)]
        let node = isRoot ? 1 : next
        next += 1
        insertNode.bind(node)
        insertNode.bind(blob: bytes(of: part, depth: isRoot ? depth : 0))
        try insertNode.execute()
        for cell in part {
          if depth == 0 { rowNodes.append((cell.row, node)) } else { try insert(cell.row, node, insertParent) }
        }
        parents.append(Entry(row: node, box: part.reduce(into: .empty) { $0.formUnion($1.box) }))
      }
      if isRoot { break }
      cells = parents
      depth += 1
    }
    // In the order of the rows: SQLite appends instead of searching.
    for (row, node) in rowNodes.sorted(by: { $0.row < $1.row }) { try insert(row, node, insertRow) }
  }

  private func insert(_ key: Int64, _ node: Int64, _ statement: SQLite.Statement) throws {
    statement.bind(key)
    statement.bind(node)
    try statement.execute()
  }

  /// A node as SQLite keeps it: its depth if it is the root, the number of cells, the cells; big-endian.
  private func bytes(of cells: ArraySlice<Entry>, depth: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(PackedRTree.nodeBytes)
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
    append(UInt16(depth))
    append(UInt16(cells.count))
    for cell in cells {
      append(cell.row)
      append(below(cell.box.minLongitude).bitPattern)
      append(above(cell.box.maxLongitude).bitPattern)
      append(below(cell.box.minLatitude).bitPattern)
      append(above(cell.box.maxLatitude).bitPattern)
    }
    return bytes + [UInt8](repeating: 0, count: PackedRTree.nodeBytes - bytes.count)
  }

  /// Degrees as a 32-bit number that is no greater; no smaller.
  private func below(_ fixed: Int32) -> Float {
    let degrees = Double(fixed) / 1e7
    let rounded = Float(degrees)
    return Double(rounded) > degrees ? rounded.nextDown : rounded
  }

  private func above(_ fixed: Int32) -> Float {
    let degrees = Double(fixed) / 1e7
    let rounded = Float(degrees)
    return Double(rounded) < degrees ? rounded.nextUp : rounded
  }
}
