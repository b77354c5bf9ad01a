import Tables

extension ResultsFolder {
  package var travelTimes: String { file(MatrixResults.travelTimesFile) }
  package var distances: String { file(MatrixResults.distancesFile) }
  package var matrix: String { file(MatrixResults.matrixFile) }
}

/// The results of kind `matrix`.
enum MatrixResults: KindResults {
  static let tables =
    [
      MatrixRow.table([.departure, .percentile]).description,
      MatrixRow.view(hasDistances: true, [.departure, .percentile], date: .departure).description,
      MatrixRow.od(.single, date: .departure).description,
      CellHours.table(["worst", "mean", "p50"]).description,
      OriginSummary.table([.departure, .percentile]).description,
      OriginSummary.withinTable([.departure, .percentile]).description,
    ] + TransitTask.tables
  static let (travelTimesFile, distancesFile, matrixFile) = ("travel_times.npy", "distances.npy", "matrix.csv.gz")
  static func files(in folder: ResultsFolder) -> [String] {
    [folder.travelTimes, folder.distances, folder.matrix] + NumPyAxis.allCases.map { folder.file($0.file) }
  }
  static func creation(_ types: SQLTypes, _ content: MatrixWriter.Content) -> String {
    let axis = content.axis.columns
    let tables = [
      MatrixRow.table(axis).creation(types),
      // Filled row by row, since creating this index later would require reading most of a table as large as the matrix.
      "CREATE INDEX matrix_row_by_origin ON matrix_row (origin_id\(suffix(axis)));\n",
      OriginSummary.table(axis).creation(types),
      OriginSummary.withinTable(axis).creation(types),
      Distributions.table.creation(types),
      MatrixRow.view(hasDistances: content.hasDistances, axis, date: content.axis.dateColumn).creation,
      MatrixRow.od(content.axis, date: content.axis.dateColumn).creation,
      View.diagnosis(rows: nil).creation,
      content.hours.isEmpty ? "" : CellHours.table(content.hours).creation(types),
    ]
    return tables.joined()
  }

  /// Returns the columns that follow the origin's in the indices of tables with several rows per origin.
  private static func suffix(_ axis: [RowAxis.Column]) -> String { axis.map { ", \($0.rawValue)" }.joined() }

  /// Returns the SQL of the indices to create once all rows are written.
  static func indices(_ content: MatrixWriter.Content) -> String {
    let hour = suffix(content.axis.columns)
    let cells = "\nCREATE INDEX matrix_hours_by_origin ON matrix_hours (origin_id, destination_id);"
    return """
      CREATE INDEX origin_summary_by_origin ON origin_summary (origin_id\(hour));
      CREATE INDEX within_by_origin ON within (origin_id\(hour), threshold);
      """ + (content.hours.isEmpty ? "" : cells)
  }

  static let countedRows: String? = nil

  static func sums(_ database: ResultsDatabase) throws -> [SumCheck] {
    var sums = [SumCheck.chunks]
    for format in database.cellFormats {
      sums += try CellSums(database.matrixCells(in: format, lengths: true), of: database).checks(database)
    }
    return sums
  }

  /// Cells are compared by `CellComparison`: they are not rows.
  static let comparison = RowComparison(family: .matrix)
  static func sentence(_ headline: Headline) throws -> String { try headline.matrix() }
  static func shares(_ results: ResultsDatabase, _ axis: RowAxis, _ atHours: String) throws -> [String] {
    try PlaceProblems.rowShares("cells\(atHours)", results)
  }
}

/// The sums over all cells of a matrix, compared with the database.
struct CellSums {
  private let cells: any MatrixCells
  private var times = Sum()
  private var lengths = Sum()
  /// The number of cells with a route, row by row.
  private var reachable: [Int] = []

  private struct Sum {
    var count = 0
    var (minimum, maximum): (Int64, Int64) = (.max, 0)
    var total: Int64 = 0

    /// Adds the values of a row, except the origin's own cell.
    mutating func add(_ values: [Int64], except ownColumn: Int?) {
      for (column, value) in values.enumerated() where value >= 0 && column != ownColumn {
        count += 1
        minimum = min(minimum, value)
        maximum = max(maximum, value)
        total += value
      }
    }
  }

  init(_ cells: any MatrixCells, of database: ResultsDatabase) throws {
    self.cells = cells
    let (shape, ownCells) = (try database.matrixShape(), try database.ownCells())
    var row = CellRow()
    for number in 0..<shape.rows {
      try cells.read(number, into: &row)
      let column = ownCells[number / shape.rowsPerOrigin]
      times.add(row.times, except: column)
      lengths.add(row.lengths, except: column)
      reachable.append(row.times.count { $0 >= 0 })
    }
  }

  /// Returns checks of the statistics of times, of distances if there are lengths, and of origins' summaries if there
  /// are any.
  func checks(_ database: ResultsDatabase) throws -> [SumCheck] {
    var checks = try statistic(.expectedTravelTime, times, per: 1000, database)
    if lengths.count > 0 { checks += try statistic(.distance, lengths, per: 100, database) }
    let rows = try database.database.rows(
      "SELECT 'origin ' || origin_id AS item, reachable FROM origin_summary ORDER BY rowid"
    ) { (item: try $0["item"] as String, reachable: try $0["reachable"] as Int) }
    guard !rows.isEmpty else { return checks }
    let measure = "reachable in \(cells.name)"
    return checks + [
      SumCheck(
        zip(rows, reachable).filter { $0.reachable != $1 }.map {
          Difference(item: $0.item, measure: measure, found: Double($0.reachable), expected: Double($1))
        })
    ]
  }

  private func statistic(
    _ measure: Statistic.Measure, _ sum: Sum, per scale: Double, _ database: ResultsDatabase
  ) throws -> [SumCheck] {
    let statistic = try database.statistics().first { $0.scope == "job" && $0.measure == measure }
    guard let statistic else { return [] }
    // The sums are of whole numbers; only 32-bit floats add rounding errors.
    let tolerance = cells.isSingle ? 1e-7 : 1e-9
    let mean = Double(sum.total) / Double(max(1, sum.count)) / scale
    let numbers = [
      ("count", Double(statistic.count), Double(sum.count)),
      ("min", statistic.quantiles[0], sum.count > 0 ? Double(sum.minimum) / scale : 0),
      ("max", statistic.quantiles[statistic.quantiles.count - 1], Double(sum.maximum) / scale),
      ("mean", statistic.mean, mean),
    ]
    return numbers.map { column, found, expected in
      let name = "\(column) of \(measure.rawValue) in \(cells.name)"
      let isEqual = abs(found - expected) <= tolerance * abs(expected)
      return SumCheck(isEqual ? [] : [Difference(item: "statistic", measure: name, found: found, expected: expected)])
    }
  }
}
