import Geography

/// An R-tree of many boxes, made at once: along a Hilbert curve, every node full (I. Kamel, C. Faloutsos 1993).
///
/// Written into the tables of SQLite's own R-tree, which then reads and changes it like any other; inserting a million
/// boxes one by one takes twenty times as long. Takes 24 bytes per point and 32 per box of another shape.
struct PackedRTree<Shape: RTreeShape> {
  /// Ascending, each with its shape.
  private var rows: [UInt32] = []
  private var shapes: [Shape] = []
  /// The box around all.
  package private(set) var extent = BoundingBox.empty

  /// A row, or a node of the level below, and its box.
  private struct Cell {
    var key: Int64
    var box: BoundingBox
  }

  /// As SQLite has them: cells in a node, and bytes of a node.
  private static var nodeCells: Int { 51 }
  private static var nodeBytes: Int { 4 + nodeCells * 24 }

  package init(capacity: Int) {
    rows.reserveCapacity(capacity)
    shapes.reserveCapacity(capacity)
  }

  /// Adds a row behind those that are there.
  package mutating func append(_ row: Int64, _ box: BoundingBox) {
    precondition(
      row > Int64(rows.last ?? 0) && row <= Int64(UInt32.max), "rows of an R-tree are ascending 32-bit numbers")
    rows.append(UInt32(row))
    shapes.append(Shape(box))
    extent.formUnion(box)
  }

  /// Makes the R-tree `name` with columns id, minx, maxx, miny, maxy.
  package func write(to name: String, in database: SQLite) throws {
    try database.execute("CREATE VIRTUAL TABLE \"\(name)\" USING rtree(id, minx, maxx, miny, maxy);")
    guard !rows.isEmpty else { return }
    try database.execute("DELETE FROM \"\(name)_node\"")
    let insertNode = try database.prepare("INSERT INTO \"\(name)_node\" VALUES (?,?)")
    let insertRow = try database.prepare("INSERT INTO \"\(name)_rowid\" VALUES (?,?)")
    let insertParent = try database.prepare("INSERT INTO \"\(name)_parent\" VALUES (?,?)")

    // Level by level from the rows up; the last node is the root, and has number 1.
    var next: Int64 = 2
    func writeLevel(
      _ depth: Int, of count: Int, cell: (Int) -> Cell, placed: (Int, Cell, Int64) throws -> Void
    ) throws -> [Cell] {
      let isRoot = count <= Self.nodeCells
      return try stride(from: 0, to: count, by: Self.nodeCells).map { start in
        let part = (start..<min(start + Self.nodeCells, count)).map(cell)
        let node = isRoot ? 1 : next
        next += 1
        insertNode.bind(node)
        insertNode.bind(blob: bytes(of: part, depth: isRoot ? depth : 0))
        try insertNode.execute()
        for (offset, cell) in part.enumerated() { try placed(start + offset, cell, node) }
        return Cell(key: node, box: part.reduce(into: .empty) { $0.formUnion($1.box) })
      }
    }
    func writeRows(_ nodes: inout [UInt32]) throws -> [Cell] {
      let order = order()
      func index(_ position: Int) -> Int { Int(order[position] & 0xFFFF_FFFF) }
      return try writeLevel(0, of: order.count) { position in
        Cell(key: Int64(rows[index(position)]), box: shapes[index(position)].box)
      } placed: { position, _, node in
        nodes[index(position)] = UInt32(node)
      }
    }
    var nodes = [UInt32](repeating: 0, count: rows.count)
    var (depth, level) = (0, try writeRows(&nodes))
    while level.count > 1 {
      let cells = level
      depth += 1
      level = try writeLevel(depth, of: cells.count) {
        cells[$0]
      } placed: {
        try insert($1.key, $2, insertParent)
      }
    }
    // In the order of the rows: SQLite appends instead of searching.
    for (row, node) in zip(rows, nodes) { try insert(Int64(row), Int64(node), insertRow) }
  }

  /// Entries along the curve, in the low halves of the numbers: one number says where along it, and which entry.
  private func order() -> [UInt64] {
    precondition(rows.count <= Int(UInt32.max), "an R-tree of more than 2^32 rows")
    var order: [UInt64] = []
    order.reserveCapacity(rows.count)
    for (index, shape) in shapes.enumerated() {
      order.append(UInt64(HilbertIndex(shape.box.centre, in: extent).value) << 32 | UInt64(index))
    }
    order.sort()
    return order
  }

  private func insert(_ key: Int64, _ node: Int64, _ statement: SQLite.Statement) throws {
    statement.bind(key)
    statement.bind(node)
    try statement.execute()
  }

  /// A node as SQLite keeps it: its depth if it is the root, the number of cells, the cells; big-endian.
  private func bytes(of cells: [Cell], depth: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.nodeBytes)
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
    append(UInt16(depth))
    append(UInt16(cells.count))
    for cell in cells {
      append(cell.key)
      append(below(cell.box.minLongitude).bitPattern)
      append(above(cell.box.maxLongitude).bitPattern)
      append(below(cell.box.minLatitude).bitPattern)
      append(above(cell.box.maxLatitude).bitPattern)
    }
    return bytes + [UInt8](repeating: 0, count: Self.nodeBytes - bytes.count)
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

/// What an R-tree keeps of a row until it is written: a box, or a point in half the space.
package protocol RTreeShape: BitwiseCopyable {
  /// - Parameter box: That of a point, for points.
  init(_ box: BoundingBox)
  var box: BoundingBox { get }
}

extension BoundingBox: RTreeShape {
  package init(_ box: BoundingBox) { self = box }
  package var box: BoundingBox { self }
}

extension FixedCoordinate: RTreeShape {
  package init(_ box: BoundingBox) { self.init(longitude: box.minLongitude, latitude: box.minLatitude) }
  package var box: BoundingBox { BoundingBox(around: CollectionOfOne(self)) }
}
