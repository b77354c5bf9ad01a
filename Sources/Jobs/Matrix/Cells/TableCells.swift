import Tables

/// Cells as JSON arrays in table `matrix_row`.
final class TableCells: MatrixCells {
  let name = "matrix_row"
  let isSingle = false
  private let path: String
  private let shape: MatrixShape
  private let row: SQLite.Statement
  private var reader = CellReader()

  init(_ database: ResultsDatabase, _ shape: MatrixShape) throws {
    (path, self.shape) = (database.path, shape)
    row = try database.database.prepare(
      "SELECT travel_times\(shape.hasLengths ? ", distances" : "") FROM matrix_row WHERE rowid = ?")
  }

  func read(_ number: Int, into cells: inout CellRow) throws {
    row.bind(number + 1)
    defer { row.reset() }
    guard try row.next() else { throw damaged("table matrix_row has no row \(number + 1)") }
    func numbers(_ column: String) throws -> [Int64] {
      try row.withBytes(column) { reader.read($0) }
      guard reader.cells.count == shape.columns else {
        throw damaged(
          "row \(number + 1) of table matrix_row has \(reader.cells.count) \(column), expected \(shape.columns)")
      }
      return reader.cells
    }
    cells.times = try numbers("travel_times")
    // Thousandths of a metre.
    cells.lengths = shape.hasLengths ? try numbers("distances").map { $0 < 0 ? -1 : $0 / 10 } : []
  }

  private func damaged(_ problem: String) -> ResultsError {
    ResultsError(path: path, problem: problem, cause: .input)
  }
}
