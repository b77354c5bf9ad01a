import Tables

/// A row of two runs, side by side.
struct ComparedRow {
  var item: String
  var origin: String?
  var destination: String?
  var zone: String?
  /// The row's status in each run; nil if the run does not have the row.
  var oldStatus: RowStatus?
  var newStatus: RowStatus?
  /// Seconds, or square metres of an area; nil if there is none.
  var oldValue: Double?
  var newValue: Double?

  var difference: Double? { oldValue.flatMap { old in newValue.map { $0 - old } } }

  /// The change relative to the old value; nil unless both have a value.
  var ratio: Double? {
    guard let oldValue, let newValue else { return nil }
    return oldValue == newValue ? 0 : oldValue > 0 ? newValue / oldValue - 1 : .infinity
  }

  func change(_ threshold: ChangeThreshold, comparesAreas: Bool) -> Change {
    guard oldStatus != nil else { return .new }
    guard newStatus != nil else { return .gone }
    switch (oldValue, newValue) {
    case (nil, nil): return .same
    case (nil, _?): return .newlyReachable
    case (_?, nil): return .newlyUnreachable
    case (let old?, let new?):
      let difference = new - old
      guard abs(difference) >= threshold.amount, abs(difference) >= threshold.ratio * old, difference != 0 else {
        return .same
      }
      return difference < 0 ? (comparesAreas ? .smaller : .faster) : comparesAreas ? .larger : .slower
    }
  }
}

/// Returns the status and the seconds of a cell, given in milliseconds: negative for no route, nil if the run has no such
/// cell.
private func answer(_ cell: Int64?) -> (status: RowStatus?, seconds: Double?) {
  guard let cell else { return (nil, nil) }
  return cell < 0 ? (.directionsNotFound, nil) : (.ok, Double(cell) / 1000)
}

/// A comparison of trips with another program's times for the same ends or pairs.
struct TripComparison {
  let times: TravelTimes
  let query: String
  /// The suffixes of items by hour; empty if a pair has one row.
  let labels: [String]

  /// Calls `body` for each trip in order, then for each time without a trip.
  ///
  /// - Parameter database: The database to which the new results are attached.
  func forEachRow(_ database: SQLite, _ body: (ComparedRow) throws -> Void) throws {
    var isUsed = [Bool](repeating: false, count: times.count)
    let row = try database.prepare(query)
    while try row.next() {
      let (origin, destination): (String, String?) = (try row["origin"], try row["destination"])
      let hour: Int = try row["departure"]
      let index = times.origins.index(ifKnown: origin).flatMap { first in
        times.destinations.index(ifKnown: times.areByPair ? "" : destination ?? "").flatMap {
          times.index(ofRow: first * times.hours + hour - 1, column: $0)
        }
      }
      if let index { isUsed[index] = true }
      let old = answer(index.map { times.time($0) })
      try body(
        ComparedRow(
          item: try row["item"] + label(hour - 1), origin: times.areByPair ? nil : origin, destination: destination,
          zone: try row["zone"] ?? origin, oldStatus: old.status, newStatus: try row["status"], oldValue: old.seconds,
          newValue: try row["value"]))
    }
    for (first, origin) in times.origins.values.enumerated() {
      for hour in 0..<times.hours {
        for index in times.indices(ofRow: first * times.hours + hour) where !isUsed[index] {
          try body(rowWithoutTrip(index, from: origin, at: hour))
        }
      }
    }
  }

  private func rowWithoutTrip(_ index: Int, from origin: String, at hour: Int) -> ComparedRow {
    let destination = times.destinations[times.column(of: index)]
    let old = answer(times.time(index))
    return ComparedRow(
      item: (times.areByPair ? origin : "\(origin), \(destination)") + label(hour),
      origin: times.areByPair ? nil : origin, destination: times.areByPair ? nil : destination, zone: origin,
      oldStatus: old.status, newStatus: nil, oldValue: old.seconds, newValue: nil)
  }

  private func label(_ hour: Int) -> String { labels.isEmpty ? "" : labels[hour] }
}

