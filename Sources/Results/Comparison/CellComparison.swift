/// The cells of two matrices side by side, whatever forms they are in; both databases are attached to one, as `old` and
/// `new`.
struct CellComparison {
  private let (old, new): (any MatrixCells, any MatrixCells)
  private let (oldOrigins, newOrigins): ([String], [String])
  private let (oldIDs, newIDs): ([String], [String])
  /// Where the old matrix has an origin, by its id.
  private let oldIndex: [String: Int]
  /// Where the old matrix has the new one's destinations; nil where it has not.
  private let columns: [Int?]
  /// Columns of destinations that only the old matrix has.
  private let gone: [Int]
  /// The hours of both; none where they have none.
  private let departures: [DepartureRow]
  /// Whether only what 32-bit floats hold can be compared.
  private let isSingle: Bool

  init(_ database: SQLite, old: any MatrixCells, new: any MatrixCells, departures: [DepartureRow]) throws {
    (self.old, self.new, self.departures) = (old, new, departures)
    isSingle = old.isSingle || new.isSingle
    // An id of several places is told apart by which of them it is.
    func ids(_ run: String, _ role: PlaceRole) throws -> [String] {
      var met: [String: Int] = [:]
      return try database.rows(
        "SELECT CAST(place_id AS TEXT) AS id FROM \(run).place WHERE role = ? ORDER BY fid", role.rawValue
      ) { row in
        let id: String = try row["id"]
        met[id, default: 0] += 1
        return met[id] == 1 ? id : "\(id)#\(met[id] ?? 0)"
      }
    }
    (oldOrigins, newOrigins) = (try ids("old", .origin), try ids("new", .origin))
    oldIndex = Dictionary(zip(oldOrigins, oldOrigins.indices)) { first, _ in first }
    let (oldIDs, newIDs) = (try ids("old", .destination), try ids("new", .destination))
    (self.oldIDs, self.newIDs) = (oldIDs, newIDs)
    let oldColumns = Dictionary(zip(oldIDs, oldIDs.indices)) { first, _ in first }
    let known = Set(newIDs)
    // Most nights they are the same.
    columns = oldIDs == newIDs ? newIDs.indices.map(Optional.some) : newIDs.map { oldColumns[$0] }
    gone = oldIDs == newIDs ? [] : oldIDs.indices.filter { !known.contains(oldIDs[$0]) }
  }

  /// The numbers of hours; nil is that of a matrix without hours.
  private var hours: [Int?] { departures.isEmpty ? [nil] : departures.indices.map { $0 + 1 } }

  /// Cells by origin, by hour, then by destination, as the new matrix has them; then those that only the old one has.
  ///
  /// - Parameter unchanged: Called for cells that are equal, without an item.
  func forEachCell(unchanged: (ComparedRow) throws -> Void, _ body: (ComparedRow) throws -> Void) throws {
    let hours = hours
    for (index, origin) in newOrigins.enumerated() {
      let oldIndex = oldIndex[origin]
      for (number, hour) in hours.enumerated() {
        let newTimes = try times(of: new, index * hours.count + number)
        let oldTimes = try oldIndex.map { try times(of: old, $0 * hours.count + number) }
        for (column, cell) in newTimes.enumerated() {
          let before = columns[column].flatMap { oldTimes?[$0] }
          if before == cell && cell >= 0 {
            let value = CellComparison.seconds(cell)
            try unchanged(
              ComparedRow(
                item: "", origin: origin, zone: origin, oldStatus: .ok, newStatus: .ok, oldValue: value,
                newValue: value))
          } else {
            try body(row(origin, newIDs[column], hour, before, cell))
          }
        }
        guard let oldTimes else { continue }
        for column in gone { try body(row(origin, oldIDs[column], hour, oldTimes[column], nil)) }
      }
    }
    let known = Set(newOrigins)
    for (index, origin) in oldOrigins.enumerated() where !known.contains(origin) {
      for (number, hour) in hours.enumerated() {
        for (column, cell) in try times(of: old, index * hours.count + number).enumerated() {
          try body(row(origin, oldIDs[column], hour, cell, nil))
        }
      }
    }
  }

  private func times(of cells: any MatrixCells, _ number: Int) throws -> [Int64] {
    var row = CellRow()
    try cells.read(number, into: &row)
    guard isSingle, !cells.isSingle else { return row.times }
    return row.times.map { SingleFloat.rounded($0, per: 1000) }
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
