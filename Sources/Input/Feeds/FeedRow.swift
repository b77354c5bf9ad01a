/// A row of a file in a GTFS feed: the fields of the requested columns, in order.
package struct FeedRow {
  private let rows: DelimitedRows
  /// The index of each requested column; nil if the file does not have it.
  private let indices: [Int?]

  fileprivate init(_ rows: DelimitedRows, _ indices: [Int?]) { (self.rows, self.indices) = (rows, indices) }

  package var line: Int { rows.line }
  /// The text of the row in the file.
  package var text: String { rows.text }

  /// A field; empty if the row or the file does not have it.
  package subscript(column: Int) -> RowField {
    guard let index = indices[column], index < rows.count else { return .empty }
    return rows[index]
  }

  /// Returns whether the file has a requested column.
  package func has(_ column: Int) -> Bool { indices[column] != nil }

  /// Returns the degrees in a field. `name` is for messages.
  package func degrees(_ column: Int, in name: String) throws(RowProblem) -> Double {
    guard let index = indices[column] else { throw RowProblem("the header has no column \(name)") }
    guard index < rows.count else { throw RowProblem("\(name) is empty") }
    return try rows.degrees(index, in: name)
  }
}

extension GTFSFeed {
  /// Calls `body` with each row of a file: the required columns, then the optional ones. *Throws*: `InputError`,
  /// including if the header lacks a required column.
  ///
  /// - Parameter reject: Called with each row that is too short or for which `body` throws, and the reason.
  /// - Returns: Notes on the file.
  @discardableResult
  package func forEachRow(
    _ name: String, _ columns: [String], _ optional: [String] = [],
    reject: (FeedRow, RowProblem) -> Void = { _, _ in }, _ body: (FeedRow) throws(RowProblem) -> Void
  ) throws -> [String] {
    let rows = try rows(of: name)
    // Column names are case-insensitive, as in other tables.
    let header = try rows.header().map { $0.lowercased() }
    let required = try columns.map { column in
      guard let index = header.firstIndex(of: column) else {
        throw InputError(file: rows.path, line: 1, problem: "the header has no column \(column)")
      }
      return index
    }
    let row = FeedRow(rows, required + optional.map { header.firstIndex(of: $0) })
    let minimumFields = (required.max() ?? 0) + 1
    while try rows.next() {
      do throws(RowProblem) {
        // Rows of real feeds may be too short: one with all required columns is accepted.
        guard rows.count >= minimumFields else {
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
