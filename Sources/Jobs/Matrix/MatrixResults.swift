import Tables

extension FigureKey {
  private static let cells = "cells_"
  /// How many cells have a status.
  static func cells(_ status: RowStatus) -> FigureKey { FigureKey(cells + status.rawValue) }
}

extension ResultsFolder {
  package var travelTimes: String { file(MatrixResults.travelTimesFile) }
  package var distances: String { file(MatrixResults.distancesFile) }
  package var matrix: String { file(MatrixResults.matrixFile) }
}

/// Kind `matrix`.
enum MatrixResults: KindResults {
  static let tables = [
    MatrixRow.table(hasDepartures: true).description,
    MatrixRow.view(hasDistances: true, date: .departure).description,
    MatrixRow.od(date: .departure).description,
    CellHours.table(["worst", "mean", "p50"]).description, OriginSummary.table(hasDepartures: true).description,
    OriginSummary.withinTable(hasDepartures: true).description,
  ]
  static let (travelTimesFile, distancesFile, matrixFile) = ("travel_times.npy", "distances.npy", "matrix.csv.gz")
  static let files =
    [travelTimesFile, distancesFile, matrixFile] + NumPyAxis.allCases.map(\.file)
  static func creation(_ types: SQLTypes, _ shape: MatrixWriter.Shape) -> String {
    let tables = [
      MatrixRow.table(hasDepartures: shape.hasDepartures).creation(types),
      // Filled row by row: afterwards it would read most of a table that is as large as the matrix.
      "CREATE INDEX matrix_row_by_origin ON matrix_row (origin_id\(shape.hasDepartures ? ", departure" : ""));\n",
      OriginSummary.table(hasDepartures: shape.hasDepartures).creation(types),
      OriginSummary.withinTable(hasDepartures: shape.hasDepartures).creation(types),
      Distributions.table.creation(types),
      MatrixRow.view(hasDistances: shape.hasDistances, date: shape.departures.first?.dateColumn).creation,
      MatrixRow.od(date: shape.departures.first?.dateColumn).creation,
      Diagnosis.view(rows: nil).creation,
      shape.hours.isEmpty ? "" : CellHours.table(shape.hours).creation(types),
    ]
    return tables.joined()
  }

  /// Made when all rows are there.
  static func indices(_ shape: MatrixWriter.Shape) -> String {
    let hour = shape.hasDepartures ? ", departure" : ""
    let cells = "\nCREATE INDEX matrix_hours_by_origin ON matrix_hours (origin_id, destination_id);"
    return """
      CREATE INDEX origin_summary_by_origin ON origin_summary (origin_id\(hour));
      CREATE INDEX within_by_origin ON within (origin_id\(hour), threshold);
      """ + (shape.hours.isEmpty ? "" : cells)
  }

  static func statusCounts(_ database: ResultsDatabase) throws -> [StatusCount] {
    let counts = RowStatus.allCases.compactMap { status in
      database.record.figures.integer(.cells(status)).map { StatusCount(status: status, count: $0) }
    }
    return counts.sorted { $0.status.rawValue < $1.status.rawValue }
  }

  static func sums(_ database: ResultsDatabase) throws -> [SumCheck] {
    var sums = [SumCheck.chunks]
    for form in database.cellForms {
      sums +=
        form == .sqlite
        ? try sumsOfRows(database)
        : try CellSums(database.matrixCells(in: form, lengths: true), database.matrixShape()).checks(database)
    }
    return sums
  }

  private static func sumsOfRows(_ database: ResultsDatabase) throws -> [SumCheck] {
    let times = """
      SELECT cell.value AS expected_travel_time FROM matrix_row, json_each(matrix_row.travel_times) AS cell
      WHERE cell.value NOT NULL
      """
    let hour = try database.departures().isEmpty ? "" : ", departure"
    let reachable = SumCheck(
      "reachable",
      """
      SELECT 'origin ' || origin_id AS item, reachable AS found,
        (SELECT count(value) FROM json_each(travel_times)) AS expected
      FROM origin_summary JOIN matrix_row USING (origin_id\(hour)) WHERE found <> expected
      """)
    return SumCheck.statistic("expected_travel_time", of: times) + [reachable]
  }

  /// Cells are compared by `CellComparison`: they are not rows.
  static let comparison = RowComparison.cells
}