/// A comparison of the cells of two matrices, in any formats.
struct CellComparison {
  /// One of the two matrices.
  typealias Side = (cells: any MatrixCells, origins: [String], destinations: [String])
  private let (old, new): (Side, Side)
  /// The index of each origin in the old matrix, by id.
  private let oldIndex: [String: Int]
  /// The old columns of the new destinations; nil if missing.
  private let columns: [Int?]
  /// The columns of destinations found only in the old matrix.
  private let goneColumns: [Int]
  /// The hours of both matrices, or the percentiles in the order of the new one; empty without hours.
  private let departures: [DepartureRow]
  /// The position of each hour or percentile in the old matrix, from 0; only 0 without hours.
  private let oldPositions: [Int]
  /// Whether times are rounded to 32-bit floats, because one of the matrices stores only such floats.
  private let isSingle: Bool

  init(old: Side, new: Side, departures: [DepartureRow], oldPositions: [Int]) {
    (self.old, self.new, self.departures, self.oldPositions) = (old, new, departures, oldPositions)
    isSingle = old.cells.isSingle || new.cells.isSingle
    oldIndex = Dictionary(zip(old.origins, old.origins.indices)) { first, _ in first }
    let oldColumns = Dictionary(zip(old.destinations, old.destinations.indices)) { first, _ in first }
    let newDestinations = Set(new.destinations)
    // Usually, both matrices have the same destinations.
    let areSame = old.destinations == new.destinations
    columns = areSame ? new.destinations.indices.map(Optional.some) : new.destinations.map { oldColumns[$0] }
    goneColumns = areSame ? [] : old.destinations.indices.filter { !newDestinations.contains(old.destinations[$0]) }
  }

  /// The numbers of the hours; a single nil for a matrix without hours.
  private var hours: [Int?] { departures.isEmpty ? [nil] : departures.indices.map { $0 + 1 } }

