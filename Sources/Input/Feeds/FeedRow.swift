/// A row of a file of a GTFS feed: the fields of the columns that were asked for, in their order.
package struct FeedRow {
  private let rows: DelimitedRows
  /// Of each column asked for; nil where the file has none.
  private let indices: [Int?]

  fileprivate init(_ rows: DelimitedRows, _ indices: [Int?]) { (self.rows, self.indices) = (rows, indices) }

  package var line: Int { rows.line }
  /// The row as it is in the file.
  package var text: String { rows.text }

  /// A field; empty where the row or the file has none.
  package subscript(column: Int) -> RowField {
    guard let index = indices[column], index < rows.count else { return .empty }
    return rows[index]
  }

  /// The degrees in a field. `name` is for the sentence.
  package func degrees(_ column: Int, in name: String) throws(RowProblem) -> Double {
    guard let index = indices[column], index < rows.count else { throw RowProblem("\(name) is empty") }
    return try rows.degrees(index, in: name)
  }
}

extension GTFSFeed {
  /// Calls `body` with each row of a file: the columns that it must have, and behind them those that it may have. *Throws*:
  /// `InputError`, also where a column that the file must have is not in its header.
  ///
  /// - Parameter reject: Called with a row that is too short or has an odd quote, and with why, and where `body` throws.
  /// - Returns: Notes on the file.
  @discardableResult
  package func forEachRow(
    _ name: String, _ columns: [String], _ optional: [String] = [],
    reject: (FeedRow, RowProblem) -> Void = { _, _ in }, _ body: (FeedRow) throws(RowProblem) -> Void
  ) throws -> [String] {
    let rows = try rows(of: name)
    let header = try rows.header()
    let required = try columns.map { column in
      guard let index = header.firstIndex(of: column) else {
        throw InputError(file: rows.path, line: 1, problem: "the header has no column \(column)")
      }
      return index
    }
    let row = FeedRow(rows, required + optional.map { header.firstIndex(of: $0) })
    let least = (required.max() ?? 0) + 1
    while try rows.next() {
      do throws(RowProblem) {
        // Feeds are not always tidy: a row counts that has what is asked for.
        guard rows.count >= least else {
          throw RowProblem("got \(rows.count) fields, expected \(header.count) as in the header")
        }
        try body(row)
      } catch {
        reject(row, error)
      }
    }
    return rows.notes
  }
}
