extension IdentityKey {
  package static let destinations = IdentityKey("destinations", .presentation)
  package static let destinationsSHA256 = IdentityKey("destinations_sha256", .input)
  package static let distances = IdentityKey("distances", .setting)
  package static let format = IdentityKey("format", .presentation)
  package static let summary = IdentityKey("summary", .presentation)
}

extension FigureKey {
  private static let cells = "cells_"
  /// How many cells have a status.
  static func cells(_ status: RowStatus) -> FigureKey { FigureKey(cells + status.rawValue) }
}

extension ResultsFolder {
  package var travelTimes: String { file("travel_times.npy") }
  package var distances: String { file("distances.npy") }
  package var matrix: String { file("matrix.csv.gz") }
}

/// Kind `matrix`.
enum MatrixResults: KindResults {
  static let tables = [
    MatrixRow.table.description, MatrixRow.view(hasDistances: true).description, OriginSummary.table.description,
    OriginSummary.withinTable.description,
  ]
  static let files = ["travel_times.npy", "distances.npy", "matrix.csv.gz"]
  static let identityKeys: [IdentityKey] = [
    .origins, .originsSHA256, .destinations, .destinationsSHA256, .distances, .format, .summary,
  ]

  static func creation(_ ids: IDType, hasDistances: Bool) -> String {
    MatrixRow.table.creation(ids) + OriginSummary.table.creation(ids) + OriginSummary.withinTable.creation(ids)
      + Distributions.table.creation(ids) + MatrixRow.view(hasDistances: hasDistances).creation
  }

  static let indices = """
    CREATE INDEX matrix_row_by_origin ON matrix_row (origin_id);
    CREATE INDEX origin_summary_by_origin ON origin_summary (origin_id);
    CREATE INDEX within_by_origin ON within (origin_id, threshold);
    """

  static func statusCounts(_ database: ResultsDatabase) throws -> [StatusCount] {
    let counts = RowStatus.allCases.compactMap { status in
      database.record.figures.integer(.cells(status)).map { StatusCount(status: status, count: $0) }
    }
    return counts.sorted { $0.status.rawValue < $1.status.rawValue }
  }

  static func sums(_ database: ResultsDatabase) throws -> [SumCheck] {
    guard try database.hasCells() else { return [.chunks] }
    let times = """
      SELECT cell.value AS expected_travel_time FROM matrix_row, json_each(matrix_row.travel_times) AS cell
      WHERE cell.value NOT NULL
      """
    let reachable = SumCheck(
      "reachable",
      """
      SELECT 'origin ' || origin_id AS item, reachable AS found,
        (SELECT count(value) FROM json_each(travel_times)) AS expected
      FROM origin_summary JOIN matrix_row USING (origin_id) WHERE found <> expected
      """)
    return [.chunks] + SumCheck.statistic("expected_travel_time", of: times) + [reachable]
  }

  /// Cells are compared by `CellComparison`: they are not rows.
  static let comparison = RowComparison.cells
}
