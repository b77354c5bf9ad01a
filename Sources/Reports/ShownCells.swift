import Jobs
import Tables

/// The cells of a matrix that are included in a page: all cells, or those of an even sample of origins and hours.
struct ShownCells {
  /// The maximum number of cells of a matrix that is shown completely, and of the sample of a larger one. Limits the
  /// job's running time.
  private static let (mostOfAll, most) = (1_500_000, 400_000)

  /// The indices of the shown origins and hours; no hours for a matrix without hours.
  private(set) var rows: [Int] = []
  private(set) var hours: [Int] = []
  /// The cells of each origin, hour by hour, in the format of `CellText`.
  private(set) var texts: [String] = []
  /// The mean and the shortest time of each origin at the first hour in seconds, and the number of destinations it
  /// reaches, in each case without itself; only if requested.
  private(set) var summaries: [(mean: Double?, nearest: Double?, reached: Int)] = []
  /// Whether the database has the cells; otherwise they are in a file.
  private(set) var areInTable = false
  /// A note about omitted cells; nil if there are none.
  private(set) var note: String?

  /// Reads the cells.
  ///
  /// - Parameter heat: Receives the cells of the first hour.
  ///
  /// *Throws*: `ResultsError`.
  init(
    of database: ResultsDatabase, origins: Int, destinations: Int, hours count: Int, _ heat: inout HeatTable,
    summarizes: Bool
  ) throws {
    guard origins > 0, destinations > 0, let cells = try database.shownMatrixCells() else {
      note = "This page does not show individual cells: the job kept only summaries, or wrote cells as CSV."
      return
    }
    areInTable = cells.name == "matrix_row"
    func evenly(_ most: Int, of count: Int) -> [Int] {
      let step = max(1, (count + most - 1) / max(1, most))
      return stride(from: 0, to: count, by: step).map(\.self)
    }
    let hasAll =
      destinations.multipliedReportingOverflow(by: origins * max(1, count)).partialValue <= ShownCells.mostOfAll
    let most = hasAll ? ShownCells.mostOfAll : ShownCells.most
    hours = evenly(hasAll ? count : max(1, min(24, most / 20 / destinations)), of: count)
    rows = evenly(most / (destinations * max(1, hours.count)), of: origins)
    guard destinations * max(1, hours.count) <= most else {
      (rows, hours) = ([], [])
      note = "This page does not show individual cells: each origin has too many."
      return
    }
    var row = CellRow()
    for origin in rows {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(destinations * max(1, hours.count))
      for hour in count == 0 ? [0] : hours {
        try cells.read(origin * max(1, count) + hour, into: &row)
        CellText.append(row.times, to: &bytes)
        guard hour == 0 else { continue }
        heat.add(row.times, from: origin)
        guard summarizes else { continue }
        let times = row.times.enumerated().filter { $1 >= 0 && $0 != heat.own[origin] }.map { Double($1) / 1000 }
        summaries.append((times.isEmpty ? nil : times.reduce(0, +) / Double(times.count), times.min(), times.count))
      }
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
    var notes: [String] = []
    if rows.count < origins {
      notes.append("\(Format.count(rows.count, of: origins)) origins can be selected, an even sample")
    }
    if hours.count < count { notes.append("\(hours.count) of \(count) hours are shown") }
    if !notes.isEmpty { note = notes.joined(separator: "; ") + ". All cells are in the results." }
  }

  /// Removes the cells and all hours but the first.
  mutating func removeCells() { (rows, texts, hours, note) = ([], [], Array(hours.prefix(1)), nil) }
}