  /// Calls `body` for each cell by origin, hour and destination, in the order of the new matrix, then for the cells
  /// that only the old matrix has.
  ///
  /// - Parameter unchanged: Called for cells with equal times, without an `item` or a destination.
  func forEachCell(unchanged: (ComparedRow) throws -> Void, _ body: (ComparedRow) throws -> Void) throws {
    let hours = hours
    for (index, origin) in new.origins.enumerated() {
      let oldIndex = oldIndex[origin]
      for (number, hour) in hours.enumerated() {
        let newTimes = try times(of: new.cells, index * hours.count + number)
        let oldTimes = try oldIndex.map { try times(of: old.cells, $0 * hours.count + oldPositions[number]) }
        for (column, cell) in newTimes.enumerated() {
          let oldCell = columns[column].flatMap { oldTimes?[$0] }.flatMap { $0 == CellRow.absent ? nil : $0 }
          if oldCell == cell && cell >= 0 {
            let value = Double(cell) / 1000
            try unchanged(
              ComparedRow(
                item: "", origin: origin, zone: origin, oldStatus: .ok, newStatus: .ok, oldValue: value,
                newValue: value))
          } else {
            try body(row(origin, new.destinations[column], hour, oldCell, cell))
          }
        }
        guard let oldTimes else { continue }
        for column in goneColumns where oldTimes[column] != CellRow.absent {
          try body(row(origin, old.destinations[column], hour, oldTimes[column], nil))
        }
      }
    }
    let newOrigins = Set(new.origins)
    for (index, origin) in old.origins.enumerated() where !newOrigins.contains(origin) {
      for (number, hour) in hours.enumerated() {
        for (column, cell) in try times(of: old.cells, index * hours.count + oldPositions[number])
          .enumerated()
        where cell != CellRow.absent { try body(row(origin, old.destinations[column], hour, cell, nil)) }
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
    let (old, new) = (answer(old), answer(new))
    return ComparedRow(
      item: "\(origin), \(destination)\(hour)", origin: origin, destination: destination, zone: origin,
      oldStatus: old.status, newStatus: new.status, oldValue: old.seconds, newValue: new.seconds)
  }
}

/// The queries and rules to compare two runs of a kind, which are attached to one database as `old` and `new`.
struct RowComparison: Sendable {
  /// Kinds of the same family can be compared with one another.
  let family: JobKind
  /// Whether values are square metres, not seconds.
  var comparesAreas = false
  /// Whether a row may change with any part of the input, not only with its own places.
  var dependsOnWholeInput = false
  /// The trips of the new run that can be compared with another program's times; nil if it has none.
  var trips: TripQuery?
  /// The rows of a run, as SQL: `id` (as text, since the ids of only one run may be numbers), `occurrence` (of that id),
  /// `item`, `origin`, `destination`, `zone`, `status`, `value`, `position`, and the number of the hour or percentile as
  /// `number`; nil if cells are compared instead of rows.
  var source: (@Sendable (_ run: String, _ number: String) -> String)?

  var comparesCells: Bool { source == nil }

  /// Returns the rows of both runs side by side, in the order of the new run; nil if cells are compared. Creates a
  /// temporary table of the old rows, since a full join of two queries takes quadratic time.
  func rows(in database: SQLite, _ axis: RowAxis) throws -> SQLite.Statement? {
    guard let source else { return nil }
    let number = axis.column?.rawValue ?? "NULL"
    try database.execute(
      """
      CREATE TEMP TABLE old_row AS \(source("old", number));
      CREATE INDEX temp.old_row_by_id ON old_row (id, occurrence);
      """)
    return try database.prepare(
      """
      SELECT coalesce(new.item, old.item) AS item, coalesce(new.origin, old.origin) AS origin,
        coalesce(new.destination, old.destination) AS destination, coalesce(new.zone, old.zone) AS zone,
        old.status AS old_status, old.value AS old_value, new.status AS new_status, new.value AS new_value,
        coalesce(new.number, old.number) AS number
      FROM (\(source("new", number))) AS new
      FULL JOIN temp.old_row AS old ON old.id = new.id AND old.occurrence = new.occurrence
      ORDER BY coalesce(new.position, old.position), new.position IS NULL
      """)
  }
}

/// Trips of a run attached as `new`, as SQL: `item`, `origin`, `destination`, `zone`, `departure` (1 without hours),
/// `status`, `value` in seconds.
struct TripQuery: Sendable {
  /// The table that `byEnds` reads.
  let table: String
  /// The trips by their ends.
  let byEnds: String
  /// The trips by pair, with the pair's id as `origin` and all its legs together; nil if there are no pairs.
  var byPairs: String?

  /// - Parameter axis: The rows of a pair; the departure of a single row, or of one with its own time, is 1.
  func sql(byPairs isByPairs: Bool, _ axis: RowAxis) -> String? {
    let departure = "coalesce(\(axis.position(in: isByPairs ? "pair_total" : table)), 1)"
    return (isByPairs ? byPairs : byEnds).map { "SELECT \(departure) AS departure, \($0)" }
  }
}

/// Counts of rows by change: in total, or for a zone.
struct ChangeTally {
  private(set) var counts: [Change: Int] = [:]
  private(set) var rows = 0
  private var (oldSum, newSum, pairedCount) = (0.0, 0.0, 0)

  mutating func add(_ row: ComparedRow, _ change: Change) {
    rows += 1
    counts[change, default: 0] += 1
    guard let old = row.oldValue, let new = row.newValue else { return }
    oldSum += old
    newSum += new
    pairedCount += 1
  }

  func count(_ changes: Change...) -> Int { changes.reduce(0) { $0 + (counts[$1] ?? 0) } }

  /// The mean old value of rows with a value in both runs; `newMean` is their mean new value.
  var oldMean: Double? { pairedCount > 0 ? oldSum / Double(pairedCount) : nil }
  var newMean: Double? { pairedCount > 0 ? newSum / Double(pairedCount) : nil }
}

/// The change of a row from one run to the next.
package enum Change: String, Sendable, CaseIterable, ColumnValue {
  case same
  /// Only the newer run has the row, or only the older one.
  case new, gone
  case faster, slower
  /// Changes of areas.
  case smaller, larger
  case newlyUnreachable = "newly_unreachable"
  case newlyReachable = "newly_reachable"
}
