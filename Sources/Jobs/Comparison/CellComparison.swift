import Tables

/// The cells of two matrices side by side, whatever forms they are in.
struct CellComparison {
  /// One of the two.
  struct Side {
    var cells: any MatrixCells
    var origins: [String]
    var destinations: [String]
  }
  private let (old, new): (Side, Side)
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

  init(old: Side, new: Side, departures: [DepartureRow]) {
    (self.old, self.new, self.departures) = (old, new, departures)
    isSingle = old.cells.isSingle || new.cells.isSingle
    oldIndex = Dictionary(zip(old.origins, old.origins.indices)) { first, _ in first }
    let oldColumns = Dictionary(zip(old.destinations, old.destinations.indices)) { first, _ in first }
    let known = Set(new.destinations)
    // Most nights they are the same.
    let areSame = old.destinations == new.destinations
    columns = areSame ? new.destinations.indices.map(Optional.some) : new.destinations.map { oldColumns[$0] }
    gone = areSame ? [] : old.destinations.indices.filter { !known.contains(old.destinations[$0]) }
  }

  /// The numbers of hours; nil is that of a matrix without hours.
  private var hours: [Int?] { departures.isEmpty ? [nil] : departures.indices.map { $0 + 1 } }

  /// Cells by origin, by hour, then by destination, as the new matrix has them; then those that only the old one has.
  ///
  /// - Parameter unchanged: Called for cells that are equal, without an item.
  func forEachCell(unchanged: (ComparedRow) throws -> Void, _ body: (ComparedRow) throws -> Void) throws {
    let hours = hours
    for (index, origin) in new.origins.enumerated() {
      let oldIndex = oldIndex[origin]
      for (number, hour) in hours.enumerated() {
        let newTimes = try times(of: new.cells, index * hours.count + number)
        let oldTimes = try oldIndex.map { try times(of: old.cells, $0 * hours.count + number) }
        for (column, cell) in newTimes.enumerated() {
          let before = columns[column].flatMap { oldTimes?[$0] }.flatMap { $0 == CellRow.absent ? nil : $0 }
          if before == cell && cell >= 0 {
            let value = CellComparison.seconds(cell)
            try unchanged(
              ComparedRow(
                item: "", origin: origin, zone: origin, oldStatus: .ok, newStatus: .ok, oldValue: value,
                newValue: value))
          } else {
            try body(row(origin, new.destinations[column], hour, before, cell))
          }
        }
        guard let oldTimes else { continue }
        for column in gone where oldTimes[column] != CellRow.absent {
          try body(row(origin, old.destinations[column], hour, oldTimes[column], nil))
        }
      }
    }
    let known = Set(new.origins)
    for (index, origin) in old.origins.enumerated() where !known.contains(origin) {
      for (number, hour) in hours.enumerated() {
        for (column, cell) in try times(of: old.cells, index * hours.count + number).enumerated()
        where cell != CellRow.absent {
          try body(row(origin, old.destinations[column], hour, cell, nil))
        }
      }
    }
  }

  private func times(of cells: any MatrixCells, _ number: Int) throws -> [Int64] {
    var row = CellRow()
    try cells.read(number, into: &row)
    guard isSingle, !cells.isSingle else { return row.times }
    return row.times.map { $0 == CellRow.absent ? $0 : SingleFloat.rounded($0, per: 1000) }
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
