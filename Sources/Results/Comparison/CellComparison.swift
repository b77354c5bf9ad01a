/// The cells of two matrices side by side; both are attached to one database, as `old` and `new`.
struct CellComparison {
  private let database: SQLite
  private let (oldIDs, newIDs): ([String], [String])
  /// Where the old matrix has the new one's destinations; nil where it has not.
  private let columns: [Int?]
  /// Columns of destinations that only the old matrix has.
  private let gone: [Int]
  /// The hours of both; none where they have none.
  private let departures: [DepartureRow]

  init(_ database: SQLite, departures: [DepartureRow]) throws {
    self.database = database
    self.departures = departures
    func destinations(_ run: String) throws -> [String] {
      try database.rows(
        "SELECT CAST(place_id AS TEXT) AS id FROM \(run).place WHERE role = 'destination' ORDER BY fid"
      ) { try $0["id"] as String }
    }
    let (oldIDs, newIDs) = (try destinations("old"), try destinations("new"))
    (self.oldIDs, self.newIDs) = (oldIDs, newIDs)
    let oldColumns = Dictionary(zip(oldIDs, oldIDs.indices)) { first, _ in first }
    let known = Set(newIDs)
    // Most nights they are the same.
    columns = oldIDs == newIDs ? newIDs.indices.map(Optional.some) : newIDs.map { oldColumns[$0] }
    gone = oldIDs == newIDs ? [] : oldIDs.indices.filter { !known.contains(oldIDs[$0]) }
  }

  /// Cells by origin, by hour, then by destination, as the new matrix has them; then those that only the old one has.
  ///
  /// - Parameter unchanged: Called for cells that are equal, without an item.
  func forEachCell(unchanged: (ComparedRow) throws -> Void, _ body: (ComparedRow) throws -> Void) throws {
    let hour = departures.isEmpty ? "NULL" : "departure"
    let row = try database.prepare(
      "SELECT CAST(origin_id AS TEXT) AS id, \(hour) AS hour, travel_times FROM new.matrix_row ORDER BY rowid")
    let oldRow = try database.prepare(
      "SELECT travel_times FROM old.matrix_row WHERE origin_id = ? AND \(hour) IS ?")
    var (newCells, oldCells) = (CellReader(), CellReader())
    while try row.next() {
      let origin: String = try row["id"]
      let departure: Int? = try row["hour"]
      try row.withBytes("travel_times") { newCells.read($0) }
      oldRow.bind(Identifier(origin))
      oldRow.bind(departure)
      let hasOld = try oldRow.next()
      if hasOld { try oldRow.withBytes("travel_times") { oldCells.read($0) } }
      oldRow.reset()
      for (column, cell) in newCells.cells.enumerated() where column < columns.count {
        let before = columns[column].flatMap { hasOld && $0 < oldCells.cells.count ? oldCells.cells[$0] : nil }
        if before == cell && cell >= 0 {
          let value = CellComparison.seconds(cell)
          try unchanged(
            ComparedRow(
              item: "", origin: origin, zone: origin, oldStatus: .ok, newStatus: .ok, oldValue: value, newValue: value))
        } else {
          try body(self.row(origin, newIDs[column], departure, before, cell))
        }
      }
      for column in gone where hasOld && column < oldCells.cells.count {
        try body(self.row(origin, oldIDs[column], departure, oldCells.cells[column], nil))
      }
    }
    let goneRow = try database.prepare(
      """
      SELECT CAST(origin_id AS TEXT) AS id, \(hour) AS hour, travel_times FROM old.matrix_row
      WHERE origin_id NOT IN (SELECT origin_id FROM new.matrix_row) ORDER BY rowid
      """)
    while try goneRow.next() {
      let origin: String = try goneRow["id"]
      let departure: Int? = try goneRow["hour"]
      try goneRow.withBytes("travel_times") { oldCells.read($0) }
      for (column, cell) in oldCells.cells.enumerated() where column < oldIDs.count {
        try body(self.row(origin, oldIDs[column], departure, cell, nil))
      }
    }
  }

  private func row(
    _ origin: String, _ destination: String, _ departure: Int?, _ old: Int64?, _ new: Int64?
  ) -> ComparedRow {
    let hour = departure.map { ", \(departures[$0 - 1].text)" } ?? ""
    func status(_ cell: Int64?) -> RowStatus? { cell.map { $0 < 0 ? .directionsNotFound : .ok } }
    return ComparedRow(
      item: "\(origin), \(destination)\(hour)", origin: origin, destination: destination, zone: origin,
      oldStatus: status(old), newStatus: status(new), oldValue: old.flatMap(CellComparison.seconds),
      newValue: new.flatMap(CellComparison.seconds))
  }

  /// A cell's thousandths as seconds; nil for no route.
  private static func seconds(_ cell: Int64) -> Double? { cell < 0 ? nil : Double(cell) / 1000 }
}
